"""Kernel arrays of the rotation of the laboratory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel_struct import KernelStruct


@dataclass(frozen=True, eq=False)
class Rotation(KernelStruct):
    """W(t) [rad/s] of the laboratory about its own axes, as machine code of W, dW/dt and d2W/dt2."""

    rotates: bool  # whether it can rotate; constant during a run, because the table has one more column then
    code: int  # address
    numbers: np.ndarray  # (k,) constants of the formulas
