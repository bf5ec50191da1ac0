"""Reader of recordings: the exact state of every frame and all events, for replay.

Reads the group `/Polhode` of the file that core/recording/writer.py writes, and of the group `/VTKHDF` only the number
of frames (attribute `NSteps` of the `Steps` of each block; the least counts) and their times (`Steps/Values`, (t,)
float64 [s]):

    attributes       format, program, created, title, method, time_step [s], from_start (About)
    Step             (t,) int64     steps since the start
    State            (t, k) float64 flat state; core/engine/model.py, SI
    Hand             (t, TRACK_SIZE) float64 track of the sensor; core/physics/sensor/sensor_motion.py
    Deeds            (bytes,) uint8 events, one line of JSON each; core/recording/events.py
    Scene            text           the scene at the first frame, as TOML with all digits
    Files/NAME       (bytes,) uint8 content of each file that the scene names

Data sets may be longer than the number of frames: the rest was not committed. A file is examined by another process
before it is opened (core/recording/hdf5_check.py), everything but the states is read and checked when it is opened, and
states when they are asked for.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import h5py
import numpy as np

from core.physics.grab.interactions import Interaction
from core.recording import hdf5_check
from core.recording.events import Event, edited, interaction_from, parse_events
from core.recording.scene_bundle import ExtractedBundle, check_enclosed
from core.scene.file_io import regular
from core.scene.message import Message
from core.scene.problem import InputError, Problem, message_of
from core.scene.scene import Scene
from core.scene.scene_file import scene_of, tables_of

FORMAT = 1  # version of the part that VTK does not define
ROOT = "Polhode"
PATIENCE = 60.0  # [s] wall time for checking a file, which normally takes a fraction of a second
FAULTS = (*hdf5_check.FAULTS, AttributeError)  # exceptions of h5py for unexpected contents
MARK = b"\x89HDF\r\n\x1a\n"


@dataclass(frozen=True)
class About:
    """Metadata of a recording, from the attributes of /Polhode."""

    program: str  # name and version of the program that wrote it
    created: str  # date and time
    title: str
    method: str
    time_step: float  # [s]
    from_start: bool  # whether it begins at the start of its scene


class RecordedRun:
    """A recording in a file, open for reading.

    `times` (t,) [s] and `steps` (t,) int64 of its frames, increasing; `states` (t, k), the flat state of each
    (core/engine/model.py); `sensor_tracks` (t, TRACK_SIZE); `events`, calls of methods of Simulation; `scene`, the
    scene at the first frame; `about`, metadata; `rows`, the number of frames; `files`, content by name.

    Frames are counted by `row`, from 0. The scene's files lie in a temporary folder as long as the object lives. Keep
    its use to one thread.
    """

    def __init__(self, path: Path, file: h5py.File):
        """Read and check an open file (`read_recording`). Raises InputError or one of FAULTS where it is damaged."""
        self.path, self._file = path, file
        head = file[ROOT]
        self.about = _about(head)
        blocks = [group for name, group in file["VTKHDF"].items() if name != "Assembly"]
        # A process that was killed may have updated the counts of some blocks only.
        self.rows = min(int(block["Steps"].attrs["NSteps"]) for block in blocks)
        if self.rows <= 0:
            raise _objection(path, Message("holds no moment"), Message("record again"))
        self.times = _table(blocks[0]["Steps"], "Values", np.float64, 1)[: self.rows]
        self.steps = _table(head, "Step", np.int64, 1)[: self.rows]
        self.sensor_tracks = _table(head, "Hand", np.float64, 2)[: self.rows]
        self._states = _table(head, "State", np.float64, 2)
        self._check_moments()
        lines = _table(head, "Deeds", np.uint8, 1)[:].tobytes()
        self.events = parse_events(lines, self.rows, str(path))
        self.files = {name: _table(head["Files"], name, np.uint8, 1)[:].tobytes() for name in head["Files"]}
        self._files = ExtractedBundle(self.files, str(path))
        self.text = _checked_text(_plain(head["Scene"][()]))
        self.scene = scene_of(tables_of(self.text, str(path)), str(path)).in_folder(self._files.folder)
        check_enclosed(self.scene, self.files, str(path))
        self._known: dict[int, Scene] = {}
        self._check_edits()

    def _check_moments(self) -> None:
        """Raise InputError where frames are missing, or not in order."""
        missing = min(map(len, (self.times, self.steps, self.sensor_tracks, self._states))) < self.rows
        times, steps = self.times, self.steps
        for wrong, rule in (
            (missing, Message("has fewer moments than it counts")),
            (
                not np.isfinite(times).all() or bool((np.diff(times) < 0.0).any()),
                Message("has times that do not increase"),
            ),
            (bool((steps < 0).any() or (np.diff(steps) <= 0).any()), Message("has steps that do not increase")),
            (not np.isfinite(self.sensor_tracks).all(), Message("has a hand over the sensor at no place")),
        ):
            if wrong:
                raise _objection(self.path, rule, Message("use another copy of it"))

    def _check_edits(self) -> None:
        """Raise InputError where an edit gives no valid scene, or one with files outside the recording."""
        for number, event in enumerate(self.events):
            if event.name == "load":
                try:
                    check_enclosed(self._scenes(number), self.files, str(self.path))
                except InputError as error:
                    raise InputError(str(self.path), [each.at("Deeds") for each in error.problems]) from error

    @property
    def numbers(self) -> tuple[int, int]:
        """Number of components of a state, and of a sensor track, as stored."""
        return self._states.shape[1], self.sensor_tracks.shape[1]

    @property
    def until(self) -> float:
        """Time [s] of the last frame."""
        return float(self.times[-1])

    @property
    def span(self) -> float:
        """Simulated time [s] from the first frame to the last."""
        return float(self.times[-1] - self.times[0])

    def state(self, row: int) -> np.ndarray:
        """(k,) flat state of a frame, `row` modulo the number of frames. Raises InputError where it is damaged."""
        row %= self.rows
        return self.states(row, row + 1)[0]

    def states(self, start: int, stop: int) -> np.ndarray:
        """(t, k) flat states of frames start ... stop - 1, read from the file.

        Raises InputError where one can't be read or is not finite.
        """
        try:
            found = np.asarray(self._states[start : min(stop, self.rows)])
        except (OSError, RuntimeError) as error:
            raise _objection(
                self.path, Message("is damaged: {reason}", reason=_reason(error)), Message("use another copy of it")
            ) from error
        if not np.isfinite(found).all():
            rule = Message("has states that are not finite in moments {first} to {last}", first=start, last=stop - 1)
            raise _objection(self.path, rule, Message("use another copy of it"))
        return found

    def row_at(self, time: float) -> int:
        """Index of the frame nearest to a time [s]: the first or last one for a time outside."""
        after = int(np.searchsorted(self.times, time).clip(1, max(1, self.rows - 1)))
        before = after - 1
        return after if after < self.rows and self.times[after] - time < time - self.times[before] else before

    def scene_at(self, row: int) -> Scene:
        """The scene at a frame, with all edits up to it. Cached."""
        edits = [number for number, event in enumerate(self.events) if event.name == "load" and event.row <= row]
        return self._scenes(edits[-1]) if edits else self.scene

    def _scenes(self, number: int) -> Scene:
        """The scene after the event with index `number`, an edit, which applies to the scene of the edit before."""
        if number not in self._known:
            before = [k for k in range(number) if self.events[k].name == "load"]
            scene = self._scenes(before[-1]) if before else self.scene
            self._known[number] = edited(scene, **self.events[number].arguments)
        return self._known[number]

    def interaction_at(self, row: int) -> Interaction | None:
        """The interaction at a frame; None once it was released, or the scene edited."""
        for event in reversed(self.events[: self._events_up_to(row)]):
            if event.name in ("release", "load"):
                return None
            if event.name == "hold":
                return interaction_from(event.arguments["grip"])
        return None

    def driven_at(self, row: int) -> tuple[float, ...]:
        """Values [SI] of the driven parameters at a frame; () before they were set, at first or after an edit."""
        for event in reversed(self.events[: self._events_up_to(row)]):
            if event.name in ("drive", "load"):
                return tuple(event.arguments["values"]) if event.name == "drive" else ()
        return ()

    def muted_modes_at(self, row: int) -> frozenset[tuple[str, int]]:
        """Names of soft bodies with the indices of their muted modes at a frame."""
        muted: set[tuple[str, int]] = set()
        for event in self.events[: self._events_up_to(row)]:
            if event.name == "silence":
                mode = {(event.arguments["name"], event.arguments["mode"])}
                muted = muted | mode if event.arguments["on"] else muted - mode
        return frozenset(muted)

    def _events_up_to(self, row: int) -> int:
        """Number of events before a frame and at it."""
        return int(np.searchsorted([event.row for event in self.events], row, side="right"))

    def events_before(self, row: int) -> Iterator[Event]:
        """Events between the previous frame and this one, in order."""
        return (event for event in self.events if event.row == row)

    def close(self) -> None:
        """Close the file; what was read stays, and states can't be read any more."""
        self._file.close()


