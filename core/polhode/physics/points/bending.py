"""Bending stiffness of chains and cloth: hinges between neighbouring edges that lie in one line at rest.

At a hinge of stiffness B [N m/rad] with the edges e1 = x_2 - x_1 and e2 = x_3 - x_2, which enclose the angle t, and the
unit vector n along e1 x e2,

    U = B t^2/2      F_1 = B t (e1 x n)/e1^2      F_3 = B t (e2 x n)/e2^2      F_2 = -F_1 - F_3

The forces conserve momentum and angular momentum. They vanish where t = 0; a hinge that is folded back, t = pi, has no
plane and no forces. (Bergou and others, ACM Trans. Graph. 27, 63, 2008, without twist; angles instead of 2 tan(t/2))
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.libm.inverse_trigonometric import atan2
from polhode.jit.vec import Triple, add, cross, dot, scale, subtract
from polhode.physics.points.arrays import Hinges, Points, PointWork, point_rows


@kernel
def edges(rows: np.ndarray, hinges: Hinges, k: int) -> tuple[Triple, Triple, Triple, float]:
    """e1, e2 [m], e1 x e2 [m^2] and the angle t [rad] of hinge k.

    rows: (6, p) positions [m] and velocities [m/s] of all points, `point_rows` of the state.
    """
    i, j, last = hinges.first[k], hinges.middle[k], hinges.last[k]
    middle = rows[0, j], rows[1, j], rows[2, j]
    e1 = subtract(middle, (rows[0, i], rows[1, i], rows[2, i]))
    e2 = subtract((rows[0, last], rows[1, last], rows[2, last]), middle)
    across = cross(e1, e2)
    return e1, e2, across, atan2(sqrt(dot(across, across)), dot(e1, e2))


@kernel
def add_bending(points: Points, hinges: Hinges, state: np.ndarray, point_work: PointWork) -> None:
    """LAW: add the forces [N] of all hinges to their points."""
    rows = point_rows(points, state)
    for k in range(len(hinges.first)):
        e1, e2, across, angle = edges(rows, hinges, k)
        sine = sqrt(dot(across, across))
        if sine == 0.0:
            continue
        torque = scale(hinges.stiffness[k] * angle / sine, across)
        on_first = scale(1.0 / dot(e1, e1), cross(e1, torque))
        on_last = scale(1.0 / dot(e2, e2), cross(e2, torque))
        push(point_work, hinges.first[k], on_first)
        push(point_work, hinges.last[k], on_last)
        push(point_work, hinges.middle[k], scale(-1.0, add(on_first, on_last)))


@kernel
def push(point_work: PointWork, i: int, force: Triple) -> None:
    """Add a force [N] to point i."""
    for axis in range(3):
        point_work.force[axis, i] += force[axis]


@kernel
def bending_energy(points: Points, hinges: Hinges, state: np.ndarray) -> float:
    """ENERGY: sum of B t^2/2 [J] of all hinges."""
    rows, energy = point_rows(points, state), 0.0
    for k in range(len(hinges.first)):
        _, _, _, angle = edges(rows, hinges, k)
        energy += 0.5 * hinges.stiffness[k] * angle * angle
    return energy
