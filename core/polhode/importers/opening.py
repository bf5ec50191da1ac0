"""A model of a robot as a scene."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from polhode.importers.links import RobotModel
from polhode.importers.mjcf import read_mjcf
from polhode.importers.notes import shortened
from polhode.importers.reading import Element, read_xml
from polhode.importers.tree import Tree
from polhode.importers.urdf import read_urdf
from polhode.scene.checks.arguments import checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of

ROBOT_ENDINGS = (".xml", ".urdf")


@dataclass(frozen=True)
class Robot:
    """A model that was read."""

    scene: Scene
    notes: tuple[Message, ...]  # what of the file is not used, or means something else here
    starts: tuple[str, ...] = ()  # names of the keyframes of an MJCF model, at which it may start


@checked
def read_robot(path: Path | str, root: Path | str | None = None, start: str | None = None) -> Robot:
    """The scene of an MJCF or URDF file, in SI and in the folder of the file or its package.

    root: folder in or below which all files of an MJCF model must be; None: that of the model
    start: name of the keyframe of an MJCF model at which it starts; None: at the coordinates of the file

    Notes tell which parts are ignored. The root element determines the format, not the ending. Raises InputError with
    the line of each fault.

        from polhode import Simulation, read_robot

        simulation = Simulation(read_robot("arm.urdf").scene)
    """
    path = Path(path)
    document = read_xml(path)
    notes: list[Message] = []
    model = _model(document, path, notes, None if root is None else Path(root), start)
    tree = Tree(model)
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # numbers that are not finite are refused
            tables = tree.tables()
        scene = scene_of(tables, str(path)).in_folder(model.folder or path.parent)
    except InputError as error:
        raise InputError(str(path), [tree.located(problem) for problem in error.problems]) from error
    return Robot(scene, shortened([*notes, *tree.notes]), model.starts)


def _model(document: Element, path: Path, notes: list[Message], home: Path | None, start: str | None) -> RobotModel:
    """The model of a document. Raises InputError for the root element of another format."""
    if document.tag == "mujoco":
        return read_mjcf(document, path, notes, home, start)
    if document.tag == "robot":
        return read_urdf(document, path, notes)
    rule = Message("is neither <mujoco> (MJCF) nor <robot> (URDF)")
    raise document.fault(rule, Message("open a model of one of these; of xacro its result, of SDF a conversion"))
