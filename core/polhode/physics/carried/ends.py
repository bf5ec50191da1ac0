"""Ends of paths that move with bodies: a bead bounces, stops or leaves at the time at which it reaches the end.

The distances to both ends are switching functions, so that a step is divided there (core/polhode/engine/events.py). A
bead that bounces or stops gets the change of speed Du = -2 u or -u from its path, by an impulse along it. With M, K and
s as in core/polhode/physics/carried/coupling.py, M without Du of this bead, its body changes by

    (1 + K M) Da = -K g Du      g = (m t, s x m t + I e/r)

and its momenta by the wrench -(M Da + g Du). A bounce keeps the energy; what a stop loses goes to the ledger's line
CONTACT, and the work of a support that moves to DRIVE. A bead that the forces press against the end, and which would
come back within a few steps, rests there until they pull it away. Coulomb friction has no part in impacts.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.events import FREE as UNDIVIDED
from polhode.engine.ledger import CONTACT, DRIVE
from polhode.engine.model import Inputs, Model, Step, Work
from polhode.engine.rates import rates
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import DRIVEN, FREE, read_basis
from polhode.physics.bodies.placement import add_impulse, response
from polhode.physics.carried.coupling import Wrench, inertia_of_bead, is_loose, set_up, solve, spin_inertia
from polhode.physics.carried.friction import across_and_along
from polhode.physics.paths.arrays import (
    AT_THE_END,
    BOUNCE,
    GONE,
    HOLD,
    LEAVE,
    ON_ITS_PATH,
    PARAMETER,
    SPEED,
    Beads,
    bead_rows,
    is_held,
    moves_along,
)
from polhode.physics.paths.path_ends import add_to_ledger
from polhode.physics.tracks.switching import hold_at, total_energy

PER_BEAD = 2
ROUNDING = 1e-12  # of the range of q, by which an end counts as reached only beyond it
AWAY = 1.0  # value of a bead that can't reach an end


@kernel
def write_distances(beads: Beads, bead: np.ndarray, rows: np.ndarray, values: np.ndarray) -> None:
    """SWITCH: distances in q of the beads `bead` (n,) from their first and last q, into `values` (2 n,).

    rows: (3, c) bead states.
    """
    for n in range(len(bead)):
        i = bead[n]
        values[PER_BEAD * n] = values[PER_BEAD * n + 1] = AWAY
        if moves_along(rows[HOLD, i]):
            start, stop, q = beads.paths.start[i], beads.paths.stop[i], rows[PARAMETER, i]
            slack = ROUNDING * (stop - start)
            values[PER_BEAD * n], values[PER_BEAD * n + 1] = q - start + slack, stop - q + slack


@kernel
def meet_ends(s: Step) -> None:
    """IMPACT: let all beads with negative values in `out` (2 n, ...), see `write_distances`, reach their ends."""
    with_ends = s.model.carried.with_ends
    for n in range(len(with_ends)):
        for side in range(PER_BEAD):
            if not s.out[PER_BEAD * n + side] > 0.0:
                reach_end(s.model, s.inputs, s.time, with_ends[n], 2.0 * side - 1.0, s.state, s.work)
                s.out[PER_BEAD * n + side] = AWAY


@kernel
def finish_ends(s: Step) -> None:
    """FINISH: let beads at rest at an end go, and those beyond an end meet it if steps are not divided."""
    model, inputs, time, state, work = s.model, s.inputs, s.time, s.state, s.work
    rows = bead_rows(model.beads, state)
    for i in model.carried.with_ends:
        if rows[HOLD, i] == AT_THE_END and model.beads.ends[i] == BOUNCE:
            release(model, inputs, time, i, state, work)
        elif work.events.mode[0] == UNDIVIDED and moves_along(rows[HOLD, i]):
            if rows[PARAMETER, i] < model.beads.paths.start[i]:
                reach_end(model, inputs, time, i, -1.0, state, work)
            elif rows[PARAMETER, i] > model.beads.paths.stop[i]:
                reach_end(model, inputs, time, i, 1.0, state, work)


@kernel
def release(model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> None:
    """Let bead i go, which rests at an end, unless the forces press it against the end."""
    rows, paths = bead_rows(model.beads, state), model.beads.paths
    outward = 1.0 if abs(paths.stop[i] - rows[PARAMETER, i]) < abs(rows[PARAMETER, i] - paths.start[i]) else -1.0
    rows[HOLD, i] = hold_at(model.tracks, i, 0.0)
    rates(model, inputs, time, state, work, work.rate)
    drive = work.carried.change[i] if rows[HOLD, i] == ON_ITS_PATH else -across_and_along(i, work.beads)[1]
    if outward * drive > 0.0:
        rows[HOLD, i] = AT_THE_END


@kernel
def reach_end(model: Model, inputs: Inputs, time: float, i: int, outward: float, state: np.ndarray, work: Work) -> None:
    """Bead i is at an end of its path at `time` [s]: it bounces, stops or leaves.

    outward: 1 at the last q, -1 at the first.
    """
    beads, rows = model.beads, bead_rows(model.beads, state)
    rows[PARAMETER, i] = beads.paths.stop[i] if outward > 0.0 else beads.paths.start[i]
    rates(model, inputs, time, state, work, work.rate)
    work.beads.history_invalid[0] = 1.0
    speed = rows[SPEED, i]
    if beads.ends[i] == LEAVE:
        rows[HOLD, i] = GONE
        return
    pressed = outward * work.carried.change[i]
    stays = beads.ends[i] != BOUNCE or 2.0 * abs(speed) <= pressed * work.stop_time[0]
    before = total_energy(model, inputs, time, state, work)
    driven = strike(model, i, -speed if stays else -2.0 * speed, state, work)
    rows[HOLD, i] = AT_THE_END if stays else hold_at(model.tracks, i, -outward)
    rates(model, inputs, time, state, work, work.rate)
    gained = total_energy(model, inputs, time, state, work) - before
    add_to_ledger(model.ledger, state, DRIVE, driven)
    add_to_ledger(model.ledger, state, CONTACT, gained - driven)


@kernel
def strike(model: Model, i: int, change: float, state: np.ndarray, work: Work) -> float:
    """Change the speed of bead i by Du = `change` [m/s], by an impulse of its path, and what that moves, in `state`.

    All is placed. Returns the work [J] of what moves the support of the body.
    """
    bodies, beads, carried, rows = model.bodies, model.beads, model.carried, bead_rows(model.beads, state)
    j = 0
    while carried.body[j] != beads.carrier[i]:
        j += 1
    b, basis = carried.body[j], read_basis(state, carried.body[j])
    set_up(bodies, beads, carried, j, i, rows, basis, work.beads, work.carried)
    impulse = own_impulse(model, i, change, work)
    found = solve(response(bodies, b, basis, scale(-1.0, impulse[0]), scale(-1.0, impulse[1])), work.carried)
    force, torque = impulse
    for n in range(carried.first[j], carried.first[j + 1]):
        k = carried.bead[n]
        if is_held(rows[HOLD, k]):
            slides = is_loose(i, k, rows[HOLD, k])
            push, twist, along = inertia_of_bead(bodies, beads, k, slides, found, work.beads, work.carried)
            force, torque = add(force, push), add(torque, twist)
            if slides:
                rows[SPEED, k] -= along
                rows[HOLD, k] = hold_at(model.tracks, k, rows[SPEED, k])
    rows[SPEED, i] += change
    wrench = scale(-1.0, force), scale(-1.0, torque)
    add_impulse(bodies, b, wrench[0], wrench[1], state)
    return work_of_support(model, b, wrench, found[1], work)


@kernel
def own_impulse(model: Model, i: int, change: float, work: Work) -> Wrench:
    """g Du about the reference point of its body, of bead i with Du = `change` [m/s]."""
    push = scale(model.bodies.mass[model.beads.body[i]] * change, row(work.beads.tangent, i))
    inertia = spin_inertia(model.bodies, model.beads, i)
    twist = scale(inertia * change / model.beads.radius[i], row(work.beads.across, i))
    return push, add(cross(row(work.carried.arm, i), push), twist)


@kernel
def work_of_support(model: Model, b: int, wrench: Wrench, turned: Triple, work: Work) -> float:
    """Work [J] of what moves the support of body b, which an impulse strikes; 0 of a support at rest.

    turned: change of the angular velocity [rad/s].
    """
    velocity, spin = row(work.bodies.velocity, b), row(work.bodies.angular_velocity, b)
    if model.bodies.support[b] == DRIVEN:
        return -(dot(wrench[0], velocity) + dot(wrench[1], spin))
    if model.bodies.support[b] == FREE:
        return 0.0
    needed = scale(model.bodies.mass[b], cross(turned, row(work.bodies.com_offset, b)))
    return dot(subtract(needed, wrench[0]), velocity)
