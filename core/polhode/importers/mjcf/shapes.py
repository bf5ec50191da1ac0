"""MJCF: geoms as shapes of bodies, with their masses."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from polhode.importers.geometry import color, mesh_file, uniform_scale
from polhode.importers.kinematics import RigidTransform, Tables, z_to
from polhode.importers.mjcf.styles import CompilerSettings, Styles, pose_of
from polhode.importers.reading import Element
from polhode.scene.message import Message

WATER = 1000.0  # [kg/m^3] default density of geoms
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}  # numbers of `size`, without fromto
ALONG = {"capsule": 1, "cylinder": 1, "ellipsoid": 2, "box": 2}  # numbers of `size` across the line of fromto
OTHERS = ("mesh", "plane", "hfield", "sdf")


class Shapes:
    """Makes shapes of the geoms of one document."""

    def __init__(self, root: Element, folder: Path, settings: CompilerSettings, styles: Styles, notes: list[Message]):
        self._folder, self._settings, self._notes = folder, settings, notes
        assets = [each for asset in root.all("asset") for each in asset.children]
        self._meshes: dict[str, Element] = {}
        for mesh in (styles.styled(each, "") for each in assets if each.tag == "mesh"):
            file = mesh.attributes.get("file", "")
            self._meshes[mesh.attributes.get("name") or Path(file.replace("\\", "/")).stem] = mesh
        self._materials = {
            each.attributes.get("name", ""): styles.styled(each, "") for each in assets if each.tag == "material"
        }

    def type_of(self, geom: Element) -> str:
        """The type of a geom. Raises InputError for one that is not known."""
        return geom.choice("type", (*SIZES, *OTHERS), "sphere")

    def shape(self, geom: Element, weighs: bool) -> Tables | None:
        """The shape of a geom, which is no plane; None, with a note, where it can't be drawn.

        weighs: whether its mass counts

        Raises InputError where one that can't be drawn has a mass that counts.
        """
        mass = self._mass(geom) if weighs else {"mass": 0.0}
        kind = self.type_of(geom)
        reason: Message | None = None
        pose = pose_of(geom, self._settings)
        form: Tables | None = None
        if kind == "mesh":
            form, reason = self._mesh(geom)
        elif geom.has("mesh"):
            reason = Message("is fitted to a mesh")
        elif kind in SIZES:
            form, pose = self._primitive(geom, kind, pose)
        else:
            reason = Message("is of the type {type}", type=kind)
        if form is not None:
            return form | pose.tables() | self._color(geom) | mass
        assert reason is not None  # every other kind has one
        if mass != {"mass": 0.0}:
            raise geom.fault(Message("{reason}, which has no mass here", reason=reason), Message("add an inertial"))
        self._notes.append(Message("{place} {reason} and is not drawn", place=geom.place, reason=reason))
        return None

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
        numbers = [float(each) for each in half]
        match kind:
            case "sphere":
                return {"kind": kind, "radius": numbers[0]}, pose
            case "ellipsoid":
                return {"kind": kind, "semi_axes": numbers}, pose
            case "box":
                return {"kind": "cuboid", "size": [2 * each for each in numbers]}, pose
        return {"kind": kind, "radius": numbers[0], "length": 2 * numbers[1]}, pose

    def _mesh(self, geom: Element) -> tuple[Tables | None, Message | None]:
        """The form of a mesh, or the reason why it has none."""
        name = geom.text("mesh")
        mesh = self._meshes.get(name)
        if mesh is None:
            rule = Message("names the mesh '{name}', which is not there", name=name)
            raise geom.fault(rule, Message("add it to <asset>"))
        if not mesh.has("file"):
            return None, Message("has a mesh without a file")
        for key in ("refpos", "refquat"):
            if mesh.has(key):
                return None, Message("has a mesh with {key}", key=key)
        scale = uniform_scale(mesh)
        if scale is None:
            return None, Message("has a mesh with different scales along its axes")
        file = mesh_file(mesh, "file", self._folder, self._settings.mesh_folder)
        return {"kind": "mesh", "file": file, "scale": scale}, None

    def _color(self, geom: Element) -> Tables:
        """The colour of a geom, or of its material."""
        material = self._materials.get(geom.attributes.get("material", ""))
        for element in (geom, material):
            if element is not None and element.has("rgba"):
                return color(element, element.numbers("rgba", (4,)))
        return {}
