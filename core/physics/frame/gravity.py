"""Weight in a uniform field of gravity: U = -M g.R, T = R_G x M g about the reference point."""

from __future__ import annotations

import numpy as np

from core.jit.kernel import kernel
from core.jit.vec import Triple, accumulate, add, cross, dot, row, scale
from core.physics.bodies.arrays import Bodies, BodyWork
from core.physics.points.arrays import Points, PointWork, point_rows


@kernel
def weight(mass: float, gravity: Triple) -> Triple:
    """F = M g [N]."""
    return scale(mass, gravity)


@kernel
def add_weight_of_bodies(bodies: Bodies, count: int, gravity: np.ndarray, body_work: BodyWork) -> None:
    """Law: add the weight of the first `count` bodies; beads with idle rows are the last ones."""
    g = (gravity[0], gravity[1], gravity[2])
    for b in range(count):
        force = weight(bodies.mass[b], g)
        accumulate(body_work.force, b, force)
        accumulate(body_work.torque, b, cross(row(body_work.com_offset, b), force))


@kernel
def begin_with_weight(points: Points, gravity: np.ndarray, point_work: PointWork) -> None:
    """Initialise the forces on points with their weight, which saves a pass to clear them."""
    for axis in range(3):
        for i in range(len(points.mass)):
            point_work.force[axis, i] = points.mass[i] * gravity[axis]


@kernel
def weight_energy(bodies: Bodies, points: Points, gravity: np.ndarray, state: np.ndarray, body_work: BodyWork) -> float:
    """U = -sum M g.R [J] of all placed bodies and points."""
    g, energy = (gravity[0], gravity[1], gravity[2]), 0.0
    for b in range(len(bodies.mass)):
        energy -= bodies.mass[b] * dot(g, add(row(body_work.position, b), row(body_work.com_offset, b)))
    rows = point_rows(points, state)
    for i in range(len(points.mass)):
        energy -= points.mass[i] * dot(g, (rows[0, i], rows[1, i], rows[2, i]))
    return energy
