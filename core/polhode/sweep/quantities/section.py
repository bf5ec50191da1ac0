"""Poincare sections: values of a quantity once in each period of the drive, or when another quantity passes a level.

Over a parameter of the scene the points of all runs are its bifurcation diagram: one point for a motion that repeats
with the drive, p points for one that repeats after p periods, and bands for chaos. (Strogatz, Nonlinear Dynamics and
Chaos, sections 8.7 and 10.2)
"""

from __future__ import annotations

import numpy as np

from polhode.analysis.columns import columns
from polhode.analysis.diagnostics import observed
from polhode.engine.compile import CompiledScene
from polhode.engine.model import Inputs, Model, Work
from polhode.jit.kernel import kernel
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import RotatingField
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.status import INVALID, SETTLED, UNSETTLED
from polhode.sweep.quantities.axle_motion import advance_axle
from polhode.sweep.quantities.reduced_axle import reduced_axle
from polhode.sweep.quantities.results import Results, failed, unknown_column
from polhode.sweep.quantities.rows import advance_to_row, observe_row
from polhode.sweep.quantities.steps import Steps

REPEATS = 1e-3  # of the largest value: two points within it are one
FEWEST = 16  # steps in a period


@kernel
def run_section(
    addresses: tuple[int, int],
    model: Model,
    inputs: Inputs,
    state: np.ndarray,
    history: np.ndarray,
    work: Work,
    plan: tuple[int, int, float, int],
    watched: tuple[int, int, float],
    row: np.ndarray,
    points: np.ndarray,
    found: np.ndarray,
) -> int:
    """Run `state` (k,) in place and write points into the ring `points` (p,); returns the steps that were taken.

    addresses: of the method and of `energies`; plan: steps, steps between two looks, step [s], the first step that
    counts; watched: column of the quantity, column whose upward passages take points or -1 for every look, level;
    row: (c,) of the table; found: (2,) number of points, largest |value| of all looks
    """
    steps, stride, step, first = plan
    column, passing, level = watched
    done, number = 0, 0
    observe_row(addresses[1], model, inputs, 0.0, state, work, row)
    value, height = row[column], row[passing] if passing >= 0 else 0.0
    largest = abs(value)
    while done + stride <= steps:
        taken = advance_to_row(addresses, model, inputs, state, history, work, (done, stride, step), row)
        done += taken
        if taken < stride:
            break
        before, below = value, height
        value, height = row[column], row[passing] if passing >= 0 else 0.0
        largest = max(largest, abs(value))
        if done > first and passing < 0:
            points[number % len(points)] = value
            number += 1
        elif done > first and below < level and height >= level:
            points[number % len(points)] = before + (level - below) / (height - below) * (value - before)
            number += 1
    found[0], found[1] = number, largest
    return done


