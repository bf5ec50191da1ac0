"""Where distances come from: the same face for a serial port, a simulated hand and a recording. No Qt.

A source has a thread of its own. It hands on samples as they come, and its state and counts are slots that anybody may
look at. It never raises into who listens, and it ends within half a second.
"""

from __future__ import annotations

import csv
import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from math import isfinite, pi, sin
from pathlib import Path
from time import perf_counter
from typing import Literal

import numpy as np

from app.sensor.protocol import Counts, Greeting
from core.scene.file_io import all_bytes
from core.scene.message import Message
from core.scene.problem import InputError, InvalidValue, Problem, message_of, reason_of

log = logging.getLogger(__name__)

PATIENCE = 0.5  # [s] for a thread to end
RATE = 50.0  # [1/s] measurements of a simulated hand
PAUSE = 0.3  # [s] between the end of a recording and its beginning
SPAN = 51  # measurements whose middle one says where something at rest was
ENTRIES = 1_000_000  # rows of a recording that are read: hours
LARGEST = 2**28  # [bytes] of such a file

Status = Literal["ok", "far", "near", "fault"]
Kind = Literal[
    "off",
    "missing",
    "none",
    "several",
    "unplugged",
    "denied",
    "taken",
    "failed",
    "waiting",
    "silent",
    "unreadable",
    "reading",
    "ended",
]


@dataclass(frozen=True)
class Sample:
    """A measurement, or that there was none."""

    time: float  # [s] of the source's clock, which may start again
    raw: float | None  # [mm] as the sensor says it; None where nothing was measured
    arrived: float  # [s] of perf_counter
    status: Status = "ok"


@dataclass(frozen=True)
class State:
    """How a source is; the words for it are the window's business."""

    kind: Kind = "off"
    detail: str = ""  # what goes with it: a path, a group of users, what the system says


Hear = Callable[[Sample], None]


