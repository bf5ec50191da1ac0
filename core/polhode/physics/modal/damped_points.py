"""Modal damping of soft bodies that move point by point: the damping matrix c = Phi^-T C Phi^-1 (Kobayashi eq. 3.10).

With unit modal masses Phi^-1 = Phi^T M, so the force is applied through the modes, without a matrix of all points,

    X_a' = sum m phi_a.q'      Q_a = -C_a X_a', C_a = 2 h_a w_a      f = R (sum_a m phi_a Q_a + m alpha x s)

and its power is -sum C_a X_a'^2 <= 0. R is the frame of the points: that of the laboratory, with alpha = 0, where a
point is fixed; else that of core/polhode/physics/modal/fitted_rotation.py, and q' is what is left of the velocities
without the motion of the frame: q' = R^T (v - V) - omega x q with (tr(H) 1 - H) omega = sum m s x R^T (v - V). The term
with alpha makes the torque about the centre of mass vanish: (tr(H) 1 - H) alpha = -sum q x sum_a m phi_a Q_a. So the
force is that of the same damping on a body in modal coordinates with all modes, and a free body keeps its momenta.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import DAMPING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, components, cross, scale, subtract
from polhode.physics.modal.arrays import Modal, ModalWork
from polhode.physics.modal.fitted_rotation import Columns, around, fitted_rotation, twist
from polhode.physics.modal.modal_damping import damping_force
from polhode.physics.modal.placement import ZERO, shapes_of
from polhode.physics.points.arrays import Points, PointWork, point_rows

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@kernel
def add_damping_of_points(
    points: Points, modal: Modal, state: np.ndarray, point_work: PointWork, modal_work: ModalWork, power: np.ndarray
) -> None:
    """LAW: add the forces of modal damping to the points of the bodies of `modal`, and their power to power[DAMPING].

    modal: bodies that move point by point; modal_work: scratch of the same sizes
    """
    for s in range(len(modal.mass)):
        if modal.is_free[s]:
            u, moments = free_frame(points, modal, s, state, modal_work)
            damp_modes(points, modal, s, modal_work, power)
            alpha = around(u, moments, scale(-1.0, torque_of_modes(modal, s, modal_work)))
            push_points(points, modal, s, u, alpha, point_work, modal_work)
        else:
            copy_velocities(points, modal, s, state, modal_work)
            damp_modes(points, modal, s, modal_work, power)
            push_points(points, modal, s, AXES, ZERO, point_work, modal_work)


@kernel
def copy_velocities(points: Points, modal: Modal, s: int, state: np.ndarray, modal_work: ModalWork) -> None:
    """Write q' of a body with fixed points, the velocities of its points, into `displacement_rate`."""
    rows = point_rows(points, state)
    for axis in range(3):
        for i in range(modal.first[s], modal.stop[s]):
            modal_work.displacement_rate[axis, i] = rows[axis + 3, i]


@kernel
def centre(points: Points, modal: Modal, s: int, rows: np.ndarray) -> tuple[Triple, Triple]:
    """Centre of mass [m] of body s and its velocity [m/s], laboratory frame; rows: (6, p) of all points."""
    position, velocity = ZERO, ZERO
    for i in range(modal.first[s], modal.stop[s]):
        position = add(position, scale(points.mass[i], (rows[0, i], rows[1, i], rows[2, i])))
        velocity = add(velocity, scale(points.mass[i], (rows[3, i], rows[4, i], rows[5, i])))
    return scale(1.0 / modal.mass[s], position), scale(1.0 / modal.mass[s], velocity)


@kernel
def with_product(a: Columns, mass: float, r: Triple, s: Triple) -> Columns:
    """A + m r s^T."""
    return add(a[0], scale(mass * s[0], r)), add(a[1], scale(mass * s[1], r)), add(a[2], scale(mass * s[2], r))


@kernel
def free_frame(
    points: Points, modal: Modal, s: int, state: np.ndarray, modal_work: ModalWork
) -> tuple[Columns, Columns]:
    """Frame R of a free body by its columns, and A = sum m (r - x) s^T [kg m^2].

    Writes q and q' of its points, frame components, into `displacement` and `displacement_rate`.
    """
    rows = point_rows(points, state)
    x, v = centre(points, modal, s, rows)
    a, b = (ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO)
    for i in range(modal.first[s], modal.stop[s]):
        rest = (modal.rest[0, i], modal.rest[1, i], modal.rest[2, i])
        a = with_product(a, points.mass[i], subtract((rows[0, i], rows[1, i], rows[2, i]), x), rest)
        b = with_product(b, points.mass[i], subtract((rows[3, i], rows[4, i], rows[5, i]), v), rest)
    u = fitted_rotation(a)
    omega = around(u, a, twist(u, b))
    for i in range(modal.first[s], modal.stop[s]):
        q = components(subtract((rows[0, i], rows[1, i], rows[2, i]), x), u[0], u[1], u[2])
        rate = components(subtract((rows[3, i], rows[4, i], rows[5, i]), v), u[0], u[1], u[2])
        rate = subtract(rate, cross(omega, q))
        for axis in range(3):
            modal_work.displacement[axis, i] = q[axis]
            modal_work.displacement_rate[axis, i] = rate[axis]
    return u, a


@kernel
def damp_modes(points: Points, modal: Modal, s: int, modal_work: ModalWork, power: np.ndarray) -> None:
    """Write sum_a m phi_a Q_a into `local_force`, and add the power sum Q_a X_a' [W] to power[DAMPING]."""
    shapes, first, start = shapes_of(modal, s), modal.first[s], modal.first_mode[s]
    for axis in range(3):
        for i in range(first, modal.stop[s]):
            modal_work.local_force[axis, i] = 0.0
    for a in range(len(shapes)):
        rate = 0.0
        for axis in range(3):
            for i in range(shapes.shape[2]):
                rate += points.mass[first + i] * shapes[a, axis, i] * modal_work.displacement_rate[axis, first + i]
        force = damping_force(modal.damping[start + a], rate)
        power[DAMPING] += force * rate
        for axis in range(3):
            for i in range(shapes.shape[2]):
                modal_work.local_force[axis, first + i] += points.mass[first + i] * shapes[a, axis, i] * force


@kernel
def torque_of_modes(modal: Modal, s: int, modal_work: ModalWork) -> Triple:
    """sum q x f [N m] of the forces in `local_force`, frame components."""
    q, f, torque = modal_work.displacement, modal_work.local_force, ZERO
    for i in range(modal.first[s], modal.stop[s]):
        torque = add(torque, cross((q[0, i], q[1, i], q[2, i]), (f[0, i], f[1, i], f[2, i])))
    return torque


@kernel
def push_points(
    points: Points, modal: Modal, s: int, u: Columns, alpha: Triple, point_work: PointWork, modal_work: ModalWork
) -> None:
    """Add R (local_force + m alpha x s) [N] to the points of body s; alpha [1/s^2] in frame components."""
    for i in range(modal.first[s], modal.stop[s]):
        rest = (modal.rest[0, i], modal.rest[1, i], modal.rest[2, i])
        local = (modal_work.local_force[0, i], modal_work.local_force[1, i], modal_work.local_force[2, i])
        force = combine(add(local, scale(points.mass[i], cross(alpha, rest))), u[0], u[1], u[2])
        for axis in range(3):
            point_work.force[axis, i] += force[axis]
