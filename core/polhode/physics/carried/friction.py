"""Coulomb friction of beads on paths that move with bodies: R = -mu |N| along t while a bead slides towards larger q.

N, the force of the path across it, depends on the acceleration of the body, and that on R. The equation is solved by
iteration from R = 0, which converges where the friction changes N by less than itself; where it does not, as in
Painleve's paradox, rigid bodies with Coulomb friction have no motion or several, R is nan, and the run stops.

A step is divided where the speed of a bead that slides becomes zero, and where the force along the path on one at rest
exceeds static friction (core/polhode/engine/events.py).
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.events import sum_forces
from polhode.engine.model import Inputs, Model, Step, Work
from polhode.engine.rates import rates
from polhode.jit.kernel import kernel
from polhode.jit.vec import dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.carried.arrays import Carried
from polhode.physics.paths.arrays import AT_REST, HOLD, SPEED, Beads, BeadWork, bead_rows
from polhode.physics.tracks.arrays import Tracks
from polhode.physics.tracks.coulomb_friction import direction_of
from polhode.physics.tracks.switching import hold_at

ROUNDS = 200
SETTLED = 1e-15  # change of the friction in the last round, in forces on the bead
DIVERGED = 1e-9  # the same after all rounds, above which there is no solution
SLOW = 1e-12  # [m/s] speed below which a bead that slides backward has stopped
AWAY = 1.0  # value of a bead that can't stop or slip


@kernel
def no_friction(carried: Carried, j: int, bead_work: BeadWork) -> None:
    """Begin the iteration for body j of `carried` with R = 0."""
    for n in range(carried.first[j], carried.first[j + 1]):
        bead_work.coulomb[carried.bead[n]] = 0.0


@kernel
def across_and_along(i: int, bead_work: BeadWork) -> tuple[float, float]:
    """|N| and S.t [N] of bead i by its constraint force S."""
    force, tangent = row(bead_work.constraint, i), row(bead_work.tangent, i)
    along = dot(force, tangent)
    across = subtract(force, scale(along, tangent))
    return sqrt(dot(across, across)), along


@kernel
def is_settled(
    beads: Beads,
    tracks: Tracks,
    carried: Carried,
    j: int,
    rows: np.ndarray,
    final: bool,
    body_work: BodyWork,
    bead_work: BeadWork,
) -> bool:
    """Write R of the beads on body j of `carried` by the last constraint forces; returns whether R stays.

    rows: (3, c) bead states; final: R becomes nan if it does not converge.
    """
    settled = True
    for n in range(carried.first[j], carried.first[j + 1]):
        i = carried.bead[n]
        direction, force = direction_of(rows[HOLD, i]), row(body_work.force, beads.body[i])
        if tracks.kinetic[i] == 0.0 or direction == 0.0:
            continue
        across, along = across_and_along(i, bead_work)
        friction = -direction * tracks.kinetic[i] * across
        change, scale_of_forces = abs(friction - bead_work.coulomb[i]), across + abs(along) + sqrt(dot(force, force))
        bead_work.coulomb[i] = friction
        settled = settled and change <= SETTLED * scale_of_forces
        if final and not change <= DIVERGED * scale_of_forces:
            bead_work.coulomb[i] = np.nan
    return settled


@kernel
def write_margins(s: Step, values: np.ndarray) -> None:
    """SWITCH: of each rough bead its speed forward, or the static friction left to it at rest, into `values` (r,)."""
    rows, rough, rests = bead_rows(s.model.beads, s.state), s.model.carried.rough, False
    for i in rough:
        rests = rests or rows[HOLD, i] == AT_REST
    if rests:
        sum_forces(s)
    for n in range(len(rough)):
        hold = rows[HOLD, rough[n]]
        if hold == AT_REST:
            values[n] = static_margin(s.model.tracks, rough[n], s.work.beads)
        else:
            values[n] = direction_of(hold) * rows[SPEED, rough[n]] + SLOW if direction_of(hold) != 0.0 else AWAY


@kernel
def static_margin(tracks: Tracks, i: int, bead_work: BeadWork) -> float:
    """Static friction less the force along the path [N] of bead i, which is at rest."""
    across, along = across_and_along(i, bead_work)
    return tracks.static[i] * across - abs(along)


@kernel
def stop_or_slip(s: Step, values: np.ndarray) -> None:
    """IMPACT: let rough beads with negative `values` (r,), as `write_margins` has them, stop or slip."""
    for n in range(len(s.model.carried.rough)):
        if not values[n] > 0.0:
            settle(s.model, s.inputs, s.time, s.model.carried.rough[n], s.state, s.work)
            values[n] = AWAY


@kernel
def settle(model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> None:
    """Bead i has no speed at `time` [s]: it rests, or slips to where the forces along the path drive it."""
    rows = bead_rows(model.beads, state)
    before = rows[HOLD, i]
    rows[SPEED, i], rows[HOLD, i] = 0.0, AT_REST
    rates(model, inputs, time, state, work, work.rate)
    if static_margin(model.tracks, i, work.beads) < 0.0:
        _, along = across_and_along(i, work.beads)
        rows[HOLD, i] = hold_at(model.tracks, i, -along)
    if rows[HOLD, i] != before:
        work.beads.history_invalid[0] = 1.0


@kernel
def settle_after_step(s: Step) -> None:
    """FINISH of steps that are not divided: let beads stop that slide backward, and slip that are at rest."""
    rows = bead_rows(s.model.beads, s.state)
    for i in s.model.carried.rough:
        if rows[HOLD, i] == AT_REST or direction_of(rows[HOLD, i]) * rows[SPEED, i] < 0.0:
            settle(s.model, s.inputs, s.time, i, s.state, s.work)
