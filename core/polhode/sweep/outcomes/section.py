"""Poincare sections: values of a quantity once in each period of the drive, or when another quantity passes a level.

Over a parameter of the scene the points of all runs are its bifurcation diagram: one point for a motion that repeats
with the drive, p points for one that repeats after p periods, and bands for chaos. (Strogatz, Nonlinear Dynamics and
Chaos, sections 8.7 and 10.2)
"""

from __future__ import annotations

import numpy as np

from polhode.analysis.columns import columns
from polhode.engine.compiled_scene import CompiledScene
from polhode.run.loop import CANCELLED, FINISHED
from polhode.run.observers.section import LARGEST, NUMBER, SIZE, Section, observe_section
from polhode.run.observers.table_row import empty_row
from polhode.run.status import DIVERGED, INVALID, PENDING, SETTLED, UNSETTLED
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import RotatingField
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.map import Results
from polhode.sweep.outcomes.outcome_runner import OutcomeRunner, OutcomeRuns, unknown_column

REPEATS = 1e-3  # of the largest value: two points within it are one
FEWEST = 16  # steps in a period


class SectionRunner(OutcomeRunner):
    """Points of sections of cells."""

    def __init__(self, compiled: CompiledScene, sweep: SweepSettings):
        super().__init__(compiled, sweep)
        known = list(columns(compiled))
        self._column = known.index(sweep.outcome.quantity)
        self._passing = known.index(sweep.outcome.of) if sweep.outcome.of else -1
        wanted = compiled.scene.solver.time_step
        if self._passing < 0:
            period = sweep.outcome.period or _period_of_drive(compiled) or np.inf
            self._is_driven = np.isfinite(period)
            period = period if self._is_driven else sweep.until
            self._stride = max(FEWEST, int(np.ceil(period / wanted - 1e-9)))
            self._step = period / self._stride
            self._count = self._stride * int(sweep.until / period + 1e-9)
        else:
            self._is_driven = True
            self._stride, self._step, self._count = 1, wanted, max(1, round(sweep.until / wanted))
        self._first = int(sweep.outcome.after / self._step * (1 + 1e-12))

    def run(self, states: np.ndarray) -> Results:
        """Numbers: points of the sections of the motions from `states` (n, k) in order, padded with nan.

        Settled: the points repeat; value: after how many. Time is nan. Cells whose field does not change are invalid if
        the section needs its period.
        """
        width = self._outcome.points
        results = Results.empty(len(states), width)
        if not self._is_driven:
            results.status[:] = INVALID
            return results
        record = Section(
            self._first,
            self._stride,
            self._column,
            self._passing,
            float(self._outcome.level),
            np.zeros(1, dtype=np.int64),
            empty_row(self._runner.work),
            results.features,
            np.zeros((len(states), SIZE)),
        )
        stop = self._runner.run(states.copy(), self._step, self._count, observe_section, record)[1]
        results.status[:] = np.where(stop == CANCELLED, PENDING, DIVERGED)
        for cell in np.flatnonzero(stop == FINISHED).tolist():
            number, points = int(record.found[cell, NUMBER]), results.features[cell]
            points[:] = np.roll(points, -(number % width)) if number > width else points
            near = REPEATS * record.found[cell, LARGEST]
            results.value[cell] = cycle(points[~np.isnan(points)], near)
            results.status[cell] = UNSETTLED if np.isnan(results.value[cell]) else SETTLED
        results.features[stop != FINISHED] = np.nan
        return results


def cycle(points: np.ndarray, near: float) -> float:
    """Smallest number after which `points` (n,) repeat up to `near`; nan if they do not repeat twice."""
    for number in range(1, len(points) // 2 + 1):
        if (np.abs(points[number:] - points[:-number]) <= near).all():
            return float(number)
    return float("nan")


def check_section(compiled: CompiledScene, sweep: SweepSettings, where: str) -> list[Problem]:
    """Problems of the sweep at the path `where` about its section."""
    outcome = sweep.outcome
    found = unknown_column(outcome.of, list(columns(compiled)), f"{where}.outcome.of")
    if not outcome.of and outcome.period is None and _period_of_drive(compiled) is None:
        rule = Message("a section needs a period, or a passage at which points are taken")
        remedy = Message("state period in seconds, or of = the column whose upward passages count")
        found.append(Problem(f"{where}.outcome", rule, remedy))
    return found


def _period_of_drive(compiled: CompiledScene) -> float | None:
    """Period [s] of the world's rotating field; None without one."""
    field = compiled.scene.world.magnetic_field
    if isinstance(field, RotatingField) and field.angular_frequency:
        return float(2 * np.pi / abs(field.angular_frequency))
    return None


RUNS = OutcomeRuns(SectionRunner, observe_section, check_section, lambda compiled, sweep: sweep.outcome.points)
