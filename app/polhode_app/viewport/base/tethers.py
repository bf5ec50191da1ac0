"""How far the ends of springs and strings, and soft bodies with fixed points, get from what holds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from polhode.physics.points.description import BodyPoint, Chain, End, Particle, Soft, Spring, path_length
from polhode.scene.formula_vector import at_the_start
from polhode.scene.scene import Scene

STRETCH = 1.0  # extension of a spring by a formula, in lengths: an estimate
SAG = 0.5  # deflection of a soft body from its fixed points, in its distance from them
SIDES = np.array([[1.0, 0, 0], [-1.0, 0, 0], [0, 1.0, 0], [0, -1.0, 0]])
SUDDEN = 2.0  # extension by a suddenly applied weight, in that at rest


def hung(scene: Scene) -> list[np.ndarray]:
    """For each spring between a fixed point and a body, (n, 3) [m] points that span the swings of the body.

    On a string they include its lowest position.
    """
    extents, bodies = [], {body.name for body in scene.bodies}
    for spring, end, other in _ties(scene):
        name = getattr(end, "body", end)
        if isinstance(other, tuple) and name in bodies:
            position, body = np.array(other), np.array(_position(scene, name))
            away = SAG * float(np.linalg.norm(body - position))
            extents.append(np.vstack([position, body + away * SIDES, _lowest(scene, spring, position)]))
    return extents


def _lowest(scene: Scene, spring: Spring, at: np.ndarray) -> np.ndarray:
    """(n, 3) [m] the lowest position of what hangs from a point (3,) [m] by a string; none for other springs."""
    if not spring.is_string:
        return np.zeros((0, 3))
    course = [np.array(_position(scene, name) if name else point) for name, point in spring.course]
    between = sum(float(np.linalg.norm(other - one)) for one, other in pairwise(course))
    ends = [
        np.array(_position(scene, getattr(end, "body", end)) if not isinstance(end, tuple) else end)
        for end in (spring.from_, spring.to)
    ]
    path = [ends[0], *course, ends[1]]
    whole = spring.rest_length or sum(float(np.linalg.norm(other - one)) for one, other in pairwise(path))
    return np.array([at - [0.0, 0.0, max(whole - between, 0.0)]])


def stretched(scene: Scene, chain: Chain) -> float:
    """Extension [m] of a chain whose weight hangs from its first point suddenly; 0 without weight or stiffness."""
    weight = float(np.linalg.norm(at_the_start(scene.world.gravity))) * chain.particle_mass
    stiffness = np.broadcast_to(np.array(chain.stiffness, dtype=float), chain.count - 1)
    if not (stiffness > 0).all():
        return 0.0
    return float(SUDDEN * weight * (np.arange(chain.count - 1, 0, -1) / stiffness).sum())


def _ties(scene: Scene) -> Iterator[tuple[Spring, End, End]]:
    """Each spring from both sides: an end, and what it pulls to: its first pulley, or the other end."""
    for spring in scene.spring:
        course = [_position(scene, name) if name else point for name, point in spring.course]
        yield spring, spring.from_, course[0] if course else spring.to
        yield spring, spring.to, course[-1] if course else spring.from_


def _whole(scene: Scene, spring: Spring, at: Mapping[str, np.ndarray]) -> float:
    """Length [m] of a spring over pulleys between particles or points at the start; 0 of others."""
    if not spring.over:
        return 0.0
    course = [_position(scene, name) if name else point for name, point in spring.course]
    ends = [at.get(end, course[0]) if isinstance(end, str) else end for end in (spring.from_, spring.to)]
    points = [_position(scene, end.body) if isinstance(end, BodyPoint) else end for end in ends]
    return path_length([tuple(points[0]), *course, tuple(points[1])], spring.strands)


def tethers(scene: Scene) -> dict[str, tuple[np.ndarray, float]]:
    """For each particle held by springs, the support (3,) [m] of its chain of springs and its distance limit [m].

    A suddenly applied weight stretches a spring by at most 2 m g/k; each spring is assumed to carry all particles.
    """
    at = {particle.name: np.array(particle.position) for particle in scene.particle}
    weight = float(np.linalg.norm(at_the_start(scene.world.gravity))) * sum(
        particle.mass for particle in scene.particle
    )
    found = {particle.name: (at[particle.name], 0.0) for particle in scene.particle if particle.fixed}
    ties = list(_ties(scene))
    for _ in scene.particle:  # each iteration adds particles attached to those found before
        for spring, end, other in ties:
            if not isinstance(end, str) or end not in at or (isinstance(other, str) and other not in found):
                continue
            if isinstance(other, str):
                start, (position, before) = at[other], found[other]
            else:
                start = position = np.array(other if isinstance(other, tuple) else _position(scene, other.body))
                before = 0.0
            length = max(float(np.linalg.norm(at[end] - start)), spring.rest_length or _whole(scene, spring, at))
            stretch = 2 * weight / spring.stiffness if spring.stiffness is not None else STRETCH * length
            reach = before + length + stretch
            if end not in found or reach < found[end][1]:
                found[end] = position, reach
    return found


def held_points(scene: Scene, part: Soft | Particle, points: np.ndarray) -> np.ndarray:
    """(n, 3) [m] positions that hold an object with points (n, 3) [m].

    These are its fixed points, and the other ends of its springs.
    """
    if isinstance(part, Particle):
        held = [points[0]] if part.fixed else []
    else:
        held = [points[index] for index in part.fixed if index < len(points)]
    for _, end, other in _ties(scene):
        if isinstance(end, str) and end.split(".")[0] == part.name and not isinstance(other, str):
            position = other if isinstance(other, tuple) else _position(scene, other.body)
            held.append(np.array(position))
    return np.array(held).reshape(-1, 3)


def _position(scene: Scene, name: str) -> tuple[float, float, float]:
    """Position [m] of a body by name."""
    return next((body.position for body in scene.bodies if body.name == name), (0.0, 0.0, 0.0))
