"""Ghosts: perturbed copies of a scene, and the distance between two runs of the same bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from polhode.physics.bodies.shapes import Orientation, unit
from polhode.scene.fields import FieldPath
from polhode.scene.problem import MOST, InputError, InvalidValue, Problem
from polhode.scene.quantity import Vector
from polhode.scene.scene import Body, Ghost, Scene
from polhode.scene.variants.alone import alone
from polhode.scene.variants.numbers import number_at, scene_with
from polhode.simulation.snapshot import BodyStates

if TYPE_CHECKING:
    from polhode.physics.bodies.mass.mass_properties import MassProperties  # imports the compiler


def ghost_scene(scene: Scene, ghost: Ghost) -> Scene:
    """The scene of a ghost: the original with the ghost's changes, without ghosts.

    A tilt is applied after the body's own orientation; of a body on an axle only its component along the axle. Raises
    InputError for values at paths where the scene has none.
    """
    stated = {"method": ghost.method, "time_step": ghost.time_step}
    solver = scene.solver.model_copy(update={key: value for key, value in stated.items() if value is not None})
    bodies = tuple(_perturbed(body, ghost) if body.name == ghost.body else body for body in scene.body)
    soft = scene.soft
    if ghost.modes is not None:
        soft = tuple(body.model_copy(update={"modes": ghost.modes}) for body in soft)
    changed = alone(scene).model_copy(update={"solver": solver, "body": bodies, "soft": soft})
    return _with_values(changed, ghost) if ghost.values else changed


def _with_values(scene: Scene, ghost: Ghost) -> Scene:
    """The scene with the values of a ghost. Raises InputError."""
    paths: list[FieldPath] = []
    problems: list[Problem] = []
    for number, stated in enumerate(ghost.values):
        try:
            paths.append(number_at(scene, stated.parameter, suggests=len(problems) < MOST)[0])
        except InvalidValue as error:
            problems.append(error.problem.at(f"values[{number}].parameter"))
    if problems:
        raise InputError(scene.title or "scene", problems)
    return scene_with(scene, tuple(paths), np.array([stated.value for stated in ghost.values]))


def ghost_name(scene: Scene, ghost: Ghost) -> str:
    """Display name of a ghost: its own, else its method, else that of the scene."""
    return ghost.name or ghost.method or scene.solver.method


def _perturbed(body: Body, ghost: Ghost) -> Body:
    """A body with the start that a ghost states: tilt [rad] and angular velocity [rad/s], laboratory frame."""
    changed: dict[str, object] = {}
    if ghost.angular_velocity is not None:
        changed["angular_velocity"] = ghost.angular_velocity
    tilt = np.array(ghost.tilt)
    if body.support == "axle" and body.axis is not None:
        axis = unit(body.axis)
        tilt = (tilt @ axis) * axis  # an axle allows no other rotation
    angle = float(np.linalg.norm(tilt))
    if angle > 0:
        turn = Orientation(axis=_vector(tilt), angle=angle).matrix() @ body.orientation.matrix()
        changed["orientation"] = Orientation(basis=(_vector(turn[:, 0]), _vector(turn[:, 1]), _vector(turn[:, 2])))
    return body.model_copy(update=changed)


def _vector(values: np.ndarray) -> Vector:
    return (float(values[0]), float(values[1]), float(values[2]))


def distances(properties: Sequence[MassProperties], one: BodyStates, other: BodyStates) -> np.ndarray:
    """(n,) [m] root mean square distance between the mass elements of each body in two snapshots.

    properties: of the n bodies, each with a positive mass

    With D = Q' - Q, d the distance of the origins and c, C the mean of r and of r r^T over the mass (about the origin,
    body frame), the mean of |d + D r|^2 is d.d + 2 d.D c + tr(D C D^T). C follows from the inertia tensor about the
    origin, I / M = tr(C) 1 - C.
    """
    far = np.zeros(len(properties))
    for b, body in enumerate(properties):
        inertia = body.about(np.zeros(3)) / body.mass
        second = 0.5 * np.trace(inertia) * np.eye(3) - inertia
        turn = (other.basis[b] - one.basis[b]).T
        displacement = other.position[b] - one.position[b]
        square = displacement @ displacement + 2 * displacement @ turn @ body.center + np.trace(turn @ second @ turn.T)
        far[b] = np.sqrt(max(square, 0.0))  # rounding may make it negative
    return far
