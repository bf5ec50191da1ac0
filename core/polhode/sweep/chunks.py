"""Cells of a sweep in chunks, which run on any thread or on another machine.

Every cell is a run of its own from its own start, so its result depends neither on its chunk nor on where that runs.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from threading import get_ident, local

import numpy as np

from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.diagnostics import total_energy
from polhode.engine.work import make_work
from polhode.jit.simd import WIDTH
from polhode.mesh.mesh import Meshes
from polhode.run.lanes.tableau import TABLEAUS
from polhode.run.observers.rest import REACH
from polhode.run.observers.wells import no_wells
from polhode.run.runner import equal_steps
from polhode.run.starts import starts, starts_agree
from polhode.run.status import DIVERGED, INVALID, PENDING, SETTLED, UNCERTAIN
from polhode.scene.problem import InputError
from polhode.scene.variants.alone import alone
from polhode.sweep.barriers import wells_of
from polhode.sweep.cells import CHECKS, CellRunner, Plan
from polhode.sweep.checks import Checks, kind_of
from polhode.sweep.lane_cells import LaneRunner, body_in_lanes
from polhode.sweep.maps.map import Results
from polhode.sweep.maps.map_layout import NO_LABEL
from polhode.sweep.maps.similarity import are_one
from polhode.sweep.measure import Measure, features, has_lengths
from polhode.sweep.outcomes.outcome_runner import OutcomeRunner, runs_of
from polhode.sweep.variation import Variation

SERIES_SAMPLES = 20_000  # of a quantity during a run, at most
MODELS = 64  # compiled scenes that each thread keeps

Runner = CellRunner | LaneRunner | OutcomeRunner
Group = tuple[CompiledScene, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Chunk:
    """Results of some cells."""

    cells: np.ndarray  # (n,)
    results: Results
    seconds: float  # of processor time


def fast_starts(variation: Variation, compiled: CompiledScene, meshes: Meshes) -> bool:
    """Whether `starts` computes the starts of all cells: for axes of bodies, if corners agree with `build`."""
    cells = np.unique(np.array([0, variation.count // 3, variation.count - 1]))
    scene = alone(variation.scene)
    return starts_agree(scene, variation.paths, variation.values(cells), compiled, meshes)


class ChunkRunner:
    """Runs cells of a sweep on any number of threads at once. Raises InputError for names that the scene lacks."""

    def __init__(self, variation: Variation, meshes: Meshes, where: str = "sweep[0]"):
        """Compile the scene; nothing runs yet."""
        sweep = variation.sweep
        self.variation, self._meshes = variation, meshes
        plain = alone(variation.scene)
        self.compiled = build(plain, self._meshes)
        self.measure = Measure(variation, self.compiled, where)
        self.is_fast = fast_starts(variation, self.compiled, self._meshes)
        self._has_labels = sweep.outcome.kind == "attractor"
        self.by_features = self._has_labels and not sweep.outcome.near
        self.is_checked = kind_of(sweep) != "none"
        self.runs = runs_of(sweep.outcome.row)  # of an outcome with a runner of its own
        self.width = self.runs.width(self.compiled, sweep) if self.runs is not None else 0
        by_rests = self.by_features and self.runs is None
        if by_rests:
            self.width = features(self.compiled, self.compiled.start[None], 1.0).shape[1]
        self.has_lengths = by_rests and has_lengths(self.compiled)
        self.length = float("nan") if self.has_lengths else 1.0  # [m] of `features`, see core/polhode/sweep/length.py
        self._local, self._runners, self._cancelled = local(), dict[int, Runner](), False
        is_laned = (
            self.runs is None
            and self.is_fast
            and self.measure.column < 0
            and self.compiled.scene.solver.method in TABLEAUS
        )
        self.lane_body = body_in_lanes(self.compiled) if is_laned else None
        self.at_once = WIDTH if self.lane_body is not None else 1  # cells that one thread runs side by side
        names = [body.name for body in self.compiled.scene.bodies]
        near = [names.index(name) for name in sweep.outcome.near] if self._has_labels else []
        self.wells = wells_of(self.compiled, self.lane_body, self.measure.of, near) if near else no_wells()

    def cancel(self) -> None:
        """End all chunks soon; cells that are not done are pending. Other threads may call this."""
        self._cancelled = True
        for runner in list(self._runners.values()):
            runner.cancel()

    def renew(self) -> None:
        """Forget that it was cancelled."""
        self._cancelled, self._local, self._runners = False, local(), {}

    def run(self, cells: np.ndarray) -> Chunk:
        """Run the cells (n,) on this thread."""
        begin = time.thread_time()
        results = Results.empty(len(cells), self.width)
        groups, results.status = self.groups(cells)
        for compiled, states, rows in groups:
            if self._cancelled:
                break
            results.put(rows, self._run_cells(compiled, states))
        return Chunk(cells, results, time.thread_time() - begin)

    def displacements(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Status (n,) and largest displacements (n,) [m] of runs of cells (n,), on this thread and one by one."""
        groups, status = self.groups(cells)
        reach = np.full(len(cells), np.nan)
        for compiled, states, rows in groups:
            runner = CellRunner(compiled)
            self._keep(compiled, runner)
            status[rows], _, series = runner.run(states, self.plan(compiled, 1))
            reach[rows] = series[:, REACH]
        return status, reach

    def groups(self, cells: np.ndarray) -> tuple[list[Group], np.ndarray]:
        """Cells (n,) by compiled scene, with their starts (m, k) and indices (m,) in `cells`; the status (n,)."""
        values, status = self.variation.values(cells), np.full(len(cells), PENDING, dtype=np.uint8)
        if self.is_fast:
            states = starts(self.variation.scene, self.variation.paths, self.compiled, values)
            return [(self.compiled, states, np.arange(len(cells)))], status
        groups: list[Group] = []
        for k in range(len(cells)):
            if self._cancelled:
                break
            try:
                compiled = self._built_with(tuple(values[k].tolist()))
            except InputError:
                status[k] = INVALID
            else:
                groups.append((compiled, compiled.start[None].copy(), np.array([k])))
        return groups, status

    def _run_cells(self, compiled: CompiledScene, states: np.ndarray) -> Results:
        """Results of runs of one compiled scene from `states` (n, k)."""
        if self.runs is not None:
            return self.outcome_runner_of(compiled).run(states)
        runner = self.runner_of(compiled)
        ends = states.copy()
        status, rest, series = runner.run(ends, self.plan(compiled, 1))
        label = np.full(len(states), NO_LABEL, dtype=np.int32)
        is_good = np.isin(status, (DIVERGED, PENDING), invert=True)
        found = np.full((len(states), self.width), np.nan)
        if self._has_labels and not self.by_features:
            label[is_good] = self.measure.labels(compiled, ends[is_good])
            status[self._rest_elsewhere(compiled, ends, label, status == SETTLED)] = UNCERTAIN
        elif self.by_features:
            found[is_good] = features(compiled, ends[is_good], self.length)
        for again, parts in self._checks_of(compiled).repetitions(states[is_good]) if is_good.any() else ():
            other, _, _ = runner.run(again, self.plan(compiled, parts))
            if self.by_features:
                differs = ~are_one(features(compiled, again, self.length), found[is_good])
            else:
                differs = self.measure.labels(compiled, again) != label[is_good]
            checked = np.where(differs | (other == DIVERGED), UNCERTAIN, status[is_good])
            status[is_good] = np.where((other == PENDING) | (status[is_good] == PENDING), PENDING, checked)
        value = np.where(is_good, self.measure.values(series, rest), np.nan)
        return Results(label, value, rest, found, status)

    def _rest_elsewhere(
        self, compiled: CompiledScene, ends: np.ndarray, label: np.ndarray, settled: np.ndarray
    ) -> np.ndarray:
        """(n,) bool: which of the settled ends (n, k) are at none of the attractors, so that their label is void.

        A run that can't leave the nearest attractor any more is at it, wherever it is.
        """
        found = np.zeros(len(ends), dtype=bool)
        found[settled] = self.measure.are_between(compiled, ends[settled])
        rows = np.flatnonzero(found)
        if len(rows) and np.isfinite(self.wells.limit).all():
            work = make_work(compiled.model, compiled.inputs)
            for row in rows.tolist():
                total = total_energy(compiled.model, compiled.inputs, 0.0, ends[row], work)
                found[row] = total - self.wells.still >= self.wells.limit[label[row]]
        return found

    def plan(self, compiled: CompiledScene, parts: int) -> Plan:
        """How cells run with the time step divided by `parts`."""
        sweep = self.variation.sweep
        steps, step = equal_steps(sweep.until, compiled.scene.solver.time_step)
        column = self.measure.column
        samples = SERIES_SAMPLES if column >= 0 else CHECKS
        stride = max(1, -(-steps // samples))
        first = int(np.ceil(sweep.outcome.after / (stride * step))) - 1
        ends_early = column < 0
        return Plan(steps * parts, step / parts, stride * parts, max(first, 0) if first > 0 else 0, column, ends_early)

    def runner_of(self, compiled: CompiledScene) -> CellRunner | LaneRunner:
        """The runner of this thread for a compiled scene."""
        if getattr(self._local, "compiled", None) is not compiled:
            if self.lane_body is not None:
                self._keep(compiled, LaneRunner(self.lane_body, compiled.scene.solver.method, self.wells))
            else:
                self._keep(compiled, CellRunner(compiled, self.wells))
        return self._local.runner

    def _checks_of(self, compiled: CompiledScene) -> Checks:
        """The repetitions of this thread for a compiled scene."""
        if getattr(self._local, "checked", None) is not compiled:
            self._local.checked, self._local.checks = compiled, Checks(compiled, self.variation.sweep)
        return self._local.checks

    def outcome_runner_of(self, compiled: CompiledScene) -> OutcomeRunner:
        """The runner of this thread for a compiled scene, of an outcome that has one of its own."""
        if getattr(self._local, "compiled", None) is not compiled:
            assert self.runs is not None
            self._keep(compiled, self.runs.runner(compiled, self.variation.sweep))
        return self._local.runner

    def _keep(self, compiled: CompiledScene, runner: Runner) -> None:
        """Keep the runner of this thread, and cancel it if all are."""
        self._local.compiled, self._local.runner = compiled, runner
        self._runners[get_ident()] = runner
        if self._cancelled:
            runner.cancel()

    def _built_with(self, values: tuple[float, ...]) -> CompiledScene:
        """The scene compiled with values [SI] of the axes; the last MODELS are kept. Raises InputError."""
        if not hasattr(self._local, "build"):
            self._local.build = lru_cache(MODELS)(
                lambda values: build(
                    self.variation.scene_with(np.array(values)), self._meshes, self.compiled, is_varied=True
                )
            )
        return self._local.build(values)
