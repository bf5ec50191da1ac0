"""Gravity g(r, t) [m/s^2] that depends on position and time, by formulas.

The force on a mass dm at R + s, with R the centre of mass of a body, is dm g(R + s). To the second order in s, which is
exact where g is linear in the position, with J = integral s s^T dm the second moment of its mass and J_l its columns,

    F = M g + 1/2 sum_ij J_ij d_i d_j g      T = sum_l J_l x d_l g about R      U = M phi - 1/2 sum_l J_l . d_l g

where g = -grad phi if its curl is zero: phi(R) = -integral_0^1 g(s R).R ds, zero at the origin. F and T are derivatives
of U then; T is the torque of the gravity gradient, which points a long satellite at the Earth (Goldstein, Classical
Mechanics, section 5.8). Where there is no potential the power F.v + T.w goes to the ledger's line FIELD.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import FIELD
from polhode.formulas.codegen import CompiledFormulas
from polhode.jit.formula_calls import call_4_3, call_4_30
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, add, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import Bodies, BodyWork
from polhode.physics.frame.arrays import GravityField
from polhode.physics.frame.rotation import inertia_times
from polhode.physics.points.arrays import Points, PointWork, point_rows

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
NODE, NEAR, FAR = 0.7745966692414834, 5.0 / 18.0, 4.0 / 9.0  # of Gauss's rule with three points, on [-1, 1] and [0, 1]
MOST_PIECES = 4096
TOLERANCE = 1e-14  # of the potential, relative
Moments = tuple[Triple, Triple, Triple]


@kernel
def second_moments(bodies: Bodies, state: np.ndarray, b: int, arm: Triple) -> Moments:
    """Columns of J = integral s s^T dm [kg m^2] of body b about its centre of mass, laboratory frame.

    J = tr(I)/2 - I - M R R^T, I being the tensor about the reference point and R = `arm` that to the centre of mass.
    """
    half = 0.5 * (bodies.inertia[b, 0, 0] + bodies.inertia[b, 1, 1] + bodies.inertia[b, 2, 2])
    mass = bodies.mass[b]
    jx = subtract(scale(half, X), add(inertia_times(bodies, state, b, X), scale(mass * arm[0], arm)))
    jy = subtract(scale(half, Y), add(inertia_times(bodies, state, b, Y), scale(mass * arm[1], arm)))
    jz = subtract(scale(half, Z), add(inertia_times(bodies, state, b, Z), scale(mass * arm[2], arm)))
    return jx, jy, jz


@kernel
def force_and_torque(
    expansion: CompiledFormulas, at: Triple, time: float, mass: float, moments: Moments
) -> tuple[Triple, Triple, float]:
    """F [N], T [N m] about the centre of mass at `at` [m], and 1/2 sum_l J_l . d_l g [J], as in the module."""
    n = call_4_30(expansion.address, expansion.numbers, 0, at[0], at[1], at[2], time)
    jx, jy, jz = moments
    gx, gy, gz = (n[3], n[4], n[5]), (n[6], n[7], n[8]), (n[9], n[10], n[11])
    straight = add(scale(jx[0], (n[12], n[13], n[14])), scale(jy[1], (n[15], n[16], n[17])))
    straight = add(straight, scale(jz[2], (n[18], n[19], n[20])))
    mixed = add(scale(jx[1], (n[21], n[22], n[23])), scale(jx[2], (n[24], n[25], n[26])))
    mixed = add(mixed, scale(jy[2], (n[27], n[28], n[29])))
    force = add(scale(mass, (n[0], n[1], n[2])), add(scale(0.5, straight), mixed))
    torque = add(add(cross(jx, gx), cross(jy, gy)), cross(jz, gz))
    return force, torque, 0.5 * (dot(jx, gx) + dot(jy, gy) + dot(jz, gz))


@kernel
def pull_bodies(
    bodies: Bodies, gravity: GravityField, time: float, state: np.ndarray, body_work: BodyWork, power: np.ndarray
) -> None:
    """LAW: add F and T to all placed bodies; without a potential power[FIELD] gets F.v + T.w [W]."""
    for b in range(len(bodies.mass)):
        arm, omega = row(body_work.com_offset, b), row(body_work.angular_velocity, b)
        at, moments = add(row(body_work.position, b), arm), second_moments(bodies, state, b, arm)
        force, torque, _ = force_and_torque(gravity.expansion, at, time, bodies.mass[b], moments)
        accumulate(body_work.force, b, force)
        accumulate(body_work.torque, b, add(cross(arm, force), torque))
        if not gravity.has_potential:
            velocity = add(row(body_work.velocity, b), cross(omega, arm))
            power[FIELD] += dot(force, velocity) + dot(torque, omega)


@kernel
def pull_points(
    points: Points, gravity: GravityField, time: float, state: np.ndarray, point_work: PointWork, power: np.ndarray
) -> None:
    """LAW: add m g(r, t) to all points; without a potential power[FIELD] gets m g.v [W]."""
    rows, gained, value = point_rows(points, state), 0.0, gravity.value
    for i in range(len(points.mass)):
        g = call_4_3(value.address, value.numbers, 0, rows[0, i], rows[1, i], rows[2, i], time)
        for axis in range(3):
            point_work.force[axis, i] += points.mass[i] * g[axis]
            gained += points.mass[i] * g[axis] * rows[3 + axis, i]
    if not gravity.has_potential:
        power[FIELD] += gained


@kernel
def along_ray(value: CompiledFormulas, at: Triple, s: float) -> float:
    """g(s R).R [m^2/s^2], R = `at`, of a field that does not depend on t."""
    return dot(call_4_3(value.address, value.numbers, 0, s * at[0], s * at[1], s * at[2], 0.0), at)


@kernel
def ray_integral(value: CompiledFormulas, at: Triple, pieces: int) -> tuple[float, float]:
    """Integral of g(s R).R ds from 0 to 1, and of its absolute value, by Gauss's rule of order 6 on equal pieces."""
    total, size, width = 0.0, 0.0, 1.0 / pieces
    for k in range(pieces):
        low, middle, high = (k + 0.5 - 0.5 * NODE) * width, (k + 0.5) * width, (k + 0.5 + 0.5 * NODE) * width
        a, b, c = along_ray(value, at, low), along_ray(value, at, middle), along_ray(value, at, high)
        total += width * (NEAR * a + FAR * b + NEAR * c)
        size += width * (NEAR * abs(a) + FAR * abs(b) + NEAR * abs(c))
    return total, size


