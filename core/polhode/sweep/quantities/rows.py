"""Steps with the row of the table behind them, as the quantities of runs take them."""

from __future__ import annotations

import numpy as np

from polhode.analysis.diagnostics import write_row
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.calls import call_advance, call_on_state
from polhode.jit.kernel import kernel


@kernel
def observe_row(
    measure: int, model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, row: np.ndarray
) -> None:
    """Write the quantities of `state` (k,) at `time` [s] into `row` (c,). measure: address of `energies`"""
    call_on_state(measure, model, inputs, time, state, work)
    write_row(model, inputs, time, state, work, row)


@kernel
def advance_to_row(
    addresses: tuple[int, int],
    model: Model,
    inputs: Inputs,
    state: np.ndarray,
    history: np.ndarray,
    work: Work,
    clock: tuple[int, int, float],
    row: np.ndarray,
) -> int:
    """Advance `state` (k,) in place and write its quantities into `row` (c,); returns the steps that were taken.

    addresses: of the method and of `energies`; clock: steps before, steps to take, step [s]. The row of a run that ends
    before, or is cancelled, is not written.
    """
    advance, measure = addresses
    done, count, step = clock
    taken = call_advance(advance, model, inputs, state, history, work, Clock(0.0, step, done), count)
    if taken == count:
        observe_row(measure, model, inputs, (done + taken) * step, state, work, row)
    return taken
