"""Pairs of bodies whose magnets are closer than their size, where point dipoles do not describe them.

The force of point dipoles grows as 1/d^4 without bound. Read by the model warnings between batches of steps.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import dot, row, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.magnets.arrays import Dipoles, DipoleWork
from polhode.physics.magnets.dipole_cloud import EXACT


@kernel
def are_too_near(dipoles: Dipoles, dipole_work: DipoleWork, a: int, b: int) -> bool:
    """Whether a dipole of body a is closer to one of body b than the sum of their sizes, or than the clearance of one;
    positions as placed.

    The clearance is there for what is smaller than the cells of a cloud and gets between its dipoles. Dipoles of
    magnets that act by closed forms have neither size nor clearance.
    """
    first, size, clearance, form = dipoles.first, dipoles.size, dipoles.clearance, dipoles.form
    for i in range(first[a], first[a + 1]):
        size_i, clear_i = (0.0, 0.0) if form[i] == EXACT else (size[i], clearance[i])
        for j in range(first[b], first[b + 1]):
            size_j, clear_j = (0.0, 0.0) if form[j] == EXACT else (size[j], clearance[j])
            r = subtract(row(dipole_work.position, i), row(dipole_work.position, j))
            if dot(r, r) < max(size_i + size_j, clear_i, clear_j) ** 2:
                return True
    return False


@kernel
def next_too_near(
    dipoles: Dipoles,
    body_work: BodyWork,
    dipole_work: DipoleWork,
    known: np.ndarray,
    a: int,
    b: int,
    budget: int,
) -> tuple[int, int, bool]:
    """The next pair of bodies from (a, b) on, a < b, that is too close and not among the known ones, and True.

    Otherwise, or when `budget` pairs have been tested, the pair to continue with, (0, 1) after the last, and False.

    known: (k, 2) int64 pairs of bodies to leave out.
    budget: largest number of pairs of bodies and of dipoles to test, so that a call takes bounded time.
    """
    first, reach = dipoles.first, dipoles.reach
    while a < len(reach):
        while b < len(reach):
            if budget <= 0:
                return a, b, False
            budget -= 1
            r = subtract(row(body_work.position, a), row(body_work.position, b))
            new = dot(r, r) < (reach[a] + reach[b]) ** 2
            for k in range(len(known)):
                new = new and not (known[k, 0] == a and known[k, 1] == b)
            if new:
                budget -= (first[a + 1] - first[a]) * (first[b + 1] - first[b])
                if are_too_near(dipoles, dipole_work, a, b):
                    return a, b, True
            b += 1
        a, b = a + 1, a + 2
    return 0, 1, False
