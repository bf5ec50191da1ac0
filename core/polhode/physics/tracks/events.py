"""Finds events of beads on tracks within a step, and takes the next state through them.

    event        margin, negative once it is due
    PASSES_END   distance in q from the nearer end of an open path
    STOPS        u along the direction in which the bead slides with Coulomb friction
    SLIPS        mu_s |N| - |F.t - m a0.t| of a bead that rests
    LEAVES       S.n of a bead on a one-sided track
    LANDS        offset along n of a bead that flies near its one-sided track

A step knows no events: its rates are those of the state in which it began. At its end the margins are evaluated. Where
one is negative, the state is taken back (partial_step.py) to the latest time at which the margin was zero, the earliest
event happens (switching.py), and the state is taken forward to the end of the step, where the next event may be due. An
event that begins and ends within one step is not seen.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.rates import rates
from polhode.jit.kernel import kernel
from polhode.physics.paths.arrays import (
    AT_REST,
    AT_THE_END,
    GONE,
    HOLD,
    PARAMETER,
    SPEED,
    bead_rows,
    is_held,
    moves_along,
)
from polhode.physics.tracks.arrays import EVENTS, LANDS, LEAVES, PASSES_END, SLIPS, STOPS
from polhode.physics.tracks.clearance import NEVER, ON_IT, clearance
from polhode.physics.tracks.coulomb_friction import direction_of
from polhode.physics.tracks.partial_step import advance_partially, go_back, keep_state, restore_state
from polhode.physics.tracks.switching import release_from_end, switch

MOST_EVENTS = 20  # of one bead in one step
ITERATIONS = 60
RESOLUTION = 1e-13  # of the time of an event, in time steps
NO_EVENT = -1.0  # in place of the time since an event


@kernel
def rests(hold: float) -> bool:
    """Whether Coulomb friction holds a bead in place."""
    return 0.5 * (AT_THE_END + AT_REST) < hold < 0.5 * (AT_REST + GONE)


@kernel
def margin_of(event: int, model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> float:
    """Margin of an event of bead i, positive if it can't happen; the rates of `state` at `time` are evaluated."""
    rows, paths = bead_rows(model.beads, state), model.beads.paths
    q, hold, held = rows[PARAMETER, i], rows[HOLD, i], is_held(rows[HOLD, i])
    if event == PASSES_END and moves_along(hold) and not paths.closed[i]:
        return min(q - paths.start[i], paths.stop[i] - q)
    if event == STOPS and direction_of(hold) != 0.0:
        return direction_of(hold) * rows[SPEED, i]
    if event == SLIPS and rests(hold):
        return model.tracks.static[i] * work.tracks.across[i] - abs(work.tracks.drive[i])
    if event == LEAVES and held and model.tracks.one_sided[i]:
        return work.tracks.pressure[i]
    if event == LANDS and not held and model.tracks.one_sided[i]:
        return clearance(model.beads, model.tracks, i, inputs.sensor_track, time, state)
    return NEVER


@kernel
def happened_before(event: int, model: Model, i: int, margin: float) -> bool:
    """Whether an event was due at the start of a step already, where its margin was `margin`.

    A bead that flies on the other side of its track does not land there.
    """
    return margin <= 0.0 and (event != LANDS or margin >= -ON_IT * model.beads.radius[i])


@kernel
def time_since(
    event: int, model: Model, inputs: Inputs, time: float, longest: float, i: int, state: np.ndarray, work: Work
) -> float:
    """Time [s] since an event of bead i that is due at `time`, at most `longest`; NO_EVENT if it has not happened.

    By the method of false position, Illinois variant. Overwrites `state` (k,); the kept state is that at `time`.
    """
    low, below = 0.0, work.tracks.margins[event]
    go_back(model, inputs, time, longest, state, work)
    high, above = longest, margin_of(event, model, inputs, time - longest, i, state, work)
    if not above > 0.0:
        return longest if happened_before(event, model, i, above) else NO_EVENT
    since, side = longest, 0
    for _ in range(ITERATIONS):
        last, since = since, (low * above - high * below) / (above - below)
        if not low < since < high or abs(since - last) <= RESOLUTION * longest:
            break
        go_back(model, inputs, time, since, state, work)
        margin = margin_of(event, model, inputs, time - since, i, state, work)
        if margin < 0.0:
            low, below = since, margin
            above = 0.5 * above if side < 0 else above
            side = -1
        else:
            high, above = since, margin
            below = 0.5 * below if side > 0 else below
            side = 1
    return since if event != LANDS or touches(model, inputs, time, since, i, state, work) else NO_EVENT


@kernel
def touches(model: Model, inputs: Inputs, time: float, since: float, i: int, state: np.ndarray, work: Work) -> bool:
    """Whether bead i is on its path `since` [s] before the kept state, rather than passing an end of it far below."""
    go_back(model, inputs, time, since, state, work)
    above = clearance(model.beads, model.tracks, i, inputs.sensor_track, time - since, state)
    return abs(above) <= ON_IT * model.beads.radius[i]


@kernel
def is_due(model: Model, inputs: Inputs, time: float, i: int, state: np.ndarray, work: Work) -> bool:
    """Whether any event of bead i is due; writes all margins of the bead to `work.tracks.margins`."""
    due = False
    for event in range(EVENTS):
        margin = margin_of(event, model, inputs, time, i, state, work)
        work.tracks.margins[event] = margin
        due = due or margin < 0.0
    return due


@kernel
def pass_events(model: Model, inputs: Inputs, time: float, step: float, i: int, state: np.ndarray, work: Work) -> None:
    """Take the next state `state` (k,), that at `time` [s], through the events of bead i in the last `step` [s]."""
    longest = step
    for _ in range(MOST_EVENTS):
        if not is_due(model, inputs, time, i, state, work):
            return
        keep_state(state, work)
        first, since = -1, NO_EVENT
        for event in range(EVENTS):
            if work.tracks.margins[event] < 0.0:
                ago = time_since(event, model, inputs, time, longest, i, state, work)
                if ago > since:
                    first, since = event, ago
        if first < 0:
            go_back(model, inputs, time, 0.0, state, work)
            return
        work.beads.history_invalid[0] = 1.0
        go_back(model, inputs, time, since, state, work)
        switch(first, model, inputs, time - since, since, i, state, work)
        advance_partially(model, inputs, time - since, since, state, work)
        release_from_end(model, i, state)
        restore_state(state, work, False)
        rates(model, inputs, time, state, work, work.tracks.rate)
        longest = since


@kernel
def find_events(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """FINISH: take the next state `state` (k,), that at `time` [s], through the events of all beads on tracks."""
    step, rows = work.step[0], bead_rows(model.beads, state)
    rates(model, inputs, time, state, work, work.tracks.rate)
    for i in range(rows.shape[1]):
        finite = abs(rows[PARAMETER, i]) < np.inf and abs(rows[SPEED, i]) < np.inf
        if model.beads.tracked[i] and finite:
            pass_events(model, inputs, time, step, i, state, work)
