"""Air on points: F = d (w(t) - v), w = w0 cos(2 pi t/period), or at rest, or steady (Imura)."""

from __future__ import annotations

from math import cos

import numpy as np

from core.kernel import kernel
from core.model import AIR, Inputs, Model, Work, point_rows
from core.vec import Triple, scale, subtract


@kernel
def drag_force(drag: float, wind: Triple, velocity: Triple) -> Triple:
    """F = d (w - v) [N]."""
    return scale(drag, subtract(wind, velocity))


@kernel
def add_drag(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Drag of all points; a body does not feel the air."""
    if inputs.drag == 0.0:
        return
    rows, power = point_rows(model, state), 0.0
    wind = scale(cos(inputs.wind_frequency * time), (inputs.wind[0], inputs.wind[1], inputs.wind[2]))
    for i in range(len(model.points.mass)):
        velocity = (rows[3, i], rows[4, i], rows[5, i])
        force = drag_force(inputs.drag, wind, velocity)
        for axis in range(3):
            work.point_force[axis, i] += force[axis]
            power += force[axis] * velocity[axis]
    work.power[AIR] += power
