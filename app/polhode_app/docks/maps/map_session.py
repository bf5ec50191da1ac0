"""The maps of a window: which are computed, in which order they were opened, and their files."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from polhode.process.cores import cores
from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, reason_of
from polhode.scene.scene import Scene
from polhode.scene.variants.alone import alone
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.map_file import StoredMap
from polhode_app.data.maps.attractors import Attractors
from polhode_app.data.maps.map_run import MapRun
from polhode_app.data.maps.process import MapProcess
from polhode_app.docks.maps.unsaved_maps import MapFiles

POLL = 50  # [ms] between two looks at the answers of the process
DEEPEST = 40  # maps of one history that are kept


@dataclass(eq=False)
class History:
    """A map and the parts of it that were computed again, in the order in which they were opened."""

    runs: list[MapRun] = field(default_factory=list)
    at: int = 0
    attractors: Attractors = field(default_factory=Attractors)
    is_saved: bool = False

    @property
    def current(self) -> MapRun:
        """The map that is shown."""
        return self.runs[self.at]

    @property
    def whole(self) -> MapRun:
        """The map of the whole range."""
        return self.runs[0]


class MapSession(QObject):
    """Computes one map at a time, in a process of its own; every map is written to a file while it is computed.

    `changed` follows whatever changes a map or which one is shown, `failed` carries an InputError.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, files: MapFiles, process: MapProcess, parent: QObject):
        super().__init__(parent)
        self.files, self.process = files, process
        self.history: History | None = None  # the one that is shown
        self.histories: dict[object, History] = {}  # the newest of each sweep, by keys of the owner
        self.compiling = (0, 0)  # kernels that are compiled, and all
        self.shares = True  # a processor with a simulation that runs
        self._timer = QTimer(self, interval=POLL)
        self._timer.timeout.connect(self.poll)

    @property
    def run(self) -> MapRun | None:
        """The map that is shown."""
        return self.history.current if self.history is not None else None

    def prepare(self, scene: Scene, number: int) -> None:
        """Load what the computation of a sweep needs, unless a map is being computed."""
        if self._timer.isActive():
            return
        try:
            self.process.prepare(alone(scene, scene.sweep[number]), self._workers)
        except OSError as error:
            self._report(error)

    # Maps

    def begin(self, key: object, scene: Scene, settings: SweepSettings) -> None:
        """Compute the map of a sweep over a scene, in place of an earlier one with this key. Raises InputError."""
        run = MapRun.of(alone(scene, settings), settings, Path())
        self._forget(key)
        self.history = self.histories[key] = History([run])
        self._start(run)

    def look_at(self, key: object) -> None:
        """Look at the map with a key, if there is one."""
        self.history = self.histories.get(key)
        self.changed.emit()

    def open(self, key: object, stored: StoredMap, path: Path | None = None) -> None:
        """Show a map that was read; pending cells are computed in `path`, or else in a copy of its file."""
        settings = stored.scene.sweep[stored.number]
        run = MapRun.of(alone(stored.scene, settings), settings, path or Path())
        run.stored = stored
        run.show(stored.map)
        self.history = self.histories[key] = History([run], is_saved=path is None)
        self.changed.emit()

    def zoom(self, ranges: tuple[tuple[float, float], ...]) -> None:
        """Compute a part of the map, with the ranges (low, high) of its first axes; the history continues from here."""
        history = self.history
        if history is None:
            return
        before = history.current.settings
        axes = tuple(
            axis.model_copy(update={"range": ranges[k]}) if k < len(ranges) and axis.range is not None else axis
            for k, axis in enumerate(before.axes)
        )
        settings = before.model_copy(update={"axes": axes})
        if settings == before:
            return
        run = MapRun.of(history.whole.scene, settings, Path(), is_zoom=True)
        for left in history.runs[history.at + 1 :]:
            _delete(left)
        del history.runs[history.at + 1 :]
        if len(history.runs) >= DEEPEST:
            _delete(history.runs.pop(1))
        history.runs.append(run)
        history.at = len(history.runs) - 1
        self._start(run)

    def go(self, steps: int) -> None:
        """Show an earlier or later map of the history, and continue it if it is not finished."""
        history = self.history
        if history is None or not 0 <= history.at + steps < len(history.runs):
            return
        was_running = history.current.stage in ("waiting", "running")
        history.at += steps
        if was_running:
            self.process.pause()
            if history.current.stage == "paused":
                self._start(history.current)
        self.changed.emit()

    @property
    def can_go(self) -> tuple[bool, bool]:
        """Whether there are an earlier and a later map."""
        history = self.history
        return (False, False) if history is None else (history.at > 0, history.at + 1 < len(history.runs))

    def pause(self) -> None:
        """Stop computing; finished cells are kept."""
        self.process.pause()

    def go_on(self) -> None:
        """Compute the pending cells."""
        if self.run is not None and self.run.stage in ("paused", "refused", "new"):
            self._start(self.run)

    def cancel(self) -> None:
        """Stop computing the map that is shown, and forget it and its parts."""
        for key, history in list(self.histories.items()):
            if history is self.history:
                self._forget(key)
        self.changed.emit()

    def _forget(self, key: object) -> None:
        """Stop computing a map, and delete its files."""
        history = self.histories.pop(key, None)
        if history is None:
            return
        if any(run.stage in ("waiting", "running") for run in history.runs):
            self.process.pause()
        for run in history.runs:
            _delete(run)
        if history is self.history:
            self.history = None

    def save(self, path: Path) -> None:
        """Write the map that is shown to a file: the whole map, or the part of it that is seen. Raises OSError."""
        assert self.history is not None
        run = self.history.current
        source = run.stored.path if run.path == Path() and run.stored is not None else run.path
        with replacing(path) as out, source.open("rb") as file:
            shutil.copyfileobj(file, out)
        if run is self.history.whole:
            self.history.is_saved = not run.map.is_pending
        self.changed.emit()

    def close(self) -> None:
        """End the process; a map that was not saved stays in its file for the next start."""
        self._timer.stop()
        self.process.stop()
        keep = None
        for history in [*self.histories.values(), *([self.history] if self.history is not None else [])]:
            if not history.is_saved and history.whole.has_begun and history.whole.path != Path():
                keep = history.whole.path  # in the end that of the one that is shown
        self.files.close(keep)

    # The process

    @property
    def _workers(self) -> int:
        """Number of threads that compute: one processor is left to a simulation that runs."""
        return max(1, cores() - 1) if self.shares else cores()

    def _start(self, run: MapRun) -> None:
        """Order the computation of a map."""
        run.error, run.stage = None, "waiting"
        try:
            if run.path == Path():
                run.path = self.files.new()
                if run.stored is not None:
                    shutil.copyfile(run.stored.path, run.path)
            self.process.run(run.scene, run.path, self._workers)
        except OSError as error:
            run.stage = "refused"
            self._report(error)
        self._timer.start()
        self.changed.emit()

    def _report(self, error: OSError) -> None:
        rule = Message("maps can't be computed: {reason}", reason=reason_of(error))
        self.failed.emit(InputError("", [Problem("", rule, Message("free some memory or disk space"))]))

    def poll(self) -> None:
        """Take the answers of the process."""
        has_news = False
        for answer in self.process.answers():
            has_news = True
            if answer["event"] == "compiling":
                self.compiling = answer["done"], answer["total"]
                continue
            self._take(answer)
        if not any(run.stage in ("waiting", "running") for run in self._runs):
            self._timer.stop()
        if has_news:
            self.changed.emit()

    @property
    def _runs(self) -> list[MapRun]:
        """All maps and their parts."""
        return [run for history in self.histories.values() for run in history.runs]

    def _take(self, answer: dict[str, Any]) -> None:
        """Enter an answer at the map that it belongs to."""
        self.compiling = 0, 0
        for run in self._runs:
            is_meant = str(run.path) == answer["out"]
            if answer["event"] == "ended" and run.stage in ("waiting", "running"):
                run.stage = "refused"
                rule = Message("the process that computes maps has ended too early")
                run.error = InputError("", [Problem("", rule, Message("free some memory, then continue"))])
                self.failed.emit(run.error)
            elif is_meant:
                run.take(answer)
                if run.stage == "refused":
                    self.failed.emit(run.error)
                if run.stage == "finished" and not run.is_zoom:
                    owner = next(each for each in self.histories.values() if run in each.runs)
                    owner.attractors = Attractors()  # the numbers of the whole map count


def _delete(run: MapRun) -> None:
    if run.path != Path():
        run.path.unlink(missing_ok=True)
