"""Events of beads on tracks: each changes how the path holds its bead, and its speed.

They happen where a step is divided, at the zeros of their margins (core/polhode/physics/tracks/margins.py), or at the
end of a step that is not divided. A bead that would come back within a few steps, to an end off which it bounces or to
its one-sided track, is held there until the forces pull it away.

What a bead loses goes to the ledger: the energy of an impact to CONTACT, but the work of a path that moves, J.v0 for
an impulse J, to DRIVE.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.events import FREE as UNDIVIDED
from polhode.engine.ledger import CONTACT, DRIVE, ENERGIES
from polhode.engine.model import Inputs, Model, Step, Work
from polhode.engine.program import ENERGY, call_phase
from polhode.engine.rates import rates
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, dot, row, scale, subtract
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, MOMENTUM, POSITION, read, write
from polhode.physics.paths.arrays import (
    AT_REST,
    AT_THE_END,
    BOUNCE,
    GONE,
    HOLD,
    LEAVE,
    ON_ITS_PATH,
    PARAMETER,
    SLIDES_BACKWARD,
    SLIDES_FORWARD,
    SPEED,
    bead_rows,
)
from polhode.physics.paths.path_ends import add_to_ledger
from polhode.physics.paths.path_kernels import is_moved
from polhode.physics.paths.placement import spin_of_path
from polhode.physics.tracks.arrays import EVENTS, LANDS, LEAVES, PASSES_END, SLIPS, Tracks
from polhode.physics.tracks.clearance import ON_IT, at_rest, clearance, nearest_parameter
from polhode.physics.tracks.coulomb_friction import track_normal
from polhode.physics.tracks.margins import AWAY, is_pressed, margin_of, outward_at, write_margins


@kernel
def hold_at(tracks: Tracks, i: int, along: float) -> float:
    """HOLD of bead i on its path; `along` is its speed, or the force that moves it, and 0 if it rests."""
    if tracks.static[i] == 0.0:
        return ON_ITS_PATH
    if along == 0.0:
        return AT_REST
    return SLIDES_FORWARD if along > 0.0 else SLIDES_BACKWARD


@kernel
def pass_events(s: Step) -> None:
    """IMPACT: let events with negative margins in `out` (EVENTS n,), see `write_margins`, happen; make these positive.

    One event of a bead at a time. That of a bead that flies behind its track stays negative.
    """
    model, inputs, time, state, work = s.model, s.inputs, s.time, s.state, s.work
    for n in range(len(model.tracks.bead)):
        i, own = model.tracks.bead[n], s.out[EVENTS * n : EVENTS * (n + 1)]
        for event in range(EVENTS):
            due = not own[event] > 0.0
            if due and (event != LANDS or comes_down(model, inputs, time, i, state, work)):
                work.beads.history_invalid[0] = 1.0
                rates(model, inputs, time, state, work, work.rate)
                switch(event, model, inputs, time, i, state, work)
                own[:] = AWAY
                break


@kernel
def settle_after_step(s: Step) -> None:
    """FINISH of steps that are not divided: what is due by the end of the step happens there."""
    if s.work.events.mode[0] == UNDIVIDED:
        margins = Step(s.model, s.inputs, s.time, s.state, s.work, s.work.tracks.values)
        write_margins(margins)
        pass_events(margins)


@kernel
def switch(event: int, model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> None:
    """Let an event happen to bead i at `time` [s]. The rates of `state` (k,) are evaluated."""
    rows = bead_rows(model.beads, state)
    if event == PASSES_END and is_pressed(model, i, rows[HOLD, i]):
        rows[HOLD, i] = hold_at(model.tracks, i, 0.0)
    elif event == PASSES_END:
        reach_end(model, inputs, time, i, state, work)
    elif event == LANDS:
        land(model, inputs, time, i, state, work)
    elif event == LEAVES:
        rows[HOLD, i] = GONE
    elif event == SLIPS:
        rows[HOLD, i] = hold_at(model.tracks, i, work.tracks.drive[i])
    else:
        stop(model, inputs, time, i, state, work)


@kernel
def stop(model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> None:
    """Bead i has lost its speed: it rests, or the forces along the path turn it back against static friction."""
    rows = bead_rows(model.beads, state)
    rows[SPEED, i], rows[HOLD, i] = 0.0, AT_REST
    rates(model, inputs, time, state, work, work.rate)
    if not margin_of(SLIPS, model, inputs, time, i, state, work) > 0.0:
        rows[HOLD, i] = hold_at(model.tracks, i, work.tracks.drive[i])


@kernel
def reach_end(model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> None:
    """Bead i is at an end of its path: it bounces, stops or leaves."""
    beads, rows = model.beads, bead_rows(model.beads, state)
    b, outward = beads.body[i], outward_at(model, i, rows[PARAMETER, i])
    rows[PARAMETER, i] = beads.paths.stop[i] if outward > 0.0 else beads.paths.start[i]
    rates(model, inputs, time, state, work, work.rate)
    if beads.ends[i] == LEAVE:
        rows[HOLD, i] = GONE
        return
    speed, pressed = rows[SPEED, i], outward * bead_rows(beads, work.rate)[SPEED, i]
    stays = beads.ends[i] != BOUNCE or 2.0 * abs(speed) <= pressed * work.stop_time[0]
    momentum, spin = read(state, b, MOMENTUM), read(state, b, ANGULAR_MOMENTUM)
    before = total_energy(model, inputs, time, state, work)
    rows[SPEED, i] = 0.0 if stays else -outward * abs(speed)
    rows[HOLD, i] = AT_THE_END if stays else hold_at(model.tracks, i, -outward)
    rates(model, inputs, time, state, work, work.rate)
    gained = total_energy(model, inputs, time, state, work) - before
    count_impact(model, momentum, spin, gained, i, state, work)


@kernel
def comes_down(model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> bool:
    """Whether bead i, which flies, is on its path, or within a radius behind it but before it when the step began.

    The latter by its present velocity, where a step was not divided. A bead that passed an end is not before its track.
    """
    beads, tracks, b = model.beads, model.tracks, model.beads.body[i]
    position, step, track = read(state, b, POSITION), work.step[0], inputs.sensor_track
    over = clearance(beads, tracks, i, track, time, position)
    if abs(over) <= ON_IT * beads.radius[i] or not abs(over) <= beads.radius[i]:
        return abs(over) <= ON_IT * beads.radius[i]
    earlier = subtract(position, scale(step / model.bodies.mass[b], read(state, b, MOMENTUM)))
    return 0.0 < clearance(beads, tracks, i, track, time - step, earlier) <= beads.radius[i]


@kernel
def land(model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> None:
    """Bead i has come down on its track: it keeps its velocity along it, and loses or reflects that across it.

    Rolling without slipping begins at once, with the angular momentum about the line of contact. The bead bounces if
    its restitution makes it fly for a few steps; otherwise the track holds it, unless it would have to pull.
    """
    beads, rows, b = model.beads, bead_rows(model.beads, state), model.beads.body[i]
    mass, position, momentum = model.bodies.mass[b], read(state, b, POSITION), read(state, b, MOMENTUM)
    spin, before = read(state, b, ANGULAR_MOMENTUM), total_energy(model, inputs, time, state, work)
    still = at_rest(beads.paths, i, position, inputs.sensor_track, time)
    hold_on(model, inputs, time, nearest_parameter(beads, model.tracks, i, still), i, state, work)
    relative = subtract(scale(1.0 / mass, momentum), row(work.beads.velocity, i))
    normal = track_normal(work.beads, i)
    falling = dot(relative, normal)
    rows[SPEED, i] = landed_speed(model, i, relative, spin, work)
    rows[HOLD, i] = hold_at(model.tracks, i, rows[SPEED, i])
    rates(model, inputs, time, state, work, work.rate)
    rebound = -model.tracks.restitution[i] * falling
    if rebound > 0.0 and 2.0 * mass * rebound > work.tracks.pressure[i] * work.stop_time[0]:
        rows[HOLD, i] = GONE
        write(state, b, POSITION, position)
        write(state, b, MOMENTUM, add(momentum, scale(mass * (rebound - falling), normal)))
        write(state, b, ANGULAR_MOMENTUM, spin)
        rates(model, inputs, time, state, work, work.rate)
    elif not margin_of(LEAVES, model, inputs, time, i, state, work) > 0.0:
        rows[HOLD, i] = GONE
    gained = total_energy(model, inputs, time, state, work) - before
    count_impact(model, momentum, spin, gained, i, state, work)


@kernel
def hold_on(model: Model, inputs: Inputs, time: float, q: float, i: int, state: np.ndarray, work: Work) -> None:
    """Put bead i on its path at q with u = 0, and place it."""
    rows = bead_rows(model.beads, state)
    rows[PARAMETER, i], rows[SPEED, i], rows[HOLD, i] = q, 0.0, ON_ITS_PATH
    rates(model, inputs, time, state, work, work.rate)


@kernel
def landed_speed(model: Model, i: int, relative: Triple, spin: Triple, work: Work) -> float:
    """u [m/s] of bead i after it has landed: v.t, or [v.t + (f - 1) r (omega - W).e]/f of a bead that rolls.

    relative: v less v0 [m/s]; spin: angular momentum before [kg m^2/s]; the bead is placed.
    """
    beads, b = model.beads, model.beads.body[i]
    along = dot(relative, row(work.beads.tangent, i))
    if not beads.inertia[i] > 1.0:
        return along
    turning = subtract(scale(model.bodies.inverse_moments[b, 0], spin), spin_of_path(beads.paths, i))
    rolled = beads.radius[i] * dot(turning, row(work.beads.across, i))
    return (along + (beads.inertia[i] - 1.0) * rolled) / beads.inertia[i]


@kernel
def total_energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> float:
    """Sum of all energies [J] of `state` (k,) at `time` [s], where its rates are evaluated."""
    for kind in range(ENERGIES):
        work.energy[kind] = 0.0
    call_phase(ENERGY, model, inputs, time, state, work, work.energy)
    total = 0.0
    for kind in range(ENERGIES):
        total += work.energy[kind]
    return total


@kernel
def count_impact(
    model: Model, momentum: Triple, spin: Triple, gained: float, i: int, state: np.ndarray, work: Work
) -> None:
    """Add the energy [J] that an impact of bead i with its path has gained to the ledger in `state` (k,).

    momentum, spin: P and L of the bead before; the bead is placed after the impact.
    """
    b, driven = model.beads.body[i], 0.0
    if is_moved(model.beads.paths, i):
        driven = dot(subtract(read(state, b, MOMENTUM), momentum), row(work.beads.velocity, i))
        driven += dot(subtract(read(state, b, ANGULAR_MOMENTUM), spin), spin_of_path(model.beads.paths, i))
    add_to_ledger(model.ledger, state, DRIVE, driven)
    add_to_ledger(model.ledger, state, CONTACT, gained - driven)
