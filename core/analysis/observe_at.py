"""Columns of the table at any times, without interpolation: a copy of the state takes one shorter step to each.

A value has the error of the method alone, and the run does not depend on these times.
"""

from __future__ import annotations

import numpy as np

from core.analysis.diagnostics import write_row
from core.engine.model import Clock, Inputs, Model, Work
from core.jit.calls import call_advance, call_on_state, call_rates
from core.jit.kernel import kernel

NEAR = 1e-9  # of a step: times that near to a grid point are on it


@kernel
def observe_at(
    addresses: tuple[int, int, int],
    model: Model,
    inputs: Inputs,
    state: np.ndarray,
    history: np.ndarray,
    work: Work,
    step: float,
    times: np.ndarray,
    spare: tuple[np.ndarray, np.ndarray],
    row: np.ndarray,
    chosen: np.ndarray,
    out: np.ndarray,
) -> int:
    """Write into `out` (n, m) the columns `chosen` (m,) of the table at `times` (n,) [s]; returns the rows written.

    addresses: of `advance` of the method, `energies`, `rates`; state: (k,) the start, overwritten; step: [s];
    spare: arrays like state and history; row: (c,) of the table
    """
    advance, measure, rate = addresses
    copy, copied = spare
    if len(history) > 0:
        call_on_state(measure, model, inputs, 0.0, state, work)
        call_rates(rate, model, inputs, 0.0, state, work, work.rate)
        for h in range(len(history)):
            for i in range(len(state)):
                history[h, i] = work.rate[i]
    done = 0
    for k in range(len(times)):
        target = int(np.floor(times[k] / step + NEAR))
        work.step[0] = step
        if target > done:
            if call_advance(advance, model, inputs, state, history, work, Clock(0.0, step, done), target - done) < (
                target - done
            ):
                return k
            done = target
        for i in range(len(state)):
            copy[i] = state[i]
        rest = times[k] - done * step
        if rest > NEAR * step:
            for h in range(len(history)):
                for i in range(len(state)):
                    copied[h, i] = history[h, i]
            work.step[0] = rest
            if call_advance(advance, model, inputs, copy, copied, work, Clock(done * step, rest, 0), 1) < 1:
                return k
        call_on_state(measure, model, inputs, times[k], copy, work)
        write_row(model, inputs, times[k], copy, work, row)
        for j in range(len(chosen)):
            out[k, j] = row[chosen[j]]
    return len(times)
