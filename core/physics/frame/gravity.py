"""Weight in a uniform field of gravity: U = -M g.R, T = R_G x M g about the reference point."""

from __future__ import annotations

import numpy as np

from core.engine.model import Inputs, Model, Work, point_rows
from core.jit.kernel import kernel
from core.jit.vec import Triple, accumulate, add, cross, dot, row, scale


@kernel
def weight(mass: float, gravity: Triple) -> Triple:
    """F = M g [N]."""
    return scale(mass, gravity)


@kernel
def add_weight_of_bodies(model: Model, inputs: Inputs, work: Work) -> None:
    """That of all bodies, but of beads while they wait."""
    g, waiting = (inputs.gravity[0], inputs.gravity[1], inputs.gravity[2]), 0
    if work.idle[1] > 0:
        waiting = len(model.beads.body)
    for b in range(len(model.bodies.mass) - waiting):
        force = weight(model.bodies.mass[b], g)
        accumulate(work.bodies.force, b, force)
        accumulate(work.bodies.torque, b, cross(row(work.bodies.com_offset, b), force))


@kernel
def begin_with_weight(model: Model, inputs: Inputs, work: Work) -> None:
    """Write the weight of points as the forces on them: another pass over many to clear them would cost as much."""
    for axis in range(3):
        for i in range(len(model.points.mass)):
            work.points.force[axis, i] = model.points.mass[i] * inputs.gravity[axis]


@kernel
def weight_energy(model: Model, inputs: Inputs, state: np.ndarray, work: Work) -> float:
    """U = -sum M g.R [J] of all bodies and points; all is placed."""
    g, energy = (inputs.gravity[0], inputs.gravity[1], inputs.gravity[2]), 0.0
    for b in range(len(model.bodies.mass)):
        energy -= model.bodies.mass[b] * dot(g, add(row(work.bodies.position, b), row(work.bodies.com_offset, b)))
    rows = point_rows(model.points, state)
    for i in range(len(model.points.mass)):
        energy -= model.points.mass[i] * dot(g, (rows[0, i], rows[1, i], rows[2, i]))
    return energy
