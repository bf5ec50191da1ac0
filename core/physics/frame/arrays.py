"""Kernel arrays of the rotation of the laboratory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel_struct import KernelStruct


@dataclass(frozen=True, eq=False)
class Rotation(KernelStruct):
    """W(t) [rad/s] of the laboratory about its own axes through its origin, as machine code. An input."""

    rotates: bool
    """Whether it can rotate; constant during a run, because the table has one more column then."""
    code: int
    """Address of the function of t that gives W, dW/dt and d2W/dt2, nine numbers (core/jit/formula_calls.py)."""
    numbers: np.ndarray
    """(k,) constants of the formulas."""
