"""How long a sweep will take, by a trial of a few of its cells before it starts."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np

from core.engine.compile import CompiledScene
from core.sweep.cells import CellRunner
from core.sweep.chunks import ChunkRunner
from core.sweep.lanes.runner import LaneRunner

CELLS = 8  # of the trial, spread over the sweep
FIRST = 32  # steps of each, from which the number of steps of the trial follows
SECONDS = 0.5  # [s] that the trial takes, about


def seconds_per_cell(chunks: ChunkRunner) -> float:
    """Estimate of the time [s] that one thread takes for a cell; nan where no cell of the trial is a scene.

    Cells that end within the trial count with the steps that they took, others with all of their steps.
    """
    count = chunks.variation.count
    cells = np.unique(np.linspace(0, count - 1, min(CELLS, count)).astype(np.int64))
    begin = perf_counter()
    groups, _ = chunks.groups(cells)
    compiling = (perf_counter() - begin) / len(cells)
    if not groups:
        return float("nan")
    found = [_of_group(chunks, built, states, SECONDS / len(groups)) for built, states, _ in groups]
    return compiling + sum(found) / sum(len(states) for _, states, _ in groups)


def _of_group(chunks: ChunkRunner, built: CompiledScene, states: np.ndarray, most: float) -> float:
    """Time [s] that runs of one compiled scene from `states` (n, k) take; the trial takes about `most` [s]."""
    plan = chunks.plan(built, 1)
    _timed(chunks, built, states, FIRST)  # compiles it
    once = _timed(chunks, built, states, FIRST)[0] / FIRST
    steps = int(np.clip(most / once, min(FIRST, plan.steps), plan.steps))
    seconds, taken = _timed(chunks, built, states, steps)
    in_all = np.where((taken >= steps) & (steps < plan.steps), plan.steps, taken)
    return float(seconds / taken.sum() * in_all.sum() * (3 if chunks.is_checked else 1))


def _timed(chunks: ChunkRunner, built: CompiledScene, states: np.ndarray, steps: int) -> tuple[float, np.ndarray]:
    """Time [s] of at most `steps` steps of all runs from `states` (n, k), and the number of steps (n,) of each."""
    runner, plan, copies = chunks.runner(built), chunks.plan(built, 1), states.copy()
    taken = np.full(len(states), float(steps))
    if not isinstance(runner, CellRunner | LaneRunner):
        runner = chunks.runner_until(built, steps * plan.step)
        begin = perf_counter()
        runner.run(copies)
        return perf_counter() - begin, taken
    begin = perf_counter()
    _, rest, _ = runner.run(copies, replace(plan, steps=steps))
    seconds = perf_counter() - begin
    return seconds, np.where(np.isnan(rest), taken, np.maximum(rest / plan.step, 1.0))
