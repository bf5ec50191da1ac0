"""Contacts of a scene as kernel arrays: spheres against each other, and corners of convex hulls against walls.

Spheres meet spheres only; the corners of all shapes meet walls. A corner is a point, a disc or an ellipsoid, thickened
by a sphere, so that cylinders, cones, capsules and tori touch walls where they really do; a mesh has the vertices of
its hull.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise

import numpy as np

from polhode.engine.model import NOTHING
from polhode.mesh.mesh import Meshes, convex_hull
from polhode.physics.bodies import shapes
from polhode.physics.bodies.arrays import AXLE, FREE, ON_PATH, PIVOT, Bodies
from polhode.physics.contact.arrays import Contacts, HullCorners
from polhode.physics.contact.corners import CORNERS, Corner
from polhode.physics.contact.description import Contact, ContactMaterial, PointContact, Wall
from polhode.physics.contact.separate import separate_bodies
from polhode.physics.contact.surfaces import SurfaceLaw
from polhode.physics.paths.compile import inertia_along
from polhode.physics.points.description import Particle, SoftBody
from polhode.scene.scene import Scene

FEET = 4  # contact points of a disc: three are the fewest that support it


def _spheres(scene: Scene) -> Iterator[tuple[int, shapes.Sphere, Contact]]:
    """Spheres of bodies that may touch: number of the body, shape and contact."""
    for b, body in enumerate(scene.bodies):
        if body.contact is not None:
            yield from ((b, s, body.contact) for s in body.shape if isinstance(s, shapes.Sphere) and s.presses)


def _point_radius(part: SoftBody | Particle) -> float:
    """Radius [m] of a particle, or of the points of a soft body."""
    return part.radius if isinstance(part, Particle) else part.particle_radius


def sphere_radii(scene: Scene) -> tuple[float, ...]:
    """Radii [m] of all spheres that may touch."""
    points = (_point_radius(part) for part in (*scene.soft, *scene.particle) if part.contact is not None)
    return (*(sphere.radius for _, sphere, _ in _spheres(scene)), *points)


def build_contacts(scene: Scene, bodies: Bodies, where: Mapping[str, slice], own: np.ndarray) -> Contacts:
    """Spheres of all items with a contact, as kernel arrays; `where` are the ranges of points by name.

    own: (n + p,) [N/m] contact stiffness of each body and point
    """
    rows: list[tuple[int, int, int, float, np.ndarray, PointContact]] = [
        (b, NOTHING, b, sphere.radius, bodies.origin[b] + sphere.position, contact)
        for b, sphere, contact in _spheres(scene)
    ]
    first = np.searchsorted([row[0] for row in rows], np.arange(len(scene.bodies) + 1)).astype(np.int64)
    for owner, part in enumerate((*scene.soft, *scene.particle), len(scene.bodies)):
        if part.contact is not None:
            radius = _point_radius(part)
            points = range(where[part.name].start, where[part.name].stop)
            rows += [(NOTHING, p, owner, radius, np.zeros(3), part.contact) for p in points]
    body, point, owners, radii, centers, hardness = zip(*rows, strict=True) if rows else ((),) * 6
    first_separate, separate = separate_bodies(scene)
    return Contacts(
        first=first,
        position=np.array(centers).reshape(-1, 3),
        body=np.array(body, dtype=np.int64),
        point=np.array(point, dtype=np.int64),
        owner=np.array(owners, dtype=np.int64),
        radius=np.array(radii, dtype=np.float64),
        stiffness=np.array(
            [own[p + len(scene.bodies) if b == NOTHING else b] for b, p in zip(body, point, strict=True)]
        ),
        damping=np.array([contact.damping for contact in hardness]),
        friction=np.array([contact.friction for contact in hardness]),
        dry=np.array([*map(dry_numbers, hardness)]).reshape(-1, 5),
        mobility=np.array([*map(partial(_mobility, scene, bodies), body, owners, centers, radii)]).reshape(-1, 2),
        rolling=np.array([contact.rolling if isinstance(contact, Contact) else 0.0 for contact in hardness]),
        first_separate=first_separate,
        separate=separate,
    )


def dry_numbers(law: ContactMaterial) -> tuple[float, float, float, float, float]:
    """Row of `dry` arrays; points neither roll nor spin."""
    turning = 0.0, 0.0
    if isinstance(law, Contact | Wall | SurfaceLaw):
        turning = law.rolling_resistance, law.spinning_friction
    return law.damping_ratio, law.holding_friction, law.kinetic_friction, *turning


def _mobility(
    scene: Scene, bodies: Bodies, b: int, owner: int, center: np.ndarray, radius: float
) -> tuple[float, float]:
    """Acceleration per force [1/kg] of a sphere along the normal of a contact, and tangentially; for damping and share.

    At a distance a from the reference point it is the largest possible one: 1/m + a^2/I and 1/m + (a + r)^2/I.

    center: (3,) [m] centre from the reference point, body frame.
    """
    if b == NOTHING:
        part = (*scene.soft, *scene.particle)[owner - len(scene.bodies)]
        mass = np.inf if part.fixed is True else part.mass if isinstance(part, Particle) else part.particle_mass
        return 1 / mass, 1 / mass
    if bodies.support[b] == ON_PATH:
        along = 1 / (inertia_along(scene.bead[b - len(scene.bodies)]) * bodies.mass[b])
        return along, along
    free = 1 / bodies.mass[b] if bodies.support[b] == FREE else 0.0
    turning = bodies.inverse_moments[b].max() if bodies.support[b] in (FREE, PIVOT, AXLE) else 0.0
    arm = float(np.linalg.norm(center))
    return free + turning * arm**2, free + turning * (arm + radius) ** 2


def corners(shape: shapes.ShapeBase, scene: Scene, meshes: Meshes) -> list[Corner]:
    """Corners of a shape's convex hull, in its own frame. Raises InputError for a mesh that cannot be read."""
    if not isinstance(shape, shapes.MeshShape):
        return CORNERS[type(shape)](shape)
    mesh = meshes.of(shape, scene.folder)
    hull = mesh if shape.convex_hull else convex_hull(mesh, shape.file)
    return [Corner(at) for at in (hull.vertices * shape.scale).tolist()]


