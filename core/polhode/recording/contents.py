"""Contents of a recording, as one process passes them to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

ROOT = "Polhode"  # group of everything that is not for VTK
FORMAT = 1  # version of that group
LARGEST_SCENE = 2**24  # [bytes] of the text
LARGEST_FILES = 1000  # number of files that a scene names
SERIES = {"times": np.float64, "steps": np.int64, "sensor_tracks": np.float64}


@dataclass(frozen=True, eq=False)
class Contents:
    """Everything in a recording but its states, with checked types; values may be anything."""

    attributes: Mapping[str, Any]  # of the group ROOT: numbers and texts
    rows: int  # number of frames, perhaps negative
    state_size: int  # k: numbers of a state
    times: np.ndarray  # (rows,) [s]
    steps: np.ndarray  # (rows,) int64
    sensor_tracks: np.ndarray  # (rows, n)
    scene: str
    events: bytes
    files: Mapping[str, bytes]

    def message(self) -> tuple[dict[str, Any], list[bytes]]:
        """The contents as a message (core/polhode/process/messages.py)."""
        head = {name: getattr(self, name) for name in ("attributes", "rows", "state_size")}
        tracks = self.sensor_tracks.shape[1]
        series = [getattr(self, name).tobytes() for name in SERIES]
        texts = [self.scene.encode(), self.events, *self.files.values()]
        return {**head, "tracks": tracks, "files": [*self.files]}, [*series, *texts]

    @classmethod
    def of(cls, head: dict[str, Any], blobs: list[bytes]) -> Contents:
        """The contents whose `message` that is."""
        names, tracks = head.pop("files"), head.pop("tracks")
        series: dict[str, Any] = {
            name: np.frombuffer(blob, kind) for (name, kind), blob in zip(SERIES.items(), blobs, strict=False)
        }
        series["sensor_tracks"] = series["sensor_tracks"].reshape(len(series["times"]), tracks)
        scene, events, *files = blobs[len(SERIES) :]
        return cls(scene=scene.decode(), events=events, files=dict(zip(names, files, strict=True)), **series, **head)
