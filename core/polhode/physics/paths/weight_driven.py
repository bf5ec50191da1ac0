"""Beads that slide on paths under their weight and path friction alone.

Their bodies are idle rows (core/polhode/engine/idle.py), so on a path at rest only r' is needed: first r' of all beads,
each on its own spline piece, then the rates, eight beads at a time:

    dq/dt = u/|r'|      du/dt = (m g.r'/|r'| - c u)/m

the equations of placement.py with F = m g, f = 1 and a path at rest.
"""

from __future__ import annotations

from math import floor

import numpy as np

from polhode.engine.ledger import FRICTION
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, first_lanes, inverse_root, load, load_three, reduce_sum, store, where
from polhode.jit.vec import Triple, put
from polhode.physics.bodies.arrays import Bodies, BodyWork
from polhode.physics.frame.gravity import weight
from polhode.physics.paths.arrays import (
    AT_THE_END,
    HOLD,
    ON_ITS_PATH,
    PARAMETER,
    SPEED,
    Beads,
    BeadWork,
    bead_rows,
    is_held,
)
from polhode.physics.paths.path_kernels import SPLINE, moves_as_before, path_moves, piece_at, slopes
from polhode.physics.paths.placement import acceleration_along, nearest_on, path_at, place_bead, project_bead

ZERO = (0.0, 0.0, 0.0)


@kernel
def can_idle(beads: Beads, i: int, rows: np.ndarray) -> bool:
    """Whether bead i slides on its path without rotation, so that its body follows from the bead states alone.

    rows: (3, c) bead states.
    """
    return is_held(rows[HOLD, i]) and not beads.inertia[i] > 1.0


@kernel
def forget_pieces(bead_work: BeadWork) -> None:
    """BEGIN: invalidate the cached spline pieces, so that the first evaluation of a batch searches."""
    for i in range(len(bead_work.turn)):
        bead_work.turn[i] = np.nan


@kernel
def write_slopes(beads: Beads, rows: np.ndarray, bead_work: BeadWork) -> None:
    """Write r' at all beads into `bead_work.slope`; a bead still in its spline piece is evaluated without a search.

    rows: (3, c) bead states.
    """
    paths, now = beads.paths, bead_work
    for i in range(rows.shape[1]):
        q, piece = rows[PARAMETER, i], now.piece[i]
        inside = q - now.turn[i]
        if inside == inside and paths.knots[piece] <= inside < paths.ends[piece]:  # not nan: a piece is known
            first = slopes(paths, piece, inside)
        else:
            first = look_for_slope(beads, i, q, bead_work)
        now.slope[0, i], now.slope[1, i], now.slope[2, i] = first


@kernel
def look_for_slope(beads: Beads, i: int, q: float, bead_work: BeadWork) -> Triple:
    """r' of path i at q, as `path_at` computes it; remembers the spline piece unless q is beyond an end."""
    paths, now = beads.paths, bead_work
    now.turn[i] = np.nan
    if paths.kind[i] != SPLINE or nearest_on(beads, i, q) != q:
        _, first, _ = path_at(beads, i, q, now.piece)
        return first
    period = paths.period[i]
    turn = period * floor((q - paths.start[i]) / period) if period > 0.0 else 0.0
    inside, piece = piece_at(paths, i, q - turn, now.piece[i])
    now.turn[i], now.piece[i] = turn, piece
    return slopes(paths, piece, inside)


@kernel
def drive_beads(
    bodies: Bodies,
    beads: Beads,
    gravity: np.ndarray,
    track: np.ndarray,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
    power: np.ndarray,
    rate: np.ndarray,
) -> None:
    """PROJECT: write the rates of all beads at `time` [s] into `rate`, and the powers of their paths into `power`.

    Rates of their bodies, the idle rows, are not written. Used instead of `project_beads` while bodies of beads are
    idle; both give the same motion.

    gravity: (3,) [m/s^2]; body_work: scratch; bead_work: `slope` or the path geometry is written.
    """
    rows, rates = bead_rows(beads, state), bead_rows(beads, rate)
    if beads.moved:
        drive_on_moving_paths(bodies, beads, gravity, track, time, rows, body_work, bead_work, power, rates)
        return
    write_slopes(beads, rows, bead_work)
    acceleration, loaded, lost = (gravity[0], gravity[1], gravity[2]), bead_work.loaded[0], 0.0
    for i in range(0, rows.shape[1], WIDTH):
        lost += drive_eight(i, acceleration, loaded, beads.weights, bead_work.slope, rows, rates)
    power[FRICTION] += lost


