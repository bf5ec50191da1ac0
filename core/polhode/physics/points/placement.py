"""Place and project phases of points and of spring ends."""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import HAND
from polhode.engine.model import NOTHING
from polhode.jit.kernel import inlined, kernel
from polhode.jit.kernel_struct import rows_within
from polhode.jit.simd import WIDTH, Bool8, first_lanes, load, store
from polhode.jit.vec import add, combine, cross, put, row
from polhode.jit.work_sharing import MOVE, PARTS, first_of, first_part, has_help, next_part, publish_task, wait
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.points.arrays import Anchors, AnchorWork, Points, PointWork, point_rows


@kernel
def clear_points(point_work: PointWork) -> None:
    """Zero the force (3, p) on all points."""
    for axis in range(3):
        for i in range(point_work.force.shape[1]):
            point_work.force[axis, i] = 0.0


@kernel
def place_anchors(anchors: Anchors, state: np.ndarray, body_work: BodyWork, anchor_work: AnchorWork) -> None:
    """PLACE: write positions x + R r' [m] and velocities v + omega x R r' [m/s] of anchors in bodies, laboratory frame.

    Anchors in the laboratory have their constant position.
    """
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
    work_sharing: np.ndarray,
    rate: np.ndarray,
) -> None:
    """PROJECT: write dx/dt = v and dv/dt = F/m of all points into `rate`; of a held point dv/dt = 0.

    A held point keeps its velocity, which the mouse sets; the power -F.v that keeps it is added to power[HAND]. The
    loop is shared with the helper thread if there is one.
    """
    if has_help(work_sharing):
        publish_task(work_sharing, MOVE, PARTS, state, rate, state, rate)
        part = first_part(work_sharing)
        while part >= 0:
            move_some(points, held, state, point_work, rate, part % 3, part // 3, PARTS // 3)
            part = next_part(work_sharing)
        wait(work_sharing, PARTS)
    else:
        for axis in range(3):
            move_some(points, held, state, point_work, rate, axis, 0, 1)
    rows, rates, some = point_rows(points, state), point_rows(points, rate), 0
    for i in range(len(held)):
        some += held[i]
    if some > 0:  # separately: the other loops are vectorised
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
    """Rates of one component `axis` of the points of one of `pieces` equal pieces, as if none were held."""
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
    """Rates of one component of the points i ... i + 7. here: lanes that are points, None for all of them."""
    rows, rates = point_rows(points, state), point_rows(points, rate)
    inverse_mass = rows_within(points.inverse_mass, 0, 1, len(points.mass))
    store(rates, axis, i, here, load(rows, axis + 3, i, here))
    store(rates, axis + 3, i, here, load(point_work.force, axis, i, here) * load(inverse_mass, 0, i, here))
