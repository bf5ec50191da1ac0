"""Contact stiffness of what states none: k = m g/(SINKS s), so that its weight presses it in by SINKS of its size.

m is the mass and s the size of a body or a particle; a point of a soft body has its own mass and the distance of its
neighbours, so that a column of n of them sinks by SINKS of its height. Whatever its mass, the angular frequency of such
a contact is sqrt(k/m) = sqrt(g/(SINKS s)): a thing of a centimetre asks for steps of milliseconds. g is that of the
earth in every scene, since gravity may change during a run, and stiffness may not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from polhode.physics.bodies import shapes
from polhode.physics.contact.description import PointContact, Wall
from polhode.physics.points.description import Soft
from polhode.scene.scene import Body, Scene

if TYPE_CHECKING:
    from polhode.mesh.mesh import Meshes  # imports the compiler, which edits do not wait for

SINKS = 0.002  # depth at rest under its own weight, relative to the size of what presses
GRAVITY = 9.80665  # [m/s^2] standard acceleration of gravity
NO_SIZE = 0.01  # [m] size that is taken for points and rods, which have no thickness
USUAL_DENSITY = 1000.0  # [kg/m^3] of fixed bodies without a mass

W = TypeVar("W", bound=PointContact | Wall)


def contact_stiffness(mass: float, size: float) -> float:
    """k [N/m] of a thing with a mass [kg] and a size [m]."""
    return mass * GRAVITY / (SINKS * size)


def width_of(shape: shapes.ShapeBase, scene: Scene, meshes: Meshes | None) -> float:
    """Smallest extent [m] of a shape, 0 of a rod or a point, and of a mesh without `meshes`. They must be checked."""
    match shape:
        case shapes.Torus(tube_radius=radius) | shapes.Sphere(radius=radius) | shapes.Capsule(radius=radius):
            return 2 * radius
        case shapes.Cylinder(radius=radius, length=length) | shapes.Cone(radius=radius, length=length):
            return min(2 * radius, length)
        case shapes.Tube(radius=radius, inner_radius=inner, length=length):
            return min(radius - inner, length)
        case shapes.Ellipsoid(semi_axes=semi_axes):
            return 2 * min(semi_axes)
        case shapes.Cuboid(size=size):
            return min(size)
        case shapes.MeshShape() if meshes is not None:
            return float(np.ptp(meshes.of(shape, scene.folder).vertices, axis=0).min()) * shape.scale
    return 0.0


def stiffness_of_body(body: Body, mass: float, scene: Scene, meshes: Meshes) -> float:
    """k [N/m] of a body with a mass [kg]: what its contact states, else by the widest of its shapes."""
    if body.contact is not None and body.contact.stiffness is not None:
        return body.contact.stiffness
    size = max((width_of(shape, scene, meshes) for shape in body.shape), default=0.0) or NO_SIZE
    return contact_stiffness(mass or USUAL_DENSITY * size**3 / 2, size)


def stiffnesses(scene: Scene, masses: np.ndarray, points: Mapping[str, slice], meshes: Meshes) -> np.ndarray:
    """(n + p,) [N/m] contact stiffness of each body, 0 of those that press on nothing with it, then of each point.

    masses: (n,) [kg] of the bodies; points: range of the points of each soft body and particle
    """
    is_rigid = any(law.stiffness is None for law in (*scene.wall, *scene.surface))
    of_bodies = [
        stiffness_of_body(body, float(mass), scene, meshes) if _may_press(body, is_rigid) else 0.0
        for body, mass in zip(scene.bodies, masses, strict=True)
    ]
    of_points = np.zeros(max((where.stop for where in points.values()), default=0))
    for soft in scene.soft:
        stated = soft.contact.stiffness if soft.contact is not None else None
        of_points[points[soft.name]] = stated or contact_stiffness(soft.particle_mass, _spacing(soft))
    for particle in scene.particle:
        stated = particle.contact.stiffness if particle.contact is not None else None
        own = contact_stiffness(particle.mass, 2 * particle.radius or NO_SIZE)
        of_points[points[particle.name]] = stated or own
    return np.concatenate([of_bodies, of_points])


def _may_press(body: Body, is_rigid: bool) -> bool:
    """Whether the stiffness of a body may be asked for; is_rigid: a wall or a surface states none.

    The meshes of other bodies need not be solids, nor be read.
    """
    return body.contact is not None or (is_rigid and body.support != "fixed")


def _spacing(soft: Soft) -> float:
    """Smallest distance [m] of neighbouring points of a soft body."""
    return float(np.min(soft.spacing))


def table_of(laws: tuple[W, ...], own: np.ndarray) -> np.ndarray:
    """(w, n + p) [N/m] stiffness of walls or surfaces for each body and point: as stated, else its `own` (n + p,)."""
    rows = [np.full_like(own, law.stiffness) if law.stiffness else own for law in laws]
    return np.array(rows).reshape(len(laws), len(own))
