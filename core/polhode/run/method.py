"""The integration method of a compiled scene as the loop of steps calls it: addresses, history, and scratch arrays."""

from __future__ import annotations

import numpy as np
from numba import typeof, types

from polhode.engine.compile import STOP_STEPS
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.integrators import AS_PRINTED
from polhode.jit.calls import call_rates
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import Address, KernelStruct
from polhode.run.table_types import COUNT, NUMBER, ROW, ROWS, step_types, table_types

UNDIVIDED = ("adams_bashforth_2", *AS_PRINTED)
"""Methods that extend over the zeros of switching functions: those whose history holds rates at the ends of equal
steps, and the printed ones."""


class CompiledMethod(KernelStruct):
    """An integration method for states of one compiled scene."""

    advance: Address
    """Address of its `advance` (core/polhode/integrators)."""
    rates: Address
    """Address of `rates`."""
    energies: Address
    """Address of `energies`."""
    divided: Address
    """Address of `advance_divided` (core/polhode/run/loop.py); 0 where no steps are divided."""
    begins_at_rest: bool
    """Whether its history begins with zero forces in place of those at the start, as it is printed."""
    history: np.ndarray
    """(h, k) rates of earlier steps, or scratch."""


def advance_types() -> tuple[object, ...]:
    """numba types of the arguments of `advance` of a method."""
    model, inputs, work, _ = table_types()
    return model, inputs, ROW, ROWS, work, typeof(Clock(0.0, 0.0, 0)), COUNT


def method_type() -> object:
    """numba type of `CompiledMethod`."""
    return CompiledMethod(0, 0, 0, 0, True, np.zeros((0, 0)))._numba_type_


def begin_types() -> tuple[object, ...]:
    """numba types of the arguments of `begin`."""
    return method_type(), *step_types()


def loop_types() -> tuple[object, ...]:
    """numba types of the arguments of `advance` of the loop of steps (core/polhode/run/loop.py)."""
    model, inputs, work, _ = table_types()
    return method_type(), model, inputs, ROW, work, typeof(Clock(0.0, 0.0, 0)), COUNT


def observer_types(record: KernelStruct) -> tuple[object, ...]:
    """numba types of the arguments of an observer with this record (core/polhode/run/observers)."""
    model, inputs, work, _ = table_types()
    return method_type(), model, inputs, typeof(Clock(0.0, 0.0, 0)), ROW, work, record._numba_type_


def run_types(record: KernelStruct) -> tuple[object, ...]:
    """numba types of the arguments of `run_each` of the loop of steps, with an observer of this record."""
    model, inputs, work, _ = table_types()
    counts, step = types.Array(COUNT, 1, "C"), (NUMBER, types.Array(COUNT, 2, "C"), COUNT)
    return method_type(), model, inputs, ROWS, work, *step, record._numba_type_, types.Tuple((counts, counts))


def set_step(work: Work, step: float) -> None:
    """Prepare for steps of `step` [s]."""
    work.step[0], work.stop_time[0] = step, STOP_STEPS * step


@kernel
def begin(method: CompiledMethod, model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Begin a run, or begin again after something acted from outside, at `state` (k,) and `time` [s].

    Each row of the history is filled with the rates of the state: f_(-1) = f_0. So a method of order 2 keeps its order.
    The sides of laws that switch are found again.
    """
    work.events.known[0], work.beads.history_invalid[0] = 0, 0.0
    if len(method.history) == 0:
        return
    call_rates(method.rates, model, inputs, time, state, work, work.rate)
    for h in range(len(method.history)):
        for i in range(len(state)):
            begins_at_rest = method.begins_at_rest and model.is_momentum[i]
            method.history[h, i] = 0.0 if begins_at_rest else work.rate[i]
