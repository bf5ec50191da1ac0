"""File types that can be opened, and reading of scene files. No Qt, no compiler."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from polhode.importers.opening import ROBOT_ENDINGS, read_with
from polhode.importers.options import BY_THE_FILE, RobotOptions
from polhode.importers.report import ImportReport
from polhode.importers.ros_zip import ZIP, has_model
from polhode.mesh.files.corners import ENDINGS
from polhode.scene import gallery
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.udf.reading import read_udf

MESH_ENDINGS = ENDINGS
SCENE_ENDINGS = (".toml", ".udf", *ROBOT_ENDINGS)
RECORDING = ".vtkhdf"
MAP_ENDINGS = (".h5", ".hdf5")
DATA_ENDINGS = (".csv", ".txt", ".tsv", ".trk", ".zip", ".xlsx", ".xls", ".xlsm", ".ods")
FILM_ENDINGS = (".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi")  # of films in which something is measured
REPORT_ENDINGS = (".html", ".htm", ".pdf")  # of reports of fits
SEQUENCE = re.compile(r"[^%]*%0?\d{0,2}d[^%]*")
Notes = tuple[Message, ...]


def is_mesh(path: Path) -> bool:
    """Whether a file is a mesh, by its extension."""
    return path.suffix.lower() in MESH_ENDINGS


def is_recording(path: Path) -> bool:
    """Whether a file is a recording, by its extension."""
    return path.suffix.lower() == RECORDING


def is_map(path: Path) -> bool:
    """Whether a file is a map of many runs, by its extension."""
    return path.suffix.lower() in MAP_ENDINGS


def is_data(path: Path) -> bool:
    """Whether a file has measured data, or is a film of them, by its extension; a zip may have a robot instead."""
    return path.suffix.lower() in (*DATA_ENDINGS, *FILM_ENDINGS) and not is_robot(path)


def is_sequence(path: Path) -> bool:
    """Whether a file name has a placeholder for the number of a frame."""
    return path.suffix.lower() == ".png" and SEQUENCE.fullmatch(path.name) is not None


def own_folder(path: Path | None) -> Path | None:
    """Folder of the user's file; None for built-in scenes and scenes that were never saved."""
    return path.parent if path is not None and path.parent != gallery.FOLDER else None


def is_robot(path: Path) -> bool:
    """Whether a file is a model of a robot, by its ending, or a zip with one."""
    ending = path.suffix.lower()
    return ending in ROBOT_ENDINGS or (ending == ZIP and has_model(path))


def is_scene(path: Path) -> bool:
    """Whether a file describes a scene, by its ending, or is a zip with a model of a robot."""
    return path.suffix.lower() in SCENE_ENDINGS or is_robot(path)


@dataclass(frozen=True)
class OpenedScene:
    """The scene of a file, with what is known about the file."""

    scene: Scene
    notes: Notes = ()  # on skipped parts of the file
    report: ImportReport | None = None  # of a model of a robot


def open_scene(path: Path) -> Scene:
    """Read a scene file of this program or of PEM, or a model of a robot.

    Raises InputError, also for other types of file.
    """
    return open_file(path).scene


def open_file(path: Path, options: RobotOptions = BY_THE_FILE) -> OpenedScene:
    """The scene of a file; `options` are for models of robots. Raises InputError as `open_scene`."""
    ending = path.suffix.lower()
    if is_robot(path):
        robot = read_with(path, options)
        return OpenedScene(robot.scene, robot.notes, robot.report)
    if ending not in SCENE_ENDINGS:
        endings = ", ".join(SCENE_ENDINGS + MESH_ENDINGS)
        rule = Message("files with the ending '{ending}' can't be opened", ending=path.suffix)
        raise InputError(str(path), [Problem("", rule, Message("use one of {endings}", endings=endings))])
    return OpenedScene(read_udf(path) if ending == ".udf" else read_scene(path))
