"""Which files open here, and scenes read from them. No Qt, no compiler."""

from __future__ import annotations

from pathlib import Path

from core.scene import gallery
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene
from core.scene.scene_file import read_scene
from core.udf.reading import read_udf

MESH_ENDINGS = (".stl", ".obj", ".ply")
SCENE_ENDINGS = (".toml", ".udf")
RECORDING = ".vtkhdf"


def is_mesh(path: Path) -> bool:
    return path.suffix.lower() in MESH_ENDINGS


def is_recording(path: Path) -> bool:
    return path.suffix.lower() == RECORDING


def own_folder(path: Path | None) -> Path | None:
    """The folder that somebody keeps a file in; None for what is built in, or was never saved."""
    return path.parent if path is not None and path.parent != gallery.FOLDER else None


def open_scene(path: Path) -> Scene:
    """The scene of a scene file, ours or PEM's. Raises InputError, for files of other kinds too."""
    if path.suffix.lower() not in SCENE_ENDINGS:
        endings = ", ".join(SCENE_ENDINGS + MESH_ENDINGS)
        rule = Message("files with the ending '{ending}' can't be opened", ending=path.suffix)
        raise InputError(str(path), [Problem("", rule, Message("use one of {endings}", endings=endings))])
    return read_udf(path) if path.suffix.lower() == ".udf" else read_scene(path)
