"""Measurements of the distance sensor as a growing table. No Qt."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from math import nan
from time import perf_counter

import numpy as np

from polhode.data.growing_table import GrowingTable, Headings
from polhode.data.measured import MeasuredData
from polhode_app.sensor.hub import FilteredReading, SensorHub

HEADINGS = Headings(("time (s)", "distance (mm)"))
TICK = 1e-6  # [s] between measurements that arrive at once, as in logs of the sensor


class SensorRecorder:
    """Records from `start` to `stop`; times count from the start, distances are calibrated but not filtered.

    `collect` and `gather` may be called from any thread.
    """

    def __init__(self, hub: SensorHub, source: str):
        """source: name of the data"""
        self._hub, self._source = hub, source
        self._pending: deque[tuple[float, float]] = deque()  # [s], [mm]; nan for a failed measurement
        self._began = self._newest = 0.0  # [s]
        self._lock = threading.Lock()  # of the table
        self.is_recording = False
        self.table = self._empty()

    @property
    def is_collected(self) -> bool:
        """Whether the table has all that arrived."""
        return not self._pending

    def _empty(self) -> GrowingTable:
        return GrowingTable(self._source, HEADINGS, np.empty((0, len(HEADINGS.labels))))

    def start(self) -> None:
        """Begin another table."""
        self.stop()
        with self._lock:
            self._pending.clear()
            self.table = self._empty()
        self._began, self._newest = perf_counter(), -TICK
        self.is_recording = True
        self._hub.listen(self._on_reading)

    def stop(self) -> None:
        """Record no more; the table stays."""
        self._hub.unlisten(self._on_reading)
        self.is_recording = False

    def gather(self, units: Mapping[str, str]) -> MeasuredData | None:
        """The table with what arrived since the last call, as data; None while there are too few rows.

        Raises InputError.
        """
        self.collect()
        return self.table.data(units)

    def collect(self) -> None:
        """Put what arrived since the last call into the table."""
        with self._lock:
            if rows := [self._pending.popleft() for _ in range(len(self._pending))]:
                self.table = self.table.with_rows(np.array(rows))

    def _on_reading(self, seen: FilteredReading) -> None:
        """Keep a measurement; called in the thread of the source."""
        self._newest = max(seen.arrived - self._began, self._newest + TICK)
        self._pending.append((self._newest, nan if seen.raw is None else seen.distance))
