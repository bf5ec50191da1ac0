"""The overlap of two shapes: which sample points of one lie in the other, and the energy of all together.

    S = sum w d^4/W        U = k (sqrt(S + e^4) - e^2)/2

over the sample points of both, with the weight w and the overlap d = r - f(x) > 0 of each: r is the rounding, f the
distance from the other shape. The weight of a point is its area times a part p for all points of its shape, p = 1/2 for
equal spacings h and p = h'^2/(h^2 + h'^2) else: coarse points are unfit for small patches.

W is the patch area of the pair and e a small length. A flat patch of the area W that overlaps by d >> e has the energy
k d^2/2, as a sphere has. U is a convex function of the overlaps, so patches that are added never attract; it has three
continuous derivatives where points come and go, as the distance has two, so the order of an integrator is kept. The
force is its exact gradient:

    F = sum f n        f = k w d^3/(W sqrt(S + e^4)),  n = grad f
"""

from __future__ import annotations

from math import sqrt

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, dot, put, row, scale, subtract
from polhode.mesh.distance.field import AROUND
from polhode.mesh.distance.spline import MARGIN, is_within, spline
from polhode.physics.contact.fields.arrays import LEAF, Fields, FieldWork
from polhode.physics.contact.separate import are_separate
from polhode.physics.contact.solids.arrays import Solids
from polhode.physics.contact.solids.frames import Frame, frame_of, to_local, to_outer, turned
from polhode.physics.contact.solids.nearest import nearest_on

SOFT = 0.02  # e as a part of the smaller rounding
STEEPEST = 1.8  # largest gradient of a spline of a distance: at sharp edges and in thin walls it overshoots
SLACK = 0.3  # cells by which the interpolated coefficients and the spline may differ from the distance
WRONG = 1.0  # cells: twice the most by which a spline differs from the distance, at sharp edges
LEVEL = 0.3  # gradient in the middle of a wall: less than between flanks at 35 degrees
ROUNDED = 0.75  # of the rounding of a shape: depth from which on its points are not those of a thin edge
HALFWAY = 0.8  # of half the width of a convex solid
OUTSIDE = float(AROUND + MARGIN)  # cells that a grid has around its mesh at least


@kernel
def in_cells(fields: Fields, j: int, at: Triple) -> Triple:
    """A place `at` [m] in the frame of shape j, in cells from its first node."""
    inverse, low = 1.0 / fields.cell[j], row(fields.low, j)
    return (at[0] - low[0]) * inverse, (at[1] - low[1]) * inverse, (at[2] - low[2]) * inverse


@kernel
def nodes_of(fields: Fields, j: int) -> Triple:
    """Number of nodes of shape j along each axis."""
    return float(fields.nodes[j, 0]), float(fields.nodes[j, 1]), float(fields.nodes[j, 2])


@kernel
def distance_from(fields: Fields, solids: Solids, j: int, at: Triple, limit: float) -> tuple[bool, float, Triple]:
    """Whether the distance of the place `at` [m], in its frame, from shape j is known, the distance [m], and its
    gradient. Distances beyond `limit` [m] may be less than they are.
    """
    if fields.solid[j] != NOTHING:
        near = nearest_on(solids, fields.solid[j], at, limit + fields.rounding[j])
        return True, near.distance - fields.rounding[j], near.normal
    place = in_cells(fields, j, at)
    if not is_within(nodes_of(fields, j), place):
        return False, 0.0, at
    ny, nz, inverse = fields.nodes[j, 1], fields.nodes[j, 2], 1.0 / fields.cell[j]
    distance, slope = spline(fields.numbers, fields.first_number[j], ny, nz, place)
    return True, distance, scale(inverse, slope)


@kernel
def least_distance(fields: Fields, solids: Solids, j: int, at: Triple, limit: float) -> float:
    """A distance [m] from shape j that the place `at` [m], in its frame, has at least.

    In the grid it is the linear interpolation of the coefficients, less its difference from the spline; outside, the
    distance from the grid and the cells that it has around the mesh. Beyond `limit` [m] it may be less.
    """
    if fields.solid[j] != NOTHING:
        return distance_from(fields, solids, j, at, limit)[1]
    place, nodes, cell = in_cells(fields, j, at), nodes_of(fields, j), fields.cell[j]
    square = 0.0
    for axis in range(3):
        outside = max(-place[axis], place[axis] - (nodes[axis] - 1.0), 0.0)
        square += outside * outside
    if square > 0.0:
        return cell * (sqrt(square) + OUTSIDE)
    # between the eight nodes around the place, of which the last layer has none behind it
    i, k = min(int(place[0]), fields.nodes[j, 0] - 2), min(int(place[1]), fields.nodes[j, 1] - 2)
    m = min(int(place[2]), fields.nodes[j, 2] - 2)
    x, y, z = place[0] - i, place[1] - k, place[2] - m
    along_z, along_y = 1, fields.nodes[j, 2]
    first = fields.first_number[j] + (i * fields.nodes[j, 1] + k) * along_y + m
    second = first + fields.nodes[j, 1] * along_y
    numbers, value = fields.numbers, 0.0
    for begin, part in ((first, 1.0 - x), (second, x)):
        low = (1.0 - z) * numbers[begin] + z * numbers[begin + along_z]
        high = (1.0 - z) * numbers[begin + along_y] + z * numbers[begin + along_y + along_z]
        value += part * ((1.0 - y) * low + y * high)
    return value - SLACK * cell


@kernel
def is_reached(fields: Fields, j: int, at: Triple) -> bool:
    """Whether a sample point at the place `at` [m], in the frame of shape j, may overlap it; True of a convex solid."""
    if fields.solid[j] != NOTHING:
        return True
    place = in_cells(fields, j, at)
    if not is_within(nodes_of(fields, j), place):
        return False
    node = (int(place[0]) * fields.nodes[j, 1] + int(place[1])) * fields.nodes[j, 2] + int(place[2])
    return bool(fields.reached[fields.first_number[j] + node])


