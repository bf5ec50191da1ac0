"""Rigid bodies of a scene as arrays, and their start state.

The reference point is the origin of a body, or the centre of mass of a free one. The inverse tensor is the
pseudoinverse by principal axes (PEM eqs. 4.1, 4.2): an eigenvalue counts as zero if it is at most SINGULAR times the
largest, and L and T are projected off such an axis; otherwise a torque along it would wind up angular momentum without
rotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from polhode.engine.model import Model
from polhode.engine.part import Draft
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    BASIS,
    MOMENTUM,
    POSITION,
    SUPPORTS,
    Bodies,
    DryPivots,
    body_states,
)
from polhode.physics.bodies.mass.mass_properties import MassProperties, body_properties
from polhode.physics.bodies.shapes import Sphere, unit
from polhode.physics.sensor.description import BodyFollows
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Body, EllipseMotion, Scene, UniformMotion

# An eigenvalue of the tensor counts as zero below this part of the largest: rounding leaves 1e-16, real bodies 1e-6.
SINGULAR = 1e-10
TURNING = ("pivot", "axle", "free")  # supports of bodies that torques turn


def compile_mass_properties(draft: Draft) -> None:
    """Compute the mass properties of all bodies, and add the problems of these to the draft.

    The first check of all, since magnets need valid shapes.
    """
    properties: list[MassProperties] = []
    for b, body in enumerate(draft.scene.bodies):
        try:
            properties.append(body_properties(draft.scene, body, draft.meshes))
            found = _unturnable(body, properties[-1])
        except InputError as error:
            found = list(error.problems)
        draft.problems += [problem.at(draft.scene.place_of(b)) for problem in found]
    draft.results["properties"] = tuple(properties)


def compile_bodies(draft: Draft) -> None:
    """Add the member `bodies` of the Model. Beads, the last of them, are compiled as free bodies here."""
    scene = draft.scene
    draft.model["bodies"] = _bodies(scene.bodies, draft.results["properties"], len(scene.bead))


def adjusted_friction(scene: Scene, model: Model) -> dict[str, Bodies]:
    """The member `bodies` of the Model with the viscous friction of the supports of a scene."""
    return {"bodies": replace(model.bodies, friction=_frictions(scene.bodies))}


def _frictions(bodies: Sequence[Body]) -> np.ndarray:
    """(n,) [N m s] viscous friction of the supports of bodies."""
    return np.array([body.friction if body.support in TURNING else 0.0 for body in bodies])


def compile_dry_friction(draft: Draft) -> None:
    """Add the member `dry_pivots` of the Model."""
    draft.model["dry_pivots"] = _dry_pivots(draft.scene)


def adjusted_dry_friction(scene: Scene, model: Model) -> dict[str, DryPivots] | None:
    """The member `dry_pivots` of the Model with the dry friction of a scene; None where other supports rub."""
    made = _dry_pivots(scene)
    return {"dry_pivots": made} if np.array_equal(made.body, model.dry_pivots.body) else None


def _dry_pivots(scene: Scene) -> DryPivots:
    """The supports with dry friction."""
    rubbing = {b: body.dry_friction for b, body in enumerate(scene.body) if body.dry_friction > 0}
    return DryPivots(np.array(list(rubbing), dtype=np.int64), np.array(list(rubbing.values()), dtype=float))


def _unturnable(body: Body, properties: MassProperties) -> list[Problem]:
    """Problem of a pivoted body without any moment of inertia about the pivot."""
    if body.support in ("pivot", "axle") and not np.any(properties.about(np.zeros(3)) > 0):
        rule = Message("body '{name}' has all its mass on the pivot, so nothing says how it turns", name=body.name)
        return [Problem("shape", rule, Message("move the mass off the pivot, or give it a size"))]
    return []


def _bodies(bodies: Sequence[Body], properties: Sequence[MassProperties], beads: int) -> Bodies:
    """Arrays of all bodies, of which the last `beads` are beads."""
    free = np.array([body.support == "free" for body in bodies], dtype=bool).reshape(-1, 1)
    centers = np.array([p.center for p in properties]).reshape(-1, 3)
    references = np.where(free, centers, 0.0)
    inertia = np.array([p.about(at) for p, at in zip(properties, references, strict=True)]).reshape(-1, 3, 3)
    inverse_moments, axes = _turning(bodies, inertia)
    can_turn = inverse_moments > 0
    return Bodies(
        support=np.array([SUPPORTS[body.support] for body in bodies], dtype=np.int64),
        mass=np.array([p.mass for p in properties]),
        center=centers - references,
        origin=-references,
        inertia=inertia,
        inverse_inertia=_with_eigenvalues(axes, inverse_moments),
        axes=np.ascontiguousarray(np.swapaxes(axes, 1, 2)),
        inverse_moments=inverse_moments,
        turnable=_with_eigenvalues(axes, can_turn.astype(float)),
        restricted=np.any(~can_turn, axis=1),
        friction=_frictions(bodies),
        drag=np.array([(body.drag, body.quadratic_drag) for body in bodies]).reshape(-1, 2),
        round=np.array([_ball_radius(body) > 0 for body in bodies], dtype=np.bool_),
        radius=np.array([_ball_radius(body) for body in bodies], dtype=float),
        first_bead=len(bodies) - beads,
        motion=np.array([_script(body) for body in bodies]).reshape(-1, 5, 3),
        follows=np.array([_follows(body) for body in bodies]).reshape(-1, 4),
    )


def _turning(bodies: Sequence[Body], inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Inverse principal moments (n, 3) [1/(kg m^2)], zero where a body cannot turn, and axes (n, 3, 3) in columns, body
    frame.

    Of an axle n: 1/(n.I n) about n, 0 where that has no inertia, and 0 across. Of a driven body 1, so that its L is the
    constant angular velocity.

    inertia: (n, 3, 3) [kg m^2] about the reference points, body frame.
    """
    moments, axes = np.linalg.eigh(inertia)
    has_inertia = moments > SINGULAR * moments[:, -1:]
    inverses = np.where(has_inertia, 1.0, 0.0) / np.where(has_inertia, moments, 1.0)
    for b, body in enumerate(bodies):
        if body.support == "axle" and body.axis is not None:
            n = body.orientation.matrix().T @ unit(body.axis)
            axes[b] = np.linalg.svd(np.outer(n, n))[0]  # n first, up to its sign, and two across
            moment = n @ inertia[b] @ n
            inverses[b] = 1.0 / moment if moment > SINGULAR * moments[b, -1] else 0.0, 0.0, 0.0
        if body.support == "driven":
            inverses[b] = 1.0  # unit inertia: its momentum is the constant angular velocity
    return inverses, axes


