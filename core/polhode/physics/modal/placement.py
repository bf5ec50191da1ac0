"""Soft bodies that move by their modes: placed in space before the forces, their forces projected back after them.

Points are at r = x + R q, q = s + sum_a phi_a X_a: x and R = [u1 u2 u3] are the frame, s the position at rest, phi_a
the mass-normalised shapes, orthogonal to the rigid motions of a free body. So, with P, L and the momenta Pi_a = sum
phi_a.(R^T m v) of the amplitudes, v being the points' own velocity, and in frame components,

    V = P/m      L = I(X) omega + sum_a c_a X_a'      Pi_a = c_a.omega + X_a'      c_a = sum m (q - s) x phi_a

which REDUCE solves for omega and X', and the exact equations of motion under the forces f on the points are

    dP/dt = sum f      dL/dt = sum (r - x) x f      dPi_a/dt = sum phi_a.(R^T f - omega x m v)

Nothing of the coupling of rotation and vibration is neglected. A frame that is not free is at rest: omega = 0, Pi = X'.
The forces f are the true, geometrically non-linear ones of the springs, in physical coordinates (Kobayashi eq. 3.9);
only the displacements are restricted to the modes (eq. 3.3). With all modes the motion is that of the points, to
rounding; the longest stable step of explicit Newmark (verlet) is 2/w of the highest mode kept. A free body conserves
momentum and angular momentum. (de Veubeke, Int. J. Engng. Sci. 14, 895, 1976; Kobayashi, Taniwaki, Yoshida and Kanda,
modal truncation)
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel, view
from polhode.jit.vec import Triple, add, combine, components, cross, dot, put, row, scale, subtract
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, MOMENTUM, POSITION, Bodies, read, read_basis, write
from polhode.physics.bodies.placement import repair
from polhode.physics.modal.arrays import Modal, ModalWork, mode_rows
from polhode.physics.points.arrays import Points, PointWork, point_rows

ZERO = (0.0, 0.0, 0.0)


@view
def shapes_of(modal: Modal, s: int) -> np.ndarray:
    """(n, 3, points) [1/sqrt(kg)] view of the shapes of body s, frame components."""
    n, points = modal.first_mode[s + 1] - modal.first_mode[s], modal.stop[s] - modal.first[s]
    start = modal.first_shape[s]
    return modal.shapes[start : start + 3 * n * points].reshape(n, 3, points)


@kernel
def superpose(shapes: np.ndarray, amplitudes: np.ndarray, sums: np.ndarray) -> None:
    """Write sum_a phi_a X_a into `sums` (3, points).

    shapes: (n, 3, points) [1/sqrt(kg)]; amplitudes: (n,) [m sqrt(kg)] or their rates.
    """
    for axis in range(3):
        for i in range(sums.shape[1]):
            sums[axis, i] = 0.0
    for a in range(len(amplitudes)):
        for axis in range(3):
            for i in range(sums.shape[1]):
                sums[axis, i] += amplitudes[a] * shapes[a, axis, i]


@kernel
def solved(diagonal: Triple, off: Triple, b: Triple) -> Triple:
    """x of A x = b for the symmetric A with the diagonal (xx, yy, zz) and the rest (yz, zx, xy), by cofactors."""
    (xx, yy, zz), (yz, zx, xy) = diagonal, off
    first = (yy * zz - yz * yz, yz * zx - xy * zz, xy * yz - yy * zx)
    second = (first[1], xx * zz - zx * zx, xy * zx - xx * yz)
    third = (first[2], second[2], xx * yy - xy * xy)
    return scale(1.0 / (xx * first[0] + xy * first[1] + zx * first[2]), (dot(first, b), dot(second, b), dot(third, b)))


@kernel
def couple(points: Points, modal: Modal, s: int, modal_work: ModalWork) -> None:
    """Write c_a = sum m u x phi_a [m sqrt(kg)] of the modes of body s.

    u = q - s, which `displacement` holds at this time.
    """
    u = modal_work.displacement
    shapes, first = shapes_of(modal, s), modal.first[s]
    for a in range(len(shapes)):
        x, y, z = 0.0, 0.0, 0.0
        for i in range(shapes.shape[2]):
            m, j = points.mass[first + i], first + i
            x += m * (u[1, j] * shapes[a, 2, i] - u[2, j] * shapes[a, 1, i])
            y += m * (u[2, j] * shapes[a, 0, i] - u[0, j] * shapes[a, 2, i])
            z += m * (u[0, j] * shapes[a, 1, i] - u[1, j] * shapes[a, 0, i])
        put(modal_work.coupling, modal.first_mode[s] + a, (x, y, z))


@kernel
def turning(
    points: Points, modal: Modal, s: int, angular_momentum: Triple, momenta: np.ndarray, modal_work: ModalWork
) -> Triple:
    """omega [rad/s] of body s, frame components: (I(X) - sum c_a c_a) omega = L - sum c_a Pi_a.

    I(X) is the tensor of the deformed body about its centre of mass.

    angular_momentum: L [kg m^2/s], frame components; momenta: (k,) Pi_a [m sqrt(kg)/s] of all modes.
    """
    q = modal_work.displacement
    xx, yy, zz, yz, zx, xy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(modal.first[s], modal.stop[s]):
        m = points.mass[i]
        xx += m * (q[1, i] * q[1, i] + q[2, i] * q[2, i])
        yy += m * (q[2, i] * q[2, i] + q[0, i] * q[0, i])
        zz += m * (q[0, i] * q[0, i] + q[1, i] * q[1, i])
        yz -= m * q[1, i] * q[2, i]
        zx -= m * q[2, i] * q[0, i]
        xy -= m * q[0, i] * q[1, i]
    rest = angular_momentum
    for a in range(modal.first_mode[s], modal.first_mode[s + 1]):
        c = row(modal_work.coupling, a)
        rest = subtract(rest, scale(momenta[a], c))
        xx, yy, zz = xx - c[0] * c[0], yy - c[1] * c[1], zz - c[2] * c[2]
        yz, zx, xy = yz - c[1] * c[2], zx - c[2] * c[0], xy - c[0] * c[1]
    return solved((xx, yy, zz), (yz, zx, xy), rest)


@kernel
def place_modal(bodies: Bodies, points: Points, modal: Modal, state: np.ndarray, modal_work: ModalWork) -> None:
    """REDUCE: write positions [m] and velocities [m/s] of the points of modal bodies into the state, laboratory frame.

    Writes `displacement`, `displacement_rate`, `coupling`, `amplitude_rate` and `spin` as well.
    """
    modes, frames = mode_rows(modal, state), len(bodies.mass)
    for s in range(len(modal.mass)):
        first, stop = modal.first[s], modal.stop[s]
        of_body = slice(modal.first_mode[s], modal.first_mode[s + 1])
        shapes = shapes_of(modal, s)
        superpose(shapes, modes[0, of_body], modal_work.displacement[:, first:stop])
        u1, u2, u3 = read_basis(state, frames + s)
        omega = ZERO
        if modal.is_free[s]:
            couple(points, modal, s, modal_work)
        for axis in range(3):
            for i in range(first, stop):
                modal_work.displacement[axis, i] += modal.rest[axis, i]
        if modal.is_free[s]:
            momentum = components(read(state, frames + s, ANGULAR_MOMENTUM), u1, u2, u3)
            omega = turning(points, modal, s, momentum, modes[1], modal_work)
        for a in range(modal.first_mode[s], modal.first_mode[s + 1]):
            modal_work.amplitude_rate[a] = modes[1, a] - dot(row(modal_work.coupling, a), omega)
        superpose(shapes, modal_work.amplitude_rate[of_body], modal_work.displacement_rate[:, first:stop])
        put(modal_work.spin, s, combine(omega, u1, u2, u3))
        place_points(bodies, points, modal, s, omega, state, modal_work)


@kernel
def place_points(
    bodies: Bodies, points: Points, modal: Modal, s: int, omega: Triple, state: np.ndarray, modal_work: ModalWork
) -> None:
    """Write positions x + R q and velocities V + R (omega x q + dq/dt) of the points of body s into the state.

    The bracket replaces dq/dt in `displacement_rate`.

    omega: [rad/s], frame components.
    """
    rows, b = point_rows(points, state), len(bodies.mass) + s
    u1, u2, u3 = read_basis(state, b)
    origin, velocity = read(state, b, POSITION), scale(1.0 / modal.mass[s], read(state, b, MOMENTUM))
    for i in range(modal.first[s], modal.stop[s]):
        q = (modal_work.displacement[0, i], modal_work.displacement[1, i], modal_work.displacement[2, i])
        rate = add(
            (
                modal_work.displacement_rate[0, i],
                modal_work.displacement_rate[1, i],
                modal_work.displacement_rate[2, i],
            ),
            cross(omega, q),
        )
        position, moving = add(origin, combine(q, u1, u2, u3)), add(velocity, combine(rate, u1, u2, u3))
        for axis in range(3):
            modal_work.displacement_rate[axis, i] = rate[axis]
            rows[axis, i] = position[axis]
            rows[axis + 3, i] = moving[axis]


@kernel
def project_modal(
    bodies: Bodies,
    points: Points,
    modal: Modal,
    state: np.ndarray,
    point_work: PointWork,
    modal_work: ModalWork,
    rate: np.ndarray,
) -> None:
    """PROJECT: write the time derivative of frames and modes under the forces on points.

    The points' own rates become zero.

    dX_a/dt = X_a', dPi_a/dt = sum phi_a.(R^T f + local force) + modal force; eq. 3.5 of Kobayashi solved for the
    acceleration.
    """
    rates, point_rates, frames = mode_rows(modal, rate), point_rows(points, rate), len(bodies.mass)
    for s in range(len(modal.mass)):
        project_frame(bodies, points, modal, s, state, point_work, modal_work, rate)
        u1, u2, u3 = read_basis(state, frames + s)
        shapes, first, start = shapes_of(modal, s), modal.first[s], modal.first_mode[s]
        for i in range(first, modal.stop[s]):
            force = (point_work.force[0, i], point_work.force[1, i], point_work.force[2, i])
            local = components(force, u1, u2, u3)
            for axis in range(3):
                modal_work.local_force[axis, i] += local[axis]
                point_rates[axis, i] = 0.0
                point_rates[axis + 3, i] = 0.0
        for a in range(len(shapes)):
            force_on_mode = modal_work.modal_force[start + a]
            for axis in range(3):
                for i in range(shapes.shape[2]):
                    force_on_mode += shapes[a, axis, i] * modal_work.local_force[axis, first + i]
            rates[0, start + a] = modal_work.amplitude_rate[start + a]
            rates[1, start + a] = force_on_mode


@kernel
def project_frame(
    bodies: Bodies,
    points: Points,
    modal: Modal,
    s: int,
    state: np.ndarray,
    point_work: PointWork,
    modal_work: ModalWork,
    rate: np.ndarray,
) -> None:
    """Write the rates of the frame of body s: dx/dt = P/m, dP/dt = sum f, du_i/dt = omega x u_i, dL/dt = sum (r - x) x
    f.

    Zero of a frame that is not free. f are the forces on points, in the laboratory frame.
    """
    b, rows = len(bodies.mass) + s, point_rows(points, state)
    velocity, force, torque, omega = ZERO, ZERO, ZERO, ZERO
    if modal.is_free[s]:
        velocity, omega = scale(1.0 / modal.mass[s], read(state, b, MOMENTUM)), row(modal_work.spin, s)
        origin = read(state, b, POSITION)
        for i in range(modal.first[s], modal.stop[s]):
            f = (point_work.force[0, i], point_work.force[1, i], point_work.force[2, i])
            force = add(force, f)
            torque = add(torque, cross(subtract((rows[0, i], rows[1, i], rows[2, i]), origin), f))
    u1, u2, u3 = read_basis(state, b)
    write(rate, b, POSITION, velocity)
    write(rate, b, MOMENTUM, force)
    write(rate, b, BASIS, cross(omega, u1))
    write(rate, b, BASIS + 3, cross(omega, u2))
    write(rate, b, BASIS + 6, cross(omega, u3))
    write(rate, b, ANGULAR_MOMENTUM, torque)


@kernel
def add_inertial(bodies: Bodies, points: Points, modal: Modal, state: np.ndarray, modal_work: ModalWork) -> None:
    """LAW: add -omega x m v of the points of free modal bodies to `local_force` [N], frame components.

    v is the velocity relative to the frame's origin, `displacement_rate`. The force appears since Pi_a is in components
    of a rotating frame; omega is `spin`.
    """
    for s in range(len(modal.mass)):
        if modal.is_free[s]:
            u1, u2, u3 = read_basis(state, len(bodies.mass) + s)
            omega = components(row(modal_work.spin, s), u1, u2, u3)
            for i in range(modal.first[s], modal.stop[s]):
                rate = (
                    modal_work.displacement_rate[0, i],
                    modal_work.displacement_rate[1, i],
                    modal_work.displacement_rate[2, i],
                )
                force = scale(-points.mass[i], cross(omega, rate))
                for axis in range(3):
                    modal_work.local_force[axis, i] += force[axis]


@kernel
def clear_modal(modal_work: ModalWork) -> None:
    """Zero the forces on modes, and those on points in frame components."""
    for axis in range(3):
        for i in range(modal_work.local_force.shape[1]):
            modal_work.local_force[axis, i] = 0.0
    for a in range(len(modal_work.modal_force)):
        modal_work.modal_force[a] = 0.0


@kernel
def orthonormalise_frames(bodies: Bodies, modal: Modal, state: np.ndarray) -> float:
    """FINISH: replace the bases of free frames by orthonormal ones.

    Returns the largest |u_i.u_j - delta_ij| before that.
    """
    largest = 0.0
    for s in range(len(modal.mass)):
        if modal.is_free[s]:
            largest = max(largest, repair(state, len(bodies.mass) + s))
    return largest
