"""Where a hand is now: samples of a source, calibrated and filtered, in one slot for the physics. No Qt."""

from __future__ import annotations

import csv
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import IO

from app.sensor.calibration import Calibration
from app.sensor.filtering import Filter, FilterSettings
from app.sensor.sources import Sample, Source, State
from core.scene.problem import reason_of

KEPT = 4096  # measurements for the plot: 40 s of the quickest sensor
WINDOW = 2.0  # [s] over which the rate is measured
LOST = 0.5  # [s] without a measurement after which the signal is lost
AHEAD = 0.06  # [s] a hand is thought to go on as it went
FLUSH = 1.0  # [s] between two writings to the disk
COLUMNS = ("time", "raw", "distance", "filtered", "velocity", "status")  # s, mm, mm, mm, mm/s
METRE = 1000.0  # mm


@dataclass(frozen=True)
class FilteredReading:
    """A measurement and what became of it."""

    arrived: float  # [s] of perf_counter
    raw: float | None  # [mm]
    distance: float  # [mm] calibrated; the last one where nothing was measured
    filtered: float  # [mm]
    velocity: float  # [mm/s]
    lag: float  # [s] of the filter
    status: str


@dataclass(frozen=True)
class SensorDistance:
    """Where a hand is at a time of perf_counter, for the physics."""

    place: float  # [m]
    velocity: float  # [m/s]
    lost: bool  # nothing was measured of late


class SensorHub:
    """Takes one source after another. All of it may be used from any thread."""

    def __init__(self) -> None:
        self.source: Source | None = None
        self.by_scene = False
        self.ended = False  # what the scene before had connected
        self.latency: float | None = None  # [s] from the arrival of the newest measurement to its use
        self.trouble = ""  # why a recording ended by itself
        self.default: float | None = None  # [mm] where a hand that is lost goes; None: it stays
        self._calibration = Calibration()
        self._filter = Filter()
        self._seen: deque[FilteredReading] = deque(maxlen=KEPT)
        self._newest: FilteredReading | None = None  # that was a measurement
        self._last: FilteredReading | None = None
        self._used: FilteredReading | None = None
        self._lock = threading.Lock()
        self._file: IO[str] | None = None
        self._flushed = self._began = self._written = 0.0  # [s] of perf_counter

    # What it listens to

    def connect(self, source: Source | None, by_scene: bool = False) -> None:
        """Listen to this source from now on; the place stays until it has said something.

        What a scene has connected by itself ends with that scene.
        """
        self.by_scene = by_scene and source is not None
        if self.source is not None:
            self.source.stop()
        with self._lock:
            self._filter = Filter(self._filter.settings)
            self.source = source
        if source is not None:
            source.start(lambda sample: self._hear(source, sample))

    def stop(self) -> None:
        """End all threads and files."""
        self.connect(None)
        self.end_record()

    @property
    def state(self) -> State:
        return self.source.state if self.source is not None else State()

    @property
    def calibration(self) -> Calibration:
        return self._calibration

    @calibration.setter
    def calibration(self, calibration: Calibration) -> None:
        with self._lock:
            self._calibration = calibration
            self._filter = Filter(self._filter.settings)

    @property
    def filtering(self) -> FilterSettings:
        return self._filter.settings

    @filtering.setter
    def filtering(self, settings: FilterSettings) -> None:
        with self._lock:
            self._filter = Filter(settings)

    def _hear(self, source: Source, sample: Sample) -> None:
        with self._lock:
            if source is not self.source:
                return  # it was replaced just now
            self._last = seen = self._take(sample)
            if seen.raw is not None:
                self._newest = seen
            self._seen.append(seen)
            self._write(sample, seen)

    def _take(self, sample: Sample) -> FilteredReading:
        if sample.raw is None:
            held = self._newest
            distance, filtered = (held.distance, held.filtered) if held else (0.0, 0.0)
            return FilteredReading(
                sample.arrived, None, distance, filtered, 0.0, held.lag if held else 0.0, sample.status
            )
        distance = self._calibration(sample.raw)
        passed = self._filter(sample.time, distance)
        return FilteredReading(
            sample.arrived, sample.raw, distance, passed.value, passed.velocity, passed.lag, sample.status
        )

    # What it knows

    @property
    def seen_before(self) -> bool:
        """Whether a hand was measured that still counts."""
        return self._newest is not None

    def restart(self) -> None:
        """A scene begins: where nobody else has connected a source nothing has been measured yet."""
        self.ended = self.by_scene
        if self.by_scene:
            self.connect(None)
        if self.source is None:
            with self._lock:
                self._newest = self._last = self._used = None

    @property
    def last(self) -> FilteredReading | None:
        """The newest measurement or miss."""
        return self._last

    def seen(self) -> list[FilteredReading]:
        """The last ones, oldest first."""
        with self._lock:
            return list(self._seen)

    def rate(self, now: float) -> float:
        """Measurements per second [1/s] of late, at a time of perf_counter."""
        with self._lock:
            arrivals = [seen.arrived for seen in self._seen if now - seen.arrived < WINDOW]
        return (len(arrivals) - 1) / (arrivals[-1] - arrivals[0]) if len(arrivals) > 1 else 0.0

    def hand(self, now: float) -> SensorDistance | None:
        """Where the hand is at a time of perf_counter; None if it was never seen.

        Between two measurements it goes on as fast as it went; one that is lost stays where it was seen last, or
        goes to the default place.
        """
        newest = self._newest
        if newest is None:
            return None
        if newest is not self._used:
            self._used = newest
            self.latency = now - newest.arrived
        age = now - newest.arrived
        if age > LOST or self.source is None:
            return SensorDistance((newest.filtered if self.default is None else self.default) / METRE, 0.0, True)
        ahead = newest.velocity * min(age, AHEAD)
        return SensorDistance((newest.filtered + ahead) / METRE, newest.velocity / METRE if age < AHEAD else 0.0, False)

    # Recording

    @property
    def records(self) -> bool:
        return self._file is not None

    def record(self, path: Path) -> None:
        """Write all that comes from now on to a CSV file. Raises OSError where it can't be written."""
        self.end_record()
        file = path.open("w", encoding="utf-8", newline="")
        with self._lock:
            self._file, self.trouble = file, ""
            self._began = self._flushed = self._written = perf_counter()
            self._row(COLUMNS)

    def end_record(self) -> None:
        with self._lock:
            self._end()

    def _write(self, sample: Sample, seen: FilteredReading) -> None:
        if self._file is None:
            return
        values = (seen.raw, seen.distance, seen.filtered, seen.velocity)
        numbers = ["" if value is None else f"{value:.4f}" for value in values]
        self._written = max(sample.arrived, self._written + 1e-4)  # those of a burst arrive together; times grow
        self._row([f"{self._written - self._began:.6f}", *numbers, seen.status])
        if self._file is not None and sample.arrived - self._flushed > FLUSH:
            self._flushed = sample.arrived
            self._try(self._file.flush)

    def _row(self, values: Iterable[str]) -> None:
        file = self._file
        if file is not None:
            self._try(lambda: csv.writer(file).writerow(values))

    def _end(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            self._try(file.close)

    def _try(self, deed: Callable[[], object]) -> None:
        """Do something with the file; where that fails the recording is over, and the hand goes on."""
        try:
            deed()
        except OSError as error:
            self.trouble = reason_of(error)
            self._file = None
