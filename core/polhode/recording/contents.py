"""Contents of a recording, as one process passes them to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

ROOT = "Polhode"  # group of everything that is not for VTK
COMPILED = "Compiled"  # group in it, of portable recordings: Layout, Numbers, Whole (CompiledArrays)
FORMAT = 1  # version of that group
LARGEST_SCENE = 2**24  # [bytes] of the text
LARGEST_FILES = 1000  # number of files that a scene names
SERIES = {"times": np.float64, "steps": np.int64, "sensor_tracks": np.float64}


class CompiledArrays(NamedTuple):
    """Constants and inputs of a compiled scene (core/polhode/recording/compiled_arrays.py)."""

    layout: str  # a line for each member in order: path, type, shape
    numbers: np.ndarray  # (n,) float64 all members of floats, one behind the other
    whole: np.ndarray  # (m,) int64 all members of whole numbers and of truth values


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
    compiled: CompiledArrays | None = None  # of portable recordings

    def message(self) -> tuple[dict[str, Any], list[bytes]]:
        """The contents as a message (core/polhode/process/messages.py)."""
        head = {name: getattr(self, name) for name in ("attributes", "rows", "state_size")}
        tracks = self.sensor_tracks.shape[1]
        series = [getattr(self, name).tobytes() for name in SERIES]
        texts = [self.scene.encode(), self.events, *self.files.values()]
        made = self.compiled
        compiled = [] if made is None else [made.layout.encode(), made.numbers.tobytes(), made.whole.tobytes()]
        names = {"tracks": tracks, "files": [*self.files]}
        return {**head, **names, "is_portable": made is not None}, [*series, *compiled, *texts]

    @classmethod
    def of(cls, head: dict[str, Any], blobs: list[bytes]) -> Contents:
        """The contents whose `message` that is."""
        names, tracks, is_portable = head.pop("files"), head.pop("tracks"), head.pop("is_portable")
        series: dict[str, Any] = {
            name: np.frombuffer(blob, kind) for (name, kind), blob in zip(SERIES.items(), blobs, strict=False)
        }
        series["sensor_tracks"] = series["sensor_tracks"].reshape(len(series["times"]), tracks)
        rest, made = blobs[len(SERIES) :], None
        if is_portable:
            layout, numbers, whole, *rest = rest
            made = CompiledArrays(layout.decode(), np.frombuffer(numbers), np.frombuffer(whole, np.int64))
        scene, events, *files = rest
        named = dict(zip(names, files, strict=True))
        return cls(scene=scene.decode(), events=events, files=named, compiled=made, **series, **head)
