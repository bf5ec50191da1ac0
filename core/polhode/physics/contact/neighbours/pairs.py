"""Neighbour list of everything that can touch (Verlet, Phys. Rev. 159, 98, 1967), found by a tree (tree.py).

The list holds all pairs of items whose bounding boxes, enlarged by a margin each, overlap. It is valid until an item
has moved or turned so far that one of its points may have moved by its margin, so most evaluations only go through the
list. Pairs are in the order of their indices: sums of forces do not depend on when the list was made, and a run that is
repeated from any of its states is equal to the last bit. Without a list all pairs are tested, in the same order: of few
items, and where more pairs are near than the list has room for.
"""

from __future__ import annotations

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, dot, put, row, subtract
from polhode.physics.contact.arrays import ContactWork
from polhode.physics.contact.fields.arrays import FieldWork
from polhode.physics.contact.neighbours.arrays import CONVEX, GRID, LEAF, SOLID, Neighbours, NeighbourWork
from polhode.physics.contact.neighbours.tree import build_tree, meets
from polhode.physics.contact.separate import are_separate
from polhode.physics.contact.solids.arrays import SolidWork
from polhode.physics.contact.solids.frames import Frame, frame_of


@kernel
def neighbour_range(work: NeighbourWork, begin: int, end: int, j: int) -> tuple[int, int]:
    """Range of numbers m, see `neighbour`, of the neighbours i < j of item j with begin <= i < end."""
    if work.is_listed[0] == 0:
        return begin, min(end, j)
    first, last = work.first[j], work.first[j + 1]
    while first < last and work.partner[first] < begin:
        first += 1
    while first < last and work.partner[last - 1] >= end:
        last -= 1
    return first, last


@kernel
def neighbour(work: NeighbourWork, m: int) -> int:
    """The item of number m of a `neighbour_range`."""
    return m if work.is_listed[0] == 0 else work.partner[m]


@kernel
def pose_of(
    neighbours: Neighbours, contact_work: ContactWork, solid_work: SolidWork, field_work: FieldWork, i: int
) -> Frame:
    """Frame of item i, as seen from the laboratory; without axes of a sphere."""
    if i < neighbours.solids:
        zero = (0.0, 0.0, 0.0)
        return Frame(row(contact_work.position, i), zero, zero, zero)
    if i < neighbours.fields:
        return frame_of(solid_work, i - neighbours.solids)
    return frame_of(field_work, i - neighbours.fields)


@kernel
def square_of(a: Triple, b: Triple) -> float:
    """|a - b|^2."""
    between = subtract(a, b)
    return dot(between, between)


@kernel
def has_moved(neighbours: Neighbours, work: NeighbourWork, i: int, pose: Frame) -> bool:
    """Whether a point of item i may have moved by more than the margin since the list was made.

    Points move by at most |dx| + r |dR| with the displacement dx of the origin, the largest distance r from it, and the
    Frobenius norm of the change dR of the axes. True without a list.
    """
    axes, reach, margin = work.axes[i], neighbours.turning[i], neighbours.margin[i]
    moved = square_of(pose.origin, row(work.center, i))
    if reach > 0.0:
        turned = square_of(pose.x, row(axes, 0)) + square_of(pose.y, row(axes, 1)) + square_of(pose.z, row(axes, 2))
        moved = 2.0 * (moved + reach * reach * turned)
    return not moved <= margin * margin  # NaN without a list


@kernel
def write_box(neighbours: Neighbours, work: NeighbourWork, i: int, pose: Frame) -> None:
    """Note the pose of item i and its bounding box with the margin."""
    axes = work.axes[i]
    put(work.center, i, pose.origin)
    put(axes, 0, pose.x)
    put(axes, 1, pose.y)
    put(axes, 2, pose.z)
    center = add(pose.origin, combine(row(neighbours.middle, i), pose.x, pose.y, pose.z))
    for axis in range(3):
        wide = neighbours.radius[i] + neighbours.margin[i]
        for k in range(3):
            wide += neighbours.half[i, k] * abs(axes[k, axis])
        work.low[i, axis], work.high[i, axis] = center[axis] - wide, center[axis] + wide


