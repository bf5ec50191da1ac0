"""The arrays of dipoles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel_struct import Table


@dataclass(frozen=True, eq=False)
class Dipoles(Table):
    """Dipoles stand in the order of their bodies: those of body b are first[b] ... first[b + 1] - 1."""

    first: np.ndarray  # (n + 1,) int64
    position: np.ndarray  # (m, 3) [m] from the reference point, body frame
    moment: np.ndarray  # (m, 3) [A m^2] body frame
    size: np.ndarray  # (m,) [m] two dipoles that are nearer than their sizes together say little of the magnets
    reach: np.ndarray  # (n,) [m] no dipole of a body, with its size, is farther from its reference point
