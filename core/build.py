"""From a Scene to the arrays that the solver reads, and the state from one build to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.inertia import MassProperties, body_properties
from core.mesh import Meshes
from core.model import (
    ANGULAR_MOMENTUM,
    BASIS,
    FIXED,
    POSITION,
    SUPPORTS,
    Bodies,
    Dipoles,
    Inputs,
    Model,
    body_states,
)
from core.problem import InputError, Problem
from core.scene import Body, Scene

# An eigenvalue of the tensor counts as zero below this part of the largest: rounding leaves 1e-16, real bodies 1e-6.
SINGULAR = 1e-10


@dataclass(frozen=True)
class Built:
    """What a scene becomes: constant arrays, the state at its start, and what its bodies weigh."""

    scene: Scene
    model: Model
    inputs: Inputs
    start: np.ndarray  # flat state
    properties: tuple[MassProperties, ...]  # of each body, about its centre of mass, body frame


def build(scene: Scene, meshes: Meshes) -> Built:
    """Model, inputs and start state of a scene; raises InputError with everything that is wrong with its bodies."""
    properties = _all_properties(scene, meshes)
    model = Model(_bodies(scene.body, properties), _dipoles(scene.body), scene.world.permeability)
    inputs = Inputs(np.array(scene.world.gravity), np.array(scene.world.magnetic_field.value))
    return Built(scene, model, inputs, _start(scene.body, model), tuple(properties))


def carry_state(old: Built, state: np.ndarray, new: Built) -> np.ndarray:
    """Start state of `new`, with the motion of every body that `old` has by the same name and start.

    Basis and angular velocity go on; the angular momentum follows from them and the new inertia. A body whose start
    was edited, or that is held in another way, starts anew.
    """
    carried = new.start.copy()
    rows, old_rows = body_states(carried), body_states(state)
    names = {body.name: b for b, body in enumerate(old.scene.body)}
    for b, body in enumerate(new.scene.body):
        a = names.get(body.name)
        if a is None or _start_of(old.scene.body[a]) != _start_of(body):
            continue
        basis, momentum = old_rows[a, BASIS:ANGULAR_MOMENTUM], old_rows[a, ANGULAR_MOMENTUM:]
        turn = basis.reshape(3, 3)
        spin = old.model.bodies.inverse_inertia[a] @ turn @ momentum
        rows[b, BASIS:ANGULAR_MOMENTUM] = basis
        rows[b, ANGULAR_MOMENTUM:] = new.model.bodies.inertia[b] @ spin @ turn
    return carried


def _start_of(body: Body) -> tuple[object, ...]:
    return body.support, body.position, body.orientation, body.angular_velocity


def _all_properties(scene: Scene, meshes: Meshes) -> list[MassProperties]:
    properties, problems = [], []
    for b, body in enumerate(scene.body):
        try:
            properties.append(body_properties(scene, body, meshes))
            problems += [problem.at(f"body[{b}]") for problem in _unturnable(body, properties[-1])]
        except InputError as error:
            problems += [problem.at(f"body[{b}]") for problem in error.problems]
    if problems:
        raise InputError(scene.title or "scene", problems)
    return properties


def _unturnable(body: Body, properties: MassProperties) -> list[Problem]:
    if SUPPORTS[body.support] != FIXED and not np.any(properties.about(np.zeros(3)) > 0):
        rule = f"body '{body.name}' has all its mass on the pivot, so nothing says how it turns"
        return [Problem("shape", rule, "move the mass off the pivot, or give it a size")]
    return []


def _bodies(bodies: Sequence[Body], properties: Sequence[MassProperties]) -> Bodies:
    inertia = np.array([p.about(np.zeros(3)) for p in properties]).reshape(-1, 3, 3)
    moments, axes = np.linalg.eigh(inertia)
    has_inertia = moments > SINGULAR * moments[:, -1:]
    inverses = np.where(has_inertia, 1.0, 0.0) / np.where(has_inertia, moments, 1.0)
    return Bodies(
        support=np.array([SUPPORTS[body.support] for body in bodies], dtype=np.int64),
        mass=np.array([p.mass for p in properties]),
        center=np.array([p.center for p in properties]).reshape(-1, 3),
        inertia=inertia,
        inverse_inertia=_with_eigenvalues(axes, inverses),
        turnable=_with_eigenvalues(axes, has_inertia.astype(float)),
        singular=np.any(~has_inertia, axis=1),
        friction=np.array([body.friction for body in bodies]),
    )


def _with_eigenvalues(axes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(n, 3, 3) symmetric matrices with the given eigenvalues (n, 3) on the columns of `axes` (n, 3, 3)."""
    return np.ascontiguousarray(np.einsum("nij,nj,nkj->nik", axes, values, axes))


def _dipoles(bodies: Sequence[Body]) -> Dipoles:
    counts = [len(body.dipole) for body in bodies]
    dipoles = [dipole for body in bodies for dipole in body.dipole]
    return Dipoles(
        first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        position=np.array([dipole.position for dipole in dipoles]).reshape(-1, 3),
        moment=np.array([dipole.moment for dipole in dipoles]).reshape(-1, 3),
    )


def _start(bodies: Sequence[Body], model: Model) -> np.ndarray:
    """Flat state at the start: L = Q I Q^T omega with Q = [u1 u2 u3]."""
    state = np.zeros(18 * len(bodies))
    for row, body, inertia in zip(body_states(state), bodies, model.bodies.inertia, strict=True):
        turn = body.orientation.matrix()
        row[POSITION : POSITION + 3] = body.position
        row[BASIS:ANGULAR_MOMENTUM] = turn.T.ravel()
        if SUPPORTS[body.support] != FIXED:
            row[ANGULAR_MOMENTUM:] = turn @ inertia @ turn.T @ np.array(body.angular_velocity)
    return state
