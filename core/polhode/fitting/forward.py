"""The computed columns at the times of the data, without interpolation.

The scene runs on the grid of its time step; core/polhode/run/observers/at_times.py reaches the times between.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.run.loop import FINISHED, method_of
from polhode.run.observers.at_times import NEAR, AtTimes, observe_at_times
from polhode.run.observers.table_row import empty_row
from polhode.run.runner import Runner


@dataclass(frozen=True, eq=False)
class ObservedRun:
    """Parts of a run of one compiled scene, each with its own start, and the times of observation."""

    compiled: CompiledScene
    starts: np.ndarray  # (s, k) states
    steps: np.ndarray  # (s, 2) first and last time step of each part
    rows: np.ndarray  # (s + 1,) index of the first time of each part, and n
    times: np.ndarray  # (n,) [s] >= 0, increasing in each part


def whole_run(compiled: CompiledScene, times: np.ndarray) -> ObservedRun:
    """A run in one part from the start of the scene to the last of the times (n,) [s]."""
    steps, rows = np.zeros((1, 2), dtype=np.int64), np.array([0, len(times)])
    return ObservedRun(compiled, compiled.start[None], steps, rows, times)


def computed(compiled: CompiledScene, times: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """(n, m) columns `chosen` (m,) of the table at increasing `times` (n,) [s] >= 0; nan after the run diverges."""
    return computed_parts(whole_run(compiled, times), chosen)[0]


def computed_parts(run: ObservedRun, chosen: np.ndarray, runner: Runner | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Columns (n, m) with the indices `chosen` (m,) of the table, and the states (s, k) at the ends of the parts.

    nan after a part diverges. Multistep methods start each part without a history. runner: of the same model and
    inputs, used again
    """
    runner, step = runner or Runner(run.compiled), run.compiled.scene.solver.time_step
    states, times = np.array(run.starts, dtype=float), np.ascontiguousarray(run.times, dtype=float)
    rows, steps = np.asarray(run.rows, dtype=np.int64), np.asarray(run.steps, dtype=np.int64)
    record = AtTimes(
        np.zeros(1, dtype=np.int64),
        times,
        rows,
        np.ascontiguousarray(chosen, dtype=np.int64),
        empty_row(runner.work),
        np.full((len(times), len(chosen)), np.nan),
        np.full(2, -1, dtype=np.int64),
        method_of(run.compiled),
        np.empty(states.shape[1]),
        np.zeros(len(runner.work.events.before)),
    )
    last = steps[:, 1].copy()  # or the last one before a time
    seen = np.flatnonzero(np.diff(rows))
    last[seen] = np.maximum(last[seen], np.floor(times[rows[seen + 1] - 1] / step + NEAR).astype(np.int64))
    stop = runner.run(states, step, last, observe_at_times, record, steps[:, 0])[1]
    states[stop != FINISHED] = np.nan
    return record.out, states
