"""Fields and forces of very many dipoles on each other by their tree: who meets whom, and what comes of it.

Cost grows as the number of dipoles. Forces of two cells on each other are opposite, so they sum to zero to rounding.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from core.jit.kernel import kernel
from core.jit.vec import accumulate, dot, row, scale, subtract
from core.physics.magnets.multipole_expansion import (
    Expansion,
    add_multipoles,
    complete,
    derivatives,
    field_and_force,
    lift,
    lower,
    translate,
)
from core.physics.magnets.pair_blocks import add_all_pairs, add_pairs_between
from core.physics.magnets.tree import (
    BODY_FIRST,
    BODY_LAST,
    CHILD,
    FIRST,
    LANES,
    LAST,
    RADIUS,
    STRENGTH,
    Settings,
    TreeWork,
    gather,
    part_bodies,
    part_dipoles,
)

WIDEST = 0.7  # sum of two cells' radii to R from which they never meet as wholes
FEW = 300  # pairs of dipoles that cost less than one meeting of cells


@kernel
def sum_up(tables: Expansion, tree: TreeWork, cells: int) -> None:
    """Multipoles of all cells, from the smallest up: those of a cell's dipoles, or of its children."""
    tree.multipole[:cells] = 0.0
    tree.local[:cells] = 0.0
    for c in range(cells - 1, -1, -1):
        center, child = row(tree.place, c), tree.cell[c, CHILD]
        if child:
            for k in (child, child + 1):
                move = subtract(row(tree.place, k), center)
                lift(tables, tree.multipole[k], move, tree.harmonic, tree.multipole[c])
        else:
            for i in range(tree.cell[c, FIRST], tree.cell[c, LAST]):
                s = subtract(row(tree.position, i), center)
                add_multipoles(tables, s, row(tree.moment, i), tree.harmonic, tree.multipole[c])


@kernel
def hand_down(tables: Expansion, tree: TreeWork, cells: int) -> None:
    """Local terms of all cells, from the largest down to the dipoles."""
    for c in range(cells):
        center, child = row(tree.place, c), tree.cell[c, CHILD]
        complete(tables, tree.local[c])
        if child:
            for k in (child, child + 1):
                move = subtract(row(tree.place, k), center)
                lower(tables, tree.local[c], move, tree.harmonic, tree.local[k])
        else:
            for i in range(tree.cell[c, FIRST], tree.cell[c, LAST]):
                t = subtract(row(tree.position, i), center)
                field, force = field_and_force(tables, tree.local[c], t, row(tree.moment, i), tree.harmonic)
                accumulate(tree.field, i, field)
                accumulate(tree.force, i, force)


@kernel
def meet_in_pairs(tree: TreeWork, a: int, b: int) -> None:
    """The dipoles of two cells, each with each."""
    begin, stop = tree.cell[a, FIRST], tree.cell[a, LAST]
    other_begin, other_stop = tree.cell[b, FIRST], tree.cell[b, LAST]
    add_pairs_between(begin, stop, other_begin, other_stop, 4 * pi, tree.position, tree.moment, tree.field, tree.force)


@kernel
def meet_as_wholes(tables: Expansion, tree: TreeWork, count: int) -> None:
    """The pairs of cells in `meeting`: local terms of each from the multipoles of the other."""
    d, m_a, m_b, l_a, l_b = tree.lane[0], tree.lane[1], tree.lane[2], tree.lane[3], tree.lane[4]
    for w in range(count):
        a, b = tree.meeting[w, 0], tree.meeting[w, 1]
        r = subtract(row(tree.place, b), row(tree.place, a))
        tree.apart[0, w], tree.apart[1, w], tree.apart[2, w] = r
        for k in range(1, tables.terms):
            sign = 1.0 - 2.0 * (tables.degree[k] & 1)
            m_a[k, w], m_b[k, w] = sign * tree.multipole[a, k], tree.multipole[b, k]
            l_a[k, w] = l_b[k, w] = 0.0
    derivatives(tables, tree.apart, d)
    translate(tables, m_a, d, l_b)
    translate(tables, m_b, d, l_a)
    for w in range(count):
        a, b = tree.meeting[w, 0], tree.meeting[w, 1]
        for k in range(1, tables.terms):
            sign = 1.0 - 2.0 * (tables.degree[k] & 1)
            tree.local[a, k] += sign * l_a[k, w]
            tree.local[b, k] += l_b[k, w]


@kernel
def is_of_one_body(tree: TreeWork, a: int, b: int) -> bool:
    """Both cells hold dipoles of one body alone, the same."""
    first, last = tree.cell[a, BODY_FIRST], tree.cell[a, BODY_LAST]
    return last - first == 1 and tree.cell[b, BODY_FIRST] == first and tree.cell[b, BODY_LAST] == last


@kernel
def push(tree: TreeWork, depth: int, a: int, b: int) -> int:
    tree.stack[depth, 0], tree.stack[depth, 1] = a, b
    return depth + 1


