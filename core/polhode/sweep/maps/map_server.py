"""Reads the file of a map in a process of its own, with limits of time and memory, for map_file.py.

`python -m polhode.sweep.maps.map_server FILE` checks the structure of the file as that of a recording
(core/polhode/recording/checks/hdf5_check.py), and writes its contents to stdout, or a refusal:

    {"refused": [place, rule, remedy]}
    {"attributes": {...}, "shape": [...], "width": f, "files": [names]}, [arrays, scene, contents of files]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import h5py

from polhode.process.messages import send
from polhode.recording.checks.hdf5_check import DamagedFile, check
from polhode.recording.checks.hdf5_contents import dataset, files_in, group_in, text_in, value_of
from polhode.recording.checks.hdf5_server import serve
from polhode.scene.message import Message
from polhode.sweep.maps.map_layout import ARRAYS, FEATURES, FORMAT, ROOT


def read(file: h5py.File, size: int) -> tuple[dict[str, Any], list[bytes]]:
    """The contents as a message of `send`. Raises Damaged, or an exception of h5py."""
    head = group_in(file, ROOT, Message("is no map of Polhode"))
    attributes = {name: value_of(head, name) for name in head.attrs}
    made = attributes.get("format")
    if made != FORMAT:
        rule = Message("is a map of format {made}, and this program knows {known}", made=str(made), known=FORMAT)
        raise DamagedFile(rule, Message("open it with the version that has written it"))
    first = head.get(next(iter(ARRAYS)))
    dimensions = first.ndim if isinstance(first, h5py.Dataset) else 0
    arrays = [dataset(head, name, kind, dimensions) for name, kind in ARRAYS.items()]
    found = dataset(head, FEATURES, float, dimensions + 1)
    shapes = {data.shape for data in arrays} | {found.shape[:-1]}
    if len(shapes) != 1:
        raise DamagedFile(Message("has arrays of different shapes"), place=ROOT)
    files = files_in(head, size)
    table = {"attributes": attributes, "shape": list(arrays[0].shape), "width": found.shape[-1], "files": [*files]}
    blobs = [data[()].tobytes() for data in (*arrays, found)]
    return table, [*blobs, text_in(head, "Scene").encode(), *files.values()]


def opened(path: Path, size: int) -> tuple[dict[str, Any], list[bytes]]:
    """The contents of a file whose structure is safe. Raises Damaged, or an exception of FAULTS."""
    with h5py.File(path, "r", locking=False) as file:
        check(file, size)
        return read(file, size)


if __name__ == "__main__":
    if (contents := serve(Path(sys.argv[1]), opened)) is not None:
        send(sys.stdout.buffer, *contents)
