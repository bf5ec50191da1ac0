"""Weight in a uniform field of gravity g [m/s^2] (PEM eqs. 3.16 to 3.20).

    U = -M g.R      F = M g      T = R_G x M g about the reference point

R is the centre of mass in the laboratory, R_G the arm to it from the reference point. Checks: the centre of mass of a
thrown dumbbell; the period of a pendulum by elliptic integrals.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, add, cross, dot, row, scale
from polhode.physics.bodies.arrays import Bodies, BodyWork
from polhode.physics.points.arrays import Points, PointWork, point_rows


@kernel
def weight(mass: float, gravity: Triple) -> Triple:
    """F = M g [N] of a mass M [kg], laboratory frame."""
    return scale(mass, gravity)


@kernel
def add_weight_of_bodies(bodies: Bodies, count: int, gravity: np.ndarray, body_work: BodyWork) -> None:
    """LAW: add the weight of the first `count` bodies, and its torque; beads whose rows are idle are the last bodies.

    Called directly by the engine, for every scene.
    """
    g = (gravity[0], gravity[1], gravity[2])
    for b in range(count):
        force = weight(bodies.mass[b], g)
        accumulate(body_work.force, b, force)
        accumulate(body_work.torque, b, cross(row(body_work.com_offset, b), force))


@kernel
def begin_with_weight(points: Points, gravity: np.ndarray, point_work: PointWork) -> None:
    """First LAW on points: set the forces on points to m g [N], which saves a pass to clear them.

    Every scene with points has this law, also without gravity.
    """
    for axis in range(3):
        for i in range(len(points.mass)):
            point_work.force[axis, i] = points.mass[i] * gravity[axis]


@kernel
def weight_energy(bodies: Bodies, points: Points, gravity: np.ndarray, state: np.ndarray, body_work: BodyWork) -> float:
    """ENERGY: U = -sum M g.R [J] of all placed bodies and points; zero at the origin.

    R is the centre of mass of a body, or the position of a point, laboratory frame.
    """
    g, energy = (gravity[0], gravity[1], gravity[2]), 0.0
    for b in range(len(bodies.mass)):
        energy -= bodies.mass[b] * dot(g, add(row(body_work.position, b), row(body_work.com_offset, b)))
    rows = point_rows(points, state)
    for i in range(len(points.mass)):
        energy -= points.mass[i] * dot(g, (rows[0, i], rows[1, i], rows[2, i]))
    return energy
