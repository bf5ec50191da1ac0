"""MJCF: meshes of assets, by a file, by vertices, or made of parameters, as mesh shapes, and their masses.

Vertices v become S R^T (v - p) with the reference position p and rotation R, and the scale S of each axis. A mesh whose
file can be shown that way stays a file; of any other one the scene states the vertices.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from polhode.importers.geometry import mesh_file
from polhode.importers.kinematics import IDENTITY, MassOf, RigidTransform, Tables, listed, of_quaternion
from polhode.importers.mjcf.builtin import BUILTIN, FINEST, LEAST, MOST_SUBDIVISIONS
from polhode.importers.mjcf.solids import INERTIAS, hull_of, is_closed, mass_of_mesh
from polhode.mesh.files.corners import corners_of
from polhode.mesh.files.damage import Damaged
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue

EQUAL = 1e-6  # relative difference of the scales of a mesh along its axes


class MeshAssets:
    """The meshes of one document, by name."""

    def __init__(self, assets: list[Element], folder: Path):
        self._folder = folder
        self._meshes = {each.attributes.get("name", ""): each for each in assets if each.tag == "mesh"}
        self._corners: dict[str, np.ndarray] = {}  # of those that were read

    def form(self, geom: Element) -> tuple[Tables, RigidTransform]:
        """The form of the mesh of a geom, and its pose in that of the geom. Raises InputError."""
        name, mesh = self._named(geom)
        scale, (position, turn) = _scale(mesh), _reference(mesh)
        is_uniform = scale[0] > 0 and np.ptp(scale) <= EQUAL * scale[0]
        if mesh.has("file") and (is_uniform or np.array_equal(turn, IDENTITY)):
            pose = RigidTransform(turn.T, -scale * (turn.T @ position))
            own = {"scale": float(scale[0])} if is_uniform else {"stretch": listed(scale)}
            return {"kind": "mesh", "file": self._file(mesh), **own}, pose
        vertices, number = np.unique(self.corners(geom).reshape(-1, 3), axis=0, return_inverse=True)
        stated = {"vertices": [listed(each) for each in vertices], "faces": number.ravel().tolist()}
        return {"kind": "mesh", "file": name, **stated}, RigidTransform(IDENTITY, np.zeros(3))

    def mass(self, geom: Element, density: float | None, mass: float | None) -> MassOf:
        """Mass properties of the mesh of a geom, in its frame, by a density [kg/m^3] or a mass [kg].

        Raises InputError.
        """
        _, mesh = self._named(geom)
        kind = mesh.choice("inertia", INERTIAS, "legacy")
        try:
            return mass_of_mesh(self.corners(geom), kind, density, mass)
        except InvalidValue as error:
            raise mesh.fault(error.rule, error.remedy) from None

    def corners(self, geom: Element) -> np.ndarray:
        """(m, 3, 3) [m] corners of the triangles of the mesh of a geom, in its frame. Raises InputError."""
        name, mesh = self._named(geom)
        if name not in self._corners:
            scale, (position, turn) = _scale(mesh), _reference(mesh)
            found = ((self._read(mesh) - position) @ turn) * scale
            self._corners[name] = found[:, ::-1] if np.prod(np.sign(scale)) < 0 else found
        return self._corners[name]

    def as_pressing(self, geom: Element) -> Tables | None:
        """Fields of a mesh shape that presses by its hull, which is shown in place of an open mesh; None of a flat one.

        Raises InputError.
        """
        corners = self.corners(geom)
        try:
            hull_of(corners.reshape(-1, 3))
        except InvalidValue:
            return None
        return {} if is_closed(corners) else {"convex_hull": True}

    def _named(self, geom: Element) -> tuple[str, Element]:
        """Name and element of the mesh of a geom. Raises InputError for one that is not there."""
        name = geom.text("mesh")
        if name not in self._meshes:
            rule = Message("names the mesh '{name}', which is not there", name=name)
            raise geom.fault(rule, Message("add it to <asset>"))
        return name, self._meshes[name]

    def _file(self, mesh: Element) -> str:
        """Name of the file of a mesh, from the folder of the model. Raises InputError."""
        return mesh_file(mesh, "file", self._folder)

    def _read(self, mesh: Element) -> np.ndarray:
        """(m, 3, 3) corners of a mesh as it is stated. Raises InputError."""
        if mesh.has("file"):
            name = self._file(mesh)
            try:
                with np.errstate(all="ignore"):
                    return np.asarray(corners_of(self._folder / name)[0], dtype=float)
            except Damaged as damage:
                problem = damage.of(name)
                raise InputError(mesh.source, [replace(problem, place=mesh.place)]) from None
        if mesh.has("builtin"):
            return _built(mesh)
        vertices = mesh.rows("vertex", 3)
        if mesh.has("face"):
            faces = mesh.rows("face", 3)
            if np.any(faces != np.round(faces)) or faces.min() < 0 or faces.max() >= len(vertices):
                rule = Message("face has a number that is no index of its {count} vertices", count=len(vertices))
                raise mesh.fault(rule, Message("correct it; the first vertex is 0"))
            return np.asarray(vertices[faces.astype(int)])
        try:
            return hull_of(vertices)
        except InvalidValue as error:
            raise mesh.fault(error.rule, error.remedy) from None


def _scale(mesh: Element) -> np.ndarray:
    """(3,) scale of a mesh. Raises InputError for 0."""
    scale = mesh.vector("scale", (1.0, 1.0, 1.0))
    if not np.all(scale):
        raise mesh.fault(Message("scale has a factor 0"), Message("give any other numbers"))
    return scale


def _reference(mesh: Element) -> tuple[np.ndarray, np.ndarray]:
    """(3,) [file units] reference position and (3, 3) rotation of a mesh."""
    turn = of_quaternion(mesh.unit("refquat", mesh.numbers("refquat", (4,)))) if mesh.has("refquat") else IDENTITY
    return mesh.vector("refpos"), turn


def _built(mesh: Element) -> np.ndarray:
    """(m, 3, 3) corners of a mesh that is made of parameters. Raises InputError."""
    kind = mesh.choice("builtin", tuple(BUILTIN), "")
    maker, kinds = BUILTIN[kind]
    numbers = mesh.numbers("params", (len(kinds),)).tolist()
    for number, what in zip(numbers, kinds, strict=True):
        lowest = LEAST.get(kind, 0) if what == "r" else 0
        highest = {"r": FINEST, "d": MOST_SUBDIVISIONS}.get(what, np.inf)
        if not lowest <= number <= highest or (what != "p" and number != round(number)):
            rule = Message("params has {value:g}, needs {low} to {high}", value=number, low=lowest, high=highest)
            raise mesh.fault(rule, Message("correct it"))
    given = [number if what == "p" else int(number) for number, what in zip(numbers, kinds, strict=True)]
    vertices, faces = maker(*given)
    return np.asarray(vertices[faces])
