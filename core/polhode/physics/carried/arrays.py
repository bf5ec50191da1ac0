"""Constants and scratch arrays of beads on paths that move with rigid bodies."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Model
from polhode.jit.kernel_struct import KernelStruct


class Carried(KernelStruct):
    """Beads whose paths move with bodies, ordered by their bodies."""

    bead: np.ndarray
    """(n,) int64 index of each bead."""
    with_ends: np.ndarray
    """(e,) int64 those on paths that have ends."""
    rough: np.ndarray
    """(r,) int64 those with Coulomb friction."""
    body: np.ndarray
    """(k,) int64 bodies with such paths."""
    first: np.ndarray
    """(k + 1,) int64: beads first[j] ... first[j + 1] - 1 are on paths of body j."""
    motion: np.ndarray
    """(k,) int64 index of the body in BodyMotions, or NOTHING."""


class CarriedWork(KernelStruct):
    """Scratch, laboratory frame; c is the number of all beads."""

    arm: np.ndarray
    """(c, 3) [m] reference point of the body to the bead; written by PLACE."""
    change: np.ndarray
    """(c,) [m/s^2] du/dt; written by SOLVE."""
    system: np.ndarray
    """(6, 7) equations of the acceleration of a body, and their right side; SOLVE and IMPACT."""
    solution: np.ndarray
    """(6,) acceleration of its reference point and angular acceleration, or what an impact changes."""


def make_carried_work(model: Model) -> CarriedWork:
    """Scratch arrays for the beads of a model."""
    beads = len(model.beads.body)
    return CarriedWork(np.zeros((beads, 3)), np.zeros(beads), np.zeros((6, 7)), np.zeros(6))
