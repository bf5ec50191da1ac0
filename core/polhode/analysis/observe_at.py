"""Columns of the table at any times, without interpolation: a copy of the state takes one shorter step to each.

A value has the error of the method alone, and the run does not depend on these times.
"""

from __future__ import annotations

import numpy as np

from polhode.analysis.diagnostics import write_row
from polhode.engine.history import begin_history
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.calls import call_advance, call_on_state
from polhode.jit.kernel import kernel

NEAR = 1e-9  # of a step: times that near to a grid point are on it


@kernel
def step_copy(
    advance: int,
    model: Model,
    inputs: Inputs,
    state: np.ndarray,
    history: np.ndarray,
    work: Work,
    span: tuple[float, float],
    spare: tuple[np.ndarray, np.ndarray],
) -> bool:
    """Copy `state` (k,) to the first of `spare`, and take one step there; False where it has no finite end.

    advance: address of the method; span: time and length of the step [s], which may be negative; spare: arrays like
    state and history
    """
    copy, copied = spare
    for i in range(len(state)):
        copy[i] = state[i]
        for h in range(len(history)):
            copied[h, i] = history[h, i]
    time, rest = span
    work.step[0] = rest
    return call_advance(advance, model, inputs, copy, copied, work, Clock(time, rest, 0), 1) == 1


@kernel
def observe_at(
    addresses: tuple[int, int, int],
    model: Model,
    inputs: Inputs,
    state: np.ndarray,
    history: np.ndarray,
    work: Work,
    plan: tuple[float, bool, int, int],
    times: np.ndarray,
    spare: tuple[np.ndarray, np.ndarray],
    row: np.ndarray,
    chosen: np.ndarray,
    out: np.ndarray,
) -> int:
    """Write into `out` (n, m) the columns `chosen` (m,) of the table at `times` (n,) [s]; returns the rows written.

    It is -1 where the run ends after them, before step `last`.

    addresses: of `advance` of the method, `energies`, `rates`; state: (k,) at step `first`, overwritten by that at step
    `last`, or at the last one that a time needs, if that is later; plan: time step [s], whether the method is one
    as printed, `first`, `last`; spare: arrays like state and history; row: (c,) of the table

    A time before step `first` is reached by one step back.
    """
    advance, measure, rate = addresses
    step, is_printed, done, last = plan
    work.step[0] = step
    begin_history(rate, model, inputs, done * step, state, history, work, is_printed)
    for k in range(len(times) + 1):  # in the last turn, on to the end
        target = int(np.floor(times[k] / step + NEAR)) if k < len(times) else last
        if target > done:
            count, clock = target - done, Clock(0.0, step, done)
            if call_advance(advance, model, inputs, state, history, work, clock, count) < count:
                return k if k < len(times) else -1
            done = target
        if k < len(times):
            rest, shown = times[k] - done * step, state
            if abs(rest) > NEAR * step:
                shown = spare[0]
                if not step_copy(advance, model, inputs, state, history, work, (done * step, rest), spare):
                    return k
                work.step[0] = step
            call_on_state(measure, model, inputs, times[k], shown, work)
            write_row(model, inputs, times[k], shown, work, row)
            for j in range(len(chosen)):
                out[k, j] = row[chosen[j]]
    return len(times)


@kernel
def observe_parts(
    addresses: tuple[int, int, int],
    model: Model,
    inputs: Inputs,
    states: np.ndarray,
    history: np.ndarray,
    work: Work,
    grid: tuple[float, bool],
    steps: np.ndarray,
    rows: np.ndarray,
    times: np.ndarray,
    spare: tuple[np.ndarray, np.ndarray],
    row: np.ndarray,
    chosen: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write the columns of several parts of runs into `out` (n, m), which has nan before; see `observe_at`.

    grid: time step [s], and whether the method is one as printed; states: (s, k) starts, overwritten by the ends, nan
    where a run does not reach it; steps: (s, 2) int64 the first and the last step of each part; rows: (s + 1,) int64
    where the times (n,) of each part begin, and n
    """
    for s in range(len(states)):
        first, stop = rows[s], rows[s + 1]
        plan = grid[0], grid[1], steps[s, 0], steps[s, 1]
        part, found = times[first:stop], out[first:stop]
        done = observe_at(addresses, model, inputs, states[s], history, work, plan, part, spare, row, chosen, found)
        if done < len(part):
            for i in range(states.shape[1]):
                states[s, i] = np.nan
