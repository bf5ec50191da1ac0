"""The tree of dipoles: its cells, the order of the dipoles in them, and the settings of the sum.

For many dipoles: O(m) instead of O(m^2). Dipoles are in cells, each halved across its longest side until it has at most
LEAF dipoles. Two cells interact by their multipoles (multipole_expansion.py) if they are far apart compared with their
radii, or weak for their distance; else the larger one is opened, and dipoles of two leaves interact pair by pair
(tree_sum.py).

Cells are halved between bodies as long as they have several, and within a body only if they hold no other. So dipoles
of one body are in one leaf, where they are distinguished, or in cells of that body alone, which do not interact.

The tree is built from the positions at every call, always in the same order: equal positions give the same bits.
(Greengard and Rokhlin, J. Comput. Phys. 73, 325, 1987; Dehnen, J. Comput. Phys. 179, 27, 2002)
"""

from __future__ import annotations

from math import ceil, log10, sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.simd import WIDTH
from polhode.jit.vec import Triple, add, dot, put, row, scale, subtract
from polhode.physics.magnets.multipole_expansion import Expansion, expansion

# Both measured, with a test that checks the tolerance. The worst case, lattices of parallel dipoles, where errors add
# up and forces nearly cancel, reaches 0.8 of it.
OPENING = 0.3
SHARE = 0.04
LEAF = 32  # dipoles up to which a cell is a leaf: a few whole SIMD blocks
LANES = 32  # pairs of cells whose expansions are evaluated at once
FIRST, LAST, BODY_FIRST, BODY_LAST, CHILD = range(5)  # of a cell: its dipoles, its bodies, the first of two children
RADIUS, STRENGTH = 3, 4


class TreeSettings(KernelStruct):
    """Accuracy of the sum over dipoles; constant during a run."""

    opening: float
    """Two cells interact by multipoles if the sum of their radii is below this part of their distance; 0: no tree."""
    share: float
    """Error that two closer cells may make by multipoles, relative to the mean field and the mean gradient."""
    order: int
    """Order p of the expansions: terms up to |k| = p."""
    tables: Expansion


class DipoleTreeWork(KernelStruct):
    """Scratch of the tree, all written and read within one call of `add_tree_sum`, in LAW or ENERGY.

    The children of a cell c are cell[c, CHILD] and the next one; a leaf has 0 there. Lengths are in units of the
    largest half side of the box around all dipoles, from its centre; dipoles are in the order of the cells. Fields are
    without mu0/(4 pi).
    """

    cell: np.ndarray
    """(c, 5) int64 of each cell: first dipole and the one after its last, the same of its bodies, first child."""
    sphere: np.ndarray
    """(c, 5) of each cell: centre, radius, and strength sqrt(|sum p|^2 + sum p^2) [A m^2]."""
    stack: np.ndarray
    """(512, 2) int64 pairs of cells that are still to be treated."""
    body: np.ndarray
    """(n,) int64 bodies with dipoles, in the order of the cells."""
    body_center: np.ndarray
    """(n, 3) [m] centre of the box around the dipoles of a body, laboratory frame."""
    dipole: np.ndarray
    """(m,) int64 dipoles in the order of the cells."""
    own_first: np.ndarray
    """(1, m) index in that order of the first dipole of the same body, as float for SIMD comparisons."""
    position: np.ndarray
    """(m, 3) positions in units of the tree, from its centre."""
    moment: np.ndarray
    """(m, 3) [A m^2] moments, laboratory frame."""
    field: np.ndarray
    """(m, 3) sums of the fields at the dipoles, in units of the tree."""
    force: np.ndarray
    """(m, 3) sums of the forces on the dipoles, in units of the tree."""
    multipole: np.ndarray
    """(c, size) M_n of each cell about its centre."""
    local: np.ndarray
    """(c, size) L_m of each cell about its centre."""
    harmonic: np.ndarray
    """(size,) H_k of one vector."""
    meeting: np.ndarray
    """(LANES, 2) int64 pairs of cells that wait for their expansions."""
    displacement: np.ndarray
    """(4, LANES) vector from the first to the second cell of each pair, and a row of scratch."""
    lane: np.ndarray
    """(5, size, LANES) of each pair: D_k, multipoles of both cells, local terms of both."""


