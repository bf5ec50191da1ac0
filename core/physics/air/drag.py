"""Air: F = d (w(t) - v), w = w0 cos(2 pi t/period), or at rest, or steady (Imura); of bodies also with the square."""

from __future__ import annotations

from math import cos, sqrt

import numpy as np

from core.engine.model import AIR, Inputs, Model, Work, point_rows
from core.jit.kernel import kernel
from core.jit.vec import Triple, accumulate, add, cross, dot, row, scale, subtract


@kernel
def drag_force(drag: float, wind: Triple, velocity: Triple) -> Triple:
    """F = d (w - v) [N]."""
    return scale(drag, subtract(wind, velocity))


@kernel
def add_drag(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Drag of all points, and of the bodies that have one of their own."""
    if inputs.drag == 0.0 and len(model.bodies.mass) == 0:
        return
    wind = scale(cos(inputs.wind_frequency * time), (inputs.wind[0], inputs.wind[1], inputs.wind[2]))
    drag_bodies(model, wind, work)
    if inputs.drag == 0.0:
        return
    rows, power = point_rows(model, state), 0.0
    for i in range(len(model.points.mass)):
        velocity = (rows[3, i], rows[4, i], rows[5, i])
        force = drag_force(inputs.drag, wind, velocity)
        for axis in range(3):
            work.point_force[axis, i] += force[axis]
            power += force[axis] * velocity[axis]
    work.power[AIR] += power


@kernel
def drag_bodies(model: Model, wind: Triple, work: Work) -> None:
    """F = (d + d2 |u|) u, u = w - v, at the centre of mass."""
    for b in range(len(model.bodies.mass)):
        linear, quadratic = model.bodies.drag[b, 0], model.bodies.drag[b, 1]
        if linear == 0.0 and quadratic == 0.0:
            continue
        arm = row(work.arm, b)
        velocity = add(row(work.velocity, b), cross(row(work.angular_velocity, b), arm))
        against = subtract(wind, velocity)
        force = drag_force(linear + quadratic * sqrt(dot(against, against)), wind, velocity)
        accumulate(work.force, b, force)
        accumulate(work.torque, b, cross(arm, force))
        work.power[AIR] += dot(force, velocity)
