"""Points and the ends of springs: placed before the forces, their rates after them."""

from __future__ import annotations

import numpy as np

from core.engine.model import HAND, NOTHING, Inputs, Model, Work, point_rows, read_basis
from core.jit.kernel import kernel
from core.jit.kernel_struct import rows_within
from core.jit.simd import WIDTH, first_lanes, load, store
from core.jit.vec import add, combine, cross, put, row
from core.jit.work_sharing import MOVE, PARTS, first_of, first_part, has_help, next_part, share_out, wait


@kernel
def clear_points(work: Work) -> None:
    """No force acts on any point yet."""
    for axis in range(3):
        for i in range(work.point_force.shape[1]):
            work.point_force[axis, i] = 0.0


@kernel
def place_anchors(model: Model, state: np.ndarray, work: Work) -> None:
    """Where the springs' ends in placed bodies and in the laboratory are, and how fast they move."""
    for q in range(len(model.anchors.body)):
        b = model.anchors.body[q]
        if b == NOTHING:
            put(work.anchor_position, q, row(model.anchors.position, q))
        else:
            u1, u2, u3 = read_basis(state, b)
            arm = combine(row(model.anchors.position, q), u1, u2, u3)
            put(work.anchor_position, q, add(row(work.position, b), arm))
            put(work.anchor_velocity, q, add(row(work.velocity, b), cross(row(work.angular_velocity, b), arm)))


@kernel
def move_points(model: Model, inputs: Inputs, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """dx/dt = v, dv/dt = F/m of a point; one that is held keeps its velocity, and who holds it works against F."""
    if has_help(work.crew):
        share_out(work.crew, MOVE, PARTS, state, rate, state, rate)
        part = first_part(work.crew)
        while part >= 0:
            move_some(model, inputs, state, work, rate, part % 3, part // 3, PARTS // 3)
            part = next_part(work.crew)
        wait(work.crew, PARTS)
    else:
        for axis in range(3):
            move_some(model, inputs, state, work, rate, axis, 0, 1)
    rows, rates, held, some = point_rows(model, state), point_rows(model, rate), inputs.held, 0
    for i in range(len(held)):
        some += held[i]
    if some > 0:  # by themselves, for they are few: the other loops take eight points at once
        for i in range(len(held)):
            if held[i]:
                for axis in range(3):
                    rates[axis + 3, i] = 0.0
                    work.power[HAND] -= work.point_force[axis, i] * rows[axis + 3, i]


@kernel
def move_some(
    model: Model, inputs: Inputs, state: np.ndarray, work: Work, rate: np.ndarray, axis: int, piece: int, pieces: int
) -> None:
    """One of the pieces of all points, along one axis, as if none were held."""
    rows, rates, force, points = point_rows(model, state), point_rows(model, rate), work.point_force, len(inputs.held)
    inverse_mass = rows_within(model.points.inverse_mass, 0, 1, points)
    for i in range(first_of(points, piece, pieces), first_of(points, piece + 1, pieces), WIDTH):
        here = first_lanes(first_of(points, piece + 1, pieces) - i)
        store(rates, axis, i, here, load(rows, axis + 3, i, here))
        store(rates, axis + 3, i, here, load(force, axis, i, here) * load(inverse_mass, 0, i, here))
