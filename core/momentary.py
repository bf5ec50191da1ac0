"""A moment of a run as the start of a scene, and what a scene can't say of it."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from core.quantity import Vector
from core.scene import Body, EllipseMotion, RotatingField, Scene, UniformMotion, World
from core.sensor import BodyFollows
from core.shapes import Orientation
from core.snapshot import Snapshot
from core.soft import Particle, Spring
from core.spheres import SolidSphere


def scene_in(scene: Scene, now: Snapshot) -> tuple[Scene, list[str]]:
    """The scene with the moment `now` of it as its start, and notes on what begins otherwise."""
    rows = {body.name: row for row, body in enumerate(scene.bodies)}
    bodies = tuple(_body(body, now, rows[body.name]) for body in scene.body)
    spheres = tuple(ball for sphere in scene.sphere for ball in _spheres(sphere, now, rows))
    beads = tuple(
        bead.model_copy(update={"parameter": float(q), "speed": float(speed)})
        for bead, q, speed in zip(scene.bead, now.beads.parameter, now.beads.speed, strict=True)
    )
    points = len(now.points.position) - len(scene.particle)
    particles = tuple(_particle(particle, now, points + k) for k, particle in enumerate(scene.particle))
    changed: dict[str, object] = {"body": bodies, "sphere": spheres, "bead": beads, "particle": particles}
    changed["spring"] = tuple(_spring(spring, scene) for spring in scene.spring)
    changed["world"] = _world(scene.world, now.time)
    return scene.model_copy(update=changed), _notes(scene, now)


def _body(body: Body, now: Snapshot, row: int) -> Body:
    if body.support == "fixed":
        return body
    basis = tuple(_vector(u) for u in now.bodies.basis[row])
    turned = {
        "orientation": Orientation(basis=basis),
        "angular_velocity": _vector(now.bodies.angular_velocity[row]),
    }
    if body.support == "free":
        turned |= {"position": _vector(now.bodies.position[row]), "velocity": _vector(now.bodies.velocity[row])}
    if isinstance(body.motion, UniformMotion):
        turned["position"] = _vector(now.bodies.position[row])
    if isinstance(body.motion, EllipseMotion):
        phase = body.motion.phase + body.motion.angular_frequency * now.time
        turned["motion"] = body.motion.model_copy(update={"phase": phase})
    return body.model_copy(update=turned)


def _spheres(sphere: SolidSphere, now: Snapshot, rows: dict[str, int]) -> list[SolidSphere]:
    """Each by itself, where it has gone."""
    return [
        sphere.model_copy(
            update={
                "name": name,
                "arrangement": None,
                "color": sphere.color_of(number),
                "position": _vector(now.bodies.position[rows[name]]),
                "velocity": _vector(now.bodies.velocity[rows[name]]),
                "angular_velocity": _vector(now.bodies.angular_velocity[rows[name]]),
            }
        )
        for number, name in enumerate(sphere.names)
    ]


def _particle(particle: Particle, now: Snapshot, point: int) -> Particle:
    place, velocity = _vector(now.points.position[point]), _vector(now.points.velocity[point])
    return particle.model_copy(update={"position": place, "velocity": (0.0, 0.0, 0.0) if particle.fixed else velocity})


def _spring(spring: Spring, scene: Scene) -> Spring:
    """With its length, where the start would have given it."""
    particles = {particle.name: np.array(particle.position) for particle in scene.particle}

    def place(end: object) -> np.ndarray | None:
        if isinstance(end, str):
            return particles.get(end)
        return np.array(end) if isinstance(end, tuple) else None

    first, second = place(spring.from_), place(spring.to)
    if spring.rest_length is not None or first is None or second is None:
        return spring
    return spring.model_copy(update={"rest_length": float(np.linalg.norm(second - first))})


def _world(world: World, time: float) -> World:
    field = world.magnetic_field
    if not isinstance(field, RotatingField):
        return world
    c, s = np.array(field.cosine), np.array(field.sine)
    turn = field.angular_frequency * time
    later = {"cosine": _vector(c * cos(turn) + s * sin(turn)), "sine": _vector(s * cos(turn) - c * sin(turn))}
    return world.model_copy(update={"magnetic_field": field.model_copy(update=later)})


def _notes(scene: Scene, now: Snapshot) -> list[str]:
    """What of the moment is lost."""
    lost = [f"'{soft.name}' starts as the scene says: a scene has no words for how it is bent" for soft in scene.soft]
    by_clock = [wall.name for wall in scene.wall if wall.motion.kind == "sine"]
    by_clock += [bead.name for bead in scene.bead if bead.path_motion.kind != "still"]
    by_clock += [body.name for body in scene.body if isinstance(body.motion, BodyFollows)]
    if now.time > 0:
        lost += [f"what moves '{name}' begins at t = 0 again" for name in by_clock]
    by_rest = [spring for spring in scene.spring if spring.rest_length is None]
    if any(_spring(spring, scene) is spring for spring in by_rest):
        lost.append("springs to bodies and soft bodies without a rest_length take the distance at this start")
    return lost


def _vector(values: np.ndarray) -> Vector:
    x, y, z = values.tolist()
    return x, y, z