@kernel
def may_touch(fields: Fields, work: FieldWork, i: int, j: int) -> bool:
    """Whether shapes i and j, one of which has a grid, are near each other and not separate."""
    if fields.solid[i] != NOTHING and fields.solid[j] != NOTHING:
        return False
    here = to_outer(frame_of(work, i), row(fields.center, i))
    between = subtract(here, to_outer(frame_of(work, j), row(fields.center, j)))
    touch = fields.reach[i] + fields.reach[j]
    return dot(between, between) < touch * touch and not are_separate(
        fields.first_separate, fields.separate, fields.body[i], fields.body[j]
    )


@kernel
def find_overlaps(
    fields: Fields,
    solids: Solids,
    work: FieldWork,
    pair: tuple[int, int],
    seen: Frame,
    outer: Frame,
    patch: float,
    count: int,
) -> int:
    """Add the points of shape i that overlap shape j to those of the pair, after `count` others; returns their number.

    pair: i and j
    seen: frame of shape i, as seen from shape j; outer: frame of shape j, as seen from the laboratory
    patch: W [m^2]
    """
    i, j = pair
    base, radius = fields.first_node[i], fields.rounding[i]
    part, wrong = part_of(fields.spacing[i], fields.spacing[j]), WRONG * fields.cell[j]
    leaves, depth = (fields.first_node[i + 1] - base + 1) // 2, 1
    work.stack[0] = 0
    while depth > 0:
        depth -= 1
        node = work.stack[depth]
        around = fields.around[base + node]
        if around < 0.0:
            continue
        limit = min(STEEPEST * around, around + wrong) + radius
        if least_distance(fields, solids, j, to_outer(seen, row(fields.middle, base + node)), limit) > limit:
            continue
        if node < leaves - 1:
            work.stack[depth], work.stack[depth + 1] = 2 * node + 2, 2 * node + 1
            depth += 2
            continue
        first = fields.first_point[i] + LEAF * (node - leaves + 1)
        for n in range(first, min(first + LEAF, fields.first_point[i + 1])):
            local = to_outer(seen, row(fields.point, n))
            if not is_reached(fields, j, local):
                continue
            known, distance, slope = distance_from(fields, solids, j, local, radius)
            overlap = radius - distance
            if known and overlap > 0.0:
                note(work, count, part * fields.area[n], overlap, patch)
                put(work.place, count, to_outer(outer, local))
                put(work.slope, count, turned(outer, slope))
                if is_halfway(fields, solids, j, distance, slope):
                    work.sums[1] = max(work.sums[1], overlap)
                count += 1
    return count


@kernel
def is_halfway(fields: Fields, solids: Solids, j: int, distance: float, slope: Triple) -> bool:
    """Whether a point at a `distance` [m] from shape j, with its gradient, is about halfway through a wall.

    The gradient vanishes in the middle of a wall; the distance of a convex solid is less than half of its width there.
    """
    solid = fields.solid[j]
    if solid == NOTHING:
        return distance < -ROUNDED * fields.rounding[j] and dot(slope, slope) < LEVEL * LEVEL
    half = min(solids.bound[solid, 0], solids.bound[solid, 1], solids.bound[solid, 2]) + solids.radius[solid]
    return distance < -HALFWAY * half


@kernel
def note(work: FieldWork, n: int, weight: float, overlap: float, patch: float) -> None:
    """Add point n of a pair to S: its weight w [m^2] and its overlap [m]; patch: W [m^2]"""
    share = weight * overlap * overlap * overlap
    work.sums[0] += share * overlap / patch
    work.share[n, 0], work.share[n, 1] = share, overlap


@kernel
def find_overlaps_of_sphere(
    fields: Fields, work: FieldWork, j: int, center: Triple, radius: float, patch: float
) -> int:
    """Note the points of shape j that overlap a sphere; returns their number.

    center: of the sphere [m], laboratory frame; radius: [m]; patch: W [m^2]
    """
    frame, base, reach = frame_of(work, j), fields.first_node[j], radius + fields.rounding[j]
    middle, count = to_local(frame, center), 0
    leaves, depth = (fields.first_node[j + 1] - base + 1) // 2, 1
    work.stack[0] = 0
    while depth > 0:
        depth -= 1
        node = work.stack[depth]
        around = fields.around[base + node]
        away = subtract(row(fields.middle, base + node), middle)
        if around < 0.0 or dot(away, away) > (reach + around) ** 2:
            continue
        if node < leaves - 1:
            work.stack[depth], work.stack[depth + 1] = 2 * node + 2, 2 * node + 1
            depth += 2
            continue
        first = fields.first_point[j] + LEAF * (node - leaves + 1)
        for n in range(first, min(first + LEAF, fields.first_point[j + 1])):
            local = row(fields.point, n)
            away = subtract(local, middle)
            distance = sqrt(dot(away, away))
            if 0.0 < distance < reach:
                note(work, count, fields.area[n], reach - distance, patch)
                work.sums[1] = max(work.sums[1], reach - distance)
                put(work.place, count, to_outer(frame, local))
                put(work.slope, count, turned(frame, scale(1.0 / distance, away)))
                count += 1
    return count


@kernel
def part_of(own: float, other: float) -> float:
    """Part that the points of a shape with the spacing `own` have in S, beside those with the spacing `other`, in m."""
    return other * other / (own * own + other * other)


@kernel
def softness(rounding: float) -> float:
    """e^4 [m^4] of a pair with the smaller rounding [m]."""
    return (SOFT * rounding) ** 4