Run = TypeVar("Run", bound=RecordedRun)


def read_recording(path: Path | str, kind: type[Run] = RecordedRun) -> Run:  # type: ignore[assignment]
    """Open a recording (.vtkhdf) for reading, as a class of its kind: RecordedRun, or Recording with its table.

    Raises InputError for files that are missing, damaged, unsafe to read, of another program, or of a newer format.
    """
    path = Path(path)
    try:
        with regular(path) as start:
            mark = start.read(len(MARK))
        if mark != MARK:
            raise _objection(path, Message("is no recording"), Message("name a file that Polhode has recorded"))
        examine(path)
        file = h5py.File(path, "r", locking=False)
    except OSError as error:
        raise _objection(path, _reason(error), Message("check the name and the file")) from error
    try:
        return _opened(path, file, kind)
    except FAULTS as error:
        file.close()
        raise _objection(
            path, Message("is damaged: {reason}", reason=_reason(error)), Message("use another copy of it")
        ) from error
    except InputError:
        file.close()
        raise


def examine(path: Path) -> None:
    """Check a file in another process. Raises InputError where HDF5 could not read it safely.

    It waits for PATIENCE seconds at most; the process itself has limits of processor time and memory.
    """
    command = [sys.executable, "-P", "-m", hdf5_check.__name__, str(path.absolute())]
    known = os.pathsep.join(filter(None, sys.path))
    # No threads of numerical libraries, which take time and memory.
    environment = {**os.environ, "PYTHONPATH": known, "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False
        )
        endless = done.returncode == -getattr(signal, "SIGXCPU", 0) != 0
    except subprocess.TimeoutExpired:
        endless = True
    if endless:
        raise _objection(path, Message("is damaged: reading it does not end"), Message("use another copy of it"))
    if done.returncode == hdf5_check.REFUSED:
        rule, remedy = map(Message.restored, json.loads(done.stdout))
        raise _objection(path, rule, remedy)
    if done.returncode != 0:
        raise _objection(
            path, Message("is damaged: HDF5 does not survive reading it"), Message("use another copy of it")
        )


