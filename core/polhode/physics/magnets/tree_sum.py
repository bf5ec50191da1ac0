"""Fields and forces of many dipoles on each other by their tree: which cells interact, and how.

The steps of a sum: build the tree (tree.py), sum multipoles from the leaves up, traverse pairs of cells from the root
down, pass local terms from the root down to the dipoles. Every pair of dipoles of different bodies is counted once. The
cost is proportional to the number of dipoles. Forces of two cells on each other are opposite, so they sum to zero to
rounding. The error is checked against the sum over all pairs (settings of tree.py).
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.libm.power import whole_power
from polhode.jit.vec import accumulate, dot, row, scale, subtract
from polhode.physics.magnets.multipole_expansion import (
    Expansion,
    add_multipoles,
    complete,
    derivatives,
    field_and_force,
    lift,
    lower,
    translate,
)
from polhode.physics.magnets.pair_blocks import Dipolar, add_all_pairs, add_pairs_between
from polhode.physics.magnets.tree import (
    BODY_FIRST,
    BODY_LAST,
    CHILD,
    FIRST,
    LANES,
    LAST,
    RADIUS,
    STRENGTH,
    DipoleTreeWork,
    TreeSettings,
    gather,
    part_bodies,
    part_dipoles,
)

WIDEST = 0.7  # sum of two cells' radii relative to R from which they never interact by multipoles
FEW = 300  # pairs of dipoles that cost less than one interaction of cells


@kernel
def sum_up(tables: Expansion, tree: DipoleTreeWork, cells: int) -> None:
    """Multipoles M_n of all cells, leaves first: those of a leaf's dipoles, or those of its children about its own
    centre.

    Clears the local terms.
    """
    tree.multipole[:cells] = 0.0
    tree.local[:cells] = 0.0
    for c in range(cells - 1, -1, -1):
        center, child = row(tree.sphere, c), tree.cell[c, CHILD]
        if child:
            for k in (child, child + 1):
                move = subtract(row(tree.sphere, k), center)
                lift(tables, tree.multipole[k], move, tree.harmonic, tree.multipole[c])
        else:
            for i in range(tree.cell[c, FIRST], tree.cell[c, LAST]):
                s = subtract(row(tree.position, i), center)
                add_multipoles(tables, s, row(tree.moment, i), tree.harmonic, tree.multipole[c])


@kernel
def hand_down(tables: Expansion, tree: DipoleTreeWork, cells: int) -> None:
    """Pass the local terms L_m of all cells to their children, and evaluate those of leaves at their dipoles.

    Adds fields and forces of distant cells to tree.field and tree.force.
    """
    for c in range(cells):
        center, child = row(tree.sphere, c), tree.cell[c, CHILD]
        complete(tables, tree.local[c])
        if child:
            for k in (child, child + 1):
                move = subtract(row(tree.sphere, k), center)
                lower(tables, tree.local[c], move, tree.harmonic, tree.local[k])
        else:
            for i in range(tree.cell[c, FIRST], tree.cell[c, LAST]):
                t = subtract(row(tree.position, i), center)
                field, force = field_and_force(tables, tree.local[c], t, row(tree.moment, i), tree.harmonic)
                accumulate(tree.field, i, field)
                accumulate(tree.force, i, force)


@kernel
def meet_in_pairs(tree: DipoleTreeWork, a: int, b: int) -> None:
    """Add fields and forces of all pairs of one dipole of leaf a and one of leaf b, in units of the tree."""
    begin, stop = tree.cell[a, FIRST], tree.cell[a, LAST]
    other_begin, other_stop = tree.cell[b, FIRST], tree.cell[b, LAST]
    add_pairs_between(begin, stop, other_begin, other_stop, 4 * pi, tree)


@kernel
def meet_as_wholes(tables: Expansion, tree: DipoleTreeWork, count: int) -> None:
    """Add to the local terms of each of the first `count` pairs of cells in `meeting` those of the other's multipoles.

    With R from a to b, L_m of b gets sum_n (-1)^|n| M_n D_(n+m)(R) of a; by D_k(-R) = (-1)^|k| D_k(R), L_m of a gets
    (-1)^|m| sum_n M_n D_(n+m)(R) of b, so both need one evaluation of D.
    """
    d, m_a, m_b, l_a, l_b = tree.lane[0], tree.lane[1], tree.lane[2], tree.lane[3], tree.lane[4]
    for w in range(count):
        a, b = tree.meeting[w, 0], tree.meeting[w, 1]
        r = subtract(row(tree.sphere, b), row(tree.sphere, a))
        tree.displacement[0, w], tree.displacement[1, w], tree.displacement[2, w] = r
        for k in range(1, tables.terms):
            sign = 1.0 - 2.0 * (tables.degree[k] & 1)
            m_a[k, w], m_b[k, w] = sign * tree.multipole[a, k], tree.multipole[b, k]
            l_a[k, w] = l_b[k, w] = 0.0
    derivatives(tables, tree.displacement, d)
    translate(tables, m_a, d, l_b)
    translate(tables, m_b, d, l_a)
    for w in range(count):
        a, b = tree.meeting[w, 0], tree.meeting[w, 1]
        for k in range(1, tables.terms):
            sign = 1.0 - 2.0 * (tables.degree[k] & 1)
            tree.local[a, k] += sign * l_a[k, w]
            tree.local[b, k] += l_b[k, w]


@kernel
def is_of_one_body(tree: DipoleTreeWork, a: int, b: int) -> bool:
    """Whether both cells hold dipoles of the same single body, which do not act on each other."""
    first, last = tree.cell[a, BODY_FIRST], tree.cell[a, BODY_LAST]
    return last - first == 1 and tree.cell[b, BODY_FIRST] == first and tree.cell[b, BODY_LAST] == last


@kernel
def push(tree: DipoleTreeWork, depth: int, a: int, b: int) -> int:
    """Put a pair of cells on the stack; returns its new depth."""
    tree.stack[depth, 0], tree.stack[depth, 1] = a, b
    return depth + 1


@kernel
def open_or_pair(tree: DipoleTreeWork, depth: int, a: int, b: int) -> int:
    """Replace a pair of cells by pairs of the larger one's children, or sum the pairs of dipoles of two leaves.

    Returns the new depth of the stack.
    """
    child_a, child_b = tree.cell[a, CHILD], tree.cell[b, CHILD]
    if child_a == 0 and child_b == 0:
        meet_in_pairs(tree, a, b)
    elif a == b:
        depth = push(tree, depth, child_a, child_a)
        depth = push(tree, depth, child_a + 1, child_a + 1)
        depth = push(tree, depth, child_a, child_a + 1)
    elif child_b == 0 or (child_a > 0 and tree.sphere[a, RADIUS] >= tree.sphere[b, RADIUS]):
        depth = push(tree, push(tree, depth, child_a, b), child_a + 1, b)
    else:
        depth = push(tree, push(tree, depth, a, child_b), a, child_b + 1)
    return depth


@kernel
def meet_inside(tree: DipoleTreeWork, cells: int) -> tuple[float, float]:
    """Sum the pairs of dipoles within each leaf.

    Returns the root mean square field, and that of the gradient of the field.

    Neighbours make most of the field, so these two numbers scale the error that `may_meet` allows.
    """
    field, force, moment = 0.0, 0.0, 0.0
    for c in range(cells):
        if tree.cell[c, CHILD] == 0 and not is_of_one_body(tree, c, c):
            begin, stop = tree.cell[c, FIRST], tree.cell[c, LAST]
            add_all_pairs(begin, stop, 4 * pi, tree.own_first, tree)
    for i in range(len(tree.field)):
        a, f, p = row(tree.field, i), row(tree.force, i), row(tree.moment, i)
        field, force, moment = field + dot(a, a), force + dot(f, f), moment + dot(p, p)
    return sqrt(field / len(tree.field)), sqrt(force / moment)


@kernel
def may_meet(settings: TreeSettings, tree: DipoleTreeWork, a: int, b: int, field: float, gradient: float) -> bool:
    """Whether two cells may interact by multipoles: far apart for their radii, or weak for their distance.

    With R the distance of the centres, q = (radius a + radius b)/R and p the order, the leading error of the field is
    about strength/R^3 q^(p - 1), and that of its gradient p times as much over the radii.

    field, gradient: root mean square field and gradient, in units of the tree.
    """
    r = subtract(row(tree.sphere, b), row(tree.sphere, a))
    reach, square = tree.sphere[a, RADIUS] + tree.sphere[b, RADIUS], dot(r, r)
    if reach**2 < settings.opening**2 * square:
        return True
    if not reach**2 < WIDEST**2 * square:
        return False
    strength = max(tree.sphere[a, STRENGTH], tree.sphere[b, STRENGTH])
    error = strength / (square * sqrt(square)) * whole_power(reach / sqrt(square), settings.order - 1)
    return error < settings.share * field and error * settings.order < settings.share * gradient * reach


@kernel
def meet(settings: TreeSettings, tree: DipoleTreeWork, cells: int) -> None:
    """Traverse the pairs of cells from the root: every pair of dipoles of different bodies counts once."""
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
    settings: TreeSettings, permeability: float, first: np.ndarray, dipoles: Dipolar, tree: DipoleTreeWork
) -> None:
    """Add the fields of all dipoles at those of other bodies, and the forces of their gradients.

    permeability: mu0 [T m/A].
    first: (n + 1,) int64: the dipoles of body b are first[b] ... first[b + 1] - 1.
    tree: scratch.
    """
    cells = part_dipoles(dipoles.position, tree, part_bodies(first, dipoles.position, tree))
    unit = gather(dipoles.position, dipoles.moment, tree, cells)
    sum_up(settings.tables, tree, cells)
    meet(settings, tree, cells)
    hand_down(settings.tables, tree, cells)
    strength = permeability / (4 * pi) / unit**3
    for i in range(len(tree.dipole)):
        accumulate(dipoles.field, tree.dipole[i], scale(strength, row(tree.field, i)))
        accumulate(dipoles.force, tree.dipole[i], scale(strength / unit, row(tree.force, i)))
