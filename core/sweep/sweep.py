"""A sweep that runs: chunks of cells on threads, and the map that they fill.

Every cell is a run of its own from its own start, so neither the number of threads nor the chunks change a single bit.
Attractors that are told apart by their features are numbered when all cells are done, in the order of the cells.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from threading import get_ident, local

import numpy as np

from core.engine.compile import CompiledScene, build
from core.mesh.mesh import Meshes
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene
from core.scene.variants.sweep import SweepSettings
from core.simulation.helper_thread import cores
from core.sweep.cells import (
    CHECKS,
    DIVERGED,
    INVALID,
    PENDING,
    UNCERTAIN,
    CellRunner,
    Plan,
)
from core.sweep.map import SweepMap
from core.sweep.map_layout import NO_LABEL
from core.sweep.measure import Measure, are_one, features
from core.sweep.order import coarse_to_fine
from core.sweep.quantities.results import QuantityRunner
from core.sweep.quantities.runners import runner_of, width_of
from core.sweep.starts import fast_starts, starts
from core.sweep.variation import Variation, resolve

FEWEST, MOST = 8, 4096  # cells of a chunk
CHUNK_SECONDS = 0.3  # [s] that a chunk takes: between two chunks cells are saved, shown and cancelled
SERIES_SAMPLES = 20_000  # of a quantity during a run, at most
CHECKED = ("attractor",)  # outcomes that are checked with half of the step unless the sweep says otherwise
MODELS = 64  # compiled scenes that each thread keeps
Progress = Callable[["Sweep"], None]


@dataclass(frozen=True, eq=False)
class Chunk:
    """Results of some cells."""

    cells: np.ndarray  # (n,)
    label: np.ndarray  # (n,)
    value: np.ndarray  # (n,)
    time: np.ndarray  # (n,) [s]
    status: np.ndarray  # (n,)
    features: np.ndarray  # (n, f)
    seconds: float  # of processor time


class Sweep:
    """A sweep of a scene: one of those that it states, by its index, or other settings.

        sweep = Sweep(read_scene("scenes/basins.toml"))
        made = sweep.run()
        print(made.label, made.certain, made.fractions())

    Raises InputError for axes and outcomes that name what the scene has not.
    """

    def __init__(
        self,
        scene: Scene,
        settings: SweepSettings | int = 0,
        meshes: Meshes | None = None,
        workers: int | None = None,
    ):
        """Compile the scene; nothing runs yet. `workers` is the number of threads, by default one for each core."""
        where = f"sweep[{settings}]" if isinstance(settings, int) else "sweep"
        if isinstance(settings, int) and settings >= len(scene.sweep):
            rule, remedy = Message("there is no sweep"), Message("add a table [[sweep]] with until and axes")
            raise InputError(scene.title or "scene", [Problem("sweep", rule, remedy)])
        sweep = scene.sweep[settings] if isinstance(settings, int) else settings
        self._meshes = meshes or Meshes()
        self.variation: Variation = resolve(scene, sweep, where)
        plain = scene.model_copy(update={"sweep": (), "ghost": ()})
        self.built = build(plain, self._meshes)
        self.measure = Measure(self.variation, self.built, where)
        self._is_fast = fast_starts(self.variation, self.built, self._meshes)
        self._has_labels = sweep.outcome.kind == "attractor"
        self._by_features = self._has_labels and not sweep.outcome.near
        self._is_checked = sweep.check == "half_step" or (sweep.check == "auto" and sweep.outcome.kind in CHECKED)
        of_quantity = width_of(self.built, sweep)
        width = features(self.built, self.built.start[None]).shape[1] if self._by_features else of_quantity or 0
        self.map = SweepMap.empty(self.variation, width)
        self.workers = max(1, workers or cores())
        self._local, self._runners, self._cancelled = local(), dict[int, CellRunner | QuantityRunner](), False
        self.newest = np.zeros(0, dtype=np.int64)  # (n,) cells whose results came last
        self._per_cell = 0.0  # [s] of processor time, by the chunks so far

    @property
    def left(self) -> float:
        """Estimate of the time [s] until the sweep is done; nan before the first chunk."""
        waiting = int((self.map.status == PENDING).sum())
        return waiting * self._per_cell / self.workers if self._per_cell else float("nan")

    def cancel(self) -> None:
        """End `run` soon; cells that are not done stay pending. Other threads may call this."""
        self._cancelled = True
        for runner in list(self._runners.values()):
            runner.cancel()

    def run(self, progress: Progress = lambda run: None) -> SweepMap:
        """Run all pending cells, coarse first; calls `progress` after each chunk, in the thread of the caller."""
        self._cancelled = False
        order = coarse_to_fine(self.variation.shape)
        chunks = self._chunks(order[self.map.status.reshape(-1)[order] == PENDING])
        with ThreadPoolExecutor(self.workers, "cells") as pool:
            waiting: set[Future[Chunk]] = set()
            try:
                while True:
                    while len(waiting) < 2 * self.workers and (cells := next(chunks, None)) is not None:
                        waiting.add(pool.submit(self._run_chunk, cells))
                    if not waiting:
                        break
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for each in done:
                        self._take(each.result())
                        progress(self)
            finally:
                self.cancel()
        if not self.map.is_pending and self._by_features:
            self.map.number_attractors()
        return self.map

    def _chunks(self, cells: np.ndarray) -> Iterator[np.ndarray]:
        """Chunks of about CHUNK_SECONDS, by the mean time of the cells so far."""
        at = 0
        while at < len(cells) and not self._cancelled:
            size = int(np.clip(CHUNK_SECONDS / self._per_cell if self._per_cell else FEWEST, FEWEST, MOST))
            yield cells[at : at + size]
            at += size

    def _take(self, chunk: Chunk) -> None:
        """Write the results of a chunk into the map."""
        done = chunk.status != PENDING
        self.map.write(chunk, done)
        self.newest = chunk.cells[done]
        if done.any():
            spent = chunk.seconds / done.sum()
            self._per_cell = 0.8 * self._per_cell + 0.2 * spent if self._per_cell else spent

    def _run_chunk(self, cells: np.ndarray) -> Chunk:
        """Run some cells on a thread of the pool."""
        begin = time.thread_time()
        values = self.variation.values(cells)
        count = len(cells)
        label, value = np.full(count, NO_LABEL, dtype=np.int32), np.full(count, np.nan)
        rest, status = np.full(count, np.nan), np.full(count, PENDING, dtype=np.uint8)
        found = np.full((count, self.map.features.shape[-1]), np.nan)
        if self._is_fast:
            groups = [(self.built, starts(self.variation, self.built, values), np.arange(count))]
        else:
            groups = []
            for k in range(count):
                try:
                    built = self._built_with(tuple(values[k].tolist()))
                except InputError:
                    status[k] = INVALID
                else:
                    groups.append((built, built.start[None].copy(), np.array([k])))
        for built, states, rows in groups:
            if self._cancelled:
                break
            label[rows], value[rows], rest[rows], status[rows], found[rows] = self._run_cells(built, states)
        return Chunk(cells, label, value, rest, status, found, time.thread_time() - begin)

    def _run_cells(self, built: CompiledScene, states: np.ndarray) -> tuple[np.ndarray, ...]:
        """Label, value, time, status and features of runs of one compiled scene from `states` (n, k)."""
        runner = self._runner(built)
        if not isinstance(runner, CellRunner):
            of_cells = runner.run(states)
            return of_cells.label, of_cells.value, of_cells.time, of_cells.status, of_cells.numbers
        ends = states.copy()
        status, rest, series = runner.run(ends, self._plan(built, 1))
        label = np.full(len(states), NO_LABEL, dtype=np.int32)
        is_good = np.isin(status, (DIVERGED, PENDING), invert=True)
        found = np.full((len(states), self.map.features.shape[-1]), np.nan)
        if self._has_labels and not self._by_features:
            label[is_good] = self.measure.labels(built, ends[is_good])
        elif self._by_features:
            found[is_good] = features(built, ends[is_good])
        if self._is_checked and is_good.any():
            again = states.copy()
            half, _, _ = runner.run(again, self._plan(built, 2))
            status[half == PENDING] = PENDING
            if self._by_features:
                differs = ~are_one(features(built, again), found)
            else:
                differs = self.measure.labels(built, again) != label
            status[is_good & (status != PENDING) & (differs | (half == DIVERGED))] = UNCERTAIN
        value = np.where(is_good, self.measure.values(series, rest), np.nan)
        return label, value, rest, status, found

    def _plan(self, built: CompiledScene, parts: int) -> Plan:
        """How cells run with the time step divided by `parts`."""
        sweep = self.variation.sweep
        steps = max(1, round(sweep.until / built.scene.solver.time_step))
        step, column = sweep.until / steps, self.measure.column
        samples = SERIES_SAMPLES if column >= 0 else CHECKS
        stride = max(1, -(-steps // samples))
        first = int(np.ceil(sweep.outcome.after / (stride * step))) - 1
        ends_early = column < 0
        return Plan(steps * parts, step / parts, stride * parts, max(first, 0) if first > 0 else 0, column, ends_early)

    def _runner(self, built: CompiledScene) -> CellRunner | QuantityRunner:
        """The runner of this thread for a compiled scene."""
        if getattr(self._local, "built", None) is not built:
            self._local.built = built
            self._local.runner = runner_of(built, self.variation.sweep) or CellRunner(built)
            self._runners[get_ident()] = self._local.runner
            if self._cancelled:
                self._local.runner.cancel()
        return self._local.runner

    def _built_with(self, values: tuple[float, ...]) -> CompiledScene:
        """The scene compiled with values [SI] of the axes; the last MODELS are kept. Raises InputError."""
        if not hasattr(self._local, "build"):
            self._local.build = lru_cache(MODELS)(
                lambda values: build(self.variation.scene_with(np.array(values)), self._meshes, self.built)
            )
        return self._local.build(values)
