"""Events at the end of a path, when a step has moved a bead beyond it: bounce, stop, or detachment.

A step knows no ends: it continues along the osculating parabola. The speed at the end follows from the work W of the
forces from there to the current position, u_e^2 = u^2 - 2 W/(f m), by Simpson's rule over evaluations of all forces,
and the time since then from both speeds. A bouncing bead is placed where that time leads it with the opposite speed,
and its speed there follows from the work again: its energy is conserved to the fifth order of the step where forces
depend on positions only. A bead that the forces press against the end faster than it bounces stops there, and may leave
later. This is a closed form for each bead, and no switching function (core/polhode/engine/events.py), since a step that
is divided is repeated for all of thousands of independent beads.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.idle import has_idle_rows
from polhode.engine.ledger import CONTACT, DRIVE, FRICTION
from polhode.engine.model import Inputs, Model, Work
from polhode.engine.rates import rates
from polhode.jit.kernel import inlined, kernel
from polhode.jit.vec import Triple, add, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, MOMENTUM, POSITION, Bodies, BodyWork, write
from polhode.physics.bodies.placement import repair
from polhode.physics.paths.arrays import (
    AT_THE_END,
    BOUNCE,
    GONE,
    HOLD,
    LEAVE,
    PARAMETER,
    SPEED,
    STOP,
    Beads,
    BeadWork,
    bead_rows,
    is_held,
    moves_along,
)
from polhode.physics.paths.path_kernels import path_moves
from polhode.physics.paths.placement import is_carried, nearest_on, path_at, place_bead, spin_of, spin_of_path
from polhode.physics.paths.weight_driven import acceleration_under_weight


@inlined
def acceleration_at(
    model: Model, inputs: Inputs, time: float, i: int, q: float, state: np.ndarray, work: Work
) -> tuple[float, float]:
    """du/dt [m/s^2] of bead i at q in the next state `state`, and |r'| there; evaluates all forces at `time` [s].

    Writes q into `state`, whose other components stay as they are.
    """
    bead_rows(model.beads, state)[PARAMETER, i] = q
    if has_idle_rows(work):
        return acceleration_under_weight(
            model.bodies,
            model.beads,
            inputs.gravity,
            inputs.sensor_track,
            time,
            i,
            bead_rows(model.beads, state),
            work.bodies,
            work.beads,
        ), work.beads.stretch[i]
    rates(model, inputs, time, state, work, work.rate)
    return bead_rows(model.beads, work.rate)[SPEED, i], work.beads.stretch[i]


@inlined
def work_between(
    model: Model, inputs: Inputs, time: float, i: int, start: float, stop: float, state: np.ndarray, work: Work
) -> tuple[float, float]:
    """W/(f m) [m^2/s^2] from q = `start` to `stop`, and the arc length [m] between, both by Simpson's rule.

    Both are signed: positive where forces push towards larger q, and towards larger q. Evaluates all forces at `time`
    [s].
    """
    total, length, third = 0.0, 0.0, (stop - start) / 6.0
    for k in range(3):
        along, stretch = acceleration_at(model, inputs, time, i, start + 0.5 * k * (stop - start), state, work)
        weight = third * (4.0 if k == 1 else 1.0)
        total += weight * along * stretch
        length += weight * stretch
    return total, length


@kernel
def end_of_path(model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> None:
    """Handle bead i, which is beyond an end of its path in the next state, at `time` [s].

    BOUNCE: u changes its sign at the end. STOP: it rests there; its energy goes to CONTACT. LEAVE: its body becomes
    free. Speeds at the end and the time since then follow from the work of the forces, as the module explains. Energies
    that the step has counted beyond the end, of friction and of a moving path, are corrected in the ledger of `state`.
    """
    beads, rows, now = model.beads, bead_rows(model.beads, state), work.beads
    if beads.ends[i] == LEAVE:
        work.idle[0], work.idle[1] = 0, 0  # its body becomes free
    beyond, speed = rows[PARAMETER, i], rows[SPEED, i]
    end = nearest_on(model.beads, i, beyond)
    outward = 1.0 if beyond > end else -1.0
    work_done, length = work_between(model, inputs, time, i, end, beyond, state, work)
    square = speed * speed - 2.0 * work_done
    crossing = sqrt(square) if square > 0.0 and speed * outward > 0.0 else 0.0
    along, stretch = acceleration_at(model, inputs, time, i, end, state, work)
    since = 2.0 * abs(length) / (abs(speed) + crossing) if crossing > 0.0 else 0.0
    _, moving, _ = path_moves(beads.paths, i, inputs.sensor_track, time - since)
    if beads.paths.turns[i]:
        moving = row(now.velocity, i)  # its component along the path and its power stay as the path turns
    mass, coupling = model.bodies.mass[beads.body[i]], coupling_to_path(model.bodies, beads, i, moving, now)
    back = crossing * since - 0.5 * outward * along * since * since
    now.history_invalid[0] = 1.0
    rows[PARAMETER, i], rows[SPEED, i] = end, 0.0
    if beads.ends[i] == BOUNCE and back > 0.0:
        _, first, second = path_at(model.beads, i, end, now.piece)
        inner = end - outward * back / stretch * (1.0 + 0.5 * outward * back * dot(first, second) / stretch**3)
        lost, _ = work_between(model, inputs, time, i, end, inner, state, work)
        rows[PARAMETER, i], rows[SPEED, i] = inner, -outward * sqrt(max(0.0, square + 2.0 * lost))
        gained = work_of_spin(beads, i, beyond, inner, mass, now)
        add_to_ledger(model.ledger, state, DRIVE, gained - 2.0 * outward * crossing * coupling)
        return
    gained = work_of_spin(beads, i, beyond, end, mass, now)
    if beads.ends[i] == LEAVE:
        rows[SPEED, i], rows[HOLD, i] = outward * crossing, GONE
        coriolis = scale(2.0 * mass * speed, cross(spin_of_path(beads.paths, i), row(now.tangent, i)))
        steady = subtract(row(now.constraint, i), coriolis)
        add_to_ledger(model.ledger, state, DRIVE, gained - since * dot(steady, moving))
        detach(model.bodies, model.beads, inputs.sensor_track, time - since, since, i, state, work.bodies, work.beads)
    else:
        add_to_ledger(model.ledger, state, DRIVE, gained - speed * coupling)
    if beads.ends[i] == STOP:
        rows[HOLD, i] = AT_THE_END
        add_to_ledger(model.ledger, state, CONTACT, -0.5 * beads.inertia[i] * mass * crossing * crossing)
    add_to_ledger(model.ledger, state, FRICTION, since * beads.friction[i] * speed * speed)


@kernel
def coupling_to_path(bodies: Bodies, beads: Beads, i: int, moving: Triple, bead_work: BeadWork) -> float:
    """Kinetic energy per speed u along path i, [J s/m], due to the motion of the path: m t.v0, and (f - 1) m r e.W of a
    rolling bead.

    moving: v0 [m/s]; bead_work: t and e, as placed.
    """
    spun = (beads.inertia[i] - 1.0) * beads.radius[i] * dot(row(bead_work.across, i), spin_of_path(beads.paths, i))
    return bodies.mass[beads.body[i]] * (dot(row(bead_work.tangent, i), moving) + spun)


@kernel
def work_of_spin(beads: Beads, i: int, start: float, stop: float, mass: float, bead_work: BeadWork) -> float:
    """Work [J] that path i does against Coriolis's force on a bead from q = `start` to `stop`: m |W x (r - c)|^2,
    stop less start; zero if the path does not turn.
    """
    if not beads.paths.turns[i]:
        return 0.0
    spin, pivot = spin_of_path(beads.paths, i), row(beads.paths.pivot, i)
    first = cross(spin, subtract(path_at(beads, i, start, bead_work.piece)[0], pivot))
    last = cross(spin, subtract(path_at(beads, i, stop, bead_work.piece)[0], pivot))
    return mass * (dot(last, last) - dot(first, first))


@kernel
def add_to_ledger(ledger: int, state: np.ndarray, line: int, energy: float) -> None:
    """Add an energy [J] to a line of the ledger in the next state; `ledger` is the index of its first line."""
    state[ledger + line] += energy


@kernel
def detach(
    bodies: Bodies,
    beads: Beads,
    track: np.ndarray,
    left: float,
    since: float,
    i: int,
    state: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
) -> None:
    """Write the body of bead i, which left the end of its path at `left` [s], `since` [s] ago, into the next state.

    With the force F at the time of detachment it moves by x + v t + F t^2/(2 m); a rolling bead keeps its spin.
    """
    b, rows = beads.body[i], bead_rows(beads, state)
    force, mass, speed = row(body_work.force, b), bodies.mass[b], rows[SPEED, i]
    start = place_bead(beads, i, rows[PARAMETER, i], left, path_moves(beads.paths, i, track, left), bead_work)
    velocity = add(scale(speed, row(bead_work.tangent, i)), row(bead_work.velocity, i))
    flight = add(scale(since, velocity), scale(0.5 * since * since / mass, force))
    write(state, b, POSITION, add(start, flight))
    write(state, b, MOMENTUM, add(scale(mass, velocity), scale(since, force)))
    write(state, b, ANGULAR_MOMENTUM, spin_of(bodies, beads, i, speed, row(bead_work.across, i)))


@inlined
def end_paths(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """FINISH: handle all beads beyond an end of their path in the next state, at `time` [s] of that state.

    `state` (k,) is the next state; beads whose q is not finite are left to the check for finite values, tracked
    ones to core/polhode/physics/tracks, and those on paths that move with bodies to core/polhode/physics/carried.
    """
    rows = bead_rows(model.beads, state)
    for i in range(rows.shape[1]):
        q = rows[PARAMETER, i]
        beyond = moves_along(rows[HOLD, i]) and abs(q) < np.inf and nearest_on(model.beads, i, q) != q
        if beyond and not model.beads.tracked[i] and not is_carried(model.beads, i):
            work.beads.constraint_requested[0] = 1.0
            end_of_path(model, inputs, time, i, state, work)
            work.beads.constraint_requested[0] = model.beads.force_needed


@kernel
def orthonormalise_bead_bases(beads: Beads, state: np.ndarray) -> float:
    """Replace bases of turning beads by orthonormal ones; returns the largest |u_i.u_j - delta_ij| before that."""
    rows, largest = bead_rows(beads, state), 0.0
    for i in range(rows.shape[1]):
        if beads.inertia[i] > 1.0 or not is_held(rows[HOLD, i]):
            largest = max(largest, repair(state, beads.body[i]))
    return largest
