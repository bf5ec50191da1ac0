"""What an event does to a bead: it changes how its path holds it, and its speed.

What the bead loses goes to the ledger: the energy of an impact to CONTACT, but the work of a path that moves, J.v0 for
an impulse J, to DRIVE.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import CONTACT, DRIVE, ENERGIES
from polhode.engine.model import Inputs, Model, Work
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
    is_held,
    moves_along,
)
from polhode.physics.paths.path_ends import add_to_ledger
from polhode.physics.paths.path_kernels import is_moved
from polhode.physics.paths.placement import spin_of_path
from polhode.physics.tracks.arrays import LANDS, LEAVES, PASSES_END, SLIPS, Tracks
from polhode.physics.tracks.clearance import at_rest, nearest_parameter
from polhode.physics.tracks.coulomb_friction import track_normal


@kernel
def hold_at(tracks: Tracks, i: int, along: float) -> float:
    """HOLD of bead i on its path; `along` is its speed, or the force that moves it, and 0 if it rests."""
    if tracks.static[i] == 0.0:
        return ON_ITS_PATH
    if along == 0.0:
        return AT_REST
    return SLIDES_FORWARD if along > 0.0 else SLIDES_BACKWARD


@kernel
def switch(
    event: int, model: Model, inputs: Inputs, time: float, left: float, i: int, state: np.ndarray, work: Work
) -> None:
    """Let an event happen to bead i at `time` [s], `left` [s] before the end of the step.

    The rates of `state` (k,) are evaluated.
    """
    rows = bead_rows(model.beads, state)
    if event == PASSES_END:
        reach_end(model, inputs, time, left, i, state, work)
    elif event == LANDS:
        land(model, inputs, time, left, i, state, work)
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
    rows[SPEED, i] = 0.0
    rates(model, inputs, time, state, work, work.tracks.rate)
    drive = work.tracks.drive[i]
    rests = abs(drive) <= model.tracks.static[i] * work.tracks.across[i]
    rows[HOLD, i] = hold_at(model.tracks, i, 0.0 if rests else drive)


@kernel
def reach_end(model: Model, inputs: Inputs, time: float, left: float, i: int, state: np.ndarray, work: Work) -> None:
    """Bead i is at an end of its path: it bounces, stops or leaves.

    A bead that the forces would press against the end again within `left` [s] after a bounce stays there for the rest
    of the step, see `release_from_end`.
    """
    beads, rows = model.beads, bead_rows(model.beads, state)
    paths, b, speed = beads.paths, beads.body[i], rows[SPEED, i]
    upper = abs(paths.stop[i] - rows[PARAMETER, i]) < abs(rows[PARAMETER, i] - paths.start[i])
    rows[PARAMETER, i] = paths.stop[i] if upper else paths.start[i]
    outward = 1.0 if upper else -1.0
    if beads.ends[i] == LEAVE:
        rows[HOLD, i] = GONE
        return
    pressed = outward * bead_rows(beads, work.tracks.rate)[SPEED, i]
    stays = beads.ends[i] != BOUNCE or 2.0 * abs(speed) <= pressed * left
    momentum, spin = read(state, b, MOMENTUM), read(state, b, ANGULAR_MOMENTUM)
    before = total_energy(model, inputs, time, state, work)
    rows[SPEED, i] = 0.0 if stays else -speed
    rows[HOLD, i] = AT_THE_END if stays else hold_at(model.tracks, i, -speed)
    rates(model, inputs, time, state, work, work.tracks.rate)
    gained = total_energy(model, inputs, time, state, work) - before
    count_impact(model, momentum, spin, gained, i, state, work)


@kernel
def release_from_end(model: Model, i: int, state: np.ndarray) -> None:
    """Let bead i go that stayed at an end for the rest of a step, unless it stops at ends for good."""
    rows = bead_rows(model.beads, state)
    if model.beads.ends[i] == BOUNCE and is_held(rows[HOLD, i]) and not moves_along(rows[HOLD, i]):
        rows[HOLD, i] = hold_at(model.tracks, i, 0.0)


@kernel
def land(model: Model, inputs: Inputs, time: float, left: float, i: int, state: np.ndarray, work: Work) -> None:
    """Bead i has come down on its track: it keeps its velocity along it, and loses or reflects that across it.

    Rolling without slipping begins at once, with the angular momentum about the line of contact. The bead bounces if
    its restitution makes it fly for longer than twice the `left` [s] of the step; otherwise the track holds it.
    """
    beads, rows, b = model.beads, bead_rows(model.beads, state), model.beads.body[i]
    mass, place, momentum = model.bodies.mass[b], read(state, b, POSITION), read(state, b, MOMENTUM)
    spin, before = read(state, b, ANGULAR_MOMENTUM), total_energy(model, inputs, time, state, work)
    still = at_rest(beads.paths, i, place, inputs.sensor_track, time)
    hold_on(model, inputs, time, nearest_parameter(beads, model.tracks, i, still), i, state, work)
    relative = subtract(scale(1.0 / mass, momentum), row(work.beads.velocity, i))
    normal = track_normal(work.beads, i)
    falling = dot(relative, normal)
    rows[SPEED, i] = landed_speed(model, i, relative, spin, work)
    rows[HOLD, i] = hold_at(model.tracks, i, rows[SPEED, i])
    rates(model, inputs, time, state, work, work.tracks.rate)
    rebound = -model.tracks.restitution[i] * falling
    if rebound > 0.0 and rebound * mass > max(0.0, work.tracks.pressure[i]) * left:
        rows[HOLD, i] = GONE
        write(state, b, POSITION, place)
        write(state, b, MOMENTUM, add(momentum, scale(mass * (rebound - falling), normal)))
        write(state, b, ANGULAR_MOMENTUM, spin)
        rates(model, inputs, time, state, work, work.tracks.rate)
    gained = total_energy(model, inputs, time, state, work) - before
    count_impact(model, momentum, spin, gained, i, state, work)


@kernel
def hold_on(model: Model, inputs: Inputs, time: float, q: float, i: int, state: np.ndarray, work: Work) -> None:
    """Put bead i on its path at q with u = 0, and place it."""
    rows = bead_rows(model.beads, state)
    rows[PARAMETER, i], rows[SPEED, i], rows[HOLD, i] = q, 0.0, ON_ITS_PATH
    rates(model, inputs, time, state, work, work.tracks.rate)


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
