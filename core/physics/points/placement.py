"""Points and the ends of springs: placed before the forces, their rates after them."""

from __future__ import annotations

import numpy as np

from core.engine.ledger import HAND
from core.engine.model import NOTHING
from core.jit.kernel import inlined, kernel
from core.jit.kernel_struct import rows_within
from core.jit.simd import WIDTH, Bool8, first_lanes, load, store
from core.jit.vec import add, combine, cross, put, row
from core.jit.work_sharing import MOVE, PARTS, first_of, first_part, has_help, next_part, publish_task, wait
from core.physics.bodies.arrays import BodyWork, read_basis
from core.physics.points.arrays import Anchors, AnchorWork, Points, PointWork, point_rows


@kernel
def clear_points(point_work: PointWork) -> None:
    """No force acts on any point yet."""
    for axis in range(3):
        for i in range(point_work.force.shape[1]):
            point_work.force[axis, i] = 0.0


@kernel
def place_anchors(anchors: Anchors, state: np.ndarray, body_work: BodyWork, anchor_work: AnchorWork) -> None:
    """Where the springs' ends in placed bodies and in the laboratory are, and how fast they move."""
    for q in range(len(anchors.body)):
        b = anchors.body[q]
        if b == NOTHING:
            put(anchor_work.position, q, row(anchors.position, q))
        else:
            u1, u2, u3 = read_basis(state, b)
            arm = combine(row(anchors.position, q), u1, u2, u3)
            put(anchor_work.position, q, add(row(body_work.position, b), arm))
            put(
                anchor_work.velocity,
                q,
                add(row(body_work.velocity, b), cross(row(body_work.angular_velocity, b), arm)),
            )


@inlined
def move_points(
    points: Points,
    held: np.ndarray,
    state: np.ndarray,
    point_work: PointWork,
    power: np.ndarray,
    crew: np.ndarray,
    rate: np.ndarray,
) -> None:
    """dx/dt = v, dv/dt = F/m of a point; one that is held keeps its velocity, and who holds it works against F."""
    if has_help(crew):
        publish_task(crew, MOVE, PARTS, state, rate, state, rate)
        part = first_part(crew)
        while part >= 0:
            move_some(points, held, state, point_work, rate, part % 3, part // 3, PARTS // 3)
            part = next_part(crew)
        wait(crew, PARTS)
    else:
        for axis in range(3):
            move_some(points, held, state, point_work, rate, axis, 0, 1)
    rows, rates, some = point_rows(points, state), point_rows(points, rate), 0
    for i in range(len(held)):
        some += held[i]
    if some > 0:  # by themselves, for they are few: the other loops take eight points at once
        for i in range(len(held)):
            if held[i]:
                for axis in range(3):
                    rates[axis + 3, i] = 0.0
                    power[HAND] -= point_work.force[axis, i] * rows[axis + 3, i]


@kernel
def move_some(
    points: Points,
    held: np.ndarray,
    state: np.ndarray,
    point_work: PointWork,
    rate: np.ndarray,
    axis: int,
    piece: int,
    pieces: int,
) -> None:
    """One of the pieces of all points, along one axis, as if none were held."""
    count = len(held)
    begin, stop = first_of(count, piece, pieces), first_of(count, piece + 1, pieces)
    for i in range(begin, stop - WIDTH + 1, WIDTH):
        move_eight(points, state, point_work, rate, axis, i, None)
    last = (stop - begin) % WIDTH
    if last > 0:
        move_eight(points, state, point_work, rate, axis, stop - last, first_lanes(last))


@inlined
def move_eight(
    points: Points, state: np.ndarray, point_work: PointWork, rate: np.ndarray, axis: int, i: int, here: Bool8 | None
) -> None:
    """The lanes of points i, i + 1, ..."""
    rows, rates = point_rows(points, state), point_rows(points, rate)
    inverse_mass = rows_within(points.inverse_mass, 0, 1, len(points.mass))
    store(rates, axis, i, here, load(rows, axis + 3, i, here))
    store(rates, axis + 3, i, here, load(point_work.force, axis, i, here) * load(inverse_mass, 0, i, here))