def _ball_radius(body: Body) -> float:
    """Radius [m] of a free body that is one uniform sphere about its centre of mass and presses; 0 of any other."""
    whole = body.shape[0]
    is_ball = body.support == "free" and len(body.shape) == 1 and body.inertia is None and whole.presses
    return whole.radius if is_ball and isinstance(whole, Sphere) else 0.0


def _script(body: Body) -> np.ndarray:
    """(5, 3) the rows c, v, r1, r2, (w, p, 0) of a driven body's motion.

    v is the axis of one that follows the sensor.
    """
    script = np.zeros((5, 3))
    script[0] = body.position
    if isinstance(body.motion, UniformMotion):
        script[1] = body.motion.velocity
    if isinstance(body.motion, EllipseMotion):
        script[2:4] = body.motion.r1, body.motion.r2
        script[4, :2] = body.motion.angular_frequency, body.motion.phase
    if isinstance(body.motion, BodyFollows):
        script[1] = unit(body.motion.axis)
    return script


def _follows(body: Body) -> tuple[float, float, float, float]:
    """Row of `follows` (scale, offset, lowest, highest) of a driven body; all zero if it does not follow the sensor."""
    return body.motion.numbers if isinstance(body.motion, BodyFollows) else (0.0, 0.0, 0.0, 0.0)


def _with_eigenvalues(axes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(n, 3, 3) symmetric matrices A diag(values) A^T.

    axes: (n, 3, 3) eigenvectors in columns; values: (n, 3) eigenvalues.
    """
    return np.ascontiguousarray(np.einsum("nij,nj,nkj->nik", axes, values, axes))


def momentum_of_spin(bodies: Bodies, b: int, spin: np.ndarray) -> np.ndarray:
    """(3,) angular momentum I omega [kg m^2/s] of body b, body frame, without directions blocked by the support.

    spin: omega (3,) [rad/s], body frame.
    """
    inverses, axes = bodies.inverse_moments[b], bodies.axes[b]
    moments = np.where(inverses > 0, 1.0, 0.0) / np.where(inverses > 0, inverses, 1.0)
    return np.asarray(axes.T @ (moments * (axes @ spin)))


def start_bodies(draft: Draft, model: Model, state: np.ndarray) -> None:
    """Write the start of the bodies into `state`: L = Q I Q^T omega, Q = [u1 u2 u3], without blocked directions.

    P = M (v + omega x r) of a free body, r from its origin to the centre of mass; a fixed body has L = 0.
    """
    for b, (row, body) in enumerate(zip(body_states(model.bodies, state), draft.scene.bodies, strict=True)):
        turn = body.orientation.matrix()
        spin = np.array(body.angular_velocity)
        to_reference = turn @ -model.bodies.origin[b]
        row[POSITION:MOMENTUM] = body.position + to_reference
        row[BASIS:ANGULAR_MOMENTUM] = turn.T.ravel()
        if body.support != "fixed":
            row[ANGULAR_MOMENTUM:] = turn @ momentum_of_spin(model.bodies, b, turn.T @ spin)
        if body.support == "free":
            row[MOMENTUM:BASIS] = model.bodies.mass[b] * (np.array(body.velocity) + np.cross(spin, to_reference))
