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
    plan: tuple[float, int, int],
    times: np.ndarray,
    spare: tuple[np.ndarray, np.ndarray],
    row: np.ndarray,
    chosen: np.ndarray,
    out: np.ndarray,
) -> int:
    """Write into `out` (n, m) the columns `chosen` (m,) of the table at `times` (n,) [s]; returns the rows written.

    It is -1 where the run ends after them, before step `last`.

    addresses: of `advance` of the method, `energies`, `rates`; state: (k,) at step `first`, overwritten by that at step
    `last`, or at the last one that a time needs, if that is later; plan: time step [s], `first`, `last`; spare: arrays
    like state and history; row: (c,) of the table

    A time before step `first` is reached by one step back.
    """
    advance, measure, rate = addresses
    step, done, last = plan
    copy, copied = spare
    if len(history) > 0:
        call_on_state(measure, model, inputs, done * step, state, work)
        call_rates(rate, model, inputs, done * step, state, work, work.rate)
        for h in range(len(history)):
            for i in range(len(state)):
                history[h, i] = work.rate[i]
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
        if abs(rest) > NEAR * step:
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
    work.step[0] = step
    if last > done and call_advance(
        advance, model, inputs, state, history, work, Clock(0.0, step, done), last - done
    ) < (last - done):
        return -1
    return len(times)


@kernel
def observe_parts(
    addresses: tuple[int, int, int],
    model: Model,
    inputs: Inputs,
    states: np.ndarray,
    history: np.ndarray,
    work: Work,
    step: float,
    steps: np.ndarray,
    rows: np.ndarray,
    times: np.ndarray,
    spare: tuple[np.ndarray, np.ndarray],
    row: np.ndarray,
    chosen: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write the columns of several parts of runs into `out` (n, m), which has nan before; see `observe_at`.

    states: (s, k) starts, overwritten by the ends, nan where a run does not reach it; steps: (s, 2) int64 the first and
    the last step of each part; rows: (s + 1,) int64 where the times (n,) of each part begin, and n
    """
    for s in range(len(states)):
        first, stop = rows[s], rows[s + 1]
        plan = step, steps[s, 0], steps[s, 1]
        part, found = times[first:stop], out[first:stop]
        done = observe_at(addresses, model, inputs, states[s], history, work, plan, part, spare, row, chosen, found)
        if done < len(part):
            for i in range(states.shape[1]):
                states[s, i] = np.nan
