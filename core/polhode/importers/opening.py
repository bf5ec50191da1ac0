"""A model of a robot as a scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from polhode.importers import mjcf, urdf
from polhode.importers.links import RobotModel
from polhode.importers.notes import Vocabulary, shortened
from polhode.importers.options import RobotOptions, ZeroLimits
from polhode.importers.report import ImportReport, report_of
from polhode.importers.ros_zip import model_in
from polhode.importers.tree import Tree
from polhode.scene.checks.arguments import checked
from polhode.scene.files.xml_tree import Element, read_xml
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import SEEN_FROM, Scene
from polhode.scene.scene_file import scene_of

ROBOT_ENDINGS = (".xml", ".urdf")


Reader = Callable[[Element, Path, list[Message], RobotOptions], RobotModel]


@dataclass(frozen=True)
class Robot:
    """A model that was read."""

    scene: Scene
    notes: tuple[Message, ...]  # what of the file is not used, or means something else here
    report: ImportReport  # the same as lists with lines, and what is used
    starts: tuple[str, ...] = ()  # names of the keyframes of an MJCF model, at which it may start


@checked
def read_robot(
    path: Path | str,
    packages: Mapping[str, Path | str] | None = None,
    zero_limits: ZeroLimits | Mapping[str, ZeroLimits] | None = None,
    root: Path | str | None = None,
    start: str | None = None,
) -> Robot:
    """The scene of an MJCF or URDF file, or of the one in a zip of a ROS package, in SI and in the folder of the file.

    packages: of a URDF, folders of the packages that addresses such as package://arm/link.stl name, by name, beside
        those above the model
    zero_limits: whether joints of a URDF with the limits 0 and 0 are "free" or "locked", for all or by name; by default
        free are those whose effort and velocity are 0, too
    root: folder in or below which all files of an MJCF model must be; None: that of the model
    start: name of the keyframe of an MJCF model at which it starts; None: at the coordinates of the file

    Notes tell which parts are ignored, and `report` lists them with what is used. The root element determines the
    format, not the ending. Of a zip with several models one is named as `robots.zip#/arm/urdf/arm.urdf`. Raises
    InputError with the line of each fault.

        from polhode import Simulation, read_robot

        simulation = Simulation(read_robot("arm.urdf").scene)
    """
    single = isinstance(zero_limits, str) or zero_limits is None
    options = RobotOptions(
        packages={name: Path(folder) for name, folder in (packages or {}).items()},
        zero_limits=zero_limits if single else None,  # type: ignore[arg-type]
        of_joints={} if single else zero_limits,  # type: ignore[arg-type]
        root=None if root is None else Path(root),
        start=start,
    )
    return read_with(Path(path), options)


def read_with(path: Path, options: RobotOptions) -> Robot:
    """The model of a file or a zip, with choices. Raises InputError as `read_robot`."""
    path = model_in(path)
    document = read_xml(path)
    notes: list[Message] = []
    read, vocabulary = _format(document, options)
    model = read(document, path, notes, options)
    tree = Tree(model)
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # numbers that are not finite are refused
            # what a person lets collide in a robot of ROS, which states no contacts, does so as it looks
            tables = tree.tables() | {"format": SEEN_FROM if document.tag == "robot" else 1}
        scene = scene_of(tables, str(path)).in_folder(model.folder or path.parent)
    except InputError as error:
        raise InputError(str(path), [tree.located(problem) for problem in error.problems]) from error
    notes = [*notes, *tree.notes]
    report = report_of(document, path, vocabulary, notes, model.choices)
    return Robot(scene, shortened(notes), report, model.starts)


def _format(document: Element, options: RobotOptions) -> tuple[Reader, Vocabulary]:
    """The reader of a format, and the elements that it knows. Raises InputError for the root of another one."""
    if document.tag == "mujoco":
        if options.are_for_urdf:
            rule = Message("is no URDF, and packages and limits are chosen for these only")
            raise document.fault(rule, Message("leave them out"))
        return mjcf.read_mjcf, mjcf.VOCABULARY
    if document.tag == "robot":
        if options.are_for_mjcf:
            rule = Message("is no MJCF, and a root folder and a keyframe are chosen for these only")
            raise document.fault(rule, Message("leave them out"))
        return urdf.read_urdf, urdf.VOCABULARY
    rule = Message("is neither <mujoco> (MJCF) nor <robot> (URDF)")
    raise document.fault(rule, Message("open a model of one of these; of xacro its result, of SDF a conversion"))