class Source(ABC):
    """Start it once, stop it once."""

    def __init__(self) -> None:
        self.state = State()
        self.counts = Counts()
        self.greeting: Greeting | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        """What settings of this source are remembered by."""
        return type(self).__name__

    def start(self, hear: Hear) -> None:
        """Hand on what comes from now on, from a thread of its own."""
        self._thread = threading.Thread(target=self._run, args=(hear,), name="sensor", daemon=True)
        self._thread.start()

    def stop(self) -> bool:
        """End the thread; True if it has ended."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)
        self.state = State("off")
        return self._thread is None or not self._thread.is_alive()

    def _run(self, hear: Hear) -> None:
        while not self._stopping.is_set():
            try:
                self._work(hear)
                return
            except Exception as error:  # the thread boundary: it is told, and tried again
                log.exception(Message("the source of distances failed"))
                self.state = State(
                    "failed", Message("{kind}: {reason}", kind=type(error).__name__, reason=message_of(error))
                )
                self._stopping.wait(1.0)

    @abstractmethod
    def _work(self, hear: Hear) -> None:
        """Hand on samples until stopping, or to the end of what there is."""


@dataclass(frozen=True)
class Wave:
    """How a simulated hand moves: distance centre + amplitude sin(2 pi t/period), and what the sensor makes of it."""

    centre: float = 300.0  # [mm]
    amplitude: float = 0.0  # [mm]
    period: float = 2.0  # [s]
    noise: float = 0.0  # [mm] standard deviation of chance; with it, one of a hundred measurements is wide of the mark
    tremor: tuple[float, ...] = ()  # [mm] how far off a real sensor was, one after another; instead of chance


class SimulatedHand(Source):
    """A hand that needs no person. `wave` may be replaced while it runs."""

    def __init__(self, wave: Wave | None = None):
        super().__init__()
        self.wave = wave or Wave()

    def _work(self, hear: Hear) -> None:
        self.state = State("reading")
        chance = np.random.default_rng(1)
        begin, phase, count = perf_counter(), 0.0, 0
        while not self._stopping.wait(max(0.0, begin + count / RATE - perf_counter())):
            wave = self.wave
            raw = wave.centre + wave.amplitude * sin(phase)
            if wave.tremor:
                raw += wave.tremor[count % len(wave.tremor)]
            elif wave.noise > 0:
                raw += wave.noise * (float(chance.normal()) + (50.0 if chance.random() < 0.01 else 0.0))
            hear(Sample(count / RATE, max(0.0, raw), perf_counter()))
            self.counts.lines += 1
            phase = (phase + 2 * pi / RATE / wave.period) % (2 * pi)
            count += 1
            if perf_counter() - begin - count / RATE > 1.0:  # the machine slept: no hurry
                begin = perf_counter() - count / RATE


class LogPlayback(Source):
    """What was recorded, at its own times, again and again."""

    def __init__(self, path: Path):
        """Raises InputError where the file is no recording."""
        super().__init__()
        self.path = path
        self._rows = read_recording(path)

    @property
    def name(self) -> str:
        return str(self.path)

    def _work(self, hear: Hear) -> None:
        self.state = State("reading", self.path.name)
        start, length = self._rows[0][0], self._rows[-1][0] - self._rows[0][0] + PAUSE
        begin, turn = perf_counter(), 0
        while True:
            for time, raw in self._rows:
                due = turn * length + time - start
                if self._stopping.wait(max(0.0, begin + due - perf_counter())):
                    return
                hear(Sample(due, raw, perf_counter(), "ok" if raw is not None else "fault"))
                self.counts.lines += 1
            turn += 1


def tremor_of(path: Path) -> tuple[float, ...]:
    """[mm] how far the measurements of a recording are from the middle ones about them. Raises InputError."""
    values = np.array([raw for _, raw in read_recording(path) if raw is not None])
    if len(values) < SPAN:
        raise _wrong(
            path,
            "",
            Message("has {count} distances", count=len(values)),
            Message("record at least {least}, of a target at rest", least=SPAN),
        )
    about = np.lib.stride_tricks.sliding_window_view(np.pad(values, SPAN // 2, mode="edge"), SPAN)
    return tuple((values - np.median(about, axis=1)).tolist())


def read_recording(path: Path) -> list[tuple[float, float | None]]:
    """Times [s] and raw distances [mm] of a CSV file with columns `time` and `raw`; an empty one is a miss.

    Raises InputError with what is wrong and where.
    """
    try:
        text = all_bytes(path, LARGEST).decode()
        rows = csv.reader(StringIO(text, newline=""))
        heads = [head.strip() for head in next(rows, [])]
        places = {name: heads.index(name) for name in ("time", "raw") if name in heads}
        if len(places) < 2:
            raise _wrong(
                path,
                Message("row {row}", row=1),
                Message("a recording has columns 'time' [s] and 'raw' [mm]"),
                Message("name the columns in the first row"),
            )
        found = [_entry(path, number, row, places) for number, row in enumerate(rows, 2) if row]
    except OSError as error:
        raise _wrong(
            path, "", Message("can't be read: {reason}", reason=reason_of(error)), Message("choose another file")
        ) from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise _wrong(
            path,
            "",
            Message("is no table of text: {reason}", reason=message_of(error)),
            Message("choose a CSV file recorded by Polhode"),
        ) from error
    if len(found) < 2 or len(found) > ENTRIES:
        raise _wrong(
            path,
            "",
            Message("has {count} measurements", count=len(found)),
            Message("record at least 2 and at most {most}", most=ENTRIES),
        )
    for number, (before, after) in enumerate(pairwise(found), 3):
        if after[0] <= before[0]:
            raise _wrong(
                path,
                Message("row {row}", row=number),
                Message("time {time:g} s does not come after {previous:g} s", time=after[0], previous=before[0]),
                Message("sort them"),
            )
    return found


def _entry(path: Path, number: int, row: list[str], places: dict[str, int]) -> tuple[float, float | None]:
    words = {name: row[place].strip() if place < len(row) else "" for name, place in places.items()}
    try:
        time, raw = _number(words["time"]), _number(words["raw"]) if words["raw"] else None
    except InvalidValue as error:
        raise InputError(str(path), [error.problem.at(Message("row {row}", row=number))]) from error
    if not isfinite(time) or (raw is not None and not isfinite(raw)):
        raise _wrong(
            path,
            Message("row {row}", row=number),
            Message("{words} are not finite numbers", words=words),
            Message("leave the row out"),
        )
    return time, raw


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        rule = Message("could not convert string to float: {text!r}", text=text)
        raise InvalidValue(rule, Message("write numbers with a decimal point")) from None


def _wrong(path: Path, place: str, rule: Message, remedy: Message) -> InputError:
    return InputError(str(path), [Problem(place, rule, remedy)])
