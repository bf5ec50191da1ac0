"""Sensor hub: connects one source at a time, calibrates and filters its samples, and offers the distance. No Qt."""

from __future__ import annotations

import csv
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from time import perf_counter

from polhode.scene.files.file_writing import CutShort, RowFile
from polhode.scene.problem import reason_of
from polhode_app.sensor.calibration import Calibration
from polhode_app.sensor.filtering import Filter, FilterSettings
from polhode_app.sensor.sources import Sample, Source, State

KEPT = 4096  # measurements kept for the plot: 40 s of the fastest sensor
WINDOW = 2.0  # [s] over which the rate is averaged
LOST = 0.5  # [s] without a measurement after which the signal counts as lost
AHEAD = 0.06  # [s] limit of the extrapolation at constant velocity
COLUMNS = ("time", "raw", "distance", "filtered", "velocity", "status")  # s, mm, mm, mm, mm/s
METRE = 1000.0  # mm


@dataclass(frozen=True)
class FilteredReading:
    """A sample with its calibrated and filtered distance."""

    arrived: float  # [s] perf_counter
    raw: float | None  # [mm]; None for a failed measurement
    distance: float  # [mm] calibrated; the previous one for a failed measurement
    filtered: float  # [mm]
    velocity: float  # [mm/s]
    lag: float  # [s] delay of the filter
    status: str


Listener = Callable[[FilteredReading], None]


@dataclass(frozen=True)
class SensorDistance:
    """Extrapolated distance at one time of perf_counter, for the simulation."""

    position: float  # [m]
    velocity: float  # [m/s]
    lost: bool  # no measurement for LOST seconds


