"""Sources of distance samples: base class, simulated sensor, and playback of a sensor log. No Qt.

Each source runs in a thread of its own, in which it calls the listener with every sample. `state` and `counts` may be
read from any thread. Errors become a state, they are never raised into the listener, and `stop` returns within half a
second.
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

from polhode.scene.files.file_io import all_bytes
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, Problem, message_of, reason_of
from polhode_app.sensor.protocol import Counts, Greeting

log = logging.getLogger(__name__)

JOIN_TIMEOUT = 0.5  # [s] timeout for the end of a thread
RATE = 50.0  # [1/s] sampling rate of the simulated sensor
PAUSE = 0.3  # [s] between the end of a recording and its repetition
SPAN = 51  # measurements in the window of the running median that removes slow motion
ENTRIES = 1_000_000  # rows of a recording at most: several hours
LARGEST = 2**28  # [bytes] size of a recording at most
MOST = 1e30  # magnitude of times [s] and distances [mm]: the filter multiplies them

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
    """A measurement, or a failed one."""

    time: float  # [s] clock of the source, which may restart
    raw: float | None  # [mm] uncalibrated; None for a failed measurement
    arrived: float  # [s] perf_counter
    status: Status = "ok"


@dataclass(frozen=True)
class State:
    """State of a source; the GUI translates it to text."""

    kind: Kind = "off"
    detail: str = ""  # depends on the kind: a path, a user group, or a message of the operating system


Listener = Callable[[Sample], None]


class Source(ABC):
    """Abstract source of samples. It is started once and stopped once."""

    def __init__(self) -> None:
        self.state = State()
        self.counts = Counts()
        self.greeting: Greeting | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        """Key of this source in the settings."""
        return type(self).__name__

    def start(self, listener: Listener) -> None:
        """Start the thread; `listener` is called in it with every sample."""
        self._thread = threading.Thread(target=self._run, args=(listener,), name="sensor", daemon=True)
        self._thread.start()

    def stop(self) -> bool:
        """End the thread; True if it has ended within JOIN_TIMEOUT."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(JOIN_TIMEOUT)
        self.state = State("off")
        return not self.is_running

    def _run(self, listener: Listener) -> None:
        """Body of the thread: repeat `_work` after unexpected exceptions."""
        while not self._stopping.is_set():
            try:
                self._work(listener)
                return
            except Exception as error:  # the thread boundary: the failure is shown, then the work is repeated
                log.exception(Message("the source of distances failed"))
                self.state = State(
                    "failed", Message("{kind}: {reason}", kind=type(error).__name__, reason=message_of(error))
                )
                self._stopping.wait(1.0)

    @property
    def is_running(self) -> bool:
        """Whether the thread is alive."""
        return self._thread is not None and self._thread.is_alive()

    @abstractmethod
    def _work(self, listener: Listener) -> None:
        """Deliver samples until `_stopping` is set or the data end."""


@dataclass(frozen=True)
class Wave:
    """Motion and noise of the simulated sensor: distance centre + amplitude sin(2 pi t/period)."""

    centre: float = 300.0  # [mm]
    amplitude: float = 0.0  # [mm]
    period: float = 2.0  # [s]
    noise: float = 0.0  # [mm] standard deviation; if positive, one measurement in a hundred is an outlier
    recorded_noise: tuple[float, ...] = ()
    """[mm] Recorded errors of a real sensor, added in turn in place of random noise."""


class SimulatedSensor(Source):
    """Simulated sensor with a sinusoidal distance. `wave` may be replaced while it runs, from any thread."""

    def __init__(self, wave: Wave | None = None):
        super().__init__()
        self.wave = wave or Wave()

    def _work(self, listener: Listener) -> None:
        self.state = State("reading")
        chance = np.random.default_rng(1)
        begin, phase, count = perf_counter(), 0.0, 0
        while not self._stopping.wait(max(0.0, begin + count / RATE - perf_counter())):
            wave = self.wave
            raw = wave.centre + wave.amplitude * sin(phase)
            if wave.recorded_noise:
                raw += wave.recorded_noise[count % len(wave.recorded_noise)]
            elif wave.noise > 0:
                raw += wave.noise * (float(chance.normal()) + (50.0 if chance.random() < 0.01 else 0.0))
            listener(Sample(count / RATE, max(0.0, raw), perf_counter()))
            self.counts.lines += 1
            phase = (phase + 2 * pi / RATE / wave.period) % (2 * pi)
            count += 1
            if perf_counter() - begin - count / RATE > 1.0:  # after suspend: do not catch up
                begin = perf_counter() - count / RATE


