"""Kernel arrays of neighbours: everything that can touch, and the list of those pairs that are near each other.

Items are all spheres, then all convex solids, then all shapes that press as they look, in the order of their arrays. SI
units.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct

SPHERE, SOLID, CONVEX, GRID = range(4)  # kinds of items: the last two are fields of convex solids, and of a grid
FEW = 12  # items up to which testing all pairs takes no longer than a list
LEAF = 4  # items in a leaf of the tree, at most
DEEPEST = 64  # nodes on the stack of a search
ROOM = 24  # pairs per item for which the list has room


class Neighbours(KernelStruct):
    """Items that can touch each other. Constant; read by PLACE and LAW."""

    kind: np.ndarray
    """(n,) int64: SPHERE, SOLID, CONVEX or GRID."""
    owner: np.ndarray
    """(n,) int64 scene item; items of one owner do not touch."""
    body: np.ndarray
    """(n,) int64 index of the body, NOTHING for a point."""
    middle: np.ndarray
    """(n, 3) [m] centre of the bounding box, in the frame of the item."""
    half: np.ndarray
    """(n, 3) [m] half-lengths of the bounding box without the radius, along the axes of the item."""
    radius: np.ndarray
    """(n,) [m] by which that box is thickened on all sides."""
    turning: np.ndarray
    """(n,) [m] largest distance of a corner of the box from the origin of the item; 0 of spheres."""
    margin: np.ndarray
    """(n,) [m] by which an item may move until the list is made again."""
    solids: int
    """Item of the first solid."""
    fields: int
    """Item of the first shape that presses as it looks."""
    first_separate: np.ndarray
    """(b + 1,) int64, as that of `Contacts`."""
    separate: np.ndarray
    """(k,) int64 indices of bodies, as those of `Contacts`."""


class NeighbourWork(KernelStruct):
    """Scratch: the list of neighbours, written by PLACE and read by LAW, and the tree that they are found by."""

    is_listed: np.ndarray
    """(1,) int64: 0 if there is no list, and all pairs are tested."""
    first: np.ndarray
    """(n + 1,) int64: the neighbours i < j of item j are partner[first[j]] ... partner[first[j + 1] - 1], ascending."""
    partner: np.ndarray
    """(q,) int64."""
    found: np.ndarray
    """(q, 2) int64 the same pairs i < j in the order in which they are found."""
    later: np.ndarray
    """(q,) int64 the items j of these pairs, sorted by i."""
    begin: np.ndarray
    """(n + 1,) int64 begin of those of item i in `later`."""
    center: np.ndarray
    """(n, 3) [m] origins of the items when the list was made, NaN without one, laboratory frame."""
    axes: np.ndarray
    """(n, 3, 3) rows: axes of the items then; zero of spheres."""
    low: np.ndarray
    """(n, 3) [m] lower corners of their bounding boxes with the margin, along the axes of the laboratory."""
    high: np.ndarray
    """(n, 3) [m] upper corners."""
    code: np.ndarray
    """(n,) int64 Morton code of the centre of each of these boxes."""
    box: np.ndarray
    """(n, 6) [m] low and high of the items in the order of their codes: in the memory as they are searched."""
    order: np.ndarray
    """(2, n) int64 items by their codes; the second row is scratch of sorting."""
    node_low: np.ndarray
    """(m, 3) [m] lower corner of the box around each node of the tree, numbered as in a heap."""
    node_high: np.ndarray
    """(m, 3) [m] upper corner."""
    node_last: np.ndarray
    """(m,) int64 number of the last leaf with an item in each node, NOTHING of an empty one."""
    stack: np.ndarray
    """(DEEPEST,) int64 nodes to be visited."""


def needs_list(neighbours: Neighbours) -> bool:
    """Whether a list is made: for more than FEW items that have at least two owners."""
    return len(neighbours.kind) > FEW and bool((neighbours.owner != neighbours.owner[0]).any())


def near_pairs(neighbours: Neighbours, work: NeighbourWork) -> list[tuple[int, int]]:
    """Pairs of items i < j that may touch where they are placed, sorted; all pairs if there is no list."""
    if not work.is_listed[0]:
        return [*combinations(range(len(neighbours.kind)), 2)]
    later = np.repeat(np.arange(len(neighbours.kind)), np.diff(work.first))
    return sorted(zip(work.partner[: len(later)].tolist(), later.tolist(), strict=True))


def make_neighbour_work(neighbours: Neighbours) -> NeighbourWork:
    """Scratch arrays of the sizes that the items need."""
    count = len(neighbours.kind)
    used = count if needs_list(neighbours) else 0
    leaves = 1 << (max(1, -(-used // LEAF)) - 1).bit_length()
    room = min(ROOM * used, used * max(0, used - 1) // 2)
    return NeighbourWork(
        is_listed=np.array([int(count > FEW)]),  # an empty list of items of one owner
        first=np.zeros(count + 1, dtype=np.int64),
        partner=np.zeros(room, dtype=np.int64),
        found=np.zeros((room, 2), dtype=np.int64),
        later=np.zeros(room, dtype=np.int64),
        begin=np.zeros(used + 1, dtype=np.int64),
        center=np.full((used, 3), np.nan),
        axes=np.zeros((used, 3, 3)),
        low=np.zeros((used, 3)),
        high=np.zeros((used, 3)),
        code=np.zeros(used, dtype=np.int64),
        box=np.zeros((used, 6)),
        order=np.zeros((2, used), dtype=np.int64),
        node_low=np.zeros((2 * leaves - 1, 3)),
        node_high=np.zeros((2 * leaves - 1, 3)),
        node_last=np.zeros(2 * leaves - 1, dtype=np.int64),
        stack=np.zeros(DEEPEST, dtype=np.int64),
    )
