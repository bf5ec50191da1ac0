"""Runs in segments: parts of the data, each with its own start state.

Segments begin on the grid of the time step, so segments that continue each other are one run. The defect of a segment
is its end minus the start of the next one, in the independent coordinates of states (core/polhode/run/neighbours.py),
each divided by its size in this motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.fitting.forward import ObservedRun, computed_parts
from polhode.fitting.runs import runs_of
from polhode.fitting.task import FitTask
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS
from polhode.run.neighbours import SIZE, Chart, Scales, chart_of, difference, dimension, displace, extent
from polhode.run.observers.at_times import NEAR
from polhode.run.runner import Runner

SMALL = 1e-2  # of the largest size of a coordinate of the same kind: least size
GONE = 1e-2  # of the largest singular value of a time step: constraints remove directions below it
LARGEST = 0.7  # displacement in sizes: rotations are exact to its fifth power


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Runs of all segments."""

    starts: np.ndarray  # (s, k) start states
    ends: np.ndarray  # (s, k) states at the ends
    residuals: np.ndarray  # (r,) as of FitTask
    directions: np.ndarray  # (s, d, c) orthonormal directions of possible displacements of starts, scaled coordinates
    defects: np.ndarray  # (s - 1, d) each end relative to the next start, along its directions
    rest: np.ndarray  # (s - 1, c) rest of that: violation of constraints by starts

    @property
    def is_finite(self) -> bool:
        """Whether no run has diverged."""
        return bool(np.isfinite(self.residuals).all() and np.isfinite(self.ends).all())


@dataclass(frozen=True, eq=False)
class Slopes:
    """Derivatives to the p unknowns of a fit, and to the start of the segment along its d directions."""

    residuals_by_unknowns: np.ndarray  # (r, p)
    residuals_by_starts: np.ndarray  # (r, d)
    ends_by_unknowns: np.ndarray  # (s, c, p)
    ends_by_starts: np.ndarray  # (s, c, d)


