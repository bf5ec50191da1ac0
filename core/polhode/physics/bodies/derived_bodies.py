"""Rigid bodies that a scene states in a shorter form: solid spheres, and beads on paths.

They are descriptions (`Body`), appended to the bodies of a scene before it is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from polhode.physics.bodies.description import Body
from polhode.physics.bodies.shapes import Magnet, Orientation, Sphere, unit
from polhode.physics.contact.spheres import SolidSphere
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.path_geometry import PathPose, path_pose, point_on_path
from polhode.physics.paths.path_motions import CarriedPath
from polhode.physics.sensor.description import Sensor
from polhode.scene.quantity import Vector


def bodies_of_spheres(spheres: Iterable[SolidSphere]) -> Iterator[Body]:
    """Bodies of one solid sphere each, one for every sphere of an arrangement."""
    return (ball for sphere in spheres for ball in _balls(sphere))


def _balls(sphere: SolidSphere) -> list[Body]:
    """Bodies of one description; spheres of the same colour share their shape."""
    shared = sphere.model_dump(include={"angular_velocity", "velocity", "drag", "quadratic_drag"})
    looks = {color: _ball(sphere, color) for color in map(sphere.color_of, range(len(sphere.names)))}
    return [
        Body.model_construct(
            name=name,
            support="fixed" if sphere.fixed else "free",
            position=tuple(position.tolist()),
            shape=(looks[sphere.color_of(number)],),
            contact=sphere.contact,
            **shared,
        )
        for number, (name, position) in enumerate(zip(sphere.names, sphere.centers, strict=True))
    ]


def _ball(sphere: SolidSphere, color: str | None) -> Sphere:
    return Sphere(kind="sphere", radius=sphere.radius, mass=sphere.mass, color=color)


START = np.zeros(1)  # [s]


def path_at_start(bead: Bead, sensor: Sensor, bodies: Sequence[Body]) -> PathPose:
    """The pose of the path of a bead at t = 0; `bodies` are those that may carry it.

    A path on a body that is not among them is at rest.
    """
    motion = bead.path_motion
    if isinstance(motion, CarriedPath):
        for body in bodies:
            if body.name == motion.body:
                return PathPose(body.orientation.matrix(), np.array(body.position))
    return path_pose(motion, 0.0, float(sensor.distances(START)[0]))


def body_of_bead(bead: Bead, sensor: Sensor, bodies: Sequence[Body]) -> Body:
    """The rigid body of a bead where it starts, on its path at t = 0; compile.py of the paths gives it its support.

    Its moment becomes a point dipole in the centre. `bodies` are those that may carry the path.
    """
    pose = path_at_start(bead, sensor, bodies)
    (position,) = pose.apply(point_on_path(bead.path, bead.parameter)[None])
    magnet, turn = None, Orientation()
    if bead.moment is not None and any(bead.moment):
        magnet, turn = Magnet(moment=(0.0, 0.0, float(np.linalg.norm(bead.moment))), dipoles=1), _along(bead.moment)
    ball = Sphere(kind="sphere", radius=bead.radius, mass=bead.mass, color=bead.color, magnet=magnet, orientation=turn)
    return Body.model_construct(
        name=bead.name,
        support="free",
        position=tuple(position.tolist()),
        shape=(ball,),
        contact=bead.contact,
        drag=bead.drag,
        quadratic_drag=bead.quadratic_drag,
    )


def _along(direction: Vector) -> Orientation:
    """A rotation that takes the z axis to a direction."""
    w = unit(direction)
    u = unit(np.cross(w, np.eye(3)[np.abs(w).argmin()]))
    first, second, third = (tuple(row.tolist()) for row in (u, np.cross(w, u), w))
    return Orientation(basis=(first, second, third))
