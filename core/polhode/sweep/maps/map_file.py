"""Files of maps: written cell by cell while a sweep runs, and valid at any time.

All arrays are contiguous and have their full size from the start, so that results are written in place without a change
of the structure: if the writer is killed, the file is valid and has the finished cells. The status of a cell is written
last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from polhode.recording.checks.isolated_file import REMEDY, IsolatedFile
from polhode.recording.reader import MARK
from polhode.recording.scene_bundle import ExtractedBundle, bundle_scene, check_enclosed
from polhode.run.status import STATUS
from polhode.scene.checks.arguments import checked
from polhode.scene.files.file_io import regular
from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError, reason_of
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of, tables_of
from polhode.scene.scene_writing import scene_text
from polhode.sweep.maps.map import SweepMap
from polhode.sweep.maps.map_layout import ARRAYS, FEATURES, FORMAT, NO_LABEL, ROOT
from polhode.sweep.variation import Variation, resolve

SERVER = "polhode.sweep.maps.map_server"
MOST_LABELS = 1_000_000


class MapWriter:
    """The file of a map while its sweep runs."""

    def __init__(self, path: Path, scene: Scene, number: int, made: SweepMap, version: str):
        """Write a file with the present results of all cells, replacing any file of this name.

        number: index of the sweep in the scene. Raises OSError, and InputError for files that can't be bundled.
        """
        bundle = bundle_scene(scene)
        memory = BytesIO()
        with h5py.File(memory, "w", libver="earliest") as file:
            head = file.create_group(ROOT)
            created = datetime.now().astimezone().isoformat(timespec="seconds")
            head.attrs.update({"format": FORMAT, "program": f"Polhode {version}", "created": created, "sweep": number})
            for name in (*ARRAYS, FEATURES):
                _contiguous(head, name, getattr(made, name))
            for k, (values, unit) in enumerate(zip(made.axis_values, made.units, strict=True)):
                axis = head.create_dataset(f"axis{k}", data=values)
                axis.attrs.update({"parameter": made.sweep.axes[k].parameter, "unit": unit})
            head.create_dataset("Scene", data=scene_text(bundle.scene))
            files = head.create_group("Files")
            for name, content in bundle.files.items():
                files.create_dataset(name, data=np.frombuffer(content, np.uint8))
            names = (*ARRAYS, FEATURES) if made.features.size else ARRAYS
            offsets: dict[str, int] = {name: head[name].id.get_offset() for name in names}
        with replacing(path) as out:
            out.write(memory.getbuffer())
        count = made.status.size
        self._map, self.places = made, offsets  # [bytes] of each array in the file
        self._on_disk: dict[str, np.ndarray] = {
            name: np.memmap(path, kind, "r+", offset=offsets[name], shape=(count,)) for name, kind in ARRAYS.items()
        }
        if made.features.size:
            shape = (count, made.features.shape[-1])
            self._on_disk[FEATURES] = np.memmap(path, float, "r+", offset=offsets[FEATURES], shape=shape)

    def write(self, cells: np.ndarray) -> None:
        """Write the present results of some cells (n,), their status last."""
        for name in sorted(self._on_disk, key=lambda name: name == "status"):
            rows = self._on_disk[name]
            rows[cells] = getattr(self._map, name).reshape(rows.shape)[cells]

    def write_all(self) -> None:
        """Write the present results of all cells."""
        self.write(np.arange(self._map.status.size))


def _contiguous(head: h5py.Group, name: str, values: np.ndarray) -> None:
    """A data set with a fixed offset in the file; empty arrays have none."""
    head.create_dataset(name, data=np.ascontiguousarray(values))


@dataclass(eq=False)
class StoredMap:
    """A map from a file, with its scene; the scene's files exist as long as this object."""

    path: Path
    map: SweepMap
    scene: Scene
    number: int  # of the sweep in the scene
    variation: Variation
    text: str  # of the scene
    program: str
    created: str
    files: ExtractedBundle

    def __repr__(self) -> str:
        return f"{self.map!r}, in {str(self.path)!r}"


@checked
def read_map(path: Path | str, check_cancelled: Callable[[], None] = lambda: None) -> StoredMap:
    """Read the file of a map, even while it is written.

    check_cancelled: called while another process reads; may raise to end that
    Raises InputError for files that are missing, damaged, unsafe to read or of another program.
    """
    path = Path(path)
    try:
        with regular(path) as file:
            mark = file.read(len(MARK))
    except OSError as error:
        raise InputError.of(str(path), Message("can't be read: {reason}", reason=reason_of(error)), REMEDY) from None
    if mark != MARK:
        raise InputError.of(str(path), Message("is no map"), Message("name the output of 'polhode sweep'"))
    source = IsolatedFile(path, SERVER)
    try:
        head, blobs = source.reply(check_cancelled)
    finally:
        source.close()
    return _stored(path, head, blobs)


def _stored(path: Path, head: Mapping[str, Any], blobs: list[bytes]) -> StoredMap:
    """The map in a message of map_server.py, checked. Raises InputError."""
    shape, width, names = tuple(head["shape"]), head["width"], head["files"]
    arrays = {
        name: np.frombuffer(blob, kind).reshape(shape).copy()
        for (name, kind), blob in zip(ARRAYS.items(), blobs, strict=False)
    }
    found = np.frombuffer(blobs[len(ARRAYS)]).reshape(*shape, width).copy()
    text, *contents = (blobs[len(ARRAYS) + 1], *blobs[len(ARRAYS) + 2 :])
    known = dict(zip(names, contents, strict=True))
    files = ExtractedBundle(known, str(path))
    scene = scene_of(tables_of(text.decode(), str(path)), str(path)).in_folder(files.folder)
    check_enclosed(scene, known, str(path))
    attributes = head["attributes"]
    number = attributes.get("sweep")
    if not isinstance(number, int) or not 0 <= number < len(scene.sweep):
        raise InputError.of(str(path), Message("names no sweep of its scene"), REMEDY)
    variation = resolve(scene, scene.sweep[number], f"sweep[{number}]")
    is_sound = (
        variation.shape == shape
        and (arrays["status"] < len(STATUS)).all()
        and (arrays["label"] >= NO_LABEL).all()
        and (arrays["label"] < MOST_LABELS).all()
    )
    if not is_sound:
        raise InputError.of(str(path), Message("has results that do not fit its sweep"), REMEDY)
    made = SweepMap(variation.sweep, variation.axis_values, variation.units, features=found, **arrays)
    program, created = (str(attributes.get(name, "")) for name in ("program", "created"))
    return StoredMap(path, made, scene, number, variation, text.decode(), program, created, files)
