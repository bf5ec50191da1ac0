"""Place and project phases of beads: spheres on paths (Endo number 19).

A path r(q), with t = r'/|r'| and chi = dt/dl = r''/|r'|^2 - r' (r'.r'')/|r'|^4, moves as a whole with x0(t), v0 and a0.
With u = dl/dt, a force F and a torque T on a sphere of mass m,

    dq/dt = u/|r'|      f m du/dt = F.t + T.e/r - m a0.t - c u + R      S = m [a0 + du/dt t + u^2 chi] - F

with Coulomb's friction R (core/polhode/physics/tracks), 0 unless the bead has it.

A path that turns about a point c with a constant angular velocity W has, at the bead, v0 = W x (r - c) and a0 = W x v0
+ 2 u W x t, of which the second term, Coriolis's, is across t. A rolling bead turns with it, by W + u/r e; the torque N
that the path needs for that has the power N.W, N = (f - 1) m r (du/dt e + u de/dt) - T.

A sliding bead (f = 1, no T) does not turn. A bead that rolls without slipping turns about e, a unit vector across t, by
u/r, which holds the other 2/5 m u^2/2 of its energy (f = 7/5). S is the constraint force; its power is S.v0 - c u^2, of
which S.v0 goes to the ledger's line DRIVE and -c u^2 to FRICTION. Beyond an end, where a trial stage may evaluate it,
the path continues as its osculating parabola.

The state is (q, u): the constraint is exact and does not drift. chi has the minus sign, which the document misprints as
plus. Checks: the cycloid is isochronous, T = 4 pi sqrt(a/g); a bead on z = x^2 let go at x = 1 with g = 9.8 rests at x
= -1 after 1.190454596 s; S = m v^2/R - F.n on a circle; Newton's law under S leads along the path.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.ledger import DRIVE, FRICTION
from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.vec import Triple, add, cross, dot, put, rotated, row, scale, subtract
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    BASIS,
    FREE,
    MOMENTUM,
    ON_PATH,
    POSITION,
    Bodies,
    BodyWork,
    read,
    read_basis,
    write,
)
from polhode.physics.bodies.placement import enter, place_body, project_body
from polhode.physics.paths.arrays import (
    HOLD,
    PARAMETER,
    SPEED,
    Beads,
    BeadWork,
    bead_rows,
    is_held,
    moves_along,
)
from polhode.physics.paths.path_kernels import (
    CYCLOID,
    Curve,
    Paths,
    curve_in,
    is_moved,
    moves_as_before,
    path_moves,
    piece_at,
    turned_path,
)

ZERO = (0.0, 0.0, 0.0)
ALONG = 1e-12  # squared sine of the angle between path and side below which the direction across is undefined


@kernel
def is_free(bodies: Bodies, beads: Beads, state: np.ndarray, b: int) -> bool:
    """Whether body b has no support: it is free, or a bead that has left its path."""
    if bodies.support[b] == ON_PATH:
        return not is_held(bead_rows(beads, state)[HOLD, b - beads.body[0]])
    return bool(bodies.support[b] == FREE)


@kernel
def is_carried(beads: Beads, i: int) -> bool:
    """Whether the path of bead i moves with a body."""
    return bool(beads.carrier[i] != NOTHING)


@kernel
def nearest_on(beads: Beads, i: int, q: float) -> float:
    """q, or the nearer end of path i if q is beyond; q itself of a closed path."""
    paths = beads.paths
    return q if paths.closed[i] else min(max(q, paths.start[i]), paths.stop[i])


@part_of_caller
def path_at(beads: Beads, i: int, q: float, pieces: np.ndarray) -> tuple[Triple, Triple, Triple]:
    """r [m], r' and r'' of path i at rest, laboratory frame; beyond an end those of its parabola there.

    A cycloid, which may end in a cusp, continues by itself.

    q: internal parameter; pieces: (c,) int64 spline pieces of the beads, of which number i is read and written.
    """
    end = q if beads.paths.kind[i] == CYCLOID else nearest_on(beads, i, q)
    inside, pieces[i] = piece_at(beads.paths, i, end, pieces[i])
    point, first, second = curve_in(beads.paths, i, inside, pieces[i])
    if end != q:
        beyond = q - end
        point = add(point, add(scale(beyond, first), scale(0.5 * beyond * beyond, second)))
        first = add(first, scale(beyond, second))
    return point, first, second


@kernel
def curvature(first: Triple, second: Triple) -> Triple:
    """chi = r''/|r'|^2 - r' (r'.r'')/|r'|^4 [1/m], across the path; |chi| is the curvature."""
    square = dot(first, first)
    return scale(1.0 / square, subtract(second, scale(dot(first, second) / square, first)))


@part_of_caller
def rolling_axis(tangent: Triple, side: Triple, level: bool) -> Triple:
    """Unit vector e across t, the axis of forward rolling: side x t of a level path, else side less its t part.

    Where t is along the side, any vector across it.

    tangent: t; side, level: as in Beads.
    """
    axis = cross(side, tangent) if level else subtract(side, scale(dot(side, tangent), tangent))
    square = dot(axis, axis)
    if square < ALONG:
        axis = cross(tangent, (1.0, 0.0, 0.0) if abs(tangent[0]) < 0.6 else (0.0, 1.0, 0.0))
        square = dot(axis, axis)
    return scale(1.0 / sqrt(square), axis)


@kernel
def side_at(beads: Beads, i: int, time: float) -> Triple:
    """The vector `side` of path i at `time` [s], laboratory frame: it turns with the path."""
    side = row(beads.side, i)
    if beads.paths.turns[i]:
        return rotated(side, row(beads.paths.axis, i), beads.paths.rate[i] * time)
    return side


@kernel
def spin_of_path(paths: Paths, i: int) -> Triple:
    """Angular velocity W [rad/s] of path i, laboratory frame; zero if it does not turn."""
    return scale(paths.rate[i], row(paths.axis, i))


@kernel
def rolling_axis_change(tangent: Triple, chi: Triple, side: Triple, level: bool) -> Triple:
    """de/dl [1/m] of the axis of forward rolling along the path; zero where t is along the side.

    tangent: t; chi: curvature vector; side, level: as in Beads.
    """
    if level:
        axis, change = cross(side, tangent), cross(side, chi)
    else:
        axis = subtract(side, scale(dot(side, tangent), tangent))
        change = scale(-1.0, add(scale(dot(side, chi), tangent), scale(dot(side, tangent), chi)))
    square = dot(axis, axis)
    if square < ALONG:
        return ZERO
    return scale(1.0 / sqrt(square), subtract(change, scale(dot(axis, change) / square, axis)))


@part_of_caller
def place_bead(beads: Beads, i: int, q: float, time: float, moves: Curve, bead_work: BeadWork) -> Triple:
    """Position [m], laboratory frame, of bead i at q at `time` [s], on a path with displacement, velocity and
    acceleration `moves`, or on one that turns.

    Writes the path geometry into `bead_work`. Numbers that only a moving path, a rolling bead or a requested constraint
    force needs are skipped for the others.
    """
    now, constraint_requested = bead_work, bead_work.constraint_requested[0] != 0.0
    point, first, second = path_at(beads, i, q, now.piece)
    if beads.paths.turns[i]:
        point, first, second = turned_path(beads.paths, i, time, (point, first, second))
    stretch = sqrt(dot(first, first))
    tangent = scale(1.0 / stretch, first)
    now.stretch[i] = stretch
    put(now.tangent, i, tangent)
    if beads.inertia[i] > 1.0 or constraint_requested:
        put(now.across, i, rolling_axis(tangent, side_at(beads, i, time), beads.level[i]))
    if not (is_moved(beads.paths, i) or constraint_requested):
        return point
    shift, velocity, acceleration = moves
    if beads.paths.turns[i]:
        spin = spin_of_path(beads.paths, i)
        velocity = cross(spin, subtract(point, row(beads.paths.pivot, i)))
        acceleration = cross(spin, velocity)
    chi = curvature(first, second)
    put(now.curvature, i, chi)
    if beads.paths.turns[i] and beads.inertia[i] > 1.0:
        put(now.across_change, i, rolling_axis_change(tangent, chi, side_at(beads, i, time), beads.level[i]))
    put(now.shift, i, shift)
    put(now.velocity, i, velocity)
    put(now.acceleration, i, acceleration)
    return add(point, shift)


@kernel
def velocity_of(beads: Beads, i: int, speed: float, bead_work: BeadWork) -> Triple:
    """Velocity u t + v0 [m/s], laboratory frame, of a placed bead i with the speed u along its path."""
    along = scale(speed, row(bead_work.tangent, i))
    return add(along, row(bead_work.velocity, i)) if is_moved(beads.paths, i) else along


@kernel
def spin_of(bodies: Bodies, beads: Beads, i: int, speed: float, across: Triple) -> Triple:
    """Angular momentum [kg m^2/s] of a rolling bead i: (f - 1) m r (u e + r W), laboratory frame; zero if it slides.

    speed: u [m/s]; across: e.
    """
    rolled = scale(speed, across)
    if beads.paths.turns[i]:
        rolled = add(rolled, scale(beads.radius[i], spin_of_path(beads.paths, i)))
    return scale((beads.inertia[i] - 1.0) * bodies.mass[beads.body[i]] * beads.radius[i], rolled)


@kernel
def place_beads(
    bodies: Bodies,
    beads: Beads,
    track: np.ndarray,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
) -> None:
    """REDUCE: place the bodies of all beads at `time` [s].

    Of a bead on its path, position, momentum and angular momentum are written into `state` as well; its basis is not
    changed. One that has left its path is placed as a free body. Those on paths that move with a body are placed after
    the bodies (core/polhode/physics/carried).
    """
    rows = bead_rows(beads, state)
    moves = (ZERO, ZERO, ZERO)
    for i in range(rows.shape[1]):
        if not moves_as_before(beads.paths, i):
            moves = path_moves(beads.paths, i, track, time)
        b, speed = beads.body[i], rows[SPEED, i]
        if not is_held(rows[HOLD, i]):
            place_gone(bodies, track, b, time, state, body_work)
            continue
        if is_carried(beads, i):
            continue
        position, spin = place_bead(beads, i, rows[PARAMETER, i], time, moves, bead_work), ZERO
        velocity = velocity_of(beads, i, speed, bead_work)
        if beads.inertia[i] > 1.0:
            spin = spin_of(bodies, beads, i, speed, row(bead_work.across, i))
        write(state, b, POSITION, position)
        write(state, b, MOMENTUM, scale(bodies.mass[b], velocity))
        write(state, b, ANGULAR_MOMENTUM, spin)
        enter(body_work, b, position, velocity, scale(bodies.inverse_moments[b, 0], spin))


@kernel
def place_gone(bodies: Bodies, track: np.ndarray, b: int, time: float, state: np.ndarray, body_work: BodyWork) -> None:
    """Place body b of a bead that has left its path, as a free body at `time` [s]; clears its force and torque."""
    position, velocity, _, omega = place_body(bodies, track, b, time, state, read_basis(state, b))
    enter(body_work, b, position, velocity, omega)


@kernel
def acceleration_along(
    bodies: Bodies, beads: Beads, i: int, speed: float, body_work: BodyWork, bead_work: BeadWork
) -> float:
    """du/dt = (F.t + T.e/r - m a0.t - c u + R)/(f m) [m/s^2] of bead i under the sum of all forces on its body.

    Terms that vanish are skipped: of a path at rest m a0.t, of a sliding bead T.e/r.

    speed: u [m/s]; body_work: F and T; bead_work: t, e and a0, as placed, and R.
    """
    b = beads.body[i]
    tangent, mass = row(bead_work.tangent, i), bodies.mass[b]
    push = dot(row(body_work.force, b), tangent) - beads.friction[i] * speed + bead_work.coulomb[i]
    if is_moved(beads.paths, i):
        push -= mass * dot(row(bead_work.acceleration, i), tangent)
    if beads.inertia[i] > 1.0:
        push += dot(row(body_work.torque, b), row(bead_work.across, i)) / beads.radius[i]
    return push / (beads.inertia[i] * mass)


@kernel
def project_beads(
    bodies: Bodies,
    beads: Beads,
    state: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
    power: np.ndarray,
    rate: np.ndarray,
) -> None:
    """PROJECT: write the rates of all beads, and of their bodies, into `rate`.

    The rates of beads whose paths move with bodies are those of core/polhode/physics/carried, which writes them
    afterwards. The body of a bead on its path has zero rates, except for the rotation of the basis of a rolling one:
    REDUCE places it.
    """
    rows, rates = bead_rows(beads, state), bead_rows(beads, rate)
    for i in range(rows.shape[1]):
        b = beads.body[i]
        if not is_held(rows[HOLD, i]):
            rates[PARAMETER, i], rates[SPEED, i], rates[HOLD, i] = 0.0, 0.0, 0.0
            put(bead_work.constraint, i, ZERO)
            project_gone(bodies, b, state, body_work, rate)
            continue
        if not is_carried(beads, i):
            project_bead(bodies, beads, i, rows, body_work, bead_work, power, rates)
        write(rate, b, POSITION, ZERO)
        write(rate, b, MOMENTUM, ZERO)
        write(rate, b, ANGULAR_MOMENTUM, ZERO)
        omega = row(body_work.angular_velocity, b) if beads.inertia[i] > 1.0 else ZERO
        for axis in range(BASIS, BASIS + 9, 3):
            write(rate, b, axis, cross(omega, read(state, b, axis)))


@kernel
def project_gone(bodies: Bodies, b: int, state: np.ndarray, body_work: BodyWork, rate: np.ndarray) -> None:
    """Write the rates of body b of a bead that has left its path, as of a free body, under the forces in
    `body_work`.
    """
    velocity, omega = row(body_work.velocity, b), row(body_work.angular_velocity, b)
    project_body(
        bodies, b, read_basis(state, b), velocity, omega, row(body_work.force, b), row(body_work.torque, b), rate
    )


@part_of_caller
def project_bead(
    bodies: Bodies,
    beads: Beads,
    i: int,
    rows: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
    power: np.ndarray,
    rates: np.ndarray,
) -> None:
    """Write dq/dt and du/dt of bead i, which is on its path; and S where the path moves or S is requested.

    Adds the powers to the ledger's lines FRICTION and DRIVE. Without forces (`loaded` 0) the speeds stay constant: the
    motion of the path counts as a force.

    rows, rates: (3, c) bead rows of the state and of its derivative; rates are written.
    """
    now, speed, moves = bead_work, rows[SPEED, i], moves_along(rows[HOLD, i])
    rates[PARAMETER, i] = speed / now.stretch[i] if moves else 0.0
    rates[SPEED, i], rates[HOLD, i] = 0.0, 0.0
    if now.loaded[0] == 0.0:
        return
    if moves:
        rates[SPEED, i] = acceleration_along(bodies, beads, i, speed, body_work, bead_work)
        power[FRICTION] -= beads.friction[i] * speed * speed
    if is_moved(beads.paths, i) or now.constraint_requested[0] != 0.0:
        bend = add(scale(rates[SPEED, i], row(now.tangent, i)), scale(speed * speed, row(now.curvature, i)))
        b = beads.body[i]
        if beads.paths.turns[i]:
            spin = spin_of_path(beads.paths, i)
            bend = add(bend, scale(2.0 * speed, cross(spin, row(now.tangent, i))))
            if beads.inertia[i] > 1.0:
                power[DRIVE] += rolling_power(bodies, beads, i, speed, rates[SPEED, i], spin, body_work, bead_work)
        needed = scale(bodies.mass[b], add(row(now.acceleration, i), bend))
        constraint = subtract(needed, row(body_work.force, b))
        put(now.constraint, i, constraint)
        power[DRIVE] += dot(constraint, row(now.velocity, i))


@kernel
def rolling_power(
    bodies: Bodies,
    beads: Beads,
    i: int,
    speed: float,
    change: float,
    spin: Triple,
    body_work: BodyWork,
    bead_work: BeadWork,
) -> float:
    """N.W [W], which a path that turns gives to the rotation of rolling bead i.

    The part of de/dt due to W itself, W x e, is across W and does no work.

    speed: u [m/s]; change: du/dt [m/s^2]; spin: W [rad/s]; body_work: T; bead_work: e and de/dl, as placed.
    """
    b, across, bend = beads.body[i], row(bead_work.across, i), row(bead_work.across_change, i)
    rolled = add(scale(change, across), scale(speed * speed, bend))
    needed = scale((beads.inertia[i] - 1.0) * bodies.mass[b] * beads.radius[i], rolled)
    return dot(subtract(needed, row(body_work.torque, b)), spin)