@kernel
def may_press(neighbours: Neighbours, i: int, j: int) -> bool:
    """Whether there is a law for items i < j: not of one owner, of separate bodies, or of kinds that ignore each other.

    Convex solids touch spheres and each other as such, and only shapes with a grid by sample points.
    """
    if neighbours.owner[i] == neighbours.owner[j]:
        return False
    one, other = neighbours.kind[i], neighbours.kind[j]
    if other == CONVEX and one != GRID:
        return False
    if other == GRID and one == SOLID:
        return False
    a, b = neighbours.body[i], neighbours.body[j]
    if a == NOTHING or b == NOTHING:
        return True
    return not are_separate(neighbours.first_separate, neighbours.separate, a, b)


@kernel
def find_between(neighbours: Neighbours, work: NeighbourWork, leaf: int, other: int, count: int) -> int:
    """Append the pairs of items of two leaves, or of one, to `work.found`, which has `count`; returns their number, or
    more than there is room for.
    """
    box = work.box
    for k in range(LEAF * leaf, min(LEAF * leaf + LEAF, len(box))):
        for m in range(k + 1 if leaf == other else LEAF * other, min(LEAF * other + LEAF, len(box))):
            meets_x = (box[k, 0] <= box[m, 3]) & (box[m, 0] <= box[k, 3])
            meets_y = (box[k, 1] <= box[m, 4]) & (box[m, 1] <= box[k, 4])
            meets_z = (box[k, 2] <= box[m, 5]) & (box[m, 2] <= box[k, 5])
            if not meets_x & meets_y & meets_z:  # most do not: without a branch for each axis
                continue
            i, j = min(work.order[0, k], work.order[0, m]), max(work.order[0, k], work.order[0, m])
            if may_press(neighbours, i, j):
                if count < len(work.found):
                    work.found[count, 0], work.found[count, 1] = i, j
                count += 1
    return count


@kernel
def find_pairs(neighbours: Neighbours, work: NeighbourWork) -> int:
    """Write all pairs into `work.found`; returns their number, or more than there is room for.

    The tree is searched once for each leaf, for itself and those after it.
    """
    leaves, count, low, high = (len(work.node_low) + 1) // 2, 0, work.node_low, work.node_high
    for leaf in range((len(work.code) + LEAF - 1) // LEAF):
        depth, here = 1, leaves - 1 + leaf
        work.stack[0] = 0
        while depth > 0 and count <= len(work.found):
            depth -= 1
            node = work.stack[depth]
            if work.node_last[node] < leaf or not meets(low, high, here, low, high, node):
                continue
            if node < leaves - 1:
                work.stack[depth], work.stack[depth + 1] = 2 * node + 2, 2 * node + 1
                depth += 2
                continue
            count = find_between(neighbours, work, leaf, node - leaves + 1, count)
    return count


@kernel
def list_pairs(neighbours: Neighbours, work: NeighbourWork) -> bool:
    """Make the list from the boxes; False if it has no room for all pairs.

    The pairs are sorted by their first item, then by their second one, so that those of each j are in ascending order.
    """
    items = len(neighbours.kind)
    build_tree(work)
    count = find_pairs(neighbours, work)
    if count > len(work.found):
        return False
    first, begin = work.first, work.begin
    for j in range(items + 1):
        first[j] = begin[j] = 0
    for k in range(count):
        begin[work.found[k, 0] + 1] += 1
        first[work.found[k, 1] + 1] += 1
    for j in range(items):
        begin[j + 1] += begin[j]
        first[j + 1] += first[j]
    for k in range(count):
        i = work.found[k, 0]
        work.later[begin[i]] = work.found[k, 1]
        begin[i] += 1  # now the end of those of i, the begin of those of i + 1
    k = 0
    for i in range(items):
        while k < begin[i]:
            j = work.later[k]
            work.partner[first[j]] = i
            first[j] += 1
            k += 1
    for j in range(items, 0, -1):
        first[j] = first[j - 1]
    first[0] = 0
    return True


@kernel
def keep_neighbours(
    neighbours: Neighbours,
    work: NeighbourWork,
    contact_work: ContactWork,
    solid_work: SolidWork,
    field_work: FieldWork,
) -> None:
    """PLACE: make the list again if an item has moved by more than its margin; all items are placed."""
    items, outdated = len(neighbours.kind), False
    for i in range(items):
        if has_moved(neighbours, work, i, pose_of(neighbours, contact_work, solid_work, field_work, i)):
            outdated = True
            break
    if not outdated:
        return
    for i in range(items):
        write_box(neighbours, work, i, pose_of(neighbours, contact_work, solid_work, field_work, i))
    work.is_listed[0] = 1 if list_pairs(neighbours, work) else 0
