"""Hands: what a grip is to the solver. Stiffness and damping follow the mass that is pulled: nothing light explodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.engine.compile import CompiledScene
from core.engine.model import Inputs
from core.physics.bodies.arrays import BASIS, FREE, ON_PATH, body_states
from core.physics.grab.arrays import ALL
from core.physics.grab.interactions import Grab, Grip, PullAll, PullBody, PullPoint, Twist
from core.physics.points.arrays import point_states
from core.physics.sensor.sensor_motion import (
    HAND_SIZE,
    LEGS,
    PLACE,
    SEGMENT_DURATION,
    START_TIME,
    VELOCITY,
    sensor_distance,
)

FREQUENCY = 2 * np.pi * 2.0  # [rad/s] w of what hangs on a hand
DAMPING = 0.7  # its damping ratio
STEADY = 0.25  # largest k dt^2/m and d dt/m of a single point: every method is stable there


def stopped(hand: np.ndarray, time: float) -> np.ndarray:
    """A hand over the sensor (HAND_SIZE,) that stays where it is at a time [s]."""
    still = np.zeros(HAND_SIZE)
    still[PLACE], still[START_TIME] = sensor_distance(hand, time)[0], time
    return still


def following(hand: np.ndarray, time: float, to: tuple[float, float], within: float, fastest: float) -> np.ndarray:
    """The same on its way to a place [m] with a velocity [m/s]: there after `within` [s], at rest soon after.

    It starts where it is and as fast as it is, and goes no faster than `fastest` [m/s]: nothing that follows it jumps.
    """
    going = stopped(hand, time)
    place, velocity = to
    begin, end = np.clip([sensor_distance(hand, time)[1], velocity], -fastest, fastest)
    half = 2 * (place + velocity * within - going[PLACE]) / within - (begin + end) / 2  # two legs cover the way
    going[SEGMENT_DURATION] = within / (LEGS - 1)
    going[VELOCITY:] = begin, np.clip(half, -fastest, fastest), end
    return going


def apply_interaction(built: CompiledScene, state: np.ndarray, grip: Grip) -> Inputs:
    """The scene's inputs with a hand in them."""
    inputs = built.inputs
    match grip:
        case Grab(point) if not _is_modal(built, point):
            held = inputs.held.copy()
            held[point] = True
            return inputs.with_members(held=held)
        case Grab(point, place) | PullPoint(point, place):
            stiffness, damping = _of_point(built, point)
            pull = replace(inputs.pull, point=point, place=np.array(place), stiffness=stiffness, damping=damping)
        case PullBody(body, at, place):
            arm = built.model.bodies.origin[body] + at
            mass = _mass_at(built, body, arm)
            stiffness, damping = FREQUENCY**2 * mass, 2 * DAMPING * FREQUENCY * mass
            pull = replace(inputs.pull, body=body, arm=arm, place=np.array(place), stiffness=stiffness, damping=damping)
        case Twist(body, turn):
            inertia = _inertia_about(built, state, body, np.array(turn))
            torque, resistance = FREQUENCY**2 * inertia * np.array(turn), 2 * DAMPING * FREQUENCY * inertia
            pull = replace(inputs.pull, body=body, torque=torque, resistance=resistance)
        case PullAll(place):
            stiffness, damping = FREQUENCY**2, 2 * DAMPING * FREQUENCY
            pull = replace(
                inputs.pull, body=ALL, point=ALL, place=np.array(place), stiffness=stiffness, damping=damping
            )
    return inputs.with_members(pull=pull)


def move_grabbed_point(built: CompiledScene, grip: Grip | None, inputs: Inputs, state: np.ndarray) -> None:
    """Write into `state` where a grabbed point is, and that those which are held by themselves are at rest."""
    position, velocity = point_states(built.model.points, state)
    if isinstance(grip, Grab) and not _is_modal(built, grip.point):
        position[:, grip.point], velocity[:, grip.point] = grip.place, grip.velocity
        velocity[:, inputs.held & (np.arange(len(inputs.held)) != grip.point)] = 0.0
    else:
        velocity[:, inputs.held] = 0.0


def _is_modal(built: CompiledScene, point: int) -> bool:
    """Whether a point follows the modes of its body, so that no hand can lead it by itself: it is pulled instead."""
    return any(part.where.start <= point < part.where.stop for part in built.modal.values())


def _of_point(built: CompiledScene, point: int) -> tuple[float, float]:
    """Stiffness [N/m] and damping [N s/m] for a point: as for all that it is part of, as far as it can bear."""
    model = built.model
    mass, step = model.points.mass[point], built.scene.solver.time_step
    part = next(where for where in built.points.values() if point < where.stop)
    whole = model.points.mass[part].sum()
    springs = built.springs
    here = (springs.first == point) | (springs.second == point)
    borne = max(FREQUENCY**2 * mass, springs.stiffness[here].sum())
    stiffness = min(FREQUENCY**2 * whole, borne, STEADY * mass / step**2)
    damping = min(2 * DAMPING * FREQUENCY * whole, STEADY * mass / step)
    return float(stiffness), float(damping)


def _mass_at(built: CompiledScene, body: int, arm: np.ndarray) -> float:
    """Mass [kg] that a pull in the easiest direction feels at a place (3,) [m] of a body; zero if nothing moves.

    A force F there accelerates it by A F, A = 1/M (of a free body) - [r] I^-1 [r] with [r] v = r x v.
    """
    bodies = built.model.bodies
    x, y, z = arm
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    yielding = -across @ bodies.inverse_inertia[body] @ across
    if bodies.support[body] in (FREE, ON_PATH):
        yielding = yielding + np.eye(3) / bodies.mass[body]
    most = float(np.linalg.eigvalsh(yielding)[-1])
    return min(1.0 / most, float(bodies.mass[body])) if most > 0 else 0.0


def _inertia_about(built: CompiledScene, state: np.ndarray, body: int, turn: np.ndarray) -> float:
    """Moment of inertia [kg m^2] that a torque along `turn` feels, 1/(n.I^-1 n); zero if nothing turns."""
    length = float(np.linalg.norm(turn))
    if length == 0.0:
        return 0.0
    basis = body_states(built.model.bodies, state)[body, BASIS : BASIS + 9].reshape(3, 3)
    n = basis @ turn / length
    yielding = float(n @ built.model.bodies.inverse_inertia[body] @ n)
    return 1.0 / yielding if yielding > 0 else 0.0
