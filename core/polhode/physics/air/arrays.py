"""Kernel arrays of the air."""

from __future__ import annotations

import numpy as np

from polhode.formulas.codegen import CompiledFormulas
from polhode.jit.kernel_struct import KernelStruct


class Air(KernelStruct):
    """Wind w(t) = wind cos(frequency t), the same everywhere, or by formulas, and the drag coefficient of points.

    An input.
    """

    wind: np.ndarray
    """(3,) [m/s] amplitude, laboratory frame; zero if the wind is given by formulas."""
    frequency: float
    """[rad/s] 2 pi/period, 0 for a steady wind."""
    drag: float
    """[N s/m] d of each point; bodies have their own coefficients (`Bodies.drag`)."""
    by_formulas: bool
    """Whether the wind is given by formulas, or the air is not everywhere that of the coefficients."""
    velocity: CompiledFormulas
    """w [m/s], three numbers, of x, y, z [m] and t [s]."""
    medium: CompiledFormulas
    """Viscosity and density in proportion to those of the coefficients, and 0, of x, y, z [m] and t [s]."""
