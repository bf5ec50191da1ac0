"""Forces of inertia in a laboratory that rotates with W(t) about axes through its origin, which is at rest.

Positions r and velocities v are those in the laboratory. A mass dm has the velocity V = v + W x r in an inertial frame;
differentiating twice, with d/dt = d/dt|lab + W x, leaves in the laboratory (Landau and Lifshitz, Mechanics, section 39)

    dF = -dm [W x (W x r) + 2 W x v + W' x r]        centrifugal, Coriolis and Euler

A rigid body has r = x + s, v = u + w x s for s from its reference point x, which moves with u; w is its angular
velocity in the laboratory, s_G the arm to the centre of mass, M its mass, I its tensor about the reference point. With
K = integral s s^T dm = tr(I)/2 - I, the integrals of s x dF are, by a x (b x c) = b (a.c) - c (a.b),

    s x (W' x s)         ->  I W'
    s x (W x (W x s))    ->  W x I W                  for it is s x W (W.s): K W x W = -I W x W
    s x (2 W x (w x s))  ->  -2 w x K W               for it is 2 s x w (W.s)

and the terms of x and u are the same for all dm. So, exactly and with no further property of the body,

    F = M a(x + s_G, u + w x s_G)        a(r, v) = -[W x (W x r) + 2 W x v + W' x r]
    T = M s_G x a(x, u) + tr(I) w x W - 2 w x I W - W x I W - I W'

A free top in it turns as its transform does: with I (w x W) = tr(I) w x W - I w x W - w x I W this is
dL/dt + W x L = 0 of L = I (w + W). The Coriolis force does no work. The centrifugal one has the potential

    U = -1/2 integral |W x r|^2 dm = -1/2 [M |W x x|^2 + 2 M (W x x).(W x s_G) + W.I W]

and while W changes, the Euler force and dU/dt at rest bring in, of all masses together,

    dE/dt = -W'.J,  J = integral r x (v + W x r) dm, their angular momentum about the origin in the inertial frame

(from H = T - W.J): the work that rotates the laboratory, in the ledger's line DRIVE. Tests compare the motion with that
in the inertial frame: free bodies, a pendulum, points on springs, a soft body, a bead on a rotating hoop, Foucault's
pendulum.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import DRIVE
from polhode.jit.formula_calls import call_1_9
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, add, combine, components, cross, dot, row, scale, subtract, transform
from polhode.physics.bodies.arrays import Bodies, BodyWork, read_basis
from polhode.physics.frame.arrays import Rotation
from polhode.physics.points.arrays import Points, PointWork, point_rows

ALL, EULER = (1.0, 1.0, 1.0), (0.0, 0.0, 1.0)  # factors of the centrifugal, the Coriolis and the Euler force


@kernel
def turning(rotation: Rotation, time: float) -> tuple[Triple, Triple]:
    """W [rad/s] and W' = dW/dt [rad/s^2] at `time` [s], laboratory components."""
    x, y, z, dx, dy, dz, _, _, _ = call_1_9(rotation.code, rotation.numbers, 0, time)
    return (x, y, z), (dx, dy, dz)


@kernel
def acceleration(w: Triple, change: Triple, parts: Triple, position: Triple, velocity: Triple) -> Triple:
    """a = -[W x (W x r) + 2 W x v + W' x r] [m/s^2], each term times its factor in `parts`; laboratory frame.

    w, change: W [rad/s] and W' [rad/s^2]; position, velocity: r [m] and v [m/s].
    """
    outward = scale(-parts[0], cross(w, cross(w, position)))
    aside = scale(-2.0 * parts[1], cross(w, velocity))
    return add(add(outward, aside), scale(-parts[2], cross(change, position)))


@kernel
def inertia_times(bodies: Bodies, state: np.ndarray, b: int, a: Triple) -> Triple:
    """I a of body b, laboratory frame; I is its tensor about the reference point, `a` any vector.

    state: (k,), of which the basis is read.
    """
    u1, u2, u3 = read_basis(state, b)
    return combine(transform(bodies.inertia, b, components(a, u1, u2, u3)), u1, u2, u3)


@kernel
def spin_torque(
    bodies: Bodies, state: np.ndarray, b: int, w: Triple, change: Triple, parts: Triple, omega: Triple
) -> Triple:
    """tr(I) w x W - 2 w x I W - W x I W - I W' [N m], each term times its factor; laboratory frame.

    w, change: W [rad/s] and W' [rad/s^2]; omega: w [rad/s] of body b in the laboratory.
    """
    inertia = bodies.inertia[b]
    momentum = inertia_times(bodies, state, b, w)
    trace = inertia[0, 0] + inertia[1, 1] + inertia[2, 2]
    aside = subtract(scale(trace, cross(omega, w)), scale(2.0, cross(omega, momentum)))
    torque = subtract(scale(parts[1], aside), scale(parts[0], cross(w, momentum)))
    return subtract(torque, scale(parts[2], inertia_times(bodies, state, b, change)))