def _opened(path: Path, file: h5py.File, kind: type[Run]) -> Run:
    """The recording in an open file. Raises InputError for another program's file or a newer format."""
    if ROOT not in file:
        rule = Message("is VTKHDF, but not a recording of Polhode: it has no scene")
        raise _objection(path, rule, Message("open it in ParaView"))
    if (made := int(file[ROOT].attrs["format"])) > FORMAT:
        program = _checked_text(_plain(file[ROOT].attrs["program"]))
        rule = Message(
            "has format {made}, which {program} has written; this program knows {known}",
            made=made,
            program=program,
            known=FORMAT,
        )
        raise _objection(path, rule, Message("open it with a newer version"))
    return kind(path, file)


def _about(head: h5py.Group) -> About:
    """Metadata from the attributes of /Polhode. Raises ValueError or KeyError for invalid or missing ones."""
    values = {name: _plain(head.attrs[name]) for name in About.__dataclass_fields__}
    for name in ("program", "created", "title", "method"):
        _checked_text(values[name])
    step = values["time_step"]
    if not isinstance(step, float) or not 0.0 < step < np.inf or not isinstance(values["from_start"], bool):
        raise ValueError(Message("its time_step or from_start is none"))
    return About(**values)


def _table(group: h5py.Group, name: str, kind: type, dimensions: int) -> h5py.Dataset:
    """A data set of this type and number of dimensions. Raises ValueError for any other."""
    found = group[name]
    if not isinstance(found, h5py.Dataset) or found.dtype != kind or found.ndim != dimensions:
        raise ValueError(
            Message(
                "'{name}' is not made of {dimensions}-dimensional {kind}",
                name=name,
                dimensions=dimensions,
                kind=np.dtype(kind),
            )
        )
    return found


def _checked_text(value: Any) -> str:
    """A valid text, which UTF-8 can encode. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(Message("a text is missing"))
    value.encode()
    return value


def _plain(value: Any) -> Any:
    """The Python value of an attribute."""
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if isinstance(value, np.generic) else value


def _reason(error: Exception) -> Message:
    """The text of an error without the quotes that Python puts around keys, in small letters."""
    if isinstance(error, OSError) and error.strerror:
        said = error.strerror[:1].lower() + error.strerror[1:]
        return Message(said)
    reason = message_of(error)
    return reason if reason.values else Message(reason.strip("\"'"))


def _objection(path: Path, rule: Message, remedy: Message) -> InputError:
    return InputError(str(path), [Problem("", rule, remedy)])
