"""Law of the mouse: a damped spring from the pointer to a body point, a point or everything, and a torque.

    F = K (p - x) - D v      T = T0 - c (omega.n) n, n = T0/|T0|      (Imura section 6.1, without damping)

The power of both goes to the ledger's line HAND. A pulled mass is a damped oscillator whatever it weighs: see
interaction_forces.py for K and D.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import HAND
from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.libm.power import power_of
from polhode.jit.simd import inverse_length
from polhode.jit.vec import Triple, accumulate, add, combine, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import DRIVEN, FIXED, Bodies, BodyWork, read_basis
from polhode.physics.grab.arrays import ALL, Pull
from polhode.physics.points.arrays import Points, PointWork, point_rows


@kernel
def pull_force(stiffness: float, damping: float, pointer: Triple, position: Triple, velocity: Triple) -> Triple:
    """F = K (p - x) - D v [N], laboratory frame.

    stiffness, damping: K [N/m], D [N s/m]; pointer, position: p and x [m]; velocity: v [m/s].
    """
    return subtract(scale(stiffness, subtract(pointer, position)), scale(damping, velocity))


@kernel
def spring_of(pull: Pull, mass: float) -> tuple[float, float]:
    """Stiffness m^a K [N/m] and damping m^b D [N s/m] of the pull on a mass m [kg]."""
    return power_of(mass, pull.exponents[0]) * pull.stiffness, power_of(mass, pull.exponents[1]) * pull.damping


@kernel
def twist_torque(torque: Triple, resistance: float, angular_velocity: Triple) -> Triple:
    """T = T0 - c (omega.n) n [N m], n = T0/|T0|, laboratory frame: only the rotation about the axis of T0 is damped.

    torque: T0 [N m]; resistance: c [N m s]; angular_velocity: omega [rad/s]. Zero if T0 is zero.
    """
    n = scale(inverse_length(dot(torque, torque)), torque)
    return subtract(torque, scale(resistance * dot(angular_velocity, n), n))


@kernel
def add_pull(
    bodies: Bodies,
    points: Points,
    pull: Pull,
    state: np.ndarray,
    body_work: BodyWork,
    point_work: PointWork,
    power: np.ndarray,
) -> None:
    """LAW: add the forces of the interaction to bodies and points, and their power [W] to power[HAND]."""
    if pull.body == ALL:
        pull_all_bodies(bodies, pull, body_work, power)
    elif pull.body != NOTHING:
        pull_body(pull, state, body_work, power)
    if pull.point != NOTHING:
        pull_points(points, pull, state, point_work, power)


@kernel
def pull_body(pull: Pull, state: np.ndarray, body_work: BodyWork, power: np.ndarray) -> None:
    """Add force and torque of a pull on one body at its body point, and their power [W] to power[HAND]."""
    b = pull.body
    u1, u2, u3 = read_basis(state, b)
    omega = row(body_work.angular_velocity, b)
    arm = combine((pull.arm[0], pull.arm[1], pull.arm[2]), u1, u2, u3)
    velocity = add(row(body_work.velocity, b), cross(omega, arm))
    pointer = (pull.position[0], pull.position[1], pull.position[2])
    force = pull_force(pull.stiffness, pull.damping, pointer, add(row(body_work.position, b), arm), velocity)
    twist = twist_torque((pull.torque[0], pull.torque[1], pull.torque[2]), pull.resistance, omega)
    accumulate(body_work.force, b, force)
    accumulate(body_work.torque, b, add(cross(arm, force), twist))
    power[HAND] += dot(force, velocity) + dot(twist, omega)


@kernel
def pull_all_bodies(bodies: Bodies, pull: Pull, body_work: BodyWork, power: np.ndarray) -> None:
    """Add a pull on the centre of mass of each movable body; fixed and driven bodies are left out."""
    pointer = (pull.position[0], pull.position[1], pull.position[2])
    for b in range(len(bodies.mass)):
        if bodies.support[b] in (FIXED, DRIVEN):
            continue
        arm = row(body_work.com_offset, b)
        stiffness, damping = spring_of(pull, bodies.mass[b])
        velocity = add(row(body_work.velocity, b), cross(row(body_work.angular_velocity, b), arm))
        center = add(row(body_work.position, b), arm)
        force = pull_force(stiffness, damping, pointer, center, velocity)
        accumulate(body_work.force, b, force)
        accumulate(body_work.torque, b, cross(arm, force))
        power[HAND] += dot(force, velocity)


@kernel
def pull_points(points: Points, pull: Pull, state: np.ndarray, point_work: PointWork, power: np.ndarray) -> None:
    """Add a pull on one point, or on all. Held points are pulled too; PROJECT then gives them no acceleration."""
    rows = point_rows(points, state)
    pointer = (pull.position[0], pull.position[1], pull.position[2])
    everything = pull.point == ALL
    first, last = (0, len(points.mass)) if everything else (pull.point, pull.point + 1)
    for i in range(first, last):
        at, velocity = (rows[0, i], rows[1, i], rows[2, i]), (rows[3, i], rows[4, i], rows[5, i])
        stiffness, damping = spring_of(pull, points.mass[i] if everything else 1.0)
        force = pull_force(stiffness, damping, pointer, at, velocity)
        for axis in range(3):
            point_work.force[axis, i] += force[axis]
        power[HAND] += dot(force, velocity)