@kernel
def push_bodies(
    bodies: Bodies, state: np.ndarray, w: Triple, change: Triple, parts: Triple, body_work: BodyWork
) -> None:
    """Add F [N] and T [N m] of all placed bodies to `body_work`, as in the module.

    w, change: W [rad/s] and W' [rad/s^2]; parts: factors of the centrifugal, the Coriolis and the Euler term.
    """
    for b in range(len(bodies.mass)):
        position, velocity, omega, arm = (
            row(body_work.position, b),
            row(body_work.velocity, b),
            row(body_work.angular_velocity, b),
            row(body_work.com_offset, b),
        )
        mass, there = bodies.mass[b], add(velocity, cross(omega, arm))
        accumulate(body_work.force, b, scale(mass, acceleration(w, change, parts, add(position, arm), there)))
        torque = spin_torque(bodies, state, b, w, change, parts, omega)
        moment = cross(arm, scale(mass, acceleration(w, change, parts, position, velocity)))
        accumulate(body_work.torque, b, add(moment, torque))


@kernel
def push_points(
    points: Points, state: np.ndarray, w: Triple, change: Triple, parts: Triple, point_work: PointWork
) -> None:
    """Add m a(r, v) [N] of all points to `point_work`; a is linear in r and v, so its columns are computed once.

    parts: factors of the centrifugal, the Coriolis and the Euler term.
    """
    rows, zero = point_rows(points, state), (0.0, 0.0, 0.0)
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    ax, vx = acceleration(w, change, parts, x, zero), acceleration(w, change, parts, zero, x)
    ay, vy = acceleration(w, change, parts, y, zero), acceleration(w, change, parts, zero, y)
    az, vz = acceleration(w, change, parts, z, zero), acceleration(w, change, parts, zero, z)
    for axis in range(3):
        a, b, c, d, e, f = ax[axis], ay[axis], az[axis], vx[axis], vy[axis], vz[axis]
        force = point_work.force[axis]
        for i in range(len(points.mass)):
            outward = a * rows[0, i] + b * rows[1, i] + c * rows[2, i]
            force[i] += points.mass[i] * (outward + d * rows[3, i] + e * rows[4, i] + f * rows[5, i])


@kernel
def inertial_momentum(bodies: Bodies, points: Points, state: np.ndarray, w: Triple, body_work: BodyWork) -> Triple:
    """J [kg m^2/s]: angular momentum about the origin in the inertial frame, laboratory components.

    Of bodies x x M (V + Omega x s_G) + s_G x M V + I Omega, V = u + W x x, Omega = w + W; of points m r x (v + W x r).
    """
    total = (0.0, 0.0, 0.0)
    for b in range(len(bodies.mass)):
        position, arm, mass = row(body_work.position, b), row(body_work.com_offset, b), bodies.mass[b]
        velocity, omega = (
            add(row(body_work.velocity, b), cross(w, position)),
            add(row(body_work.angular_velocity, b), w),
        )
        total = add(total, cross(position, scale(mass, add(velocity, cross(omega, arm)))))
        total = add(total, add(cross(arm, scale(mass, velocity)), inertia_times(bodies, state, b, omega)))
    rows = point_rows(points, state)
    for i in range(len(points.mass)):
        position = (rows[0, i], rows[1, i], rows[2, i])
        velocity = add((rows[3, i], rows[4, i], rows[5, i]), cross(w, position))
        total = add(total, scale(points.mass[i], cross(position, velocity)))
    return total


@kernel
def add_inertia(
    bodies: Bodies,
    points: Points,
    rotation: Rotation,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    point_work: PointWork,
    parts: Triple,
) -> None:
    """LAW: add the inertial forces on all placed bodies and points at `time` [s].

    parts: factors of the centrifugal, the Coriolis and the Euler term.
    """
    w, change = turning(rotation, time)
    push_bodies(bodies, state, w, change, parts, body_work)
    push_points(points, state, w, change, parts, point_work)


@kernel
def add_work_of_frame(
    bodies: Bodies,
    points: Points,
    rotation: Rotation,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    power: np.ndarray,
) -> None:
    """Add -W'.J [W] to power[DRIVE] while W changes; after `add_inertia`, once per evaluation."""
    w, change = turning(rotation, time)
    if dot(change, change) > 0.0:
        power[DRIVE] -= dot(change, inertial_momentum(bodies, points, state, w, body_work))


@kernel
def centrifugal_energy(
    bodies: Bodies, points: Points, rotation: Rotation, time: float, state: np.ndarray, body_work: BodyWork
) -> float:
    """ENERGY: U = -1/2 integral |W x r|^2 dm [J] of all placed bodies and points at `time` [s].

    Together with the kinetic energy in the laboratory it is constant while W is, without other forces.
    """
    (w, _), energy = turning(rotation, time), 0.0
    for b in range(len(bodies.mass)):
        speed, arm = cross(w, row(body_work.position, b)), row(body_work.com_offset, b)
        energy -= 0.5 * bodies.mass[b] * dot(speed, add(speed, scale(2.0, cross(w, arm))))
        energy -= 0.5 * dot(w, inertia_times(bodies, state, b, w))
    rows = point_rows(points, state)
    for i in range(len(points.mass)):
        speed = cross(w, (rows[0, i], rows[1, i], rows[2, i]))
        energy -= 0.5 * points.mass[i] * dot(speed, speed)
    return energy
