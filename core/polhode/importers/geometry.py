"""Shapes of links: meshes in the folder of a model, colours, poses."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from polhode.importers.kinematics import RigidTransform, Tables
from polhode.importers.masses import pose_of_shape
from polhode.mesh.files.corners import ENDINGS
from polhode.scene.display.colors import hexadecimal
from polhode.scene.files.xml_tree import Element
from polhode.scene.files.zip_archive import is_file_or_member
from polhode.scene.message import Message

NOT_HERE = Message("put the mesh into the folder of the model, and name it from there")
EQUAL = 1e-6  # relative difference of the scales of a mesh along its axes


def mesh_file(element: Element, attribute: str, folder: Path, under: str = "", home: Path | None = None) -> str:
    """The name of a mesh file, from `folder`.

    under: folder within that folder, from which the name counts
    home: folder in which, or below which, the file must be; None: `folder`

    Raises InputError for web and package addresses, for files outside of the folder, for those that are not there, and
    for unknown formats.
    """
    name = element.text(attribute)
    if "://" in name:
        scheme = name.partition("://")[0]
        rule = Message(
            "{attribute} is '{name}': {scheme}:// is not looked up", attribute=attribute, name=name, scheme=scheme
        )
        raise element.fault(rule, NOT_HERE)
    file = folder / under / name
    try:
        home, found = (home or folder).resolve(), file.resolve()
    except (ValueError, RuntimeError, OSError):  # a zero character, a circle of links
        rule = Message("{attribute} is '{name}', a name that no file can have", attribute=attribute, name=name)
        raise element.fault(rule, Message("check the name")) from None
    if not found.is_relative_to(home):
        rule = Message(
            "{attribute} is '{name}', which leads out of the folder of the model", attribute=attribute, name=name
        )
        raise element.fault(rule, NOT_HERE)
    if file.suffix.lower() not in ENDINGS:
        rule = Message("{attribute} is '{name}', a format that is not read", attribute=attribute, name=name)
        raise element.fault(rule, Message("use one of {endings}", endings=", ".join(ENDINGS)))
    if not is_file_or_member(found):
        rule = Message("{attribute} is '{name}', which is not there", attribute=attribute, name=name)
        raise element.fault(rule, Message("check the name and the folder"))
    return (Path(under) / name).as_posix()


def scale_of(element: Element) -> Tables:
    """`scale` of a mesh, or `stretch` where it differs between axes or mirrors. Raises InputError for a factor 0."""
    scale = element.vector("scale", (1.0, 1.0, 1.0))
    if not scale.all():
        raise element.fault(Message("scale has a factor 0"), Message("give any other numbers"))
    is_uniform = scale[0] > 0 and np.ptp(scale) <= EQUAL * scale[0]
    return {"scale": float(scale[0])} if is_uniform else {"stretch": scale.tolist()}


def has_holes(corners: np.ndarray) -> bool:
    """Whether a surface of triangles (m, 3, 3) is open by more than gaps of EQUAL of its size."""
    size = float(np.ptp(corners.reshape(-1, 3), axis=0).max(initial=0.0))
    if not size > 0:
        return False
    _, number = np.unique(np.round(corners.reshape(-1, 3) / (EQUAL * size)), axis=0, return_inverse=True)
    faces = number.reshape(-1, 3)
    faces = faces[(np.diff(np.sort(faces, axis=1), axis=1) > 0).all(axis=1)]  # others have no area
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    return bool((np.unique(edges, axis=0, return_counts=True)[1] == 1).any())


def color(element: Element, numbers: np.ndarray) -> Tables:
    """The colour of `numbers` (4,), red, green, blue and opacity. Raises InputError where they are not 0 ... 1."""
    if not all(0 <= part <= 1 for part in numbers):
        rule = Message("the colour {color} is not made of numbers from 0 to 1", color=numbers.tolist())
        raise element.fault(rule, Message("correct it"))
    return {"color": hexadecimal(*numbers.tolist())}


def moved(shape: Tables, pose: RigidTransform) -> Tables:
    """A shape, whose pose is in a frame, in the outer frame of `pose`."""
    form = {key: value for key, value in shape.items() if key not in ("position", "orientation")}
    return form | (pose @ pose_of_shape(shape)).tables()
