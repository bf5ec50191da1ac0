"""The surfaces with which the shapes of a body press on others, and how far these are from the shapes themselves."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from polhode.mesh.distance.level_surface import surface_of_field
from polhode.mesh.distance.samples import halved
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies import shapes
from polhode.physics.bodies.description import Body
from polhode.physics.contact.fields.compile import kept_solid_of
from polhode.physics.contact.fields.surfaces import Surface, surfaces_of
from polhode.physics.contact.solids.compile import Law, law_of
from polhode.physics.contact.solids.hulls import HULL, touching, volume_of
from polhode.scene.message import Message
from polhode.scene.scene import Scene

FINE = 100  # points along the longest side of a shape at which the distance is taken
MM = 1000.0


@dataclass(frozen=True, eq=False)
class ShapeInContact:
    """A shape that presses with another surface than its own."""

    shape: shapes.ShapeBase
    law: Law
    surfaces: list[Surface]
    """Vertices (v, 3) [m], frame of the shape, and faces (t, 3); of convex parts one for each."""
    volume: float
    """[m^3] in the surfaces; of parts that overlap more than once."""
    ratio: float
    """Of that volume to the volume of the shape."""
    deviation: float
    """[m] largest distance of the surface of the shape from these."""

    @property
    def note(self) -> Message:
        """Law, volume and deviation, for people."""
        by = {
            "solid": HULL,
            "parts": Message("{count} convex parts", count=len(self.surfaces)),
            "field": Message("its own surface"),
        }
        return Message(
            "{touching}, {volume:.3g} cm3; the surfaces are at most {deviation:.2g} mm apart",
            touching=touching(by[self.law], self.ratio),
            volume=1e6 * self.volume,
            deviation=MM * self.deviation,
        )


def shapes_in_contact(scene: Scene, body: Body, meshes: Meshes) -> list[ShapeInContact]:
    """Those shapes of a body that press with another surface: meshes with their hulls or parts, and fields.

    Fields and parts are computed unless they are kept. Raises InputError for a mesh that cannot be read.
    """
    if body.contact is None:
        return []
    chosen, found = scene.contact_shape(body.contact), []
    for shape in (shape for shape in body.shape if shape.presses):
        law = law_of(shape, chosen)
        if law is None or (law == "solid" and not isinstance(shape, shapes.MeshShape)):
            continue
        [own] = surfaces_of(shape, "field", scene, meshes, body.contact.detail)
        points = halved(own[0][own[1]], float(np.ptp(own[0], axis=0).max()) / FINE).mean(axis=1)
        if law == "field":
            field = kept_solid_of(scene, body, own).made().field
            surfaces, deviation = [surface_of_field(field)], float(np.abs(field.at(points)[0]).max())
        else:
            surfaces = surfaces_of(shape, law, scene, meshes, body.contact.detail)
            deviation = float(max(0.0, depths(points, surfaces).max()))
        volume = volume_of(surfaces)
        found.append(ShapeInContact(shape, law, surfaces, volume, volume / volume_of([own]), deviation))
    return found


def depths(points: np.ndarray, parts: list[Surface]) -> np.ndarray:
    """(n,) [m] depth of points (n, 3) in the convex part in which they are deepest; negative outside of all."""
    deepest = np.full(len(points), -inf)
    for vertices, faces in parts:
        corners = vertices[faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1)
        normals = normals[lengths > 0.0] / lengths[lengths > 0.0, None]
        levels = (normals * corners[lengths > 0.0, 0]).sum(axis=1)
        deepest = np.maximum(deepest, (levels - points @ normals.T).min(axis=1))
    return deepest