def settings(tolerance: float) -> TreeSettings:
    """Settings for a root mean square error of fields and forces of at most `tolerance` times their root mean square.

    0 means the sum over all pairs. The order p = ceil(8 - 2 log10(tolerance/1e-4)) is the fastest; any other would
    reach the tolerance as well, since `share` decides which cells interact as wholes.
    """
    if tolerance == 0:
        return TreeSettings(0.0, 0.0, 0, expansion(0))
    order = ceil(8 - 2 * log10(tolerance / 1e-4))
    return TreeSettings(OPENING, SHARE * tolerance, order, expansion(order))


def make_tree_work(chosen: TreeSettings, bodies: int, dipoles: int) -> DipoleTreeWork:
    """Scratch arrays for a number of bodies and dipoles; empty for a sum over all pairs."""
    n, m, size = (bodies, dipoles, chosen.tables.size) if chosen.opening else (0, 0, 0)
    cells = 8 * (m // LEAF) + 2 if m else 0  # twice the need of equal bodies; if it does not suffice, cells stay larger
    vectors = {name: np.zeros((m, 3)) for name in ("position", "moment", "field", "force")}
    return DipoleTreeWork(
        cell=np.zeros((cells, 5), dtype=np.int64),
        sphere=np.zeros((cells, 5)),
        stack=np.zeros((512, 2), dtype=np.int64),
        body=np.zeros(n, dtype=np.int64),
        body_center=np.zeros((n, 3)),
        dipole=np.zeros(m, dtype=np.int64),
        own_first=np.zeros((1, m)),
        **vectors,
        multipole=np.zeros((cells, size)),
        local=np.zeros((cells, size)),
        harmonic=np.zeros(size),
        meeting=np.zeros((LANES, 2), dtype=np.int64),
        displacement=np.zeros((4, LANES)),
        lane=np.zeros((5, size, LANES)),
    )


@kernel
def middle(items: np.ndarray, first: int, last: int, points: np.ndarray) -> tuple[Triple, Triple]:
    """Centre and half sides [unit of points] of the box around points[items[first:last]].

    `items` (k,), `points` (n, 3).
    """
    low, high = row(points, items[first]), row(points, items[first])
    for i in range(first + 1, last):
        a = row(points, items[i])
        low = min(low[0], a[0]), min(low[1], a[1]), min(low[2], a[2])
        high = max(high[0], a[0]), max(high[1], a[1]), max(high[2], a[2])
    return scale(0.5, add(low, high)), scale(0.5, subtract(high, low))


@kernel
def part(items: np.ndarray, first: int, last: int, points: np.ndarray) -> int:
    """Partition items[first:last] across the longest side of their box; returns the end of the lower half.

    Quickselect: afterwards no point of the lower half is beyond one of the upper half along that axis.

    items: (k,) int64 indices of points, reordered; points: (n, 3). (Hoare, Commun. ACM 4, 321, 1961)
    """
    _, sides = middle(items, first, last, points)
    axis = 0 if sides[0] >= sides[1] and sides[0] >= sides[2] else 1 if sides[1] >= sides[2] else 2
    half = (last - first) // 2
    if half > WIDTH:  # a whole number of SIMD blocks, so that no lanes are unused when dipoles are paired
        half = (half + WIDTH // 2) // WIDTH * WIDTH
    goal, low, high = first + half, first, last - 1
    while low < high:
        pivot = points[items[goal], axis]
        i, j = low, high
        while i <= j:
            while points[items[i], axis] < pivot:
                i += 1
            while pivot < points[items[j], axis]:
                j -= 1
            if i <= j:
                items[i], items[j] = items[j], items[i]
                i += 1
                j -= 1
        if j < goal:
            low = i
        if goal < i:
            high = j
    return goal


@kernel
def has_parts(tree: DipoleTreeWork, c: int, used: int) -> bool:
    """Whether cell c is to be divided: it has more than LEAF dipoles, and there is room.

    used: number of cells in use; two more are needed.
    """
    return tree.cell[c, LAST] - tree.cell[c, FIRST] > LEAF and used + 2 <= len(tree.cell)


@kernel
def add_children(tree: DipoleTreeWork, c: int, used: int, dipole: int, body_first: int, body_last: int) -> None:
    """Make the cells `used` and `used + 1` the children of c: its dipoles before and from index `dipole` on.

    The bodies of the first end before `body_last`, those of the second begin with `body_first`.
    """
    first, last = tree.cell[c, FIRST], tree.cell[c, LAST]
    left, right = tree.cell[used], tree.cell[used + 1]
    left[FIRST], left[LAST], right[FIRST], right[LAST] = first, dipole, dipole, last
    left[BODY_FIRST], left[BODY_LAST] = tree.cell[c, BODY_FIRST], body_last
    right[BODY_FIRST], right[BODY_LAST] = body_first, tree.cell[c, BODY_LAST]
    left[CHILD] = right[CHILD] = 0
    tree.cell[c, CHILD] = used


@kernel
def part_bodies(first: np.ndarray, position: np.ndarray, tree: DipoleTreeWork) -> int:
    """Divide the cells between bodies until each has at most LEAF dipoles or one body; returns the number of cells.

    Writes the order of bodies and dipoles, and `own_first`. The root cell is number 0; children come after their
    parents.

    first: (n + 1,) int64: the dipoles of body b are first[b] ... first[b + 1] - 1.
    position: (m, 3) [m] of the dipoles, laboratory frame.
    """
    bodies = 0
    for i in range(len(tree.dipole)):
        tree.dipole[i] = i
    for b in range(len(first) - 1):
        if first[b] < first[b + 1]:
            tree.body[bodies] = b
            put(tree.body_center, b, middle(tree.dipole, first[b], first[b + 1], position)[0])
            bodies += 1
    root = tree.cell[0]
    root[FIRST], root[LAST], root[BODY_FIRST], root[BODY_LAST], root[CHILD] = 0, len(tree.dipole), 0, bodies, 0
    used, c = 1, 0
    while c < used:
        body_first, body_last = tree.cell[c, BODY_FIRST], tree.cell[c, BODY_LAST]
        if body_last - body_first > 1 and has_parts(tree, c, used):
            half = part(tree.body, body_first, body_last, tree.body_center)
            dipole = tree.cell[c, FIRST]
            for i in range(body_first, half):
                dipole += first[tree.body[i] + 1] - first[tree.body[i]]
            add_children(tree, c, used, dipole, half, half)
            used += 2
        c += 1
    index = 0
    for i in range(bodies):
        own_first = index
        for dipole in range(first[tree.body[i]], first[tree.body[i] + 1]):
            tree.dipole[index] = dipole
            tree.own_first[0, index] = own_first
            index += 1
    return used


@kernel
def part_dipoles(position: np.ndarray, tree: DipoleTreeWork, used: int) -> int:
    """Divide the cells of a single body with more than LEAF dipoles; returns the number of cells, `used` before.

    position: (m, 3) [m] of the dipoles, laboratory frame.
    """
    c = 0
    while c < used:
        body_first, body_last = tree.cell[c, BODY_FIRST], tree.cell[c, BODY_LAST]
        if body_last - body_first == 1 and has_parts(tree, c, used):
            half = part(tree.dipole, tree.cell[c, FIRST], tree.cell[c, LAST], position)
            add_children(tree, c, used, half, body_first, body_last)
            used += 2
        c += 1
    return used


@kernel
def gather(position: np.ndarray, moment: np.ndarray, tree: DipoleTreeWork, cells: int) -> float:
    """Copy the dipoles in the order of the cells, in units of the tree, and measure the cells.

    Returns the unit of length [m].

    Clears the sums of fields and forces. Writes centre, radius and strength of all cells.

    position: (m, 3) [m]; moment: (m, 3) [A m^2]; laboratory frame, in the order of the bodies.
    """
    center, half = middle(tree.dipole, 0, len(tree.dipole), position)
    unit = max(half[0], half[1], half[2]) or 1.0
    for i in range(len(tree.dipole)):
        put(tree.position, i, scale(1.0 / unit, subtract(row(position, tree.dipole[i]), center)))
        put(tree.moment, i, row(moment, tree.dipole[i]))
        put(tree.field, i, (0.0, 0.0, 0.0))
        put(tree.force, i, (0.0, 0.0, 0.0))
    for c in range(cells):
        first, last = tree.cell[c, FIRST], tree.cell[c, LAST]
        low, high = row(tree.position, first), row(tree.position, first)
        for i in range(first, last):
            a = row(tree.position, i)
            low = min(low[0], a[0]), min(low[1], a[1]), min(low[2], a[2])
            high = max(high[0], a[0]), max(high[1], a[1]), max(high[2], a[2])
        center, square = scale(0.5, add(low, high)), 0.0
        total, squares = (0.0, 0.0, 0.0), 0.0
        for i in range(first, last):
            r, p = subtract(row(tree.position, i), center), row(tree.moment, i)
            square = max(square, dot(r, r))
            total, squares = add(total, p), squares + dot(p, p)
        put(tree.sphere, c, center)
        tree.sphere[c, RADIUS] = sqrt(square)
        tree.sphere[c, STRENGTH] = sqrt(dot(total, total) + squares)
    return unit
