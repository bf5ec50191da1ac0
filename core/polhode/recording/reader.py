"""Reader of recordings: the exact state of every frame and all events, for replay.

Reads the group `/Polhode` of the file that core/polhode/recording/writer.py writes, and of the group `/VTKHDF` only the
number of frames (attribute `NSteps` of the `Steps` of each block; the least counts) and their times (`Steps/Values`,
(t,) float64 [s]):

    attributes       format, program, created, title, method, time_step [s], from_start, repeatable, portable (About)
    Step             (t,) int64     steps since the start
    State            (t, k) float64 flat state; core/polhode/engine/model.py, SI
    Hand             (t, TRACK_SIZE) float64 track of the sensor; core/polhode/physics/sensor/sensor_motion.py
    Deeds            (bytes,) uint8 events, one line of JSON each; core/polhode/recording/events.py
    Scene            text           the scene at the first frame, as TOML with all digits
    Compiled/...     Layout, Numbers, Whole: constants and inputs of the compiled scene, of portable recordings
                     (core/polhode/recording/compiled_arrays.py)
    Files/NAME       (bytes,) uint8 content of each file that the scene names

Data sets may be longer than the number of frames: the rest was not committed. Another process reads the file
(core/polhode/recording/checks/isolated_file.py): everything but the states when it is opened, and states when they are
asked for. What it reads is checked here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

import numpy as np

from polhode.physics.grab.interactions import Interaction
from polhode.recording.checks.isolated_file import REMEDY, IsolatedFile
from polhode.recording.contents import COMPILED, ROOT, Contents
from polhode.recording.events import edited, interaction_from, parse_events
from polhode.recording.scene_bundle import ExtractedBundle, check_enclosed
from polhode.scene.checks.arguments import Count, MaybeInfinite, checked
from polhode.scene.files.file_io import regular
from polhode.scene.message import Message, plural, shortened
from polhode.scene.problem import InputError, reason_of
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of, tables_of

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
    repeatable: bool = True  # whether a replay can repeat it: no function that is not in the file acted
    portable: bool = False  # whether it has the arrays of the compiled scene, for equal bits on other computers


class RecordedRun:
    """A recording in a file, open for reading.

    `times` (t,) [s] and `steps` (t,) int64 of its frames, increasing; `states` (t, k), the flat state of each
    (core/polhode/engine/model.py); `sensor_tracks` (t, TRACK_SIZE); `events`, calls of methods of Simulation; `scene`,
    the scene at the first frame; `about`, metadata; `rows`, the number of frames; `files`, content by name; `compiled`,
    the arrays of the compiled scene of a portable recording, unchecked, else None.

    Frames are counted by `row`, from 0. The scene's files lie in a temporary folder as long as the object lives. Keep
    its use to one thread.
    """

    def __init__(self, source: IsolatedFile, check_cancelled: Callable[[], None] = lambda: None):
        """Read and check a file (`read_recording`). Raises InputError where it can't be read or is damaged.

        check_cancelled: called while another process reads; may raise to end that
        """
        self.path, self._source = source.path, source
        contents = source.contents(check_cancelled)
        self.about = _about(self.path, contents)
        self.rows = contents.rows
        if self.rows <= 0:
            raise InputError.of(str(self.path), Message("contains no frame"), Message("record again"))
        self.times, self.steps, self.sensor_tracks = contents.times, contents.steps, contents.sensor_tracks
        self._state_size = contents.state_size
        self.compiled = contents.compiled if self.about.portable else None
        if self.about.portable and self.compiled is None:
            raise InputError.of(str(self.path), Message("is missing"), REMEDY, f"{ROOT}/{COMPILED}")
        self._check_moments()
        self.events = parse_events(contents.events, self.times, self.steps, str(self.path))
        self.files = contents.files
        self._files = ExtractedBundle(self.files, str(self.path))
        self.text = contents.scene
        self.scene = scene_of(tables_of(self.text, str(self.path)), str(self.path)).in_folder(self._files.folder)
        check_enclosed(self.scene, self.files, str(self.path))
        self._known: dict[int, Scene] = {}
        self._check_edits()

    def _check_moments(self) -> None:
        """Raise InputError where frames are not in order, or not finite."""
        times, steps = self.times, self.steps
        for right, place, rule in (
            (np.isfinite(times), "VTKHDF/Steps/Values", Message("is not finite")),
            (np.diff(times, prepend=-np.inf) >= 0.0, "VTKHDF/Steps/Values", Message("is earlier than the one before")),
            (steps >= 0, f"{ROOT}/Step", Message("is below 0")),
            (np.diff(steps) > 0, f"{ROOT}/Step", Message("does not increase")),
            (np.isfinite(self.sensor_tracks).all(axis=1), f"{ROOT}/Hand", Message("is not finite")),
        ):
            if not right.all():
                raise InputError.of(str(self.path), rule, REMEDY, f"{place}[{int(np.argmin(right))}]")

    def _check_edits(self) -> None:
        """Raise InputError where an edit gives no valid scene, or one with files outside the recording."""
        edits = [number for number, event in enumerate(self.events) if event.name == "load"]
        try:
            for number in edits:
                check_enclosed(self._scenes(number), self.files, str(self.path))
            self._scene_after(len(self.events))
        except InputError as error:
            raise InputError(str(self.path), [each.at("Deeds") for each in error.problems]) from error

    def check_repeatable(self) -> None:
        """Raise InputError for a run on which a function acted that is not in the file (`Simulation.add_force`)."""
        if not self.about.repeatable:
            rule = Message("can't be repeated or continued: a function of 'add_force' acted, which is not in the file")
            raise InputError.of(str(self.path), rule, Message("read its frames, or run the program again"))

    @property
    def numbers(self) -> tuple[int, int]:
        """Number of components of a state, and of a sensor track, as stored."""
        return self._state_size, self.sensor_tracks.shape[1]

    @property
    def until(self) -> float:
        """Time [s] of the last frame."""
        return float(self.times[-1])

    @property
    def span(self) -> float:
        """Simulated time [s] from the first frame to the last."""
        return float(self.times[-1] - self.times[0])

    @checked
    def state(self, row: int) -> np.ndarray:
        """(k,) state of a frame, from the end if negative. Raises InputError beyond the last one, and for damage."""
        row = self.row(row)
        return self.states(row, row + 1)[0]

    @checked
    def row(self, row: int) -> int:
        """The index of a frame from the start; a negative one counts from the end. Raises InputError beyond."""
        if not -self.rows <= row < self.rows:
            rule = plural(
                "has {count} frame, and none {row}", "has {count} frames, and none {row}", count=self.rows, row=row
            )
            raise InputError.of(str(self.path), rule, Message("count from 0"), "row")
        return range(self.rows)[row]

    @checked
    def states(self, start: Count, stop: Count) -> np.ndarray:
        """(t, k) states of frames start ... stop - 1. Raises InputError for damage and numbers that are not finite."""
        found = self._source.states(start, min(stop, self.rows))
        finite = np.isfinite(found).all(axis=1)
        if not finite.all():
            place = f"{ROOT}/State[{start + int(np.argmin(finite))}]"
            raise InputError.of(str(self.path), Message("is not finite"), REMEDY, place)
        return found

    @checked
    def row_at(self, time: MaybeInfinite) -> int:
        """Index of the frame nearest to a time [s]: the first or last one for a time outside."""
        after = int(np.searchsorted(self.times, time).clip(1, max(1, self.rows - 1)))
        before = after - 1
        return after if after < self.rows and self.times[after] - time < time - self.times[before] else before

    @checked
    def scene_at(self, row: int) -> Scene:
        """The scene at a frame, with all edits up to it. Cached."""
        return self._scene_after(self._events_up_to(row))

    def _scene_after(self, count: int) -> Scene:
        """The scene after the first `count` events: that of the last edit, with the numbers that were set since."""
        last = max((k for k in range(count) if self.events[k].name == "load"), default=-1)
        scene = self._scenes(last) if last >= 0 else self.scene
        events = (event for event in self.events[last + 1 : count] if event.name == "set")
        values = {path: value for event in events for path, value in event.arguments["values"].items()}
        return scene.with_values(values) if values else scene

    def _scenes(self, number: int) -> Scene:
        """The scene after the event with index `number`, an edit, which applies to the scene before."""
        if number not in self._known:
            self._known[number] = edited(self._scene_after(number), **self.events[number].arguments)
        return self._known[number]

    @checked
    def interaction_at(self, row: int) -> Interaction | None:
        """The interaction at a frame; None once it was released, or the scene edited."""
        for event in reversed(self.events[: self._events_up_to(row)]):
            if event.name in ("release", "load"):
                return None
            if event.name == "grab":
                return interaction_from(event.arguments["grip"])
        return None

    @checked
    def driven_at(self, row: int) -> tuple[float, ...]:
        """Values [SI] of the driven parameters at a frame; () before they were set, at first or after an edit."""
        for event in reversed(self.events[: self._events_up_to(row)]):
            if event.name in ("drive", "load"):
                return tuple(event.arguments["values"]) if event.name == "drive" else ()
        return ()

    @checked
    def muted_modes_at(self, row: int) -> frozenset[tuple[str, int]]:
        """Names of soft bodies with the indices of their muted modes at a frame."""
        muted: set[tuple[str, int]] = set()
        for event in self.events[: self._events_up_to(row)]:
            if event.name == "mute":
                mode = {(event.arguments["name"], event.arguments["mode"])}
                muted = muted | mode if event.arguments["on"] else muted - mode
        return frozenset(muted)

    def _events_up_to(self, row: int) -> int:
        """Number of events before a frame and at it."""
        return int(np.searchsorted([event.row for event in self.events], self.row(row), side="right"))

    def __len__(self) -> int:
        """Number of frames."""
        return self.rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        title = f" of {shortened(self.about.title)!r}" if self.about.title else ""
        times = f"t = {self.times[0]:g} ... {self.until:g} s"
        return f"Recording{title} in {str(self.path)!r}: {times}, {self.rows} frames, {len(self.events)} events"

    def close(self) -> None:
        """Close the file: states can't be read any more."""
        self._source.close()


