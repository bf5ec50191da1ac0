"""Watches a film or a camera in a thread, until that is ended. No Qt."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from polhode.camera.lens import chosen_lens
from polhode.camera.picture_process import PictureProcess, Source, check_library
from polhode.camera.pose_rows import Row
from polhode.camera.tags import check_number, vision
from polhode.camera.watching import BallWatch, TagWatch, Wanted
from polhode.data.growing_table import LEAST_ROWS, GrowingTable, Headings
from polhode.data.measured import MeasuredData
from polhode.scene.message import Message, printable
from polhode.scene.problem import InputError, InvalidValue
from polhode_app.jobs import CheckCancelled, Job

EVERY = 0.25  # [s] between two tables of a camera
SHARE = 0.1  # most of the time that is spent on making them
PATIENCE = 2.0  # [s] that closing waits for the thread


@dataclass(frozen=True)
class CameraRequest:
    """A source of pictures, what to look for in them, and the file of the camera's calibration."""

    source: Source
    wanted: Wanted
    calibration: Path | None = None


@dataclass(frozen=True, eq=False)
class CameraState:
    """State of watching; each change is another object."""

    name: str = ""  # of the source; "" before the first one
    pictures: int = 0
    total: int = 0  # pictures that a film states; 0 for unknown
    table: GrowingTable | None = None  # of all rows until now
    before: GrowingTable | None = None  # of the last request that has brought rows, until this one has some
    data: MeasuredData | None = None
    newest: Row | None = None  # row of a camera whose picture came last
    notes: tuple[Message, ...] = ()
    problem: InputError | None = None
    units: Mapping[str, str] = field(default_factory=dict)  # that the data were made with

    @property
    def kept(self) -> GrowingTable | None:
        """The table that can be saved; None for none."""
        return self.table if self.table is not None and len(self.table.rows) >= LEAST_ROWS else self.before

    def with_data(self, units: Mapping[str, str]) -> CameraState:
        """The state with the data of its table in these units. Raises InputError."""
        data = self.table.data(units) if self.table is not None else None
        return replace(self, data=data, units=dict(units))


class _Talk:
    """State shared by one request and its thread. Each request has its own, so a late end does no harm."""

    def __init__(self, name: str, before: GrowingTable | None = None) -> None:
        self.state = CameraState(name, before=before)  # replaced by the thread

    def change(self, **changes: object) -> None:
        """Replace fields of the state."""
        self.state = replace(self.state, **changes)  # type: ignore[arg-type]


class CameraLink:
    """One source at a time. To be called from one thread."""

    def __init__(self) -> None:
        self._job = Job("camera", Message("watching the camera failed"))
        self._talk = _Talk("")
        self.request: CameraRequest | None = None
        self.is_watching = False
        self.units: Mapping[str, str] = {}  # in place of those in the headings, by column

    @property
    def state(self) -> CameraState:
        """The last state; it stays when watching has ended."""
        return self._talk.state

    def start(self, request: CameraRequest) -> None:
        """Begin to watch a source, in place of the one before."""
        source = request.source
        name = printable(Path(source.name).name) if source.kind != "camera" else str(source)
        talk = _Talk(name, self.state.kept)
        self._talk, self.request, self.is_watching = talk, request, True
        self._job.start(lambda check: self._watch(talk, request, check))

    def stop(self) -> None:
        """End watching; the rows of a camera are kept."""
        self.is_watching = False
        self._job.cancel()

    def poll(self) -> None:
        """Take the end of the thread, once per frame."""
        ended = self._job.poll()
        if isinstance(ended, InputError):
            self._talk.change(problem=ended)
        self.is_watching = self.is_watching and self._job.is_running

    def close(self) -> None:
        """End the thread, and with it the process that decodes."""
        self._job.close(PATIENCE)

    # In the thread

    def _watch(self, talk: _Talk, request: CameraRequest, check: CheckCancelled) -> None:
        """Watch until the source or the work ends. Raises InputError."""
        with _opened(request, check) as pictures:
            lens, warning = chosen_lens(pictures.size, request.calibration, None)
            looked = request.wanted.watch(pictures, lens)
            table = GrowingTable(talk.state.name, Headings(looked.columns), np.empty((0, len(looked.columns))))
            talk.change(total=pictures.count, table=table, notes=(warning,) if warning is not None else ())
            if request.source.is_live:
                self._watch_camera(talk, looked)
                return
            rows = looked.all_rows(lambda count: talk.change(pictures=int(count)))
            self._add(talk, rows)
            talk.change(notes=(*talk.state.notes, *looked.counts.notes()))

    def _watch_camera(self, talk: _Talk, looked: TagWatch | BallWatch) -> None:
        """Keep rows as they come, also those before a fault. Raises InputError."""
        pending, at, pause = list[Row](), time.monotonic(), EVERY
        try:
            for row in looked.live_rows():
                talk.change(pictures=looked.counts.pictures, newest=row or talk.state.newest)
                pending += [row] if row is not None else []
                if pending and time.monotonic() - at > pause:
                    at = time.monotonic()
                    self._add(talk, pending)
                    pending, pause = [], max(EVERY, (time.monotonic() - at) / SHARE)
        finally:
            self._add(talk, pending)
            talk.change(notes=(*talk.state.notes, *looked.counts.notes()))

    def _add(self, talk: _Talk, rows: list[Row]) -> None:
        """Put rows into the table."""
        assert talk.state.table is not None
        if rows:
            table = talk.state.table.with_rows(np.array(rows))
            talk.state = replace(talk.state, table=table).with_data(self.units)


@contextmanager
def _opened(request: CameraRequest, check: CheckCancelled) -> Iterator[PictureProcess]:
    """The pictures of a source; its process ends with the block. Raises InputError."""
    source, tag = request.source, request.wanted.tag
    check_library(str(source))
    if tag is not None:
        try:
            check_number(vision(str(source)), tag)
        except InvalidValue as error:
            raise InputError(str(source), [error.problem]) from None
    pictures = PictureProcess(source, check)
    try:
        yield pictures
    finally:
        pictures.close()