@kernel
def drive_eight(
    i: int,
    gravity: Triple,
    loaded: float,
    weights: np.ndarray,
    slope: np.ndarray,
    rows: np.ndarray,
    rates: np.ndarray,
) -> float:
    """Write the rates of beads i ... i + 7 on paths at rest; returns the power [W] of their friction.

    gravity: g [m/s^2]; loaded: 0 or 1, whether forces count.
    weights: (3, c) as in Beads; slope: (3, c) r'.
    rows: (3, c) bead rows of the state; rates: (3, c) of its derivative, written.
    """
    mask = first_lanes(rows.shape[1] - i)
    x, y, z = load_three(slope, 0, i, mask)
    held, still = load(rows, HOLD, i, mask), 0.5 * (ON_ITS_PATH + AT_THE_END)
    moves = still > held
    speed = where(moves, load(rows, SPEED, i, mask), 0.0)
    per_length = inverse_root(x * x + y * y + z * z)
    weight_along = load(weights, 0, i, mask) * ((gravity[0] * x + gravity[1] * y + gravity[2] * z) * per_length)
    resistance = load(weights, 1, i, mask) * speed
    change = loaded * (weight_along - resistance) * load(weights, 2, i, mask)
    store(rates, PARAMETER, i, mask, where(moves, speed * per_length, 0.0))
    store(rates, SPEED, i, mask, where(moves, change, 0.0))
    store(rates, HOLD, i, mask, broadcast(0.0))
    return -loaded * reduce_sum(where(mask, resistance * speed, 0.0))


@kernel
def put_weight(bodies: Bodies, beads: Beads, gravity: np.ndarray, i: int, body_work: BodyWork) -> None:
    """Write the weight of bead i as the only force on its body, and no torque."""
    b = beads.body[i]
    put(body_work.force, b, weight(bodies.mass[b], (gravity[0], gravity[1], gravity[2])))
    put(body_work.torque, b, ZERO)


@kernel
def drive_on_moving_paths(
    bodies: Bodies,
    beads: Beads,
    gravity: np.ndarray,
    track: np.ndarray,
    time: float,
    rows: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
    power: np.ndarray,
    rates: np.ndarray,
) -> None:
    """As `drive_beads`, one bead at a time, on paths that move; places each bead and applies `project_bead`.

    rows: (3, c) bead rows of the state; rates: (3, c) of its derivative, written.
    """
    paths, moves = beads.paths, (ZERO, ZERO, ZERO)
    for i in range(rows.shape[1]):
        if not moves_as_before(paths, i):
            moves = path_moves(paths, i, track, time)
        place_bead(beads, i, rows[PARAMETER, i], time, moves, bead_work)
        put_weight(bodies, beads, gravity, i, body_work)
        project_bead(bodies, beads, i, rows, body_work, bead_work, power, rates)


@kernel
def acceleration_under_weight(
    bodies: Bodies,
    beads: Beads,
    gravity: np.ndarray,
    track: np.ndarray,
    time: float,
    i: int,
    rows: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
) -> float:
    """du/dt [m/s^2] of bead i at `time` [s]; writes the path geometry at its q into `bead_work`.

    rows: (3, c) bead rows of the state.
    """
    place_bead(beads, i, rows[PARAMETER, i], time, path_moves(beads.paths, i, track, time), bead_work)
    put_weight(bodies, beads, gravity, i, body_work)
    return acceleration_along(bodies, beads, i, rows[SPEED, i], body_work, bead_work)
