"""Which files open here, scenes read from them, and scenes moved to another folder. No Qt, no compiler."""

from __future__ import annotations

import os
from pathlib import Path

from core.problem import InputError, Problem
from core.scene import Scene
from core.scene_file import read_scene
from core.shapes import MeshShape, Shape

MESH_ENDINGS = (".stl", ".obj", ".ply")
SCENE_ENDINGS = (".toml",)


def is_mesh(path: Path) -> bool:
    return path.suffix.lower() in MESH_ENDINGS


def open_scene(path: Path) -> Scene:
    """The scene of a scene file. Raises InputError, for files of other kinds too."""
    if path.suffix.lower() not in SCENE_ENDINGS:
        endings = ", ".join(SCENE_ENDINGS + MESH_ENDINGS)
        rule = f"'{path.suffix}' is no ending of a file that opens here"
        raise InputError(str(path), [Problem("", rule, f"use one of {endings}")])
    return read_scene(path)


def moved_to(scene: Scene, folder: Path) -> Scene:
    """The same scene for another folder: its mesh files are named as seen from there."""

    def seen(shape: Shape) -> Shape:
        if not isinstance(shape, MeshShape):
            return shape
        file = scene.folder.resolve() / shape.file
        return shape.model_copy(update={"file": Path(os.path.relpath(file, folder.resolve())).as_posix()})

    bodies = tuple(body.model_copy(update={"shape": tuple(seen(shape) for shape in body.shape)}) for body in scene.body)
    return scene.model_copy(update={"body": bodies}).in_folder(folder)
