"""The contents of a recording as a message between processes: a line of JSON, and arrays of bytes behind it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

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
        """The contents as a message of `send`."""
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


def send(stream: IO[bytes], head: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
    """Write a message: a table that JSON can hold, and byte strings."""
    stream.write(json.dumps([head, [len(blob) for blob in blobs]]).encode() + b"\n")
    for blob in blobs:
        stream.write(blob)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], list[bytes]] | None:
    """Read a message; None where the other process has ended before the end of one."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    head, sizes = json.loads(line)
    blobs = [stream.read(size) for size in sizes]
    return (head, blobs) if [len(blob) for blob in blobs] == sizes else None