class SectionRunner:
    """Points of sections of cells of one compiled scene, with scratch arrays of its own: one for each thread."""

    def __init__(self, built: CompiledScene, sweep: SweepSettings):
        """Prepare for runs as the sweep asks for them, which `check_section` has accepted."""
        self._built, self._outcome = built, sweep.outcome
        known = list(columns(built))
        self._column = known.index(sweep.outcome.quantity)
        self._passing = known.index(sweep.outcome.of) if sweep.outcome.of else -1
        wanted = built.scene.solver.time_step
        if self._passing < 0:
            period = sweep.outcome.period or _period_of_drive(built) or np.inf
            self._is_driven = np.isfinite(period)
            period = period if self._is_driven else sweep.until
            self._stride = max(FEWEST, int(np.ceil(period / wanted - 1e-9)))
            self._step = period / self._stride
            self._count = self._stride * int(sweep.until / period + 1e-9)
        else:
            self._is_driven = True
            self._stride, self._step, self._count = 1, wanted, max(1, round(sweep.until / wanted))
        self._first = int(sweep.outcome.after / self._step * (1 + 1e-12))
        self._steps = Steps(built, self._step)
        self._axle = reduced_axle(built, self._steps.work) if self._passing < 0 else None

    @property
    def width(self) -> int:
        """Number of points that are kept of each cell."""
        return self._outcome.points

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self._steps.cancel()

    def run(self, states: np.ndarray) -> Results:
        """Sections of the motions from `states` (n, k): numbers are the points in their order, nan beyond the last.

        Settled: the points repeat, and value is after how many. Time is nan. Cells whose field does not change are
        invalid, where the section asks for its period.
        """
        results = Results.empty(len(states), self.width)
        if not self._is_driven:
            results.status[:] = INVALID
            return results
        for cell, state in enumerate(states):
            points, found = np.full(self.width, np.nan), np.zeros(2)
            is_whole = self._run_one(state.copy(), points, found)
            if not is_whole:
                results.status[cell] = failed(self._steps.is_cancelled)
                if self._steps.is_cancelled:
                    break
                continue
            number = int(found[0])
            kept = np.roll(points, -(number % self.width)) if number > self.width else points
            results.numbers[cell] = kept
            results.value[cell] = cycle(kept[~np.isnan(kept)], REPEATS * found[1])
            results.status[cell] = UNSETTLED if np.isnan(results.value[cell]) else SETTLED
        return results

    def _run_one(self, state: np.ndarray, points: np.ndarray, found: np.ndarray) -> bool:
        """Whether a run took all of its steps; writes `points` and `found` as `run_section` does."""
        steps, built = self._steps, self._built
        if self._axle is not None:
            return self._run_axle(state, points, found)
        taken = run_section(
            (steps.advance, steps.measure),
            built.model,
            built.inputs,
            state,
            steps.history,
            steps.work,
            (self._count, self._stride, self._step, self._first),
            (self._column, self._passing, self._outcome.level),
            steps.row,
            points,
            found,
        )
        return bool(taken == self._count)

    def _run_axle(self, state: np.ndarray, points: np.ndarray, found: np.ndarray) -> bool:
        """As `run_section`, by the equation of motion of a body on an axle."""
        assert self._axle is not None
        axle, steps = self._axle, self._steps
        parts = int(np.ceil(self._step / axle.step(state)))  # of a step of the scene
        now, number = axle.start(state), 0
        found[1] = abs(self._value(state, 0.0))
        for done in range(0, self._count, self._stride):
            if steps.is_cancelled:
                return False
            advance_axle(axle.harmonics, axle.rates, now, parts * done, parts * self._stride, self._step / parts)
            at = done + self._stride
            if at <= self._first and at % (64 * self._stride):
                continue  # only for the largest value
            placed = axle.states(state, now[:1], now[1:])[0]
            value = self._value(placed, at * self._step)
            found[1] = max(found[1], abs(value))
            if at > self._first:
                points[number % self.width] = value
                number += 1
        found[0] = number
        return bool(np.isfinite(now).all())

    def _value(self, state: np.ndarray, time: float) -> float:
        """The quantity in a state (k,) at `time` [s]."""
        built, work = self._built, self._steps.work
        return float(observed(built.model, built.inputs, np.array([time]), state[None], work)[0, self._column])


def cycle(points: np.ndarray, near: float) -> float:
    """Smallest number after which `points` (n,) repeat up to `near`; nan if they do not repeat twice."""
    for number in range(1, len(points) // 2 + 1):
        if (np.abs(points[number:] - points[:-number]) <= near).all():
            return float(number)
    return float("nan")


def check_section(built: CompiledScene, sweep: SweepSettings, where: str) -> list[Problem]:
    """Problems of a sweep that asks for a section of what the scene has not; `where` is the place of the sweep."""
    outcome = sweep.outcome
    found = unknown_column(outcome.of, list(columns(built)), f"{where}.outcome.of")
    if not outcome.of and outcome.period is None and _period_of_drive(built) is None:
        found.append(_no_period(f"{where}.outcome"))
    return found


def _no_period(place: str) -> Problem:
    rule = Message("a section needs a period, or a passage at which points are taken")
    remedy = Message("state period in seconds, or of = the column whose upward passages count")
    return Problem(place, rule, remedy)


def _period_of_drive(built: CompiledScene) -> float | None:
    """Period [s] of the world's rotating field; None where there is none."""
    field = built.scene.world.magnetic_field
    if isinstance(field, RotatingField) and field.angular_frequency:
        return float(2 * np.pi / abs(field.angular_frequency))
    return None
