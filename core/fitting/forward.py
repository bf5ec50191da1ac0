"""The computed columns at the times of the data, without interpolation.

The scene runs on the grid of its time step. At a time between two grid points a copy of the state takes one shorter
step from the point before it, so a value has the error of the method alone, and the run does not depend on when it was
measured.
"""

from __future__ import annotations

import numpy as np
from numba import typeof

from core.analysis.diagnostics import ENERGY_COLUMNS, energies, write_row
from core.engine.compile import STOP_STEPS, CompiledScene
from core.engine.ledger import LEDGER_SIZE
from core.engine.model import Clock, Inputs, Model, Work
from core.engine.rates import rates
from core.engine.work import make_work
from core.integrators import AS_PRINTED, METHODS
from core.jit.calls import address_of_kernel, call_advance, call_on_state, call_rates
from core.jit.kernel import kernel
from core.simulation.table_types import COUNT, ROW, ROWS, step_types, table_types

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


def computed(built: CompiledScene, times: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """(n, m) columns with the indices `chosen` (m,) of the table at increasing `times` (n,) [s], of which none is < 0.

    nan from where the run diverges on.
    """
    work = make_work(built.model, built.inputs)
    method = (METHODS | AS_PRINTED)[built.scene.solver.method]
    model, inputs, work_type, _ = table_types()
    advance = (model, inputs, ROW, ROWS, work_type, typeof(Clock(0.0, 0.0, 0)), COUNT)
    addresses = (
        address_of_kernel(method.advance, advance),
        address_of_kernel(energies, step_types()),
        address_of_kernel(rates, (*step_types(), ROW)),
    )
    step, state = built.scene.solver.time_step, built.start.copy()
    history = np.zeros((method.HISTORY, len(state)))
    work.stop_time[0] = STOP_STEPS * step
    row = np.zeros(work.program.width[0] + ENERGY_COLUMNS + LEDGER_SIZE)
    out = np.full((len(times), len(chosen)), np.nan)
    spare = (np.empty_like(state), np.empty_like(history))
    observe_at(
        addresses,
        built.model,
        built.inputs,
        state,
        history,
        work,
        step,
        np.ascontiguousarray(times, dtype=float),
        spare,
        row,
        np.ascontiguousarray(chosen, dtype=np.int64),
        out,
    )
    return out
