"""A scene with its asset files, for recordings that are opened on other machines.

Files are meshes, recorded motions of the sensor, and measured data with their units. In the bundle they have plain
names ("0-rotor.stl") in one folder, and the scene names them so. A UDF file or a zip counts as one file, however many
of its meshes are used.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from weakref import finalize

from polhode.recording.unpacking import plain, unpack
from polhode.scene.column_names import units_file
from polhode.scene.files.file_io import contents
from polhode.scene.files.scene_files import with_files
from polhode.scene.gallery import seen_as
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.udf.meshes import container

LARGEST = 2**30  # [bytes] of a mesh file


@dataclass(frozen=True)
class SceneBundle:
    """A scene whose files are in one folder, and their contents by name."""

    scene: Scene
    files: Mapping[str, bytes]
    names: Mapping[Path, str]  # names in the bundle, by original path

    def renamed(self, scene: Scene) -> Scene:
        """A scene edited during a recording, with the bundle's names of its files. Raises KeyError for others."""
        return with_files(scene, lambda file: _name(self.names, scene.folder / file))


def bundle_scene(scene: Scene) -> SceneBundle:
    """The scene with its files. Raises InputError for unreadable ones, or for one larger than LARGEST."""
    names: dict[Path, str] = {}

    def named(file: str) -> str:
        within = container((scene.folder / file).absolute())
        names.setdefault(within, plain(len(names), within.name))
        return _name(names, scene.folder / file)

    renamed = with_files(scene, named)
    beside = {units_file(path): units_file(Path(name)).name for path, name in names.items()}
    files = {path: name for path, name in (names | beside).items() if path in names or seen_as(Path.is_file, path)}
    return SceneBundle(renamed, {name: contents(path, LARGEST) for path, name in files.items()}, names)


def _name(names: Mapping[Path, str], path: Path) -> str:
    """Name of a file in the bundle; a mesh in a UDF file or a zip keeps what follows the name of that."""
    within = container(path.absolute())
    return names[within] + path.absolute().as_posix()[len(within.as_posix()) :]


def files_of(scene: Scene) -> frozenset[str]:
    """Names of the files of a scene as it states them; a mesh in a UDF file or a zip counts as that file."""
    found: set[str] = set()

    def collect(file: str) -> str:
        found.add(str(container(Path(file))))
        return file

    with_files(scene, collect)
    return frozenset(found)


def check_enclosed(scene: Scene, files: Mapping[str, bytes], source: str) -> None:
    """Raise InputError where a scene of the bundle `source` names a file that is not in `files`, also by a path."""
    for name in sorted(files_of(scene) - files.keys()):
        rule = Message("names the file '{name}', which is not in the recording", name=name)
        raise InputError.of(source, rule, Message("use another copy of the recording"), "Scene")


class ExtractedBundle:
    """The files of a bundle in a temporary folder, which lives as long as this object."""

    def __init__(self, files: Mapping[str, bytes], source: str):
        """Write the files, content by name, to a new folder. Raises InputError for a name that is not plain."""
        folder = tempfile.TemporaryDirectory(prefix="polhode-")
        self.folder = Path(folder.name)
        finalize(self, folder.cleanup)
        unpack(files, self.folder, source)
