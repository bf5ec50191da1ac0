"""MJCF: geoms as shapes of bodies, with their masses."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np

from polhode.importers.geometry import color
from polhode.importers.kinematics import MassOf, RigidTransform, Tables, z_to
from polhode.importers.mjcf.meshes import MeshAssets
from polhode.importers.mjcf.styles import CompilerSettings, pose_of
from polhode.importers.notes import left_out_here
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message

WATER = 1000.0  # [kg/m^3] default density of geoms
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}  # numbers of `size`, without fromto
ALONG = {"capsule": 1, "cylinder": 1, "ellipsoid": 2, "box": 2}  # numbers of `size` across the line of fromto
UNREAD = ("hfield", "sdf")
OTHERS = ("mesh", "plane", *UNREAD)


class Shapes:
    """Makes shapes of the geoms of one document."""

    def __init__(self, root: Element, folder: Path, settings: CompilerSettings, notes: list[Message]):
        self._settings, self._notes = settings, notes
        assets = [each for asset in root.all("asset") for each in asset.children]
        self._meshes = MeshAssets(assets, folder)
        self._materials = {each.attributes.get("name", ""): each for each in assets if each.tag == "material"}

    def type_of(self, geom: Element) -> str:
        """The type of a geom. Raises InputError for one that is not known."""
        return geom.choice("type", (*SIZES, *OTHERS), "sphere")

    def shape(self, geom: Element, weighs: bool) -> tuple[Tables | None, MassOf | None]:
        """The shape of a geom, which is no plane, and the mass properties of a mesh in the frame of the shape's pose.

        weighs: whether its mass counts; None, with a note, in place of a shape of a kind that is not read
        """
        mass = self._mass(geom) if weighs else {"mass": 0.0}
        kind, pose = self.type_of(geom), pose_of(geom)
        if kind == "mesh":
            form, inside = self._meshes.form(geom)
            table = form | (pose @ inside).tables() | self._color(geom) | {"mass": 0.0}
            if mass == {"mass": 0.0}:
                return table, None
            whole = self._meshes.mass(geom, mass.get("density"), mass.get("mass"))
            return table, whole.seen_from(pose)
        if kind in SIZES:
            form, pose = self._fitted(geom, kind, pose) if geom.has("mesh") else self._primitive(geom, kind, pose)
            return form | pose.tables() | self._color(geom) | mass, None
        reason = Message("is of the type {type}", type=kind)
        if mass != {"mass": 0.0}:
            reason = Message("{reason}, whose mass is lost", reason=reason)
        self._notes.append(left_out_here(geom, reason))
        return None, None

    def pressing_points(self, geom: Element) -> tuple[int, np.ndarray | None]:
        """Number of points at which a geom may press on a plane at the same time: of a mesh, a sixth of its corners; of
        a mesh also the corners (8, 3) [m] of the box around it, in the frame in which the geom is placed.
        """
        if self.type_of(geom) != "mesh":
            return {"sphere": 1, "capsule": 2}.get(self.type_of(geom), 4), None
        corners = self._meshes.corners(geom).reshape(-1, 3)
        low, high = corners.min(axis=0), corners.max(axis=0)
        box = np.array([*product(*zip(low, high, strict=True))])
        pose = pose_of(geom)
        return max(4, len(np.unique(corners, axis=0)) // 6), box @ pose.turn.T + pose.position

    def as_pressing(self, geom: Element) -> Tables | None:
        """Fields of the shape of a geom that presses on others; None where it can't. Raises InputError."""
        if self.type_of(geom) != "mesh":
            return {}
        found = self._meshes.as_pressing(geom)
        if found is None:
            self._notes.append(Message("{place} is flat and does not press on others", place=geom.place))
        return found

    def _mass(self, geom: Element) -> Tables:
        """Mass or density of a geom. Raises InputError for negative ones."""
        lowest, highest = self._settings.groups
        if not lowest <= geom.number("group", 0.0) <= highest:
            return {"mass": 0.0}
        for key in ("mass", "density"):
            if geom.number(key, 0.0) < 0:
                raise geom.fault(Message("{key} is less than 0", key=key), Message("correct it"))
        if geom.has("mass"):
            return {"mass": geom.number("mass", 0.0)}
        density = geom.number("density", WATER)
        return {"density": density} if density > 0 else {"mass": 0.0}

    def _primitive(self, geom: Element, kind: str, pose: RigidTransform) -> tuple[Tables, RigidTransform]:
        """The form of a sphere, capsule, cylinder, ellipsoid or box, and its pose."""
        if geom.has("fromto"):
            if kind not in ALONG:
                rule = Message("has fromto, but is of the type {type}", type=kind)
                raise geom.fault(rule, Message("remove it, or choose from {known}", known=", ".join(ALONG)))
            ends = geom.numbers("fromto", (6,)).reshape(2, 3)
            width = geom.numbers("size", (1, 2, 3))[0]  # MuJoCo takes the first one for both directions across
            half = [width] * ALONG[kind] + [np.linalg.norm(ends[1] - ends[0]) / 2]
            pose = RigidTransform(z_to(geom.unit("fromto", ends[0] - ends[1])), ends.mean(axis=0))
        else:
            half = list(geom.numbers("size", tuple(range(SIZES[kind], 4)))[: SIZES[kind]])
        return _form(kind, half), pose

    def _fitted(self, geom: Element, kind: str, pose: RigidTransform) -> tuple[Tables, RigidTransform]:
        """The form of a geom that is fitted to a mesh, and its pose: the box of the same inertia, or as wide ones.

        Raises InputError where it is fitted to the box around the mesh.
        """
        if self._settings.fits_box:
            raise geom.fault(Message("is fitted to the box around a mesh"), Message("take the type mesh"))
        solid = self._meshes.mass(geom, None, 12.0)
        moments, axes = np.linalg.eigh(solid.tensor)
        moments, axes = moments[::-1], axes[:, ::-1] * [1.0, 1.0, np.linalg.det(axes[:, ::-1])]
        x, y, z = (float(each) for each in np.sqrt(moments.sum() / 2 - moments) / 2)  # half sides of a box of 12 kg
        scale, wide = geom.number("fitscale", 1.0), (x + y) / 2
        half = {"sphere": [(x + y + z) / 3], "capsule": [wide, max(0.0, z - wide / 2)], "cylinder": [wide, z]}
        inside = RigidTransform(axes, solid.center)
        return _form(kind, [scale * each for each in half.get(kind, [x, y, z])]), pose @ inside

    def _color(self, geom: Element) -> Tables:
        """The colour of a geom, or of its material."""
        material = self._materials.get(geom.attributes.get("material", ""))
        for element in (geom, material):
            if element is not None and element.has("rgba"):
                return color(element, element.numbers("rgba", (4,)))
        return {}


def _form(kind: str, half: list[float]) -> Tables:
    """The form of a sphere, capsule, cylinder, ellipsoid or box by its numbers of `size`."""
    numbers = [float(each) for each in half]
    match kind:
        case "sphere":
            return {"kind": kind, "radius": numbers[0]}
        case "ellipsoid":
            return {"kind": kind, "semi_axes": numbers}
        case "box":
            return {"kind": "cuboid", "size": [2 * each for each in numbers]}
    return {"kind": kind, "radius": numbers[0], "length": 2 * numbers[1]}