class Segments:
    """Data in segments with unknown starts, except the first one, which follows from the unknowns of the fit."""

    def __init__(self, task: FitTask, x: np.ndarray, count: int):
        """Divide the rows into `count` segments of about equal size, by their times at `x` (p,)."""
        self.task, first = task, task.models.first
        self._step, times = first.scene.solver.time_step, task.times_of_run(x)
        begins = [times[rows[0]] for rows in np.array_split(np.arange(len(times)), count)[1:] if len(rows)]
        grid = np.unique([0, *(int(begin / self._step) for begin in begins)])
        self._steps = np.stack([grid, np.append(grid[1:], grid[-1])], axis=1)  # (s, 2)
        self._chart = chart_of(first, Scales(extent(first), 1.0))
        self._sizes = np.ones(dimension(self._chart))  # (c,) of the coordinates
        self._left: int | None = None  # d, if constraints remove directions
        self._newest: tuple[bytes, CompiledScene | None] = (b"", None)  # the last x with its scene
        self._runner: Runner | None = None  # of the last scene

    @property
    def coordinates(self) -> int:
        """Number of coordinates of a start, c; derivatives take one run for each of these and of the unknowns."""
        return len(self._sizes)

    @property
    def count(self) -> int:
        """Number of segments, s."""
        return len(self._steps)

    def rows(self, x: np.ndarray) -> np.ndarray:
        """(s + 1,) first row of each segment, and the number of all rows.

        A row in the first step of a segment belongs to the previous one: constraints act on a start in a whole step.
        """
        begins, times = self._steps[1:, 0] * self._step, self.task.times_of_run(x)
        return np.concatenate([[0], np.searchsorted(times, begins + (1 - 2 * NEAR) * self._step), [len(times)]])

    def residual_rows(self, x: np.ndarray) -> np.ndarray:
        """(s + 1,) first residual of each segment, and the number of all residuals."""
        return np.concatenate([[0], np.cumsum(self.task.is_there.sum(axis=1))])[self.rows(x)]

    @property
    def lengths(self) -> np.ndarray:
        """(s,) [s] from each start to the next one; of the last segment as of the one before."""
        found = np.diff(self._steps[:, 0]) * self._step
        return np.append(found, found[-1] if len(found) else self.task.times[-1] - self.task.times[0])

    def at_starts_of(self, other: Segments) -> np.ndarray:
        """(s,) bool: the first of these segments within each of the others."""
        found = np.zeros(self.count, dtype=bool)
        found[np.searchsorted(self._steps[:, 0], other._steps[:, 0]).clip(max=self.count - 1)] = True
        return found

    def whole(self, x: np.ndarray, breaks: tuple[np.ndarray, np.ndarray] | None = None) -> Trajectory:
        """The run at `x` (p,), without defects; its states define the sizes of coordinates.

        breaks: (s,) bool of segments that begin with states of their own, and these (b, k)
        """
        compiled, starts = self._built(x), np.full((self.count, len(self.task.models.first.start)), np.nan)
        if compiled is not None:
            state, own = compiled.start, iter(() if breaks is None else breaks[1])
            for s, steps in enumerate(self._steps):
                if breaks is not None and breaks[0][s]:
                    state = next(own)
                starts[s] = state
                state = self._part(compiled, state[None], steps, np.zeros(0))[1][0]
            self._sizes = sizes_of(self._chart, starts)
        return self.runs(x, starts)

    def runs(self, x: np.ndarray, starts: np.ndarray) -> Trajectory:
        """Runs at `x` (p,) from start states (s, k); the first one is replaced by that of the scene."""
        compiled, given = self._built(x), starts.copy()
        if compiled is not None:
            given[0] = compiled.start
        ((readings, ends),) = self._at_once([(x, given)], self.rows(x))
        directions = self.directions(x, given, range(self.count))
        differences = self._coordinates(given[1:], ends[:-1])
        defects = np.einsum("sdc,sc->sd", directions[1:], differences)
        rest = differences - np.einsum("sd,sdc->sc", defects, directions[1:])
        return Trajectory(given, ends, self.task.residuals_of(readings), directions, defects, rest)

    def part(self, x: np.ndarray, s: int, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals (n, q) and ends (n, k) of several runs of the segment `s` at `x` (p,), from states (n, k)."""
        compiled, rows = self._built(x), self.rows(x)
        task, here = self.task, slice(rows[s], rows[s + 1])
        task.progress(len(task.times))
        times = task.times_of_run(x)[here]
        if compiled is None:
            return np.full((len(starts), int(task.is_there[here].sum())), np.nan), np.full(starts.shape, np.nan)
        columns, ends = self._part(compiled, starts, self._steps[s], times)
        values = np.tile(task.values[here], (len(starts), 1))
        readings = task.readings(x, task.observed.of_columns(columns, compiled), values).reshape(
            len(starts), len(times), len(task.columns)
        )
        return ((readings - task.values[here]) / task.sigma)[:, task.is_there[here]], ends

    def displaced(self, starts: np.ndarray, along: np.ndarray) -> np.ndarray:
        """(n, k) states (n, k) moved by `along` (n, c) in their scaled coordinates."""
        moved = np.empty_like(starts)
        for start, change, copy in zip(starts, along, moved, strict=True):
            displace(self._chart, start, change * self._sizes / SIZE, copy)
        return moved

    def directions(self, x: np.ndarray, states: np.ndarray, segments: Sequence[int]) -> np.ndarray:
        """(n, d, c) orthonormal directions of possible displacements of states (n, k) at the starts of `segments`.

        Constraints, such as joints, remove the other directions within a time step.
        """
        compiled, size, count = self._built(x), len(self._sizes), len(states)
        everything = np.tile(np.eye(size), (count, 1, 1))
        if compiled is None or not compiled.scene.joint:
            return everything
        moved = [states, *(self.displaced(states, np.tile(row, (count, 1))) for row in SIZE * np.eye(size))]
        steps = np.tile(self._steps[list(segments), :1] + np.array([0, 1]), (len(moved), 1))
        none = np.zeros(len(steps) + 1, dtype=np.int64)
        ends = computed_parts(
            ObservedRun(compiled, np.vstack(moved), steps, none, np.zeros(0)), self.task.observed.chosen
        )[1]
        ends = ends.reshape(len(moved), count, -1)
        if not np.isfinite(ends).all():
            return everything
        _, values, found = np.linalg.svd(
            np.stack([self._coordinates(ends[0], each) for each in ends[1:]], axis=2) / SIZE
        )
        if self._left is None:
            self._left = int((values > GONE * values[:, :1]).sum(axis=1).max())
        return np.ascontiguousarray(found[:, : self._left])

    def slopes(self, x: np.ndarray, here: Trajectory) -> Slopes:
        """Derivatives at `x` (p,) by one-sided differences of simultaneous runs (runs.py)."""
        task, rows, directions = self.task, self.rows(x), here.directions
        size, moved = directions.shape[1], [task.moved(x, k, 1.0, False) for k in task.of_runs]
        displaced = [(x, self.displaced(here.starts, SIZE * directions[:, d])) for d in range(size)]
        runs = self._at_once([*displaced, *((each, here.starts) for each in moved)], rows, size)
        steps = [SIZE] * size + [each[k] - x[k] for k, each in zip(task.of_runs, moved, strict=True)]
        residuals = [(task.residuals_of(each) - here.residuals) / h for (each, _), h in zip(runs, steps, strict=True)]
        ends = [self._coordinates(here.ends, each) / h for (_, each), h in zip(runs, steps, strict=True)]
        by_unknowns, of_ends = np.zeros((len(here.residuals), len(x))), np.zeros((self.count, len(self._sizes), len(x)))
        for index, k in enumerate(task.of_runs, size):
            by_unknowns[:, k], of_ends[:, :, k] = residuals[index], ends[index]
        for k in sorted({*range(len(x))} - {*task.of_runs}):
            by_unknowns[:, k] = task.of_sensor(x, k, here.residuals)
        return Slopes(by_unknowns, np.stack(residuals[:size], axis=1), of_ends, np.stack(ends[:size], axis=2))

    def _coordinates(self, base: np.ndarray, states: np.ndarray) -> np.ndarray:
        """(n, c) scaled coordinates of states (n, k) relative to others (n, k)."""
        found = np.empty((len(base), len(self._sizes)))
        for one, other, row in zip(base, states, found, strict=True):
            difference(self._chart, one, other, row)
        at = len(self._chart.plain)
        for first, turns in zip(self._chart.row, self._chart.turns, strict=True):
            found[:, at : at + turns] *= _turn_by_sine(base, states, first)[:, None]
            at += 2 * turns
        return found * (SIZE / self._sizes)

    def _built(self, x: np.ndarray) -> CompiledScene | None:
        if self._newest[0] != (key := x.tobytes()):
            self._newest = key, self.task.models.compiled(x * self.task.unknowns.scales)
        return self._newest[1]

    def _runner_of(self, compiled: CompiledScene) -> Runner:
        """The scratch arrays of the last scene, if it has the same model and inputs."""
        last = self._runner
        if last is None or last.compiled.model is not compiled.model or last.compiled.inputs is not compiled.inputs:
            self._runner = last = Runner(compiled)
        return last

    def sizes_as(self, other: Segments) -> None:
        """Take the sizes of the coordinates in the motion of other segments."""
        self._sizes = other._sizes

    def begun(self, other: Segments, starts: np.ndarray) -> np.ndarray:
        """(s, k) starts of these segments from starts (n, k) of other ones, the last that begins with each or before"""
        return starts[np.searchsorted(other._steps[:, 0], self._steps[:, 0], side="right") - 1]

    def _part(
        self, compiled: CompiledScene, starts: np.ndarray, steps: np.ndarray, times: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Columns and ends (c, k) of runs from states (c, k), each with the times (n,)."""
        count = len(starts)
        rows, every = len(times) * np.arange(count + 1), np.tile(times, count)
        run = ObservedRun(compiled, starts, np.tile(steps, (count, 1)), rows, every)
        if not self.task.models.in_lanes:
            return computed_parts(run, self.task.observed.chosen, self._runner_of(compiled))
        (found,) = runs_of([lambda: run], self.task.observed.chosen)
        assert found is not None
        return found.columns, found.ends

    def _at_once(
        self, wanted: Sequence[tuple[np.ndarray, np.ndarray]], rows: np.ndarray, with_start: int = 0
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Readings (n, m) and ends (s, k) of runs at x (p,) from states (s, k).

        From run `with_start` on the first state is replaced by that of the scene.
        """
        task = self.task

        def run(number: int, x: np.ndarray, starts: np.ndarray) -> ObservedRun | None:
            task.progress(len(task.times))
            compiled, given = self._built(x), starts
            if compiled is not None and number >= with_start:
                given = np.concatenate([compiled.start[None], starts[1:]])
            return None if compiled is None else ObservedRun(compiled, given, self._steps, rows, task.times_of_run(x))

        found = runs_of(
            [partial(run, number, *each) for number, each in enumerate(wanted)],
            task.observed.chosen,
            task.models.in_lanes,
        )
        return [
            (np.full(task.values.shape, np.nan), np.full(starts.shape, np.nan))
            if each is None
            else (task.readings(x, task.observed.of_columns(each.columns, each.compiled), task.values), each.ends)
            for (x, starts), each in zip(wanted, found, strict=True)
        ]


def _turn_by_sine(base: np.ndarray, states: np.ndarray, row: int) -> np.ndarray:
    """(n,) angle between bases, divided by its sine; states (n, k), whose body begins at `row`."""
    first, second = (each[:, row + BASIS : row + ANGULAR_MOMENTUM] for each in (base, states))
    cosine = np.clip(0.5 * (np.sum(first * second, axis=1) - 1.0), -1.0, 1.0)
    angle = np.minimum(np.arccos(cosine), 0.99 * np.pi)
    return np.where(cosine < 0.99, angle / np.maximum(np.sin(angle), 1e-9), 1.0 + (1.0 - cosine) / 3.0)


def sizes_of(chart: Chart, states: np.ndarray) -> np.ndarray:
    """(d,) sizes of coordinates in a motion through states (n, k): 1 for angles, rms variation for others."""
    still = states.copy()
    still[:, chart.plain] = states[:, chart.plain].mean(axis=0)
    for row in chart.row:
        still[:, row + ANGULAR_MOMENTUM : row + ANGULAR_MOMENTUM + 3] = 0.0
    found = np.zeros((len(states), dimension(chart)))
    for base, state, out in zip(still, states, found, strict=True):
        difference(chart, base, state, out)
    sizes, at = SIZE * np.sqrt(np.mean(found**2, axis=0)), len(chart.plain)
    if at:
        sizes[:at] = np.maximum(sizes[:at], SMALL * sizes[:at].max())
    for count in chart.turns:
        sizes[at : at + count] = 1.0
        sizes[at + count : at + 2 * count] = max(sizes[at + count : at + 2 * count].max(initial=0.0), SMALL)
        at += 2 * count
    return np.maximum(sizes, 1e-12)