def build_hulls(scene: Scene, bodies: Bodies, meshes: Meshes) -> HullCorners:
    """Corners of all bodies that are not fixed, in body frames; none if the scene has no walls.

    The meshes must have been checked.
    """
    rows = [
        [
            (corner, shape)
            for shape in (body.shape if scene.wall and body.support != "fixed" else ())
            if shape.presses
            for corner in corners(shape, scene, meshes)
        ]
        for body in scene.bodies
    ]
    first = np.concatenate([[0], np.cumsum([len(of_body) for of_body in rows])]).astype(np.int64)
    turns = {id(shape): shape.orientation.matrix() for body in scene.bodies for shape in body.shape}
    position, square, axis = np.zeros((first[-1], 3)), np.zeros((first[-1], 3, 3)), np.zeros((first[-1], 3))
    spread, radius = np.zeros(first[-1]), np.zeros(first[-1])
    numbered = [(b, corner, shape) for b, of_body in enumerate(rows) for corner, shape in of_body]
    for i, (b, corner, shape) in enumerate(numbered):
        turn = turns[id(shape)]
        position[i] = bodies.origin[b] + shape.position + turn @ corner.position
        square[i] = turn @ np.diag(np.square(corner.semi_axes)) @ turn.T
        axis[i] = turn[:, 2] if corner.semi_axes[0] > 0 and corner.semi_axes[2] == 0 else 0.0
        spread[i], radius[i] = max(corner.semi_axes), corner.radius
    reaches = np.linalg.norm(position, axis=1) + spread + radius
    return HullCorners(
        first=first,
        position=position,
        square=square,
        axis=axis,
        count=np.where(axis.any(axis=1), FEET, 1),
        spread=spread,
        radius=radius,
        reach=np.array([reaches[a:b].max(initial=0.0) for a, b in pairwise(first)]),
    )
