"""The hand: a spring from the pointer to a point of a body, to a point, or to all points."""

from __future__ import annotations

import numpy as np

from core.kernel import kernel
from core.model import ALL, HAND, NOTHING, Inputs, Model, Work, point_rows, read_basis
from core.vec import Triple, accumulate, add, combine, cross, dot, row, scale, subtract


@kernel
def pull_force(stiffness: float, damping: float, place: Triple, position: Triple, velocity: Triple) -> Triple:
    """F = K (p - x) - D v [N] towards the hand at p."""
    return subtract(scale(stiffness, subtract(place, position)), scale(damping, velocity))


@kernel
def add_pull(model: Model, inputs: Inputs, state: np.ndarray, work: Work) -> None:
    pull = inputs.pull
    place = (pull.place[0], pull.place[1], pull.place[2])
    if pull.body != NOTHING:
        b = pull.body
        u1, u2, u3 = read_basis(state, b)
        arm = combine((pull.arm[0], pull.arm[1], pull.arm[2]), u1, u2, u3)
        velocity = add(row(work.velocity, b), cross(row(work.angular_velocity, b), arm))
        force = pull_force(pull.stiffness, pull.damping, place, add(row(work.position, b), arm), velocity)
        accumulate(work.force, b, force)
        accumulate(work.torque, b, cross(arm, force))
        work.power[HAND] += dot(force, velocity)
    if pull.point != NOTHING:
        rows = point_rows(model, state)
        first, last = (0, len(model.points.mass)) if pull.point == ALL else (pull.point, pull.point + 1)
        for i in range(first, last):
            velocity = (rows[3, i], rows[4, i], rows[5, i])
            force = pull_force(pull.stiffness, pull.damping, place, (rows[0, i], rows[1, i], rows[2, i]), velocity)
            for axis in range(3):
                work.point_force[axis, i] += force[axis]
            work.power[HAND] += dot(force, velocity)
