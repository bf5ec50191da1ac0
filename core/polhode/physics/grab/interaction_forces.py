"""From interactions to the inputs of the solver.

Stiffness and damping follow the mass that is pulled, so that a light point stays stable as well as a heavy body: K =
w^2 M and D = 2 h w M with the fixed angular frequency w = FREQUENCY and damping ratio h = DAMPING. A twist takes the
moment of inertia instead of the mass. A carried body follows the pointer by a stiffer spring that damps its velocity
relative to the pointer's v0, and the pointer bears the weight of a free body:

    F = K (p - x) - D (v - v0) - M g

A pull of everything has the stiffness and the damping ratio of the scene's
[grab], if they are stated there (Imura section 6.1: 50 N/m for every particle).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Inputs
from polhode.physics.bodies.arrays import BASIS, FREE, ON_PATH, body_states
from polhode.physics.grab.arrays import ALL
from polhode.physics.grab.interactions import Carry, Grab, Interaction, PullAll, PullBody, PullPoint, Twist
from polhode.physics.points.arrays import point_states

FREQUENCY = 2 * np.pi * 2.0  # [rad/s] angular frequency w of a mass on the mouse spring
DAMPING = 0.7  # damping ratio h of that oscillation
CARRIED = 2 * np.pi * 5.0  # [rad/s] the same of a body that is carried
STABLE = 0.25  # largest k dt^2/m and d dt/m of a single point; every integration method is stable there


def apply_interaction(compiled: CompiledScene, state: np.ndarray, interaction: Interaction) -> Inputs:
    """The inputs of a scene under an interaction, for the next batch of steps.

    A grabbed point becomes a held one; everything else pulls by springs.

    state: (k,) current flat state; the orientation of a twisted body is read from it.
    """
    inputs = compiled.inputs
    match interaction:
        case Grab(point) if not _is_modal(compiled, point):
            held = inputs.held.copy()
            held[point] = True
            return inputs.with_members(held=held)
        case Grab(point, place) | PullPoint(point, place):
            stiffness, damping = point_spring(compiled, point)
            pull = replace(inputs.pull, point=point, position=np.array(place), stiffness=stiffness, damping=damping)
        case PullBody(body, at, place):
            arm = compiled.model.bodies.origin[body] + at
            mass = _effective_mass(compiled, body, arm)
            stiffness, damping = FREQUENCY**2 * mass, 2 * DAMPING * FREQUENCY * mass
            pull = replace(
                inputs.pull, body=body, arm=arm, position=np.array(place), stiffness=stiffness, damping=damping
            )
        case Carry(body):
            pull = replace(inputs.pull, **_carrying(compiled, inputs, interaction), body=body)
        case Twist(body, turn):
            inertia = _effective_inertia(compiled, state, body, np.array(turn))
            torque, resistance = FREQUENCY**2 * inertia * np.array(turn), 2 * DAMPING * FREQUENCY * inertia
            pull = replace(inputs.pull, body=body, torque=torque, resistance=resistance)
        case PullAll(place):
            pull = replace(inputs.pull, body=ALL, point=ALL, position=np.array(place), **_spring_of_all(compiled))
    return inputs.with_members(pull=pull)


def move_grabbed_point(
    compiled: CompiledScene, interaction: Interaction | None, inputs: Inputs, state: np.ndarray
) -> None:
    """Write position [m] and velocity [m/s] of a grabbed point into `state` (k,), laboratory frame, between batches of
    steps.

    All other held points get velocity zero.
    """
    position, velocity = point_states(compiled.model.points, state)
    if isinstance(interaction, Grab) and not _is_modal(compiled, interaction.point):
        position[:, interaction.point], velocity[:, interaction.point] = interaction.place, interaction.velocity
        velocity[:, inputs.held & (np.arange(len(inputs.held)) != interaction.point)] = 0.0
    else:
        velocity[:, inputs.held] = 0.0


def _carrying(compiled: CompiledScene, inputs: Inputs, hand: Carry) -> dict[str, Any]:
    """Members of a Pull that carries a body.

    A constant force is a displacement of the pointer: K (p - x) - D (v - v0) - M g = K (p' - x) - D v.
    """
    bodies, step = compiled.model.bodies, compiled.scene.solver.time_step
    arm = bodies.origin[hand.body] + hand.at
    mass = _effective_mass(compiled, hand.body, arm)
    stiffness, damping = min(CARRIED**2, STABLE / step**2) * mass, 2 * DAMPING * min(CARRIED, STABLE / step) * mass
    is_free = bodies.support[hand.body] == FREE
    weight = -bodies.mass[hand.body] * np.array(inputs.gravity) if is_free else np.zeros(3)
    shift = (damping * np.array(hand.velocity) + weight) / stiffness if stiffness > 0 else np.zeros(3)
    return {"arm": arm, "position": np.array(hand.place) + shift, "stiffness": stiffness, "damping": damping}


def _spring_of_all(compiled: CompiledScene) -> dict[str, Any]:
    """Members of a Pull of everything, by the settings of the scene: see Pull for `exponents`."""
    settings = compiled.scene.grab
    if settings.stiffness is None:
        damping = 2 * settings.damping_ratio * FREQUENCY
        return {"stiffness": FREQUENCY**2, "damping": damping, "exponents": np.ones(2)}
    damping = 2 * settings.damping_ratio * settings.stiffness**0.5
    return {"stiffness": settings.stiffness, "damping": damping, "exponents": np.array([0.0, 0.5])}


def _is_modal(compiled: CompiledScene, point: int) -> bool:
    """Whether a point belongs to a modal body. Such a point can't be moved by itself; it is pulled instead."""
    return any(part.where.start <= point < part.where.stop for part in compiled.modal.values())


def point_spring(compiled: CompiledScene, point: int) -> tuple[float, float]:
    """Stiffness [N/m] and damping [N s/m] of a pull at a point.

    They follow from the mass of the whole soft body or particle, limited by the stiffness of the springs at the point
    and by the stability of a step.
    """
    model = compiled.model
    mass, step = model.points.mass[point], compiled.scene.solver.time_step
    part = next(where for where in compiled.points.values() if point < where.stop)
    whole = model.points.mass[part].sum()
    springs = compiled.springs
    here = (springs.first == point) | (springs.second == point)
    borne = max(FREQUENCY**2 * mass, springs.stiffness[here].sum())
    stiffness = min(FREQUENCY**2 * whole, borne, STABLE * mass / step**2)
    damping = min(2 * DAMPING * FREQUENCY * whole, STABLE * mass / step)
    return float(stiffness), float(damping)


def _effective_mass(compiled: CompiledScene, body: int, arm: np.ndarray) -> float:
    """Smallest effective mass [kg] over all directions of a force at `arm` (3,) [m], body frame.

    A force F there accelerates the point by A F, A = 1/M (of a free body) - [r] I^-1 [r] with [r] v = r x v; the mass
    is the inverse of the largest eigenvalue of A, zero if nothing can move.
    """
    bodies = compiled.model.bodies
    x, y, z = arm
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    mobility = -across @ bodies.inverse_inertia[body] @ across
    if bodies.support[body] in (FREE, ON_PATH):
        mobility = mobility + np.eye(3) / bodies.mass[body]
    most = float(np.linalg.eigvalsh(mobility)[-1])
    return min(1.0 / most, float(bodies.mass[body])) if most > 0 else 0.0


def _effective_inertia(compiled: CompiledScene, state: np.ndarray, body: int, turn: np.ndarray) -> float:
    """Effective moment of inertia [kg m^2] about `turn` (3,), laboratory frame: 1/(n.I^-1 n), or 0 for a fixed axis."""
    length = float(np.linalg.norm(turn))
    if length == 0.0:
        return 0.0
    basis = body_states(compiled.model.bodies, state)[body, BASIS : BASIS + 9].reshape(3, 3)
    n = basis @ turn / length
    mobility = float(n @ compiled.model.bodies.inverse_inertia[body] @ n)
    return 1.0 / mobility if mobility > 0 else 0.0
