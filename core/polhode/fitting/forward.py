"""The computed columns at the times of the data, without interpolation.

The scene runs on the grid of its time step; core/polhode/analysis/observe_at.py reaches the times between.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import typeof

from polhode.analysis.diagnostics import ENERGY_COLUMNS, energies
from polhode.analysis.observe_at import observe_parts
from polhode.engine.compile import STOP_STEPS, CompiledScene
from polhode.engine.ledger import LEDGER_SIZE
from polhode.engine.model import Clock
from polhode.engine.rates import rates
from polhode.engine.work import make_work
from polhode.integrators import AS_PRINTED, METHODS
from polhode.run.table_types import COUNT, ROW, ROWS, step_types, table_types


@dataclass(frozen=True, eq=False)
class Run:
    """Parts of a run of one compiled scene, each from a start of its own, and the times at which it is observed."""

    built: CompiledScene
    starts: np.ndarray  # (s, k) states
    steps: np.ndarray  # (s, 2) time steps at which each part starts and ends
    rows: np.ndarray  # (s + 1,) where the times of each part begin, and n
    times: np.ndarray  # (n,) [s], which increase in each part; none is < 0


def whole_run(built: CompiledScene, times: np.ndarray) -> Run:
    """A run in one part from the start of the scene to the last of its times (n,) [s]."""
    steps, rows = np.zeros((1, 2), dtype=np.int64), np.array([0, len(times)])
    return Run(built, built.start[None], steps, rows, times)


def computed(built: CompiledScene, times: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """(n, m) columns with the indices `chosen` (m,) of the table at increasing `times` (n,) [s], of which none is < 0.

    nan from where the run diverges on.
    """
    return computed_parts(whole_run(built, times), chosen)[0]


def computed_parts(run: Run, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns (n, m) with the indices `chosen` (m,) of the table, and the states (s, k) at the ends of the parts.

    nan from where a part diverges on. Methods of several steps start in each part without a history.
    """
    built = run.built
    work = make_work(built.model, built.inputs)
    method = (METHODS | AS_PRINTED)[built.scene.solver.method]
    model, inputs, work_type, _ = table_types()
    advance = (model, inputs, ROW, ROWS, work_type, typeof(Clock(0.0, 0.0, 0)), COUNT)
    addresses = (
        method.advance.address(advance),
        energies.address(step_types()),
        rates.address((*step_types(), ROW)),
    )
    step, states = built.scene.solver.time_step, np.array(run.starts, dtype=float)
    history = np.zeros((method.HISTORY, states.shape[1]))
    work.stop_time[0] = STOP_STEPS * step
    row = np.zeros(work.program.width[0] + ENERGY_COLUMNS + LEDGER_SIZE)
    out = np.full((len(run.times), len(chosen)), np.nan)
    observe_parts(
        addresses,
        built.model,
        built.inputs,
        states,
        history,
        work,
        (step, method.NAME in AS_PRINTED),
        np.ascontiguousarray(run.steps, dtype=np.int64),
        np.ascontiguousarray(run.rows, dtype=np.int64),
        np.ascontiguousarray(run.times, dtype=float),
        (np.empty(states.shape[1]), np.empty_like(history)),
        row,
        np.ascontiguousarray(chosen, dtype=np.int64),
        out,
    )
    return out, states