Run = TypeVar("Run", bound=RecordedRun)


def read_recording(path: Path | str, kind: type[Run] = RecordedRun) -> Run:  # type: ignore[assignment]
    """Open a recording (.vtkhdf) for reading, as a class of its kind: RecordedRun, or Recording with its table.

    Raises InputError for files that are missing, damaged, unsafe to read, of another program, or of a newer format.
    """
    source = open_source(Path(path))
    try:
        return kind(source)
    except InputError:
        source.close()
        raise


def open_source(path: Path) -> IsolatedFile:
    """Start reading a recording; `close` of the result cancels it. Raises InputError for a missing file, or no HDF5."""
    try:
        with regular(path) as start:
            mark = start.read(len(MARK))
        if mark != MARK:
            remedy = Message("name a file that Polhode has recorded")
            raise InputError.of(str(path), Message("is no recording"), remedy)
        return IsolatedFile(path)
    except OSError as error:
        raise InputError.of(str(path), _small(reason_of(error)), Message("check the name and the file")) from error


def _about(path: Path, contents: Contents) -> About:
    """Metadata from the attributes of /Polhode. Raises InputError for invalid or missing ones,"""
    values = {"repeatable": True, "portable": False, **contents.attributes}  # missing in files of earlier versions
    for name, kind in {"format": int, **About.__annotations__}.items():
        if name not in values or type(values[name]).__name__ not in (kind, getattr(kind, "__name__", kind)):
            raise InputError.of(str(path), Message("is missing, or of another type"), REMEDY, f"{ROOT}@{name}")
    if not 0.0 < values["time_step"] < np.inf:
        raise InputError.of(str(path), Message("is {value}", value=values["time_step"]), REMEDY, f"{ROOT}@time_step")
    return About(**{name: values[name] for name in About.__annotations__})


def _small(reason: Message) -> Message:
    """A sentence of the system without its capital."""
    said = reason[:1].lower() + reason[1:]
    return Message(said)
