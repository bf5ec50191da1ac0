"""A sweep that runs: chunks of cells on threads or on a cluster, and the map that they fill.

Every cell is a run of its own from its own start, so the number of threads, the chunks and the engine change no bit.
Attractors that are identified by features are numbered when all cells are done, in the order of the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, Field

from polhode.jit.storage.sources import own_version
from polhode.mesh.mesh import Meshes
from polhode.process.cores import cores
from polhode.run.status import PENDING
from polhode.scene.checks.arguments import Count, Duration, Finite, PositiveCount, checked
from polhode.scene.checks.validation_messages import shown
from polhode.scene.files.file_writing import check_place
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, reason_of
from polhode.scene.scene import Scene
from polhode.scene.variants.outcome import Outcome
from polhode.scene.variants.sweep import Axis, SweepSettings
from polhode.sweep.chunks import Chunk, ChunkRunner
from polhode.sweep.engines.threads import Engine, Submit, Submitted, Threads
from polhode.sweep.length import find_length
from polhode.sweep.maps.map import SweepMap
from polhode.sweep.maps.map_file import MapWriter
from polhode.sweep.maps.map_layout import MAPS
from polhode.sweep.order import refinement
from polhode.sweep.trial import seconds_per_cell
from polhode.sweep.variation import Variation, resolve

MOST = 4096  # cells of a chunk
CHUNK_SECONDS = 0.3  # [s] for a chunk: between two chunks cells are saved, shown and cancelled
LAST_SECONDS = 0.03  # [s] for the last chunks: workers without one wait for the others
Progress = Callable[["Sweep"], None]
AxisRange = Annotated[
    tuple[Finite, Finite, PositiveCount], Field(strict=False), BeforeValidator(lambda value: _as_range(value))
]
"""First and last value [SI] of an axis, and their number."""


def _as_range(value: object) -> object:
    """A list of three values as it is. Raises InvalidValue for any other value, such as an array of all values."""
    given = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(given, list | tuple) and len(given) == 3:
        return given
    rule = Message("must be the first value, the last value and their number, but is {value}", value=shown(given))
    if isinstance(given, list | tuple) and len(given) > 1 and all(isinstance(each, int | float) for each in given):
        ends = {"first": given[0], "last": given[-1], "count": len(given)}
        raise InvalidValue(rule, Message("give ({first:g}, {last:g}, {count})", **ends))
    raise InvalidValue(rule, Message("give, for example, (0.0, 1.0, 11)"))


def _settings(
    axes: Mapping[str, tuple[float, float, int]] | None, until: float | None, outcome: Outcome | None
) -> SweepSettings:
    """The settings of a sweep over axes. Raises InputError for axes without a time, and the reverse."""
    missing = [name for name, value in (("axes", axes), ("until", until)) if value is None]
    if axes is None or until is None:
        raise InputError.of("Sweep", Message("is missing"), Message("give axes and until"), missing[0])
    listed = tuple(Axis(parameter=name, range=(low, high), count=count) for name, (low, high, count) in axes.items())
    return SweepSettings(until=until, axes=listed, outcome=outcome or Outcome())


class Sweep:
    """A sweep of a scene: axes, its settings, or the index of one that the scene states.

        sweep = Sweep(read_scene("scenes/basins_of_three_magnets.toml"))
        made = sweep.run()
        print(made.label, made.certain, made.fractions())

        top, spins = read_scene("heavy_top"), {"body[0].angular_velocity[2]": (50.0, 200.0, 16)}
        highest = Outcome(kind="extreme", quantity="top.u3.z", extreme="minimum")
        print(Sweep(top, axes=spins, until=2.0, outcome=highest).run().value)

    Raises InputError for axes and outcomes with names that the scene lacks.
    """

    @checked
    def __init__(
        self,
        scene: Scene,
        settings: SweepSettings | Count = 0,
        meshes: Meshes | None = None,
        workers: PositiveCount | None = None,
        engine: Engine | None = None,
        *,
        axes: Mapping[str, AxisRange] | None = None,
        until: Duration | None = None,
        outcome: Outcome | None = None,
    ):
        """Compile the scene; nothing runs yet.

        axes: first and last value [SI] and their number by the path of each varied number, in place of settings
        until: [s] end of each run; outcome: of each run, by default where it ends; both are for `axes`
        workers: number of threads, by default one for each core; engine: in place of these threads, such as a Cluster
        of core/polhode/sweep/engines/cluster.py
        """
        if axes is not None or until is not None or outcome is not None:
            settings = _settings(axes, until, outcome)
        where = f"sweep[{settings}]" if isinstance(settings, int) else "sweep"
        if isinstance(settings, int) and settings >= len(scene.sweep):
            rule, remedy = Message("there is no sweep"), Message("add a table [[sweep]] with until and axes")
            raise InputError.of(scene.title or "scene", rule, remedy, "sweep")
        sweep = scene.sweep[settings] if isinstance(settings, int) else settings
        self._number = settings if isinstance(settings, int) else 0
        self._scene = scene if isinstance(settings, int) else scene.model_copy(update={"sweep": (sweep,)})
        self.variation: Variation = resolve(scene, sweep, where)
        self.chunks = ChunkRunner(self.variation, meshes or Meshes(), where)
        self.compiled, self.measure = self.chunks.compiled, self.chunks.measure
        self.map = SweepMap.empty(self.variation, self.chunks.width)
        self._engine: Engine = engine or Threads(max(1, workers or cores()))
        self._cancelled = False
        self.newest = np.zeros(0, dtype=np.int64)  # (n,) cells whose results came last
        self._per_cell = 0.0  # [s] of processor time, by the chunks so far

    @property
    def workers(self) -> int:
        """Number of chunks that run at once."""
        return self._engine.workers

    def estimate(self) -> float:
        """Time [s] that the pending cells will take, by trial runs of about a second; nan if they fail."""
        return int((self.map.status == PENDING).sum()) * seconds_per_cell(self.chunks) / self.workers

    @property
    def left(self) -> float:
        """Estimate of the time [s] until the sweep is done; nan before the first chunk."""
        waiting = int((self.map.status == PENDING).sum())
        return waiting * self._per_cell / self.workers if self._per_cell else float("nan")

    def cancel(self) -> None:
        """End `run` soon; cells that are not done stay pending. Other threads may call this."""
        self._cancelled = True
        self.chunks.cancel()

    def run(self, progress: Progress = lambda run: None) -> SweepMap:
        """Run all pending cells; `progress` is called after each chunk, in the thread of the caller."""
        self._cancelled = False
        self.chunks.renew()
        find_length(self.chunks)
        pending = self.map.status.reshape(-1) == PENDING
        cells = self._chunks(refinement(self.variation.shape, pending, self.map.numbers))
        with self._engine.running(self.chunks) as submit:
            try:
                self._run(cells, submit, progress)
            finally:
                self.cancel()
        if not self.map.is_pending and self.chunks.by_features:
            self.map.number_attractors()
        return self.map

    @checked
    def save(self, path: Path | str) -> None:
        """Write the map with its scene, its files and the present results (.h5); `read_map` reads it.

        An existing file is replaced. Raises InputError where the file can't be written.
        """
        out = Path(path)
        if out.suffix.lower() not in MAPS:
            rule = Message("'{name}' has no ending of a map", name=out.name)
            remedy = Message("choose an ending out of {endings}", endings=", ".join(MAPS))
            raise InputError.of("save", rule, remedy, "path")
        try:
            check_place(out)
            MapWriter(out, self._scene, self._number, self.map, own_version()).write_all()
        except OSError as error:
            rule = Message("can't be written: {reason}", reason=reason_of(error))
            raise InputError.of(str(out), rule, Message("choose another name or folder")) from error

    def _run(self, chunks: Iterator[np.ndarray], submit: Submit, progress: Progress) -> None:
        """Keep all workers busy until there are no chunks left."""
        waiting, done = 0, SimpleQueue[Submitted]()
        while True:
            while waiting < 2 * self.workers and (cells := next(chunks, None)) is not None:
                submit(cells).add_done_callback(done.put)
                waiting += 1
            if waiting == 0:
                return
            self._take(done.get().result())
            waiting -= 1
            progress(self)

    def _chunks(self, groups: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
        """Chunks of about CHUNK_SECONDS, by the mean time of the cells so far, of groups of cells.

        A chunk is at most half of a worker's share of the rest, so that all workers end at about the same time.
        """
        fewest, left = self.chunks.at_once, int((self.map.status == PENDING).sum())
        for cells in groups:
            at = 0
            while at < len(cells) and not self._cancelled:
                share = left * self._per_cell / (2 * self.workers)
                seconds = min(CHUNK_SECONDS, max(LAST_SECONDS, share))
                size = int(np.clip(seconds / self._per_cell if self._per_cell else fewest, fewest, MOST))
                chunk = cells[at : at + size]
                yield chunk
                at += len(chunk)
                left -= len(chunk)

    def _take(self, chunk: Chunk) -> None:
        """Write the results of a chunk into the map."""
        done = chunk.results.status != PENDING
        self.map.write(chunk.cells, chunk.results, done)
        self.newest = chunk.cells[done]
        if done.any():
            spent = chunk.seconds / done.sum()
            self._per_cell = 0.8 * self._per_cell + 0.2 * spent if self._per_cell else spent
