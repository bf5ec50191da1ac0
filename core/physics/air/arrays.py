"""The air as kernels read it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel_struct import KernelStruct


@dataclass(frozen=True, eq=False)
class Air(KernelStruct):
    """Air that moves with w(t) = wind cos(frequency t), and its drag on points."""

    wind: np.ndarray  # (3,) [m/s]
    frequency: float  # [rad/s], 0 for a steady wind
    drag: float  # [N s/m] of each point
