"""What the mouse pulls, as kernels read it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.engine.model import NOTHING
from core.jit.kernel_struct import KernelStruct

ALL = -2  # where the number of a body or a point is asked for


@dataclass(frozen=True, eq=False)
class Pull(KernelStruct):
    """A spring between a hand and what it pulls: a point of a body, a point, everything, or nothing; and a twist.

    Where it pulls everything, stiffness and damping are per mass, and the spring holds the bodies' centres of mass.
    """

    body: int  # its number, or ALL, or NOTHING
    point: int  # its number, or ALL, or NOTHING
    arm: np.ndarray  # (3,) [m] from the body's reference point, body frame
    place: np.ndarray  # (3,) [m] of the hand
    stiffness: float  # [N/m], or [N/(m kg)]
    damping: float  # [N s/m], or [N s/(m kg)]
    torque: np.ndarray  # (3,) [N m] on the body
    resistance: float  # [N m s] against its rotation about the torque's axis


def no_pull() -> Pull:
    """Nothing is pulled."""
    return Pull(NOTHING, NOTHING, np.zeros(3), np.zeros(3), 0.0, 0.0, np.zeros(3), 0.0)