class SensorHub:
    """Current sensor source and its processed samples. All methods may be called from any thread."""

    def __init__(self) -> None:
        self.source: Source | None = None
        self.by_scene = False  # the source was connected by the scene, not by the user
        self.ended = False  # the source of the previous scene was disconnected
        self.latency: float | None = None  # [s] from the arrival of the newest measurement to its use
        self.log_error = ""  # reason why a log ended early
        self.default: float | None = None  # [mm] distance while the signal is lost; None: the last one
        self._calibration = Calibration()
        self._filter = Filter()
        self._readings: deque[FilteredReading] = deque(maxlen=KEPT)
        self._newest: FilteredReading | None = None  # newest successful measurement
        self._last: FilteredReading | None = None  # newest measurement, successful or not
        self._used: FilteredReading | None = None  # measurement whose latency was taken
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []
        self._file: RowFile | None = None
        self._began = 0.0  # [s] perf_counter
        self._written = -1  # [us] time of the newest row of the log

    # Source and processing

    def connect(self, source: Source | None, by_scene: bool = False) -> None:
        """Connect a source, and stop the previous one; None disconnects.

        The distance is kept until the new source delivers. With `by_scene` the source is disconnected with the scene.
        """
        self.by_scene = by_scene and source is not None
        if self.source is not None:
            self.source.stop()
        with self._lock:
            self._filter = Filter(self._filter.settings)
            self.source = source
        if source is not None:
            source.start(lambda sample: self._on_sample(source, sample))

    def stop(self) -> None:
        """Disconnect the source and close the log."""
        self.connect(None)
        self.stop_log()

    @property
    def state(self) -> State:
        """State of the source."""
        return self.source.state if self.source is not None else State()

    @property
    def calibration(self) -> Calibration:
        """Calibration of raw values; setting it restarts the filter."""
        return self._calibration

    @calibration.setter
    def calibration(self, calibration: Calibration) -> None:
        with self._lock:
            self._calibration = calibration
            self._filter = Filter(self._filter.settings)

    @property
    def filtering(self) -> FilterSettings:
        """Settings of the filter; setting them restarts it."""
        return self._filter.settings

    @filtering.setter
    def filtering(self, settings: FilterSettings) -> None:
        with self._lock:
            self._filter = Filter(settings)

    def _on_sample(self, source: Source, sample: Sample) -> None:
        """Process a sample; called in the thread of the source."""
        with self._lock:
            if source is not self.source:
                return  # the source has just been replaced
            self._last = seen = self._process(sample)
            if seen.raw is not None:
                self._newest = seen
            self._readings.append(seen)
            for listener in self._listeners:
                listener(seen)
            self._log_reading(sample, seen)

    def _process(self, sample: Sample) -> FilteredReading:
        """Calibrate and filter a sample; the lock is held by the caller."""
        if sample.raw is None:
            previous = self._newest
            distance, filtered = (previous.distance, previous.filtered) if previous else (0.0, 0.0)
            return FilteredReading(
                sample.arrived, None, distance, filtered, 0.0, previous.lag if previous else 0.0, sample.status
            )
        distance = self._calibration(sample.raw)
        result = self._filter(sample.time, distance)
        return FilteredReading(
            sample.arrived, sample.raw, distance, result.value, result.velocity, result.lag, sample.status
        )

    def listen(self, listener: Listener) -> None:
        """Call a function with every further measurement, in the thread of the source; it has to be quick."""
        with self._lock:
            self._listeners.append(listener)

    def unlisten(self, listener: Listener) -> None:
        """Call it no more, once this has returned."""
        with self._lock:
            self._listeners = [each for each in self._listeners if each != listener]

    # Measured distance

    @property
    def has_measured(self) -> bool:
        """Whether there is a valid measurement since the last `restart`."""
        return self._newest is not None

    def restart(self) -> None:
        """Prepare for a new scene: disconnect a source of the previous scene, and forget its measurements."""
        self.ended = self.by_scene
        if self.by_scene:
            self.connect(None)
        if self.source is None:
            with self._lock:
                self._newest = self._last = self._used = None

    @property
    def last(self) -> FilteredReading | None:
        """The newest measurement, successful or failed; None before the first."""
        return self._last

    def readings(self) -> list[FilteredReading]:
        """The last measurements, at most KEPT, oldest first."""
        with self._lock:
            return list(self._readings)

    def rate(self, now: float) -> float:
        """Measurements per second over WINDOW; `now` is a time [s] of perf_counter."""
        with self._lock:
            arrivals = [seen.arrived for seen in self._readings if now - seen.arrived < WINDOW]
        return (len(arrivals) - 1) / (arrivals[-1] - arrivals[0]) if len(arrivals) > 1 else 0.0

    def distance_at(self, now: float) -> SensorDistance | None:
        """Extrapolated distance at a time [s] of perf_counter; None before the first measurement.

        The distance is extrapolated at constant velocity for at most AHEAD seconds. After LOST seconds without
        measurement it is the last measured one, or `default`.
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

    # Sensor log

    @property
    def is_logging(self) -> bool:
        """Whether a log is being written."""
        return self._file is not None

    def start_log(self, path: Path) -> None:
        """Start a CSV log of all samples, replacing the file. Raises OSError if the file cannot be opened."""
        self.stop_log()
        file = RowFile(path, _csv_line(COLUMNS))
        with self._lock:
            self._file, self.log_error = file, ""
            self._began, self._written = perf_counter(), -1

    def stop_log(self) -> None:
        """Close the log."""
        with self._lock:
            file, self._file = self._file, None
        self._close(file)

    def _log_reading(self, sample: Sample, seen: FilteredReading) -> None:
        """Append a row to the log, if there is one; the lock is held by the caller.

        Where the disk takes no more the log ends, and measuring continues.
        """
        if self._file is None:
            return
        values = (seen.raw, seen.distance, seen.filtered, seen.velocity)
        numbers = ["" if value is None else f"{value:.4f}" for value in values]
        # The lines of a burst arrive at one time; those of a flood must not run ahead of the clock.
        self._written = max(round((sample.arrived - self._began) * 1e6), self._written + 1)
        try:
            self._file.add(_csv_line([f"{self._written / 1e6:.6f}", *numbers, seen.status]))
        except CutShort as error:
            file, self._file = self._file, None
            self._close(file)
            self.log_error = reason_of(error)

    def _close(self, file: RowFile | None) -> None:
        """Close the file of a log; network drives report late that they are full."""
        try:
            if file is not None:
                file.close()
        except OSError as error:
            self.log_error = reason_of(error)


def _csv_line(values: Iterable[str]) -> str:
    """A row of the log as text, with its line end."""
    csv.writer(text := StringIO()).writerow(values)
    return text.getvalue()
