"""Kernel arrays of the mouse interaction."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel_struct import KernelStruct

ALL = -2  # in place of an index: all bodies or points


class Pull(KernelStruct):
    """A spring between the pointer and a body point, a point or everything, and a torque on a body. An input.

    Where it pulls everything, the spring acts on centres of mass; K and D are those of a mass of 1 kg, and for a mass m
    they are m^a K and m^b D. Set between batches of steps by interaction_forces.py; read by LAW.
    """

    body: int
    """Index, ALL or NOTHING."""
    point: int
    """Index, ALL or NOTHING."""
    arm: np.ndarray
    """(3,) [m] of the body point from the reference point, body frame."""
    position: np.ndarray
    """(3,) [m] p of the pointer, laboratory frame."""
    stiffness: float
    """K [N/m]."""
    damping: float
    """D [N s/m]."""
    exponents: np.ndarray
    """(2,) a and b: 1 and 1 in proportion to the mass, 0 and 1/2 for the same stiffness and damping ratio of all."""
    torque: np.ndarray
    """(3,) [N m] T0 on the body, laboratory frame."""
    resistance: float
    """[N m s] damping of the rotation about the torque's axis."""


def no_pull() -> Pull:
    """A Pull without effect: the input while the mouse does nothing, for which no hook is called."""
    return Pull(NOTHING, NOTHING, np.zeros(3), np.zeros(3), 0.0, 0.0, np.ones(2), np.zeros(3), 0.0)
