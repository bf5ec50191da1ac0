"""Calls of compiled functions by address, so that each is compiled and cached once.

A kernel that calls another one by name contains a copy of its code, which is optimised again. A hook is called by its
address: its callers are compiled without it, and all of them use the same code. So a scene calls the hooks that it has,
    from a table (core/polhode/engine/program.py), and no code is generated for a set of subjects.

Assumed of numba: `context.call_conv` gives the type of a function with its status and makes the call; kernels with
no_cpython_wrapper and no_cfunc_wrapper are functions of that type; their library gives the address of a symbol.
"""

from __future__ import annotations

from typing import Any

from numba.core import types

from polhode.jit.intrinsic import inside
from polhode.jit.kernel import kernel


def _call_lowering(result: Any) -> Any:
    """Lowering of a call by address: (address, *arguments) of the intrinsic's own signature."""

    def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = signature.args[1:]
        kind = context.call_conv.get_function_type(result, kinds)
        function = builder.inttoptr(values[0], kind.as_pointer())
        # Kernels raise nothing: the status is always good.
        found = context.call_conv.call_function(builder, function, result, kinds, values[1:])[1]
        return found if result is not types.none else context.get_dummy_value()

    return lower


@inside
def call_hook(context: Any, address: Any, step: Any) -> Any:
    """Call the hook at `address` with a Step (core/polhode/engine/model.py).

    The address must be that of a function for exactly this type of argument. Nothing checks it.
    """
    return types.none(types.int64, step), _call_lowering(types.none)


@kernel
def run_hook(address: int, step: Any) -> None:
    """Call the hook at `address`, for calls from Python."""
    call_hook(address, step)


@inside
def call_advance(
    context: Any, address: Any, model: Any, inputs: Any, state: Any, history: Any, work: Any, clock: Any, steps: Any
) -> Any:
    """Number of steps taken by the method at `address`; the arguments are those of its `advance`."""
    arguments = (model, inputs, state, history, work, clock, types.int64)
    return types.int64(types.int64, *arguments), _call_lowering(types.int64)


@inside
def call_on_state(context: Any, address: Any, model: Any, inputs: Any, time: Any, state: Any, work: Any) -> Any:
    """Call the kernel at `address`, (model, inputs, time, state, work) -> None, such as `energies`."""
    arguments = (model, inputs, types.float64, state, work)
    return types.none(types.int64, *arguments), _call_lowering(types.none)


@inside
def call_rates(context: Any, address: Any, model: Any, inputs: Any, time: Any, state: Any, work: Any, rate: Any) -> Any:
    """Call the kernel at `address`, (model, inputs, time, state, work, rate) -> None, such as `rates`."""
    arguments = (model, inputs, types.float64, state, work, rate)
    return types.none(types.int64, *arguments), _call_lowering(types.none)


@inside
def call_steps(
    context: Any, address: Any, method: Any, model: Any, inputs: Any, state: Any, work: Any, clock: Any, steps: Any
) -> Any:
    """Number of steps taken by the loop of steps at `address` (core/polhode/run/loop.py)."""
    arguments = (method, model, inputs, state, work, clock, types.int64)
    return types.int64(types.int64, *arguments), _call_lowering(types.int64)


@inside
def call_observer(
    context: Any, address: Any, method: Any, model: Any, inputs: Any, now: Any, state: Any, work: Any, record: Any
) -> Any:
    """Number of steps to the next look of the observer at `address` (core/polhode/run/observers).

    The kind of its record is that of the argument.
    """
    arguments = (method, model, inputs, now, state, work, record)
    return types.int64(types.int64, *arguments), _call_lowering(types.int64)
