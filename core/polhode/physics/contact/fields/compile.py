"""Shapes of a scene that press as they look, as kernel arrays.

They are the meshes, cones, ellipsoids and tori of bodies whose contact has the shape "mesh". Where there are any, all
other solids have fields as well, for contacts with them.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, log

import numpy as np

from polhode.mesh.distance.field import AROUND
from polhode.mesh.distance.order import morton_order, spheres_around
from polhode.mesh.distance.rounded import RoundedSolid, rounded_solid
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies import shapes
from polhode.physics.bodies.arrays import Bodies
from polhode.physics.bodies.description import Body
from polhode.physics.contact.description import Contact
from polhode.physics.contact.fields.arrays import LEAF, Fields
from polhode.physics.contact.fields.surfaces import Surface, surface_of
from polhode.physics.contact.separate import separate_bodies
from polhode.physics.contact.solids.compile import firsts, limited, material_of
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene

CONVEX = (shapes.Cuboid, shapes.Cylinder, shapes.Capsule)  # press on each other by the law of convex solids
KEPT = 64  # fields of the shapes that were compiled last
MOST = 8_000_000  # nodes of a field: 30 MB, and 200 MB while it is computed
LADDER = 1.25  # ratio of the reaches that occur, so that an edit of a radius seldom asks for another field
FACES = 6  # a flat patch of this part of the surface has the stiffness of the material: a face of a cube
Row = tuple[int, shapes.ShapeBase, Contact, Surface, bool]


def is_seen(shape: shapes.ShapeBase, contact: Contact) -> bool:
    """Whether a shape presses as it looks, rather than by the law of convex solids or not at all."""
    return contact.shape == "mesh" and not isinstance(shape, (*CONVEX, shapes.Sphere, shapes.MassOnly))


def _rows(scene: Scene, meshes: Meshes) -> list[Row]:
    """Body, shape, contact and surface of all solids, and whether each presses as it looks; none without such ones."""
    pressing = [
        (b, shape, body.contact)
        for b, body in enumerate(scene.bodies)
        if isinstance(body, Body) and body.contact is not None
        for shape in body.shape
        if shape.presses
    ]
    rows: list[Row] = []
    if any(is_seen(shape, contact) for _, shape, contact in pressing):
        for b, shape, contact in pressing:
            seen = is_seen(shape, contact)
            if seen or isinstance(shape, (*CONVEX, shapes.MeshShape)):
                surface = surface_of(shape, scene, meshes, not seen)
                if surface is not None:
                    rows.append((b, shape, contact, surface, seen))
    return rows


def build_fields(scene: Scene, bodies: Bodies, meshes: Meshes, own: np.ndarray, largest: float) -> Fields:
    """Shapes of all bodies with a contact, as kernel arrays; none if no shape presses as it looks.

    own: (n + p,) [N/m] contact stiffness of each body and point
    largest: [m] radius of the largest sphere that may touch them
    """
    rows = _rows(scene, meshes)
    reach = LADDER ** ceil(log(largest, LADDER)) if largest > 0.0 else 0.0
    solids = [_solid_of(scene.bodies[b].name, contact, surface, reach) for b, _, contact, surface, _ in rows]
    orders = [morton_order(solid.samples.points) for solid in solids]
    points = [solid.samples.points[order] for solid, order in zip(solids, orders, strict=True)]
    trees = [spheres_around(each, LEAF) for each in points]
    centers = [(each.min(axis=0) + each.max(axis=0)) / 2 for each in points]
    numbers = [solid.field.coefficients.reshape(-1) for solid in solids]
    turns = [shape.orientation.matrix() for _, shape, *_ in rows]
    first_separate, separate = separate_bodies(scene)
    areas = [solid.samples.areas[order] for solid, order in zip(solids, orders, strict=True)]
    return Fields(
        body=np.array([row[0] for row in rows], dtype=np.int64),
        position=np.array([bodies.origin[b] + shape.position for b, shape, *_ in rows]).reshape(-1, 3),
        axes=np.array([turn.T for turn in turns]).reshape(-1, 3, 3),
        is_seen=np.array([row[-1] for row in rows], dtype=np.bool_),
        center=np.array(centers).reshape(-1, 3),
        reach=np.array(
            [
                np.linalg.norm(each - center, axis=1).max() + solid.samples.rounding
                for each, center, solid in zip(points, centers, solids, strict=True)
            ]
        ),
        material=np.array([material_of(contact, own[b]) for b, _, contact, *_ in rows]).reshape(-1, 8),
        rounding=np.array([solid.samples.rounding for solid in solids], dtype=np.float64),
        patch=np.array([each.sum() / FACES for each in areas], dtype=np.float64),
        first_number=firsts([len(each) for each in numbers])[:-1],
        nodes=np.array([solid.field.coefficients.shape for solid in solids], dtype=np.int64).reshape(-1, 3),
        low=np.array([solid.field.low for solid in solids]).reshape(-1, 3),
        cell=np.array([solid.field.cell for solid in solids], dtype=np.float64),
        numbers=np.concatenate([np.zeros(0, dtype=np.float32), *numbers]),
        first_point=firsts([len(each) for each in points]),
        point=np.concatenate([np.zeros((0, 3)), *points]),
        area=np.concatenate([np.zeros(0), *areas]),
        first_node=firsts([len(radii) for _, radii in trees]),
        middle=np.concatenate([np.zeros((0, 3)), *(middles for middles, _ in trees)]),
        around=np.concatenate([np.zeros(0), *(radii for _, radii in trees)]),
        first_separate=first_separate,
        separate=separate,
    )


def _solid_of(name: str, contact: Contact, surface: Surface, reach: float) -> RoundedSolid:
    """The rounded solid of a surface [m] of the body `name`, with a field up to the distance `reach` [m] from it.

    Raises InputError for a field that needs too much memory.
    """
    sizes = np.ptp(surface[0], axis=0)
    nodes = np.prod((sizes + 2 * reach) * contact.detail / sizes.max() + 2 * AROUND)
    if nodes > MOST:
        values = {"nodes": float(nodes / 1e6), "most": MOST / 1e6}
        rule = Message("its field needs {nodes:.2g} million nodes, and {most:g} million are the most", **values)
        fits = max(8, int(contact.detail * (MOST / nodes) ** (1 / 3)) - 1)
        remedy = Message("lower detail to {fits}, or make the largest sphere smaller", fits=fits)
        raise InputError.of(name, rule, remedy, "contact.detail")
    width = float(sizes.min())
    key = (
        np.asarray(surface[0], np.float64).tobytes(),
        np.asarray(surface[1], np.int64).tobytes(),
        limited(contact.rounding, width),
        contact.detail,
        reach,
    )
    return _kept(*key)


@lru_cache(maxsize=KEPT)
def _kept(vertices: bytes, faces: bytes, rounding: float, detail: int, reach: float) -> RoundedSolid:
    """The rounded solid of vertices (v, 3) float64 and faces (t, 3) int64 as bytes, for the life of the process."""
    corners = np.frombuffer(vertices).reshape(-1, 3)
    return rounded_solid(corners, np.frombuffer(faces, dtype=np.int64).reshape(-1, 3), rounding, detail, reach)
