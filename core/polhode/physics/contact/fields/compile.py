"""Shapes of a scene that press as they look, as kernel arrays.

They are the meshes, cones, ellipsoids and tori of bodies whose contact has the shape "mesh", but for meshes that are
replaced by their hulls, which are convex solids. Where there are any, all convex solids have sample points as well, for
contacts with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf, log
from typing import NamedTuple

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import put, row, scale, subtract
from polhode.mesh.distance.field import AROUND, DistanceField
from polhode.mesh.distance.kept import KeptSolid
from polhode.mesh.distance.order import morton_order, spheres_around
from polhode.mesh.distance.reached import reached_cells
from polhode.mesh.distance.samples import Samples, halved, merged
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies import shapes
from polhode.physics.bodies.arrays import Bodies
from polhode.physics.bodies.description import Body
from polhode.physics.contact.compile import sphere_radii
from polhode.physics.contact.description import Contact
from polhode.physics.contact.fields.arrays import LEAF, Fields
from polhode.physics.contact.fields.surfaces import Surface, surfaces_of
from polhode.physics.contact.separate import separate_bodies
from polhode.physics.contact.solids.arrays import MATERIAL, Solids
from polhode.physics.contact.solids.compile import Law, firsts, law_of, limited, material_of
from polhode.physics.contact.solids.nearest import nearest_on
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene

MOST = 8_000_000  # nodes of a field: 30 MB, and 200 MB while it is computed
LADDER = 1.25  # ratio of the reaches that occur, so that an edit of a radius seldom asks for another field
FACES = 6  # a flat patch of this part of the surface has the stiffness of the material: a face of a cube
LARGE = 0.5  # of the longest side of a shape: radius of spheres beyond which its sample points press on them
NO_FIELD = DistanceField(np.zeros(3), 1.0, np.zeros((0, 0, 0), np.float32))


@dataclass(frozen=True, eq=False)
class Row:
    """A shape in its own frame; lengths in m."""

    body: int
    position: np.ndarray  # (3,) origin from the reference point of the body, body frame
    axes: np.ndarray  # (3, 3) rows, body frame
    contact: Contact
    samples: Samples
    field: DistanceField
    solid: int = NOTHING  # of Solids; with a field that is not used
    largest: float = inf  # [m] radius of spheres that press by the distance of their centres


def _pressing(scene: Scene) -> Iterator[tuple[int, shapes.ShapeBase, Law, Contact]]:
    """Body, shape, law and contact of all that presses as it looks; if there is any, also of all convex solids."""
    found = [
        (b, shape, law, body.contact)
        for b, body in enumerate(scene.bodies)
        if isinstance(body, Body) and body.contact is not None
        for shape in body.shape
        if shape.presses and (law := law_of(shape, scene.contact_shape(body.contact))) is not None
    ]
    return iter(found if any(law == "field" for _, _, law, _ in found) else ())


def kept_solids(scene: Scene, meshes: Meshes) -> list[KeptSolid]:
    """The rounded solids of all shapes that press as they look. Raises InputError."""
    radii = sphere_radii(scene)
    return [
        _solid_of(scene.bodies[b].name, contact, surface, radii)
        for b, shape, law, contact in _pressing(scene)
        if law == "field"
        for surface in surfaces_of(shape, law, scene, meshes, contact.detail)
    ]


def kept_solid_of(scene: Scene, body: Body, surface: Surface) -> KeptSolid:
    """The rounded solid of a surface of a body with a contact. Raises InputError for a field beyond the memory."""
    assert body.contact is not None
    return _solid_of(body.name, body.contact, surface, sphere_radii(scene))


def _rows(scene: Scene, bodies: Bodies, meshes: Meshes, solids: Solids) -> list[Row]:
    """All shapes that press as they look, and if there are any all convex solids."""
    rows: list[Row] = []
    number, radii = 0, sphere_radii(scene)
    for b, shape, law, contact in _pressing(scene):
        position, turn = bodies.origin[b] + shape.position, shape.orientation.matrix()
        for surface in surfaces_of(shape, law, scene, meshes, contact.detail):
            if law == "field":
                made = _solid_of(scene.bodies[b].name, contact, surface, radii).made()
                largest = largest_beside(surface)
                rows.append(Row(b, position, turn.T, contact, made.samples, made.field, largest=largest))
            else:
                offset = turn.T @ (solids.position[number] - position)
                samples = _core_samples(solids, number, (surface[0] - offset, surface[1]), contact.detail)
                rows.append(Row(b, solids.position[number], solids.axes[number], contact, samples, NO_FIELD, number))
                number += 1
    return rows


def _core_samples(solids: Solids, number: int, surface: Surface, detail: int) -> Samples:
    """Sample points of a convex solid, on its core. surface: [m] in the frame of the solid"""
    spacing = float(np.ptp(surface[0], axis=0).max()) / detail
    points, areas = merged(halved(surface[0][surface[1]], spacing), spacing)
    move_onto_core(solids, number, points)
    return Samples(points, areas, float(solids.radius[number]))


@kernel
def move_onto_core(solids: Solids, number: int, points: np.ndarray) -> None:
    """Move points (n, 3) [m] to the nearest ones of the core of a solid, in its frame."""
    for n in range(len(points)):
        at = row(points, n)
        near = nearest_on(solids, number, at, inf)
        put(points, n, subtract(at, scale(near.distance, near.normal)))


def build_fields(scene: Scene, bodies: Bodies, meshes: Meshes, own: np.ndarray, solids: Solids) -> Fields:
    """Shapes of all bodies with a contact, as kernel arrays; none if no shape presses as it looks.

    own: (n + p,) [N/m] contact stiffness of each body and point
    solids: the convex ones
    """
    rows = _rows(scene, bodies, meshes, solids)
    trees = [_tree_of(each.samples) for each in rows]
    points, areas = [each.points for each in trees], [each.areas for each in trees]
    centers = [(each.min(axis=0) + each.max(axis=0)) / 2 for each in points]
    numbers = [each.field.coefficients.reshape(-1) for each in rows]
    most = max((each.samples.rounding for each in rows), default=0.0)
    reached = [_reached(each.field, most).reshape(-1) for each in rows]
    far = [np.linalg.norm(each - center, axis=1).max() for each, center in zip(points, centers, strict=True)]
    first_separate, separate = separate_bodies(scene)
    return Fields(
        body=np.array([each.body for each in rows], dtype=np.int64),
        position=np.array([each.position for each in rows]).reshape(-1, 3),
        axes=np.array([each.axes for each in rows]).reshape(-1, 3, 3),
        solid=np.array([each.solid for each in rows], dtype=np.int64),
        center=np.array(centers).reshape(-1, 3),
        reach=np.array([radius + each.samples.rounding for radius, each in zip(far, rows, strict=True)]),
        material=np.array([material_of(each.contact, own[each.body]) for each in rows]).reshape(-1, len(MATERIAL)),
        rounding=np.array([each.samples.rounding for each in rows], dtype=np.float64),
        largest=np.array([each.largest for each in rows], dtype=np.float64),
        patch=np.array([each.sum() / FACES for each in areas], dtype=np.float64),
        first_number=firsts([len(each) for each in numbers])[:-1],
        nodes=np.array([each.field.coefficients.shape for each in rows], dtype=np.int64).reshape(-1, 3),
        low=np.array([each.field.low for each in rows]).reshape(-1, 3),
        cell=np.array([each.field.cell for each in rows], dtype=np.float64),
        numbers=np.concatenate([np.zeros(0, dtype=np.float32), *numbers]),
        reached=np.concatenate([np.zeros(0, dtype=np.bool_), *reached]),
        spacing=np.sqrt([each.mean() for each in areas]),
        first_point=firsts([len(each) for each in points]),
        point=np.concatenate([np.zeros((0, 3)), *points]),
        area=np.concatenate([np.zeros(0), *areas]),
        first_node=firsts([len(each.around) for each in trees]),
        middle=np.concatenate([np.zeros((0, 3)), *(each.middle for each in trees)]),
        around=np.concatenate([np.zeros(0), *(each.around for each in trees)]),
        first_separate=first_separate,
        separate=separate,
    )


class _Tree(NamedTuple):
    """Sample points in Morton order, and their tree; lengths in m."""

    points: np.ndarray  # (n, 3)
    areas: np.ndarray  # (n,)
    middle: np.ndarray  # (k, 3) of the spheres of its nodes
    around: np.ndarray  # (k,) their radii


@lru_cache(maxsize=64)
def _tree_of(samples: Samples) -> _Tree:
    """The tree of sample points, kept for the next build with the same object."""
    order = morton_order(samples.points)
    points = samples.points[order]
    return _Tree(points, samples.areas[order], *spheres_around(points, LEAF))


@lru_cache(maxsize=8)
def _reached(field: DistanceField, most: float) -> np.ndarray:
    """`reached_cells` of a field, kept for the next build with the same object."""
    return reached_cells(field.coefficients, most)


def largest_beside(surface: Surface) -> float:
    """Radius [m] up to which spheres press on a surface [m] by the distance of their centres."""
    return LARGE * float(np.ptp(surface[0], axis=0).max())


def _reach(surface: Surface, radii: tuple[float, ...]) -> float:
    """Distance [m] up to which the field of a surface [m] is known, for the spheres of a scene that are not too large
    for it: a few values only.
    """
    most = largest_beside(surface)
    largest = max((radius for radius in radii if radius <= most), default=0.0)
    return LADDER ** ceil(log(largest, LADDER)) if largest > 0.0 else 0.0


def _solid_of(name: str, contact: Contact, surface: Surface, radii: tuple[float, ...]) -> KeptSolid:
    """The rounded solid of a surface [m] of the body `name`, with a field for spheres of these radii [m].

    Raises InputError for a field that needs too much memory.
    """
    sizes, reach = np.ptp(surface[0], axis=0), _reach(surface, radii)

    def nodes(detail: int) -> float:
        return float(np.prod((sizes + 2 * reach) * detail / sizes.max() + 2 * AROUND))

    if nodes(contact.detail) > MOST:
        values = {"nodes": nodes(contact.detail) / 1e6, "most": MOST / 1e6}
        rule = Message("its field needs {nodes:.2g} million nodes, and {most:g} million are the most", **values)
        fits = next(detail for detail in range(contact.detail, 0, -1) if nodes(detail) <= MOST)
        remedy = Message("lower detail to {fits}, or make the largest sphere smaller", fits=fits)
        raise InputError.of(name, rule, remedy, "contact.detail")
    return KeptSolid.of(surface, limited(contact.rounding, float(sizes.min())), contact.detail, reach)
