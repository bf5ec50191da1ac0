"""The computed columns at the times of the data, without interpolation.

The scene runs on the grid of its time step; core/analysis/observe_at.py reaches the times between.
"""

from __future__ import annotations

import numpy as np
from numba import typeof

from core.analysis.diagnostics import ENERGY_COLUMNS, energies
from core.analysis.observe_at import observe_at
from core.engine.compile import STOP_STEPS, CompiledScene
from core.engine.ledger import LEDGER_SIZE
from core.engine.model import Clock
from core.engine.rates import rates
from core.engine.work import make_work
from core.integrators import AS_PRINTED, METHODS
from core.simulation.table_types import COUNT, ROW, ROWS, step_types, table_types


def computed(built: CompiledScene, times: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """(n, m) columns with the indices `chosen` (m,) of the table at increasing `times` (n,) [s], of which none is < 0.

    nan from where the run diverges on.
    """
    work = make_work(built.model, built.inputs)
    method = (METHODS | AS_PRINTED)[built.scene.solver.method]
    model, inputs, work_type, _ = table_types()
    advance = (model, inputs, ROW, ROWS, work_type, typeof(Clock(0.0, 0.0, 0)), COUNT)
    addresses = (
        method.advance.address(advance),
        energies.address(step_types()),
        rates.address((*step_types(), ROW)),
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
