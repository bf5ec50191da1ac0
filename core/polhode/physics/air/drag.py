"""Drag of the air with velocity w(t) = w0 cos(2 pi t/period), at rest, or steady (Imura eqs. 27, 30, 31 for air at
rest), or with w(x, y, z, t) by formulas.

    F = d (w - v) on a point      F = (d + d2 |w - v|) (w - v) at the centre of mass of a body

Where viscosity eta or density rho of the air are others than those of the coefficients, or formulas of x, y, z, d is
d eta/eta0 and d2 is d2 rho/rho0: Stokes' drag 6 pi eta r v of a gas does not depend on its density (Maxwell), Newton's
drag c A rho v^2/2 not on its viscosity.

Power F.v goes to the ledger's line AIR. Checks: terminal speed and decay of a sphere by its speed and its square.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.ledger import AIR
from polhode.jit.formula_calls import call_4_3
from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.libm.trigonometric import cos
from polhode.jit.vec import Triple, accumulate, add, cross, dot, row, scale, subtract
from polhode.physics.air.arrays import Air
from polhode.physics.bodies.arrays import Bodies, BodyWork
from polhode.physics.points.arrays import Points, PointWork, point_rows


@kernel
def drag_force(drag: float, wind: Triple, velocity: Triple) -> Triple:
    """F = d (w - v) [N], laboratory frame. drag: d [N s/m]; wind, velocity: w and v [m/s]."""
    return scale(drag, subtract(wind, velocity))


@kernel
def add_drag(
    bodies: Bodies,
    points: Points,
    air: Air,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    point_work: PointWork,
    power: np.ndarray,
) -> None:
    """LAW: add the drag on all points, and on bodies with a drag coefficient, at `time` [s].

    power[AIR] gets F.v [W].
    """
    if air.drag == 0.0 and len(bodies.mass) == 0:
        return
    wind = scale(cos(air.frequency * time), (air.wind[0], air.wind[1], air.wind[2]))
    drag_bodies(bodies, wind, body_work, power)
    if air.drag == 0.0:
        return
    rows, gained = point_rows(points, state), 0.0
    for i in range(len(points.mass)):
        velocity = (rows[3, i], rows[4, i], rows[5, i])
        force = drag_force(air.drag, wind, velocity)
        for axis in range(3):
            point_work.force[axis, i] += force[axis]
            gained += force[axis] * velocity[axis]
    power[AIR] += gained


@kernel
def drag_bodies(bodies: Bodies, wind: Triple, body_work: BodyWork, power: np.ndarray) -> None:
    """F = (d + d2 |u|) u, u = w - v, at the centre of mass of each body, with its torque about the reference point.

    Bodies without drag coefficients are skipped. power[AIR] gets F.v [W], v the velocity of the centre of mass.

    wind: w [m/s] at this time, laboratory frame.
    """
    for b in range(len(bodies.mass)):
        if bodies.drag[b, 0] != 0.0 or bodies.drag[b, 1] != 0.0:
            drag_body(bodies, b, wind, (1.0, 1.0), body_work, power)


@part_of_caller
def drag_body(
    bodies: Bodies, b: int, wind: Triple, medium: tuple[float, float], body_work: BodyWork, power: np.ndarray
) -> None:
    """The drag on body b as in `drag_bodies`, by the wind [m/s] at its centre of mass, laboratory frame.

    medium: factors of d and d2
    """
    arm = row(body_work.com_offset, b)
    velocity = add(row(body_work.velocity, b), cross(row(body_work.angular_velocity, b), arm))
    against = subtract(wind, velocity)
    linear, quadratic = medium[0] * bodies.drag[b, 0], medium[1] * bodies.drag[b, 1]
    force = drag_force(linear + quadratic * sqrt(dot(against, against)), wind, velocity)
    accumulate(body_work.force, b, force)
    accumulate(body_work.torque, b, cross(arm, force))
    power[AIR] += dot(force, velocity)


@kernel
def wind_at(air: Air, at: Triple, time: float) -> Triple:
    """w [m/s] by formulas at `at` [m] and `time` [s], laboratory frame."""
    return call_4_3(air.velocity.address, air.velocity.numbers, 0, at[0], at[1], at[2], time)


@kernel
def medium_at(air: Air, at: Triple) -> tuple[float, float]:
    """Factors of d and d2 at `at` [m]: viscosity and density in proportion to those of the coefficients."""
    n = call_4_3(air.medium.address, air.medium.numbers, 0, at[0], at[1], at[2], 0.0)
    return n[0], n[1]


@kernel
def add_drag_by_formula(
    bodies: Bodies,
    points: Points,
    air: Air,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    point_work: PointWork,
    power: np.ndarray,
) -> None:
    """LAW: as `add_drag` in wind and air by formulas, taken at each point and at the centre of mass of each body."""
    for b in range(len(bodies.mass)):
        if bodies.drag[b, 0] != 0.0 or bodies.drag[b, 1] != 0.0:
            at = add(row(body_work.position, b), row(body_work.com_offset, b))
            drag_body(bodies, b, wind_at(air, at, time), medium_at(air, at), body_work, power)
    if air.drag == 0.0:
        return
    rows = point_rows(points, state)
    for i in range(len(points.mass)):
        velocity = (rows[3, i], rows[4, i], rows[5, i])
        at = (rows[0, i], rows[1, i], rows[2, i])
        force = drag_force(medium_at(air, at)[0] * air.drag, wind_at(air, at, time), velocity)
        for axis in range(3):
            point_work.force[axis, i] += force[axis]
        power[AIR] += dot(force, velocity)
