"""A map in the window: its scene, its file, and its results as far as they are computed. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from polhode.run.status import PENDING
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.map import SweepMap
from polhode.sweep.maps.map_file import StoredMap
from polhode.sweep.maps.map_layout import ARRAYS, FEATURES
from polhode.sweep.variation import Variation, resolve

Stage = Literal["new", "waiting", "running", "paused", "finished", "refused"]


@dataclass(eq=False)
class MapRun:
    """The run of one sweep of a scene, by the process of app/polhode_app/data/maps/process.py, into a file of its own.

    The results are those of the file, which the process changes: `map` is a view of it, or of memory before it starts.
    """

    scene: Scene  # with this one sweep
    path: Path  # of the file of the map
    stage: Stage = "new"
    left: float = float("nan")  # [s] estimate
    error: InputError | None = None
    stored: StoredMap | None = None  # where it was opened from a file; keeps the files of its scene
    is_zoom: bool = False  # of a part of another map
    _map: SweepMap | None = field(default=None, repr=False)

    @classmethod
    def of(cls, scene: Scene, settings: SweepSettings, path: Path, is_zoom: bool = False) -> MapRun:
        """A run of a sweep over a scene. Raises InputError for axes that name numbers which the scene does not have."""
        run = cls(scene.model_copy(update={"sweep": (settings,)}), path, is_zoom=is_zoom)
        assert run.variation
        return run

    @property
    def settings(self) -> SweepSettings:
        """The sweep."""
        return self.scene.sweep[0]

    @cached_property
    def variation(self) -> Variation:
        """Values of the axes and scenes of the cells. Raises InputError."""
        return resolve(self.scene, self.settings)

    @property
    def map(self) -> SweepMap:
        """The results; all cells are pending before the process has begun."""
        if self._map is None:
            self._map = SweepMap.empty(self.variation, 0)
        return self._map

    @property
    def has_begun(self) -> bool:
        """Whether there are results to look at."""
        return self._map is not None and bool((self._map.status != PENDING).any())

    def take(self, answer: dict[str, Any]) -> None:
        """Enter an answer of the process about this run."""
        match answer["event"]:
            case "started":
                self._attach(answer["places"], answer["width"])
                self.stage = "running"
            case "progress":
                self.left = float(answer["left"])
            case "paused" | "finished" as stage:
                self.stage, self.left = stage, 0.0 if stage == "finished" else float(answer["left"])
            case "refused":
                problems = [
                    Problem(place, Message.restored(rule), Message.restored(remedy))
                    for place, rule, remedy in answer["problems"]
                ]
                self.stage, self.error = "refused", InputError(answer["source"], problems)

    def show(self, made: SweepMap) -> None:
        """Take results that were read from a file."""
        self._map, self.stage = made, "paused" if made.is_pending else "finished"

    def _attach(self, places: dict[str, int], width: int) -> None:
        """Look at the arrays in the file; `places` are their offsets [bytes]."""
        made = SweepMap.empty(self.variation, 0)
        shape = made.shape
        for name, kind in ARRAYS.items():
            setattr(made, name, np.memmap(self.path, kind, "r", offset=places[name], shape=shape))
        if FEATURES in places:
            made.features = np.memmap(self.path, float, "r", offset=places[FEATURES], shape=(*shape, width))
        self._map = made
