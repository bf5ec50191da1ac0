"""Meshes that press on other bodies with their convex hull, and how much larger that is.

Walls are flat, so they meet a mesh and its hull at the same points; other bodies meet the hull where the mesh is
hollow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from polhode.mesh.mesh import Mesh, Meshes, convex_hull
from polhode.mesh.volume_integrals import enclosed
from polhode.physics.bodies.shapes import MeshShape
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Body, Scene

HULL = Message("its convex hull")
SAME = 1.005  # ratio of volumes up to which a mesh counts as convex, such as a finely divided sphere


def hull_shapes(scene: Scene, body: Body) -> list[MeshShape]:
    """The shapes of a body of the scene that press on others with the hull of a mesh."""
    if body.contact is None or scene.contact_shape(body.contact) != "hull":
        return []
    return [shape for shape in body.shape if isinstance(shape, MeshShape) and not shape.convex_hull]


def hull_note(mesh: Mesh, name: str) -> Message | None:
    """A note on the hull of a checked mesh, the file of which has this `name`; None for a convex mesh.

    Raises InputError for a mesh without a hull.
    """
    ratio = _excess(mesh, name)
    if ratio <= SAME:
        return None
    return Message(
        '{touching}; with shape = "mesh" in the contact it presses as it looks', touching=touching(HULL, ratio)
    )


def hull_problem(scene: Scene, meshes: Meshes) -> Problem | None:
    """A warning about the first body whose contact states no shape, and that presses with a hull that is larger than
    its mesh; its `values` let all such bodies press as they look. None without one.

    Raises InputError for a mesh that cannot be read.
    """
    first: tuple[str, float] | None = None
    values: dict[str, Any] = {}
    for number, body in enumerate(scene.body):
        if body.contact is None or body.contact.shape is not None:
            continue
        for shape in hull_shapes(scene, body):
            ratio = _excess(meshes.of(shape, scene.folder), shape.file)
            if ratio > SAME:
                first = first or (body.name, ratio)
                values[f"body[{number}].contact.shape"] = "mesh"
    if first is None:
        return None
    name, ratio = first
    rule = Message("'{name}': {note}", name=name, note=touching(HULL, ratio))
    return Problem(
        next(iter(values)),
        rule,
        Message('set shape = "mesh", with which it touches as it looks'),
        values=(*values.items(),),
    )


def _excess(mesh: Mesh, name: str) -> float:
    """Volume of the hull of a checked mesh over that of the mesh. Raises InputError for a mesh without a hull."""
    hull = convex_hull(mesh, name)
    return volume_of([(hull.vertices, hull.faces)]) / volume_of([(mesh.vertices, mesh.faces)])


def volume_of(surfaces: Sequence[tuple[np.ndarray, np.ndarray]]) -> float:
    """Volume in closed surfaces, vertices (v, 3) and faces (t, 3) each, together; in the cube of their unit."""
    return sum(float(enclosed(*surface)[0]) for surface in surfaces)


def touching(what: Message, ratio: float) -> Message:
    """That something presses with `what` instead of its own surface, with `ratio` times its volume."""
    return Message("touches others with {what}, {ratio:.3g} times its volume", what=what, ratio=ratio)


def mesh_notes(scene: Scene, meshes: Meshes) -> list[Message]:
    """Notes on meshes of bodies: unlikely sizes, and hulls larger than the mesh that press on others.

    Raises InputError for a mesh that cannot be read.
    """
    found = []
    for body in scene.body:
        hulls = hull_shapes(scene, body)
        for shape in (shape for shape in body.shape if isinstance(shape, MeshShape)):
            mesh = meshes.of(shape, scene.folder)
            notes = [mesh.size_question(shape.scale), hull_note(mesh, shape.file) if shape in hulls else None]
            found += [
                Message("'{name}', '{file}': {note}", name=body.name, file=shape.file, note=note)
                for note in notes
                if note is not None
            ]
    return found
