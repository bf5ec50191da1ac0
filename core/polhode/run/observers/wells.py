"""Regions around attractors that a run can't leave once its energy is low enough."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct


class Wells(KernelStruct):
    """Places of attractors, and the energies below which a run stays nearest to one: see barriers.py."""

    body: int
    """Index of the body whose centre of mass is compared with the places."""
    near: np.ndarray
    """(m, 3) [m] laboratory frame."""
    limit: np.ndarray
    """(m,) [J] without the energy of items at rest; -inf: never decided by its energy."""
    still: float
    """[J] energy of items at rest."""


def no_wells() -> Wells:
    """Nothing is decided by energy."""
    return Wells(0, np.zeros((0, 3)), np.full(1, -np.inf), 0.0)