class LogPlayback(Source):
    """Playback of a sensor log in real time, repeated until stopped."""

    def __init__(self, path: Path):
        """Read the log. Raises InputError if the file is no sensor log."""
        super().__init__()
        self.path = path
        self._rows = read_recording(path)

    @property
    def name(self) -> str:
        """Path of the log."""
        return str(self.path)

    def _work(self, listener: Listener) -> None:
        self.state = State("reading", self.path.name)
        start, length = self._rows[0][0], self._rows[-1][0] - self._rows[0][0] + PAUSE
        begin, turn = perf_counter(), 0
        while True:
            for time, raw in self._rows:
                due = turn * length + time - start
                if self._stopping.wait(max(0.0, begin + due - perf_counter())):
                    return
                listener(Sample(due, raw, perf_counter(), "ok" if raw is not None else "fault"))
                self.counts.lines += 1
            turn += 1


def read_noise(path: Path) -> tuple[float, ...]:
    """Errors [mm] of the measurements of a log: their deviations from a running median.

    Raises InputError for a file that is no log or has too few measurements.
    """
    values = np.array([raw for _, raw in read_recording(path) if raw is not None])
    if len(values) < SPAN:
        rule = Message("has {count} distances", count=len(values))
        remedy = Message("record at least {least}, of a target at rest", least=SPAN)
        raise InputError(str(path), [Problem("", rule, remedy)])
    about = np.lib.stride_tricks.sliding_window_view(np.pad(values, SPAN // 2, mode="edge"), SPAN)
    return tuple((values - np.median(about, axis=1)).tolist())


def read_recording(path: Path) -> list[tuple[float, float | None]]:
    """Read a CSV file with columns `time` [s] and `raw` [mm]; an empty `raw` is a failed measurement and becomes None.

    Raises InputError that names the row and the problem.
    """
    try:
        return _measurements(all_bytes(path, LARGEST).decode())
    except InvalidValue as error:
        problem = error.problem
    except OSError as error:
        rule = Message("can't be read: {reason}", reason=reason_of(error))
        problem = Problem("", rule, Message("choose another file"))
    except (UnicodeDecodeError, csv.Error) as error:
        rule = Message("is no table of text: {reason}", reason=message_of(error))
        problem = Problem("", rule, Message("choose a CSV file recorded by Polhode"))
    raise InputError(str(path), [problem])


def _measurements(text: str) -> list[tuple[float, float | None]]:
    """Times [s] and raw values [mm] of the text of a log. Raises InvalidValue and csv.Error."""
    rows = csv.reader(StringIO(text, newline=""))
    heads = [head.strip() for head in next(rows, [])]
    columns = {name: heads.index(name) for name in ("time", "raw") if name in heads}
    if len(columns) < 2:
        rule = Message("a recording has columns 'time' [s] and 'raw' [mm]")
        raise _invalid(1, rule, Message("name the columns in the first row"))
    found = [_parse_row(number, row, columns) for number, row in enumerate(rows, 2) if row]
    if len(found) < 2 or len(found) > ENTRIES:
        rule = Message("has {count} measurements", count=len(found))
        raise InvalidValue(rule, Message("record at least 2 and at most {most}", most=ENTRIES))
    for number, (before, after) in enumerate(pairwise(found), 3):
        if after[0] <= before[0]:
            rule = Message("time {time:g} s does not come after {previous:g} s", time=after[0], previous=before[0])
            raise _invalid(number, rule, Message("sort them"))
    return found


def _parse_row(number: int, row: list[str], columns: dict[str, int]) -> tuple[float, float | None]:
    """Time and raw value in a row; `columns` are the indices of the columns. Raises InvalidValue."""
    words = {name: row[column].strip() if column < len(row) else "" for name, column in columns.items()}
    time, raw = _number(number, words["time"]), _number(number, words["raw"]) if words["raw"] else None
    if not isfinite(time) or (raw is not None and not isfinite(raw)):
        raise _invalid(number, Message("{words} are not finite numbers", words=words), Message("leave the row out"))
    for name, value in (("time", time), ("raw", raw or 0.0)):
        if abs(value) > MOST:
            rule = Message("'{name}' is {value:g}, beyond {most:g}", name=name, value=value, most=MOST)
            raise _invalid(number, rule, Message("leave the row out"))
    return time, raw


def _number(number: int, text: str) -> float:
    """The number in a text of a row, as float. Raises InvalidValue."""
    try:
        return float(text)
    except ValueError:
        rule = Message("could not convert string to float: '{text}'", text=text)
        raise _invalid(number, rule, Message("write numbers with a decimal point")) from None


def _invalid(number: int, rule: Message, remedy: Message) -> InvalidValue:
    """An InvalidValue about one row of the file."""
    return InvalidValue(rule, remedy, Message("row {row}", row=number))
