"""The rotation of the laboratory as kernels read it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel_struct import KernelStruct


@dataclass(frozen=True, eq=False)
class Rotation(KernelStruct):
    """W(t) [rad/s] of the laboratory about its own axes, as machine code of W, dW/dt and d2W/dt2."""

    rotates: bool  # it may: the same all through a run, for a table has a column more then
    code: int  # address
    numbers: np.ndarray  # (k,) that stand in the formulas
