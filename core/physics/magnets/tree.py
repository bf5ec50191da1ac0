"""Fields and forces of very many dipoles on each other: groups that are far from each other meet as wholes.

The dipoles stand in a tree of cells, halved across the longest side again and again. Two cells meet by their
multipoles (multipole_expansion.py) where they are far apart for their radii and weak for their distance; else the
larger one is opened, and the dipoles of two cells without parts meet pair by pair (tree_sum.py).

The tree parts bodies first, and a body's own dipoles only where the body is alone: so dipoles of one body meet in one
cell, where they are told apart, or in two cells of that body alone, which don't meet.

Everything is made anew from the places at every call, in one order: equal places give equal bytes.
(Greengard and Rokhlin, J. Comput. Phys. 73, 325, 1987; Dehnen, J. Comput. Phys. 179, 27, 2002)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10, sqrt

import numpy as np

from core.jit.kernel import kernel
from core.jit.kernel_struct import KernelStruct
from core.jit.simd import WIDTH
from core.jit.vec import Triple, add, dot, put, row, scale, subtract
from core.physics.magnets.multipole_expansion import Expansion, expansion

# Both measured, and held to the tolerance by its test: on lattices of parallel dipoles, where errors add up and forces
# nearly cancel, these leave 0.8 of it.
OPENING = 0.3
SHARE = 0.04
LEAF = 32  # dipoles up to which a cell is not parted: a few whole blocks of lanes
LANES = 32  # pairs of cells whose expansions meet at once
FIRST, LAST, BODY_FIRST, BODY_LAST, CHILD = range(5)  # a cell: its dipoles, its bodies, the first of its two children
RADIUS, STRENGTH = 3, 4


@dataclass(frozen=True, eq=False)
class Settings(KernelStruct):
    """How finely the sum is taken: constant over a run."""

    opening: float  # cells meet as wholes where the sum of their radii is below this part of R; 0: a sum over pairs
    share: float  # of the mean field and gradient, that two cells may err by where they are not so far apart
    order: int  # of the expansions
    tables: Expansion


@dataclass(frozen=True, eq=False)
class TreeWork(KernelStruct):
    """Scratch. Dipoles stand in the order of the cells, in lengths of the whole tree's radius from its centre."""

    cell: np.ndarray  # (c, 5) int64
    place: np.ndarray  # (c, 5) centre, radius, and strength sqrt(|sum p|^2 + sum p^2)
    stack: np.ndarray  # (512, 2) int64 pairs of cells that are still to meet
    body: np.ndarray  # (n,) int64 bodies in the order of the cells
    body_place: np.ndarray  # (n, 3) middle of a body's dipoles
    dipole: np.ndarray  # (m,) int64 dipoles in the order of the cells
    own_first: np.ndarray  # (1, m) where the dipoles of the same body begin, a float as lanes compare it
    position: np.ndarray  # (m, 3)
    moment: np.ndarray  # (m, 3)
    field: np.ndarray  # (m, 3)
    force: np.ndarray  # (m, 3)
    multipole: np.ndarray  # (c, size)
    local: np.ndarray  # (c, size)
    harmonic: np.ndarray  # (size,)
    meeting: np.ndarray  # (LANES, 2) int64 pairs of cells that meet next
    apart: np.ndarray  # (4, LANES) from the first to the second, and scratch
    lane: np.ndarray  # (5, size, LANES) their D, and multipoles and local terms of the first and of the second


def settings(tolerance: float) -> Settings:
    """For errors of fields and forces, root mean square over all dipoles, of at most `tolerance` of the same of them.

    A tolerance of 0 means the plain sum. Any order would do, for the cells meet accordingly; this one is fastest.
    """
    if tolerance == 0:
        return Settings(0.0, 0.0, 0, expansion(0))
    order = ceil(8 - 2 * log10(tolerance / 1e-4))
    return Settings(OPENING, SHARE * tolerance, order, expansion(order))


