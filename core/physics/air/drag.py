"""Drag of the air with velocity w(t) = w0 cos(2 pi t/period), at rest, or steady (Imura eqs. 27, 30, 31 for air at
rest).

    F = d (w - v) on a point      F = (d + d2 |w - v|) (w - v) at the centre of mass of a body

Power F.v goes to the ledger's line AIR. Checks: terminal speed and decay of a sphere by its speed and its square.
"""

from __future__ import annotations

from math import cos, sqrt

import numpy as np

from core.engine.ledger import AIR
from core.jit.kernel import kernel
from core.jit.vec import Triple, accumulate, add, cross, dot, row, scale, subtract
from core.physics.air.arrays import Air
from core.physics.bodies.arrays import Bodies, BodyWork
from core.physics.points.arrays import Points, PointWork, point_rows


@kernel
def drag_force(drag: float, wind: Triple, velocity: Triple) -> Triple:
    """F = d (w - v) [N], laboratory frame.

    drag: d [N s/m]; wind, velocity: w and v [m/s].
    """
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
        linear, quadratic = bodies.drag[b, 0], bodies.drag[b, 1]
        if linear == 0.0 and quadratic == 0.0:
            continue
        arm = row(body_work.com_offset, b)
        velocity = add(row(body_work.velocity, b), cross(row(body_work.angular_velocity, b), arm))
        against = subtract(wind, velocity)
        force = drag_force(linear + quadratic * sqrt(dot(against, against)), wind, velocity)
        accumulate(body_work.force, b, force)
        accumulate(body_work.torque, b, cross(arm, force))
        power[AIR] += dot(force, velocity)