@kernel
def open_or_pair(tree: TreeWork, depth: int, a: int, b: int) -> int:
    """The two cells are too near to meet as wholes: the larger one's children are next, or their dipoles meet."""
    child_a, child_b = tree.cell[a, CHILD], tree.cell[b, CHILD]
    if child_a == 0 and child_b == 0:
        meet_in_pairs(tree, a, b)
    elif a == b:
        depth = push(tree, depth, child_a, child_a)
        depth = push(tree, depth, child_a + 1, child_a + 1)
        depth = push(tree, depth, child_a, child_a + 1)
    elif child_b == 0 or (child_a > 0 and tree.place[a, RADIUS] >= tree.place[b, RADIUS]):
        depth = push(tree, push(tree, depth, child_a, b), child_a + 1, b)
    else:
        depth = push(tree, push(tree, depth, a, child_b), a, child_b + 1)
    return depth


@kernel
def meet_inside(tree: TreeWork, cells: int) -> tuple[float, float]:
    """Pairs of dipoles within each cell without parts; returns what comes of it: mean field, mean gradient of field.

    Neighbours make most of the field, so this is the measure of what errors may be.
    """
    field, force, moment = 0.0, 0.0, 0.0
    for c in range(cells):
        if tree.cell[c, CHILD] == 0 and not is_of_one_body(tree, c, c):
            begin, stop = tree.cell[c, FIRST], tree.cell[c, LAST]
            add_all_pairs(begin, stop, 4 * pi, tree.own_first, tree.position, tree.moment, tree.field, tree.force)
    for i in range(len(tree.field)):
        a, f, p = row(tree.field, i), row(tree.force, i), row(tree.moment, i)
        field, force, moment = field + dot(a, a), force + dot(f, f), moment + dot(p, p)
    return sqrt(field / len(tree.field)), sqrt(force / moment)


@kernel
def may_meet(settings: Settings, tree: TreeWork, a: int, b: int, field: float, gradient: float) -> bool:
    """Whether two cells are far enough apart, or weak enough for their distance.

    The first terms that they lose make a field of some strength/R^3 q^(p - 1), q = (a + b)/R, and its gradient.
    """
    r = subtract(row(tree.place, b), row(tree.place, a))
    reach, square = tree.place[a, RADIUS] + tree.place[b, RADIUS], dot(r, r)
    if reach**2 < settings.opening**2 * square:
        return True
    if not reach**2 < WIDEST**2 * square:
        return False
    strength = max(tree.place[a, STRENGTH], tree.place[b, STRENGTH])
    error = strength / (square * sqrt(square)) * (reach / sqrt(square)) ** (settings.order - 1)
    return error < settings.share * field and error * settings.order < settings.share * gradient * reach


@kernel
def meet(settings: Settings, tree: TreeWork, cells: int) -> None:
    """All pairs of dipoles of different bodies, each once: by two cells, or by themselves."""
    field, gradient = meet_inside(tree, cells)
    waiting, depth = 0, push(tree, 0, 0, 0)
    while depth:
        depth -= 1
        a, b = tree.stack[depth, 0], tree.stack[depth, 1]
        if is_of_one_body(tree, a, b) or (a == b and tree.cell[a, CHILD] == 0):
            continue
        pairs = (tree.cell[a, LAST] - tree.cell[a, FIRST]) * (tree.cell[b, LAST] - tree.cell[b, FIRST])
        if a != b and pairs > FEW and may_meet(settings, tree, a, b, field, gradient):
            tree.meeting[waiting, 0], tree.meeting[waiting, 1] = a, b
            waiting += 1
            if waiting == LANES:
                meet_as_wholes(settings.tables, tree, waiting)
                waiting = 0
        else:
            depth = open_or_pair(tree, depth, a, b)
    meet_as_wholes(settings.tables, tree, waiting)


@kernel
def add_tree_sum(
    settings: Settings,
    permeability: float,
    first: np.ndarray,
    position: np.ndarray,
    moment: np.ndarray,
    field: np.ndarray,
    force: np.ndarray,
    tree: TreeWork,
) -> None:
    """Add the fields [T] of all dipoles at those of other bodies and the forces [N] of their gradients, all (m, 3).

    position [m], moment [A m^2]; first (n + 1,): the dipoles of body b are first[b] ... first[b + 1] - 1.
    """
    cells = part_dipoles(position, tree, part_bodies(first, position, tree))
    unit = gather(position, moment, tree, cells)
    sum_up(settings.tables, tree, cells)
    meet(settings, tree, cells)
    hand_down(settings.tables, tree, cells)
    strength = permeability / (4 * pi) / unit**3
    for i in range(len(tree.dipole)):
        accumulate(field, tree.dipole[i], scale(strength, row(tree.field, i)))
        accumulate(force, tree.dipole[i], scale(strength / unit, row(tree.force, i)))
