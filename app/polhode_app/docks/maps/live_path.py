"""The path of the running scene over the axes of a map. No Qt."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from polhode_app.data.maps.coordinates import readings
from polhode_app.data.maps.map_run import MapRun
from polhode_app.messages import FrameData

LENGTH = 6000  # points that are kept


class LivePath:
    """Collects the values of the running scene on the axes of a map, if those are coordinates of the scene."""

    def __init__(self) -> None:
        self._run: MapRun | None = None
        self._read = None
        self._points: deque[tuple[float, float]] = deque(maxlen=LENGTH)
        self._time = -np.inf

    def follow(self, run: MapRun | None) -> None:
        """Collect for another map; a part of the same map keeps the path."""
        if run is self._run:
            return
        is_part = run is not None and self._run is not None and run.variation.paths == self._run.variation.paths
        if not is_part:
            self._points.clear()
        self._run = run
        has_draws = run is not None and any(axis.draws is not None for axis in run.settings.axes)
        self._read = readings(run.scene, run.variation.paths) if run is not None and not has_draws else None

    def take(self, frames: Sequence[FrameData]) -> bool:
        """Add frames of the running scene; a restarted run begins a new path. Returns whether it has changed."""
        if self._read is None or not frames:
            return False
        first, second = self._read
        for frame in frames:
            now = frame.snapshot
            if now.time < self._time:
                self._points.clear()
            if now.time != self._time:
                try:
                    self._points.append((first(now), second(now)))
                except IndexError:  # the scene has other items by now
                    self._points.clear()
            self._time = now.time
        return True

    @property
    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """Values (n,) of the first and the second axis [SI]."""
        pairs = np.array(self._points).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]
