"""Recordings: the frames of a simulation and the events that act on it, written by a thread while it runs.

A file has two parts. `/VTKHDF` is for other programs: geometry and measured quantities over time, in float32
(core/polhode/recording/vtkhdf.py; the blocks come from the caller). `/Polhode` is exact, for replay;
core/polhode/recording/reader.py has the types and shapes:

    attributes format, program, created, title, method, time_step, from_start     written once
    attribute portable, Compiled/...           whether the arrays of the compiled scene are there, and these; once
    attribute repeatable                       False from when a function acts that is not in the file
    Scene, Files/NAME                                                             written once
    Step, State, Hand                                                             one row per frame
    Deeds                                                                         one line per event

The first frame is on the disk before the first step. The simulating thread puts frames and events into a queue, in
order; the writing thread takes them in small batches, evaluates the measured quantities, and commits every COMMIT
seconds, by the clock. The run waits while a frame that is older than LATE is not committed, so at a kill less than a
second is lost also where the disk or the writing thread is slower than the run. Where the disk fails, the recording
ends and the run continues.
"""

from __future__ import annotations

import logging
import queue
import threading
import time as clock
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Inputs, Work
from polhode.engine.work import make_work
from polhode.physics.sensor.sensor_motion import TRACK_SIZE
from polhode.recording.compiled_arrays import arrays_of, check_portable, write_arrays
from polhode.recording.contents import COMPILED, FORMAT, ROOT
from polhode.recording.events import ENDS, Event, serialize
from polhode.recording.measured_frames import MeasuredFrames, measured_frames
from polhode.recording.scene_bundle import bundle_scene
from polhode.recording.vtkhdf import Block, Writer
from polhode.scene.message import Message
from polhode.scene.problem import message_of, reason_of
from polhode.scene.scene_writing import scene_text
from polhode.simulation.simulation import Simulation

log = logging.getLogger(__name__)

COMMIT = 0.25  # [s] wall time from the begin of a commit to the next one
LATE = 0.35  # [s] age of a frame that is not committed at which the simulation waits
GRACE = 0.05  # [s] duration of a commit from which on it waits, too: it would take turns with it in the interpreter
WAITING = 2**26  # [bytes] of frames in the queue to the disk; beyond that the simulation waits
FEWEST, MOST = 4, 256  # frames in that queue, at least and at most
BATCH_BYTES, BATCH = 2**22, 64  # [bytes] and frames that are written at a time, at most
PACKED, PACKED_STATE = 0.5, 0.8  # compression ratios of geometry and of states, for the built-in scenes


class Geometry(Protocol):
    """Geometry of a scene for other programs: blocks, and their arrays over time. Called by both threads."""

    @property
    def blocks(self) -> tuple[Block, ...]: ...

    def with_built(self, compiled: CompiledScene) -> Self:
        """The same geometry of a scene with changed parameters."""

    def fits(self, other: Self) -> bool:
        """Whether its frames can follow those of another in the same file."""

    def moved(self, now: MeasuredFrames) -> Mapping[str, Mapping[str, np.ndarray]]:
        """The arrays of the blocks at r frames, by block and field, as Writer.add takes them."""


@dataclass(frozen=True, eq=False)
class _Row:
    """The simulation at one frame."""

    time: float
    step: int
    state: np.ndarray  # (k,) flat state
    inputs: Inputs
    compiled: CompiledScene
    pieces: Geometry


