"""Recordings that are read again: every moment exactly as it was, and all that was done, to be done again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import tomlkit

from core.physics.grab.interactions import Grip
from core.recording import hdf5_check
from core.recording.events import Deed, deeds_in, edited, grip_from
from core.recording.scene_bundle import ExtractedBundle, check_enclosed
from core.scene.file_io import regular
from core.scene.message import Message
from core.scene.problem import InputError, Problem, message_of
from core.scene.scene import Scene
from core.scene.scene_file import scene_of, tables_of
from core.scene.toml_edit import document_of, stated

FORMAT = 1  # of what is not VTK's
ROOT = "Polhode"
PATIENCE = 60.0  # [s] wall time for a look at a file, which takes a fraction of one second
FAULTS = (*hdf5_check.FAULTS, AttributeError)  # of h5py, where things are not what they should be
MARK = b"\x89HDF\r\n\x1a\n"


def scene_text(scene: Scene) -> str:
    """The scene as the text of a file, with all digits."""
    return tomlkit.dumps(document_of(stated(scene)))


@dataclass(frozen=True)
class About:
    """What a recording says of itself."""

    program: str  # that wrote it, with its version
    created: str  # date and time
    title: str
    method: str
    time_step: float  # [s]
    from_start: bool  # whether it begins at the start of its scene


class RecordedRun:
    """A recording in a file, open for reading as long as this lives.

    `times` (t,) [s] and `steps` (t,) of its moments; `states` (t, k), the flat state at each (engine.model); `deeds`,
    what was done from outside; `scene`, what it began with.
    """

    def __init__(self, path: Path, file: h5py.File):
        self.path, self._file = path, file
        head = file[ROOT]
        self.about = _about(head)
        blocks = [group for name, group in file["VTKHDF"].items() if name != "Assembly"]
        # Who died while it was being written may have counted in some blocks only.
        self.rows = min(int(block["Steps"].attrs["NSteps"]) for block in blocks)
        if self.rows <= 0:
            raise _objection(path, Message("holds no moment"), Message("record again"))
        self.times = _table(blocks[0]["Steps"], "Values", np.float64, 1)[: self.rows]
        self.steps = _table(head, "Step", np.int64, 1)[: self.rows]
        self.hands = _table(head, "Hand", np.float64, 2)[: self.rows]
        self._states = _table(head, "State", np.float64, 2)
        self._check_moments()
        lines = _table(head, "Deeds", np.uint8, 1)[:].tobytes()
        self.deeds = deeds_in(lines, self.rows, str(path))
        self.files = {name: _table(head["Files"], name, np.uint8, 1)[:].tobytes() for name in head["Files"]}
        self._files = ExtractedBundle(self.files, str(path))
        self.text = _text(_plain(head["Scene"][()]))
        self.scene = scene_of(tables_of(self.text, str(path)), str(path)).in_folder(self._files.folder)
        check_enclosed(self.scene, self.files, str(path))
        self._known: dict[int, Scene] = {}
        self._check_edits()

    def _check_moments(self) -> None:
        """Raises InputError where moments are missing, or do not follow each other."""
        missing = min(map(len, (self.times, self.steps, self.hands, self._states))) < self.rows
        times, steps = self.times, self.steps
        for wrong, rule in (
            (missing, Message("has fewer moments than it counts")),
            (
                not np.isfinite(times).all() or bool((np.diff(times) < 0.0).any()),
                Message("has times that do not increase"),
            ),
            (bool((steps < 0).any() or (np.diff(steps) <= 0).any()), Message("has steps that do not increase")),
            (not np.isfinite(self.hands).all(), Message("has a hand over the sensor at no place")),
        ):
            if wrong:
                raise _objection(self.path, rule, Message("use another copy of it"))

    def _check_edits(self) -> None:
        """Raises InputError where an edit makes no scene, or one with files of other folders."""
        for number, deed in enumerate(self.deeds):
            if deed.what == "load":
                try:
                    check_enclosed(self._scenes(number), self.files, str(self.path))
                except InputError as error:
                    raise InputError(str(self.path), [each.at("Deeds") for each in error.problems]) from error

    @property
    def numbers(self) -> tuple[int, int]:
        """How many numbers a state has, and a hand over the sensor."""
        return self._states.shape[1], self.hands.shape[1]

    @property
    def until(self) -> float:
        """Time [s] of the last moment."""
        return float(self.times[-1])

    @property
    def span(self) -> float:
        """Simulated time from the first moment to the last [s]."""
        return float(self.times[-1] - self.times[0])

    def state(self, row: int) -> np.ndarray:
        """(k,) the flat state of a moment. Raises InputError where it is damaged."""
        row %= self.rows
        return self.states(row, row + 1)[0]

    def states(self, start: int, stop: int) -> np.ndarray:
        """(t, k) those of some moments that follow each other. Raises InputError where one is damaged."""
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
        """Number of the moment that is nearest to a time [s]."""
        after = int(np.searchsorted(self.times, time).clip(1, max(1, self.rows - 1)))
        before = after - 1
        return after if after < self.rows and self.times[after] - time < time - self.times[before] else before

    def scene_at(self, row: int) -> Scene:
        """The scene with all edits that were made up to a moment."""
        edits = [number for number, deed in enumerate(self.deeds) if deed.what == "load" and deed.row <= row]
        return self._scenes(edits[-1]) if edits else self.scene

    def _scenes(self, number: int) -> Scene:
        """The scene after the number-th deed."""
        if number not in self._known:
            before = [k for k in range(number) if self.deeds[k].what == "load"]
            scene = self._scenes(before[-1]) if before else self.scene
            self._known[number] = edited(scene, **self.deeds[number].how)
        return self._known[number]

    def grip_at(self, row: int) -> Grip | None:
        """What a hand did at a moment."""
        for deed in reversed(self.deeds[: self._deeds_to(row)]):
            if deed.what in ("release", "load"):
                return None
            if deed.what == "hold":
                return grip_from(deed.how["grip"])
        return None

    def driven_at(self, row: int) -> tuple[float, ...]:
        """The numbers that the hand drove, as they were at a moment; () before they were written first."""
        for deed in reversed(self.deeds[: self._deeds_to(row)]):
            if deed.what in ("drive", "load"):
                return tuple(deed.how["values"]) if deed.what == "drive" else ()
        return ()

    def silent_at(self, row: int) -> frozenset[tuple[str, int]]:
        """Soft bodies and modes of theirs that were kept out of the motion at a moment."""
        silent: set[tuple[str, int]] = set()
        for deed in self.deeds[: self._deeds_to(row)]:
            if deed.what == "silence":
                mode = {(deed.how["name"], deed.how["mode"])}
                silent = silent | mode if deed.how["on"] else silent - mode
        return frozenset(silent)

    def _deeds_to(self, row: int) -> int:
        return int(np.searchsorted([deed.row for deed in self.deeds], row, side="right"))

    def deeds_before(self, row: int) -> Iterator[Deed]:
        """What was done after the moment before and until this one."""
        return (deed for deed in self.deeds if deed.row == row)

    def close(self) -> None:
        self._file.close()


def read_recording(path: Path | str) -> RecordedRun:
    """A recording (.vtkhdf) for reading. Raises InputError where the file is none, or is damaged."""
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
        return _opened(path, file)
    except FAULTS as error:
        file.close()
        raise _objection(
            path, Message("is damaged: {reason}", reason=_reason(error)), Message("use another copy of it")
        ) from error
    except InputError:
        file.close()
        raise


def examine(path: Path) -> None:
    """Raises InputError for a file that HDF5 had better not read; another process tries it."""
    command = [sys.executable, "-P", "-m", hdf5_check.__name__, str(path.absolute())]
    known = os.pathsep.join(filter(None, sys.path))
    # Its libraries would start threads, which take time and memory.
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


def _opened(path: Path, file: h5py.File) -> RecordedRun:
    if ROOT not in file:
        rule = Message("is VTKHDF, but not a recording of Polhode: it has no scene")
        raise _objection(path, rule, Message("open it in ParaView"))
    if (made := int(file[ROOT].attrs["format"])) > FORMAT:
        program = _text(_plain(file[ROOT].attrs["program"]))
        rule = Message(
            "has format {made}, which {program} has written; this program knows {known}",
            made=made,
            program=program,
            known=FORMAT,
        )
        raise _objection(path, rule, Message("open it with a newer version"))
    return RecordedRun(path, file)


def _about(head: h5py.Group) -> About:
    """What its attributes say. Raises ValueError where that can't be."""
    told = {name: _plain(head.attrs[name]) for name in About.__dataclass_fields__}
    for name in ("program", "created", "title", "method"):
        _text(told[name])
    step = told["time_step"]
    if not isinstance(step, float) or not 0.0 < step < np.inf or not isinstance(told["from_start"], bool):
        raise ValueError(Message("its time_step or from_start is none"))
    return About(**told)


def _table(group: h5py.Group, name: str, kind: type, dimensions: int) -> h5py.Dataset:
    """A data set of these numbers. Raises ValueError where it is something else."""
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


def _text(value: Any) -> str:
    """A text that can be written. Raises ValueError for all else."""
    if not isinstance(value, str):
        raise ValueError(Message("a text is missing"))
    value.encode()
    return value


def _plain(value: Any) -> Any:
    """What an attribute holds as Python's own."""
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if isinstance(value, np.generic) else value


def _reason(error: Exception) -> Message:
    if isinstance(error, OSError) and error.strerror:
        said = error.strerror[:1].lower() + error.strerror[1:]
        return Message(said)
    reason = message_of(error)
    return reason if reason.values else Message(reason.strip("\"'"))


def _objection(path: Path, rule: Message, remedy: Message) -> InputError:
    return InputError(str(path), [Problem("", rule, remedy)])
