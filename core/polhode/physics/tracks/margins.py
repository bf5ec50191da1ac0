"""Switching functions of beads on tracks (core/polhode/engine/events.py): the margins of their events.

    event        margin, positive until the event is due
    PASSES_END   distance in q from the nearer end of an open path; at rest there, the force against a stop that bounces
    STOPS        u along the direction in which the bead slides with Coulomb friction
    SLIPS        mu_s |N| - |F.t - m a0.t| of a bead that rests
    LEAVES       S.n of a bead on a one-sided track
    LANDS        offset along n of a bead that flies near its one-sided track, negative also behind it

Each has a slack of rounding, since right after an event a margin may be zero by construction: the speed of a bead that
begins to slide, the distance of one that has bounced. An event that begins and ends within one step is not seen.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.events import sum_forces
from polhode.engine.model import Inputs, Model, Step, Work
from polhode.jit.kernel import kernel
from polhode.physics.bodies.arrays import POSITION, read
from polhode.physics.paths.arrays import (
    AT_REST,
    AT_THE_END,
    BOUNCE,
    GONE,
    HOLD,
    PARAMETER,
    SPEED,
    bead_rows,
    is_held,
    moves_along,
)
from polhode.physics.tracks.arrays import EVENTS, LANDS, LEAVES, PASSES_END, SLIPS, STOPS, TrackWork
from polhode.physics.tracks.clearance import clearance
from polhode.physics.tracks.coulomb_friction import direction_of

AWAY = 1.0  # margin of an event that can't happen
ROUNDING = 1e-14  # slack of margins, in parts of q at the ends of the path, or of the forces on the bead
NEAR = 1e-12  # slack of the offset from a track, in radii
SLOW = 1e-12  # [m/s] speed below which a bead that slides backward has stopped
WEAK = 1e-30  # [N] force that counts as none


@kernel
def rests(hold: float) -> bool:
    """Whether Coulomb friction holds a bead in place."""
    return 0.5 * (AT_THE_END + AT_REST) < hold < 0.5 * (AT_REST + GONE)


@kernel
def is_pressed(model: Model, i: int, hold: float) -> bool:
    """Whether bead i rests at an end off which it would bounce, held there by the forces."""
    at_the_end = not moves_along(hold) and hold < 0.5 * (AT_THE_END + AT_REST)
    return at_the_end and model.beads.ends[i] == BOUNCE


@kernel
def outward_at(model: Model, i: int, q: float) -> float:
    """1 if the last q of path i is nearer to `q` than the first, else -1."""
    paths = model.beads.paths
    return 1.0 if abs(paths.stop[i] - q) < abs(q - paths.start[i]) else -1.0


@kernel
def with_slack(margin: float, i: int, work: TrackWork) -> float:
    """Margin [N] of an event that forces on bead i decide about, not negative by rounding alone."""
    return margin + ROUNDING * (abs(work.drive[i]) + work.across[i]) + WEAK


@kernel
def margin_of(event: int, model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> float:
    """Margin of an event of bead i in `state` at `time` [s], where forces are evaluated; AWAY if it can't happen."""
    rows, paths, tracks = bead_rows(model.beads, state), model.beads.paths, work.tracks
    q, hold, held = rows[PARAMETER, i], rows[HOLD, i], is_held(rows[HOLD, i])
    if event == PASSES_END and is_pressed(model, i, hold):
        return with_slack(outward_at(model, i, q) * tracks.drive[i], i, tracks)
    if event == PASSES_END and moves_along(hold) and not paths.closed[i]:
        inside = min(q - paths.start[i], paths.stop[i] - q)
        return inside + ROUNDING * (abs(paths.start[i]) + abs(paths.stop[i]))
    if event == STOPS and direction_of(hold) != 0.0:
        return direction_of(hold) * rows[SPEED, i] + SLOW
    if event == SLIPS and rests(hold):
        return with_slack(model.tracks.static[i] * tracks.across[i] - abs(tracks.drive[i]), i, tracks)
    if event == LEAVES and held and model.tracks.one_sided[i]:
        return with_slack(tracks.pressure[i], i, tracks)
    if event == LANDS and not held and model.tracks.one_sided[i]:
        position = read(state, model.beads.body[i], POSITION)
        over = clearance(model.beads, model.tracks, i, inputs.sensor_track, time, position)
        return min(over, AWAY) + NEAR * model.beads.radius[i]
    return AWAY


@kernel
def write_margins(s: Step) -> None:
    """SWITCH: write the margins of all events of tracked beads into `out` (EVENTS n,).

    All forces are evaluated where any of them decides.
    """
    model = s.model
    rows, tracked, needs_forces = bead_rows(model.beads, s.state), model.tracks.bead, False
    for i in tracked:
        hold = rows[HOLD, i]
        pushed = is_held(hold) and model.tracks.one_sided[i]
        needs_forces = needs_forces or pushed or rests(hold) or is_pressed(model, i, hold)
    if needs_forces:
        sum_forces(s)
    for n in range(len(tracked)):
        for event in range(EVENTS):
            s.out[EVENTS * n + event] = margin_of(event, model, s.inputs, s.time, tracked[n], s.state, s.work)
