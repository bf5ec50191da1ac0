"""Place and project phases of rigid bodies (PEM eqs. 3.1 to 3.5).

    omega = sum_ij (I^-1)_ij (L.u_j) u_i                        place, PEM eq. 3.4
    du_i/dt = omega x u_i      dL/dt = T                        project, PEM eqs. 3.5 and 3.1
    dx/dt = P/M                dP/dt = F                        of a free body

I is constant in the body frame. A force law acts on positions in space and knows no supports; the project phase removes
what a support does not allow. At the end of a step the basis is made orthonormal again. Checks: a free asymmetric top
by Jacobi elliptic functions; the hanging pendulum of l = 0.5 m at 2.0 rad, period 1.885377366068546 s; energy.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import DRIVE
from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.libm.trigonometric import sincos
from polhode.jit.vec import Triple, add, combine, components, cross, dot, put, row, scale, subtract, transform
from polhode.physics.bodies.angular_velocity import angular_velocity
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    BASIS,
    DRIVEN,
    FIXED,
    FREE,
    MOMENTUM,
    ON_PATH,
    POSITION,
    Bodies,
    BodyWork,
    read,
    read_basis,
    write,
)
from polhode.physics.sensor.sensor_motion import follower_motion

ZERO = (0.0, 0.0, 0.0)
Basis = tuple[Triple, Triple, Triple]


@kernel
def scripted(motion: np.ndarray, b: int, time: float) -> tuple[Triple, Triple]:
    """Position [m] and velocity [m/s] of x = c + v t + r1 cos(wt + p) + r2 sin(wt + p) at `time` [s], laboratory frame.

    motion: (n, 5, 3) as in Bodies; row b is used.
    """
    c, v, r1, r2 = row(motion[b], 0), row(motion[b], 1), row(motion[b], 2), row(motion[b], 3)
    w, phase = motion[b, 4, 0], motion[b, 4, 1]
    sine, cosine = sincos(w * time + phase)
    position = add(add(c, scale(time, v)), add(scale(cosine, r1), scale(sine, r2)))
    return position, add(v, add(scale(-w * sine, r1), scale(w * cosine, r2)))


@kernel
def driven_motion(bodies: Bodies, track: np.ndarray, b: int, time: float) -> tuple[Triple, Triple]:
    """Position [m] and velocity [m/s] of the reference point of the driven body b at `time` [s], laboratory frame.

    By its script, or along its axis by the displacement that follows the sensor.
    """
    if bodies.follows[b, 0] == 0.0:
        return scripted(bodies.motion, b, time)
    displacement, speed = follower_motion(bodies.follows, b, track, time)
    along = row(bodies.motion[b], 1)
    return add(row(bodies.motion[b], 0), scale(displacement, along)), scale(speed, along)


@part_of_caller
def place_body(
    bodies: Bodies, track: np.ndarray, b: int, time: float, state: np.ndarray, basis: Basis
) -> tuple[Triple, Triple, Triple, Triple]:
    """Position [m] and velocity [m/s] of the reference point, arm to the centre of mass [m], and omega [rad/s].

    Of body b, in the laboratory frame, at `time` [s]. The velocity is P/M of a free body or one that has left its path,
    scripted of a driven one, and zero of the others, whose mass plays no role.

    basis: u1, u2, u3 of the body, as read from the state.
    """
    u1, u2, u3 = basis
    omega = angular_velocity(bodies, b, read(state, b, ANGULAR_MOMENTUM), u1, u2, u3)
    position, velocity = read(state, b, POSITION), ZERO
    if bodies.support[b] in (FREE, ON_PATH):  # others are moved by their supports
        velocity = scale(1.0 / bodies.mass[b], read(state, b, MOMENTUM))
    if bodies.support[b] == DRIVEN:
        position, velocity = driven_motion(bodies, track, b, time)
    return position, velocity, combine(row(bodies.center, b), u1, u2, u3), omega


@part_of_caller
def project_body(
    bodies: Bodies,
    b: int,
    basis: Basis,
    velocity: Triple,
    omega: Triple,
    force: Triple,
    torque: Triple,
    rate: np.ndarray,
) -> float:
    """Write the time derivative of body b under a force [N] and a torque [N m] into `rate`, subject to its support.

    dx/dt = P/M, dP/dt = F of a free body; du_i/dt = omega x u_i, dL/dt = T. The reference point of a pivot or axle does
    not move; an axle turns about n alone (alpha = n.T / (n.I.n), by its inverse inertia and projected torque); a fixed
    or driven body is not accelerated. Returns the power [W] of what drives it, -(F.v + T.omega); 0 of other bodies.

    velocity: [m/s] of the reference point; omega: [rad/s]; force, torque: about the reference point; laboratory frame.
    """
    support = bodies.support[b]
    u1, u2, u3 = basis
    power = 0.0
    if support == DRIVEN:
        power = -(dot(force, velocity) + dot(torque, omega))
    if support in (FIXED, DRIVEN):
        torque = ZERO
    elif bodies.restricted[b]:
        torque = turnable_part(bodies, b, torque, u1, u2, u3)
    if support in (FREE, ON_PATH):  # a bead as if it had left its path
        write(rate, b, POSITION, velocity)
        write(rate, b, MOMENTUM, force)
    else:
        write(rate, b, POSITION, ZERO)
        write(rate, b, MOMENTUM, ZERO)
    write(rate, b, BASIS, cross(omega, u1))
    write(rate, b, BASIS + 3, cross(omega, u2))
    write(rate, b, BASIS + 6, cross(omega, u3))
    write(rate, b, ANGULAR_MOMENTUM, torque)
    return power


@kernel
def place_bodies(bodies: Bodies, track: np.ndarray, time: float, state: np.ndarray, body_work: BodyWork) -> None:
    """Write position, velocity, angular velocity and arm of all bodies but beads at `time` [s] into `body_work`.

    Called between REDUCE and PLACE; clears forces and torques.
    """
    for b in range(bodies.first_bead):
        position, velocity, arm, omega = place_body(bodies, track, b, time, state, read_basis(state, b))
        put(body_work.com_offset, b, arm)
        enter(body_work, b, position, velocity, omega)


@part_of_caller
def enter(body_work: BodyWork, b: int, position: Triple, velocity: Triple, omega: Triple) -> None:
    """Write position [m], velocity [m/s] and angular velocity [rad/s] of body b; its force and torque become zero."""
    put(body_work.position, b, position)
    put(body_work.velocity, b, velocity)
    put(body_work.angular_velocity, b, omega)
    put(body_work.force, b, ZERO)
    put(body_work.torque, b, ZERO)


@kernel
def project_bodies(bodies: Bodies, state: np.ndarray, body_work: BodyWork, power: np.ndarray, rate: np.ndarray) -> None:
    """Write the time derivative of all bodies but beads under the forces in `body_work` into `rate`, before PROJECT.

    power[DRIVE] gets the power [W] of what drives bodies.
    """
    for b in range(bodies.first_bead):
        velocity, omega = row(body_work.velocity, b), row(body_work.angular_velocity, b)
        force, torque = row(body_work.force, b), row(body_work.torque, b)
        power[DRIVE] += project_body(bodies, b, read_basis(state, b), velocity, omega, force, torque, rate)


@part_of_caller
def response(bodies: Bodies, b: int, basis: Basis, force: Triple, torque: Triple) -> tuple[Triple, Triple]:
    """Acceleration and angular acceleration of body b by a force [N] and a torque [N m] about its reference point.

    Subject to its support; also the change of both velocities by an impulse.
    """
    if bodies.support[b] in (FIXED, DRIVEN):
        return ZERO, ZERO
    linear = scale(1.0 / bodies.mass[b], force) if bodies.support[b] == FREE else ZERO
    return linear, angular_velocity(bodies, b, torque, basis[0], basis[1], basis[2])


@part_of_caller
def add_impulse(bodies: Bodies, b: int, impulse: Triple, moment: Triple, state: np.ndarray) -> None:
    """Add an impulse [N s] and its moment [N m s] to the momenta of body b in `state` as far as its support allows."""
    if bodies.support[b] in (FIXED, DRIVEN):
        return
    if bodies.support[b] == FREE:
        write(state, b, MOMENTUM, add(read(state, b, MOMENTUM), impulse))
    if bodies.restricted[b]:
        u1, u2, u3 = read_basis(state, b)
        moment = turnable_part(bodies, b, moment, u1, u2, u3)
    write(state, b, ANGULAR_MOMENTUM, add(read(state, b, ANGULAR_MOMENTUM), moment))


@part_of_caller
def turn_basis(state: np.ndarray, b: int, turn: Triple) -> None:
    """Turn the basis in row b of the state by a small angle [rad] about each axis, and make it orthonormal."""
    for i in range(BASIS, BASIS + 9, 3):
        u = read(state, b, i)
        write(state, b, i, add(u, cross(turn, u)))
    repair(state, b)


@kernel
def turnable_part(bodies: Bodies, b: int, a: Triple, u1: Triple, u2: Triple, u3: Triple) -> Triple:
    """Component of a vector `a` along the directions that body b can turn about, laboratory frame.

    The support takes the rest; about an axis without inertia it would accumulate as angular momentum without rotation.
    """
    return combine(transform(bodies.turnable, b, components(a, u1, u2, u3)), u1, u2, u3)


@kernel
def orthonormalise_bodies(bodies: Bodies, state: np.ndarray) -> float:
    """Replace every basis by the nearest orthonormal one; returns the largest |u_i.u_j - delta_ij| before that.

    At the end of a step, after FINISH; `state` is the next one. Blocked components of L, which rounding leaves, are
    removed. Bases of beads are repaired by path_ends.py.
    """
    largest = 0.0
    for b in range(bodies.first_bead):
        if bodies.support[b] == FIXED:
            continue
        largest = max(largest, repair(state, b))
        if bodies.restricted[b]:
            u1, u2, u3 = read_basis(state, b)
            momentum = turnable_part(bodies, b, read(state, b, ANGULAR_MOMENTUM), u1, u2, u3)
            write(state, b, ANGULAR_MOMENTUM, momentum)
    return largest


@kernel
def repair(state: np.ndarray, b: int) -> float:
    """Replace the basis in row b of the state by the nearest orthonormal one; returns |u_i.u_j - delta_ij| before that.

    Newton's iteration for the polar factor, Q <- Q (3 - Q^T Q)/2, treats the three vectors alike. Its error is squared
    each time; one iteration suffices for the drift of a sensible step. A basis too far from any rotation becomes nan,
    which the check for finite values finds. (Higham, SIAM J. Sci. Stat. Comput. 7, 1160, 1986)
    """
    u1, u2, u3 = read_basis(state, b)
    drift, first = 0.0, 0.0
    for turn in range(12):
        g11, g22, g33 = dot(u1, u1), dot(u2, u2), dot(u3, u3)
        g12, g13, g23 = dot(u1, u2), dot(u1, u3), dot(u2, u3)
        drift = max(abs(g11 - 1), abs(g22 - 1), abs(g33 - 1), abs(g12), abs(g13), abs(g23))
        if turn == 0:
            first = drift
        v1 = subtract(scale(1.5, u1), scale(0.5, combine((g11, g12, g13), u1, u2, u3)))
        v2 = subtract(scale(1.5, u2), scale(0.5, combine((g12, g22, g23), u1, u2, u3)))
        u3 = subtract(scale(1.5, u3), scale(0.5, combine((g13, g23, g33), u1, u2, u3)))
        u1, u2 = v1, v2
        if drift < 1e-8:
            break
    if not drift < 1e-8:
        u1 = (np.nan, np.nan, np.nan)
    write(state, b, BASIS, u1)
    write(state, b, BASIS + 3, u2)
    write(state, b, BASIS + 6, u3)
    return first
