"""The files that a scene names: meshes, recordings of the sensor, measured data."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from polhode.physics.bodies.shapes import MeshFile
from polhode.physics.sensor.description import Sensor
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.part import ScenePart
from polhode.scene.parts_within import with_parts
from polhode.scene.scene import Scene

WITH_FILES = (MeshFile, Sensor, MeasuredInput)


def with_files(scene: Scene, named: Callable[[str], str]) -> Scene:
    """The scene with renamed files: `named` gives the new name for each that it states."""

    def moved(part: ScenePart) -> ScenePart:
        file = getattr(part, part.file_field)
        if not file or not getattr(part, "has_file", True):
            return part
        name = named(file)
        return part if name == file else part.model_copy(update={part.file_field: name})

    return with_parts(scene, WITH_FILES, moved)


def with_files_from(scene: Scene, folder: Path) -> Scene:
    """The scene with its files named as seen from `folder`, which becomes its folder; absolute names stay.

    Relative names have slashes on all systems. On another drive of Windows the name becomes absolute.
    """
    if scene.folder.absolute() == folder.absolute():
        return scene

    def moved(file: str) -> str:
        if Path(file).is_absolute():
            return file
        there = (scene.folder / file).absolute()
        try:
            return Path(os.path.relpath(there, folder.absolute())).as_posix()
        except ValueError:  # another drive
            return there.as_posix()

    return with_files(scene, moved).in_folder(folder)
