"""Kernel arrays of the rotation of the laboratory and of gravity by formulas."""

from __future__ import annotations

import numpy as np

from polhode.formulas.codegen import CompiledFormulas
from polhode.jit.kernel_struct import Address, KernelStruct


class Rotation(KernelStruct):
    """W(t) [rad/s] of the laboratory about its own axes through its origin, as machine code. An input."""

    rotates: bool
    """Whether it can rotate; constant during a run, because the table has one more column then."""
    code: Address
    """Address of the function of t for W, dW/dt and d2W/dt2, nine numbers (core/polhode/jit/formula_calls.py)."""
    numbers: np.ndarray
    """(k,) constants of the formulas."""


class GravityField(KernelStruct):
    """Gravity g(x, y, z, t) [m/s^2] by formulas, laboratory frame. An input; uniform gravity is `Inputs.gravity`."""

    present: bool
    """Whether gravity is given by formulas; `Inputs.gravity` is zero then."""
    has_potential: bool
    """Whether it has a potential energy: g does not depend on t, and its curl is zero."""
    value: CompiledFormulas
    """g, three numbers, of x, y, z, t."""
    expansion: CompiledFormulas
    """g, its first and its second derivatives, thirty numbers (`call_4_30`)."""