@kernel
def potential(value: CompiledFormulas, at: Triple) -> float:
    """phi [m^2/s^2] at `at` [m], zero at the origin: pieces are halved until the integral changes by TOLERANCE."""
    before, size = ray_integral(value, at, 1)
    pieces = 2
    while pieces <= MOST_PIECES:
        now, size = ray_integral(value, at, pieces)
        if not abs(now - before) > TOLERANCE * size:
            return -now
        before, pieces = now, 2 * pieces
    return -before


@kernel
def field_energy(
    bodies: Bodies, points: Points, gravity: GravityField, state: np.ndarray, body_work: BodyWork
) -> float:
    """ENERGY: U [J] of all placed bodies and points in a field with a potential."""
    energy = 0.0
    for b in range(len(bodies.mass)):
        arm = row(body_work.com_offset, b)
        at, moments = add(row(body_work.position, b), arm), second_moments(bodies, state, b, arm)
        _, _, tide = force_and_torque(gravity.expansion, at, 0.0, bodies.mass[b], moments)
        energy += bodies.mass[b] * potential(gravity.value, at) - tide
    rows = point_rows(points, state)
    for i in range(len(points.mass)):
        energy += points.mass[i] * potential(gravity.value, (rows[0, i], rows[1, i], rows[2, i]))
    return energy