def make_tree_work(chosen: Settings, bodies: int, dipoles: int) -> TreeWork:
    """Scratch for a model; next to none for the plain sum."""
    n, m, size = (bodies, dipoles, chosen.tables.size) if chosen.opening else (0, 0, 0)
    cells = 8 * (m // LEAF) + 2 if m else 0  # twice what equal bodies need; where it runs out, cells stay larger
    vectors = {name: np.zeros((m, 3)) for name in ("position", "moment", "field", "force")}
    return TreeWork(
        cell=np.zeros((cells, 5), dtype=np.int64),
        place=np.zeros((cells, 5)),
        stack=np.zeros((512, 2), dtype=np.int64),
        body=np.zeros(n, dtype=np.int64),
        body_place=np.zeros((n, 3)),
        dipole=np.zeros(m, dtype=np.int64),
        own_first=np.zeros((1, m)),
        **vectors,
        multipole=np.zeros((cells, size)),
        local=np.zeros((cells, size)),
        harmonic=np.zeros(size),
        meeting=np.zeros((LANES, 2), dtype=np.int64),
        apart=np.zeros((4, LANES)),
        lane=np.zeros((5, size, LANES)),
    )


@kernel
def middle(items: np.ndarray, first: int, last: int, points: np.ndarray) -> tuple[Triple, Triple]:
    """Middle and half sides of the box around points[items[first:last]]."""
    low, high = row(points, items[first]), row(points, items[first])
    for i in range(first + 1, last):
        a = row(points, items[i])
        low = min(low[0], a[0]), min(low[1], a[1]), min(low[2], a[2])
        high = max(high[0], a[0]), max(high[1], a[1]), max(high[2], a[2])
    return scale(0.5, add(low, high)), scale(0.5, subtract(high, low))


@kernel
def part(items: np.ndarray, first: int, last: int, points: np.ndarray) -> int:
    """Put about half of items[first:last], those with the lower points, first along the longest side; returns its end.

    (Hoare, Commun. ACM 4, 321, 1961)
    """
    _, sides = middle(items, first, last, points)
    axis = 0 if sides[0] >= sides[1] and sides[0] >= sides[2] else 1 if sides[1] >= sides[2] else 2
    half = (last - first) // 2
    if half > WIDTH:  # a whole number of blocks, of which no lanes wait when the dipoles meet one by one
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
def has_parts(tree: TreeWork, c: int, used: int) -> bool:
    return tree.cell[c, LAST] - tree.cell[c, FIRST] > LEAF and used + 2 <= len(tree.cell)


@kernel
def add_children(tree: TreeWork, c: int, used: int, dipole: int, body_first: int, body_last: int) -> None:
    """Cells `used` and `used + 1`: those of c before and after a dipole; where the bodies of each end and begin."""
    first, last = tree.cell[c, FIRST], tree.cell[c, LAST]
    left, right = tree.cell[used], tree.cell[used + 1]
    left[FIRST], left[LAST], right[FIRST], right[LAST] = first, dipole, dipole, last
    left[BODY_FIRST], left[BODY_LAST] = tree.cell[c, BODY_FIRST], body_last
    right[BODY_FIRST], right[BODY_LAST] = body_first, tree.cell[c, BODY_LAST]
    left[CHILD] = right[CHILD] = 0
    tree.cell[c, CHILD] = used


@kernel
def part_bodies(first: np.ndarray, position: np.ndarray, tree: TreeWork) -> int:
    """Part the bodies with dipoles, until a cell has few of these or one body; returns the number of cells."""
    bodies = 0
    for i in range(len(tree.dipole)):
        tree.dipole[i] = i
    for b in range(len(first) - 1):
        if first[b] < first[b + 1]:
            tree.body[bodies] = b
            put(tree.body_place, b, middle(tree.dipole, first[b], first[b + 1], position)[0])
            bodies += 1
    root = tree.cell[0]
    root[FIRST], root[LAST], root[BODY_FIRST], root[BODY_LAST], root[CHILD] = 0, len(tree.dipole), 0, bodies, 0
    used, c = 1, 0
    while c < used:
        body_first, body_last = tree.cell[c, BODY_FIRST], tree.cell[c, BODY_LAST]
        if body_last - body_first > 1 and has_parts(tree, c, used):
            half = part(tree.body, body_first, body_last, tree.body_place)
            dipole = tree.cell[c, FIRST]
            for i in range(body_first, half):
                dipole += first[tree.body[i] + 1] - first[tree.body[i]]
            add_children(tree, c, used, dipole, half, half)
            used += 2
        c += 1
    place = 0
    for i in range(bodies):
        own_first = place
        for dipole in range(first[tree.body[i]], first[tree.body[i] + 1]):
            tree.dipole[place] = dipole
            tree.own_first[0, place] = own_first
            place += 1
    return used


@kernel
def part_dipoles(position: np.ndarray, tree: TreeWork, used: int) -> int:
    """Part the dipoles of a cell's only body; returns the number of cells."""
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
def gather(position: np.ndarray, moment: np.ndarray, tree: TreeWork, cells: int) -> float:
    """Copy the dipoles in the order of the cells, measure the cells, clear all sums; returns the unit of length [m]."""
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
        put(tree.place, c, center)
        tree.place[c, RADIUS] = sqrt(square)
        tree.place[c, STRENGTH] = sqrt(dot(total, total) + squares)
    return unit
