"""Recorded motion of a scene's bodies, from any program.

Comparisons only need times, and for every body the quantities of a snapshot (core/polhode/simulation/snapshot.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Records:
    """Motion of bodies, laboratory frame, SI units; values that were not recorded are nan."""

    names: tuple[str, ...]  # of the n bodies
    times: np.ndarray  # (t,) [s], increasing
    position: np.ndarray  # (t, n, 3) [m] of each body's origin
    basis: np.ndarray  # (t, n, 3, 3), rows u1, u2, u3
    angular_velocity: np.ndarray  # (t, n, 3) [rad/s]
    angular_momentum: np.ndarray  # (t, n, 3) [kg m^2/s] about the support
