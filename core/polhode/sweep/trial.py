"""Estimate of the time of a sweep, by trial runs of a few of its cells."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np

from polhode.run.status import UNSETTLED
from polhode.sweep.cells import Plan
from polhode.sweep.chunks import ChunkRunner, Group
from polhode.sweep.outcomes.outcome_runner import OutcomeRuns

CELLS = 8  # that are tried, spread over the sweep
FIRST = 32  # steps of each, which determine the number of steps of the trial
OUTCOME_STEPS = 2000  # of the trial of an outcome with a runner of its own
SECONDS = 0.5  # [s] of a trial, approximately


def seconds_per_cell(chunks: ChunkRunner) -> float:
    """Estimate of the time [s] of a cell in one thread, by short runs; nan if no tried cell is a valid scene."""
    cells = chunks.variation.spread_cells(CELLS)
    begin = perf_counter()
    groups, _ = chunks.groups(cells)
    compiling = (perf_counter() - begin) / len(cells)
    if chunks.runs is not None:
        return compiling + _of_outcome(chunks, chunks.runs, groups)
    steps, per_step = 0.0, 0.0
    for compiled, states, _ in groups:
        runner, plan = chunks.runner_of(compiled), chunks.plan(compiled, 1)
        short = _shortened(plan, FIRST)
        runner.run(states.copy(), short)  # compiles it
        begin = perf_counter()
        runner.run(states.copy(), short)
        once = (perf_counter() - begin) / short.steps
        short = _shortened(plan, max(short.steps, int(SECONDS / len(groups) / once)))
        begin = perf_counter()
        status, rest, _ = runner.run(states.copy(), short)
        taken = np.where(np.isnan(rest), short.steps, rest / plan.step)
        per_step += (perf_counter() - begin) / taken.sum()
        steps += np.where((status == UNSETTLED) & (short.steps < plan.steps), plan.steps, taken).sum()
    if not groups:
        return float("nan")
    per_cell = per_step / len(groups) * steps / sum(len(states) for _, states, _ in groups)
    return float(compiling + per_cell * (3 if chunks.is_checked else 1))


def _shortened(plan: Plan, steps: int) -> Plan:
    """The plan with at most `steps` steps, and between two checks."""
    return replace(plan, steps=min(plan.steps, steps), stride=min(plan.stride, steps))


def _of_outcome(chunks: ChunkRunner, runs: OutcomeRuns, groups: list[Group]) -> float:
    """Time [s] for a cell of an outcome with a runner of its own, by a run of OUTCOME_STEPS of one cell."""
    if not groups:
        return float("nan")
    sweep, (compiled, states, _) = chunks.variation.sweep, groups[len(groups) // 2]
    short = min(sweep.until, OUTCOME_STEPS * compiled.scene.solver.time_step)
    outcome = sweep.outcome.model_copy(update={"after": 0.0})
    begin = perf_counter()
    runner = runs.runner(compiled, sweep.model_copy(update={"until": short, "outcome": outcome}))
    made = perf_counter() - begin
    runner.run(states[:1])  # compiles it
    begin = perf_counter()
    runner.run(states[:1])
    return float((0.0 if chunks.is_fast else made) + (perf_counter() - begin) * sweep.until / short)