class RecordingWriter:
    """Writes a simulation to a file. Raises InputError or OSError if it can't start.

    The file is valid at any time. `failure` is the reason for an early end, set by the writing thread; `over` the
    reason why a later state can't follow in the same file; `rows` the number of frames so far, `time` [s] that of the
    newest.

    `take`, `look`, `until_next` and `finish` are for the thread of the simulation, which also reports events; other
    threads may read these fields and call `join`.
    """

    def __init__(
        self,
        path: Path,
        simulation: Simulation,
        every: int,
        version: str,
        geometry: Callable[[CompiledScene], Geometry],
        is_portable: bool = False,
        check: Callable[[float], None] = lambda size: None,
    ):
        """Begin a recording with the current state as its first frame.

        every: steps from one frame to the next
        version: of the program, for the metadata
        geometry: makes the geometry of a scene, or raises InputError
        is_portable: store the arrays of the compiled scene; raises InputError where `check_portable` does
        check: called with the expected size [bytes] of a frame before there is a file; may raise
        """
        if is_portable:
            check_portable(simulation.scene)
        self._is_portable = is_portable
        self.path, self.every, self.failure, self.over, self.rows = path, every, "", "", 0
        self._simulation, self._geometry = simulation, geometry
        self._built = simulation.compiled
        self._pieces = geometry(self._built)
        self._begun = simulation.time
        self._last: int | None = None  # step of the newest frame
        self.time = self._begun  # [s] of the newest frame
        capacity = int(np.clip(WAITING // max(1, self.row_bytes), FEWEST, MOST))
        self._rows: queue.Queue[_Row | Event | None] = queue.Queue(capacity)
        self._batch = int(np.clip(BATCH_BYTES // max(1, self.row_bytes), 1, BATCH))
        self._born: deque[float] = deque()  # [s] when each frame was recorded that is not committed, the oldest first
        self._commit_began = np.inf  # [s] when the present commit began
        self._committed = threading.Event()  # set by each commit, for a simulation that waits
        self._work: tuple[CompiledScene, Work] | None = None
        self._is_repeatable = not simulation.has_functions
        self._thread = threading.Thread(target=self._write, name="recording", daemon=True)
        self._bundle = bundle_scene(simulation.scene)
        check(self.expected)
        self._writer = Writer(path, self._pieces.blocks)
        with ExitStack() as undo:  # also on Ctrl-C: a file without frames is not a recording
            undo.callback(self._discard)
            self._begin(simulation, version)
            undo.pop_all()

    def _discard(self) -> None:
        """End the recording and delete the file."""
        self.finish()
        if self._thread.ident is not None:
            self.join()
        self._writer.abandon()

    def _begin(self, simulation: Simulation, version: str) -> None:
        """Write metadata, current interactions and the first frame to the disk, and start the thread."""
        writer, bundle = self._writer, self._bundle
        self._numbers = {
            "step": writer.grow(f"{ROOT}/Step", 1, (), "i8", packs=False),
            "state": writer.grow(f"{ROOT}/State", 1, (len(simulation.state),), "f8"),
            "hand": writer.grow(f"{ROOT}/Hand", 1, (TRACK_SIZE,), "f8"),
        }
        self._events = writer.grow(f"{ROOT}/Deeds", 1, (), "u1", packs=False)
        self._head(simulation, bundle.files, scene_text(bundle.scene), version)
        self._write_items([*self._current_events(), self._frame()])
        writer.commit()
        self._thread.start()
        simulation.listeners.append(self._record_event)

    def _current_events(self) -> Iterable[Event]:
        """Current interactions, driven values and muted modes as events."""
        marker = self._simulation.snapshot().interaction_marker
        if self._simulation.driven:
            yield self._event("drive", (self._simulation.driven,))
        for name, mode in sorted(self._simulation.muted):
            yield self._event("mute", (name, mode, True))
        if marker is not None:
            yield self._event("grab", (marker.interaction,))

    def _head(self, simulation: Simulation, files: Mapping[str, bytes], text: str, version: str) -> None:
        """Write the metadata, the scene and its files to the group /Polhode."""
        head = self._writer.file[ROOT]
        solver = simulation.scene.solver
        for name, value in {
            "format": FORMAT,
            "program": f"Polhode {version}",
            "created": datetime.now().astimezone().isoformat(timespec="seconds"),
            "title": simulation.scene.title,
            "method": solver.method,
            "time_step": solver.time_step,
            "from_start": simulation.steps == 0,
            "repeatable": self._is_repeatable,
            "portable": self._is_portable,
        }.items():
            head.attrs[name] = value
        head["Scene"] = text
        if self._is_portable:
            write_arrays(head.create_group(COMPILED), arrays_of(simulation.compiled))
        kept = head.create_group("Files")
        for name, content in files.items():
            kept[name] = np.frombuffer(content, np.uint8)

    @property
    def row_bytes(self) -> int:
        """[bytes] of a frame, uncompressed."""
        of_blocks = sum(block.row_bytes for block in self._pieces.blocks)
        return of_blocks + 8 * (len(self._simulation.state) + TRACK_SIZE + 2)

    @property
    def expected(self) -> float:
        """[bytes] of a frame in the file, estimated by the compression of the built-in scenes."""
        of_state = 8 * len(self._simulation.state)
        return PACKED * (self.row_bytes - of_state) + PACKED_STATE * of_state

    @property
    def seconds(self) -> float:
        """Simulated time [s] from the start of the recording to the newest frame."""
        return self.time - self._begun

    @property
    def going(self) -> bool:
        """Whether frames are still accepted."""
        return self._thread.is_alive() and not self.failure and not self.over

    def until_next(self, steps: int) -> int:
        """Number of steps, at least 1, from step `steps` of the simulation to the next frame."""
        return max(1, self.every - (steps - (self._last or 0))) if self._last is not None else 1

    def take(self) -> None:
        """Record the current state as a frame, unless that has been done.

        Waits while the queue is full, or an earlier frame has not been on the disk for LATE seconds.
        """
        simulation = self._simulation
        if not self.going or simulation.steps == self._last:
            return
        self.look()
        if self.over:
            return
        self._await_commit()
        self._born.append(clock.perf_counter())
        self._put(self._frame())

    def _frame(self) -> _Row:
        """The current state as the next frame."""
        simulation = self._simulation
        self._last, self.time = simulation.steps, simulation.time
        self.rows += 1
        moment = self.time, simulation.steps, simulation.state, simulation.inputs
        return _Row(*moment, simulation.compiled, self._pieces)

    def _await_commit(self) -> None:
        """Wait for a commit that takes long, and until every frame that is older than LATE is on the disk."""
        while self.going and self._is_late(clock.perf_counter()):
            self._committed.wait(0.1)
            self._committed.clear()

    def _is_late(self, now: float) -> bool:
        """Whether the disk is behind at the time `now` [s]."""
        return now - self._commit_began > GRACE or (len(self._born) > 0 and now - self._born[0] > LATE)

    def look(self) -> None:
        """End the recording if the scene can't follow in this file: another size of the state, or geometry."""
        if self.going and self._simulation.compiled is not self._built:
            self._update_geometry(self._simulation.compiled)

    def _update_geometry(self, compiled: CompiledScene) -> None:
        """Continue with a recompiled scene, or end the recording."""
        if compiled.scene == self._built.scene:  # only driven parameters or muted modes differ
            self._built, self._pieces = compiled, self._pieces.with_built(compiled)
            return
        pieces = self._geometry(compiled)
        if len(compiled.start) != len(self._built.start) or not pieces.fits(self._pieces):
            self._end(Message("there are other things now"))
            return
        self._built, self._pieces = compiled, pieces

    def _record_event(self, what: str, how: tuple[Any, ...]) -> None:
        """Record a call of a method of the simulation, just before it; the simulation calls this.

        A call that sets the time back ends the recording, after a last frame.
        """
        if what in ENDS:
            self.take()
            self._end(Message("time is turned back"))
        elif what == "add_force":
            self._is_repeatable = False
        elif self.going:
            try:
                event = self._event(what, how)
            except KeyError:
                self._end(Message("there are other files now"))
                return
            self._put(event)

    def _event(self, what: str, how: tuple[Any, ...]) -> Event:
        """A call of a method of the simulation as an event. Raises KeyError for an edit that brings other files."""
        simulation = self._simulation
        how = (self._bundle.renamed(how[0]),) if what == "load" else how
        arguments = serialize(what, how, self._bundle.renamed(simulation.scene))
        return Event(self.rows, simulation.steps, simulation.time, what, arguments)

    def _put(self, what: _Row | Event) -> None:
        """Pass an item to the writing thread, in order; wait while its queue is full and it runs."""
        while self.going:
            try:
                self._rows.put(what, timeout=0.5)
                return
            except queue.Full:
                continue

    def _end(self, why: Message) -> None:
        """End the recording for the reason `over`."""
        self.over = why
        self.finish()

    def finish(self) -> None:
        """End the recording; the remaining frames are written in the background. Does not wait."""
        with suppress(ValueError):  # closed before
            self._simulation.listeners.remove(self._record_event)
        threading.Thread(target=self._rows.put, args=(None,), daemon=True).start()

    def join(self, patience: float | None = None) -> None:
        """Wait until the file is complete, at most `patience` [s]."""
        self._thread.join(patience)

    # In the writing thread

    def _write(self) -> None:
        """Body of the writing thread: write and commit until the recording ends; errors go to `failure`."""
        try:
            self._write_until_end()
        except OSError as error:
            reason = reason_of(error)
            self.failure = self.failure or Message("{file}: {reason}", file=self.path, reason=reason)
        except Exception as error:  # thread boundary: the simulation continues, and the window shows the failure
            log.exception(Message("the recording could not be written"))
            self.failure = self.failure or message_of(error)
        finally:
            self._writer.close()

    def _write_until_end(self) -> None:
        """Write items in batches, and commit them when COMMIT seconds have passed since the last commit."""
        due, written, going = 0.0, 0, True
        while going:
            items = self._next_items(due if written else None)
            going = None not in items
            self._write_items(item for item in items if item is not None)
            written += len(items)
            if written and (not going or clock.perf_counter() >= due):
                due, written = clock.perf_counter() + COMMIT, 0
                self._commit()

    def _commit(self) -> None:
        """Commit the written frames to the disk."""
        before, self._commit_began = self._writer.rows, clock.perf_counter()
        self._writer.file[ROOT].attrs.modify("repeatable", np.bool_(self._is_repeatable))
        self._writer.commit()
        for _ in range(self._writer.rows - before):
            self._born.popleft()
        self._commit_began = np.inf
        self._committed.set()

    def _next_items(self, due: float | None) -> list[_Row | Event | None]:
        """A batch from the queue at most; waits for its first item until `due`, or forever. None is the end."""
        items: list[_Row | Event | None] = []
        with suppress(queue.Empty):
            items.append(self._rows.get(timeout=None if due is None else max(0.0, due - clock.perf_counter())))
            while len(items) < self._batch and items[-1] is not None:
                items.append(self._rows.get_nowait())
        return items

    def _write_items(self, items: Iterable[_Row | Event]) -> None:
        """Write frames and events, which are valid after the next commit."""
        for is_event, alike in groupby(items, lambda item: isinstance(item, Event)):
            if is_event:
                for event in alike:
                    self._events.add(np.frombuffer(event.line(), np.uint8))  # type: ignore[union-attr]
            else:
                self._add([*alike])  # type: ignore[list-item]

    def _add(self, rows: list[_Row]) -> None:
        """Write frames, in groups that have the same compiled scene and the same inputs."""
        for _, alike in groupby(rows, lambda row: (id(row.compiled), id(row.inputs))):
            self._add_alike([*alike])

    def _add_alike(self, rows: list[_Row]) -> None:
        """Write frames of one compiled scene and the same inputs, with their measured quantities."""
        compiled, inputs = rows[0].compiled, rows[0].inputs
        if self._work is None or self._work[0] is not compiled:
            self._work = compiled, make_work(compiled.model, compiled.inputs)
        times, states = np.array([row.time for row in rows]), np.array([row.state for row in rows])
        self._numbers["step"].add(np.array([row.step for row in rows]))
        self._numbers["state"].add(states)
        self._numbers["hand"].add(np.tile(inputs.sensor_track, (len(rows), 1)))
        self._writer.add(
            times, rows[0].pieces.moved(measured_frames(compiled, inputs, times, states.copy(), self._work[1]))
        )
