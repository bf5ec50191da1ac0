"""Partial steps within a step: the next state is taken back to an event and forward again.

One step of the classical Runge-Kutta method (order 4), of either sign, moves beads, their bodies and the ledger under
all forces. Everything else moves with its rates at the next state, to which it returns: it may be too stiff for an
explicit method, and the error of the forces on a bead is of the second order of the time to the event.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.rates import rates
from polhode.jit.kernel import kernel

TIMES = (0.0, 0.5, 0.5, 1.0)
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
NEXT_STAGE = (0.5, 0.5, 1.0, 0.0)


@kernel
def keep_state(state: np.ndarray, work: Work) -> None:
    """Keep the next state `state` (k,), at which `work.tracks.rate` has been evaluated, as the end of partial steps."""
    for i in range(len(state)):
        work.tracks.following[i] = state[i]
        work.tracks.steady[i] = work.tracks.rate[i]


@kernel
def restore_state(state: np.ndarray, work: Work, beads: bool) -> None:
    """Restore the kept state in `state` (k,): all of it, or all but beads, their bodies and the ledger."""
    for i in range(len(state)):
        if beads or not work.tracks.moves[i]:
            state[i] = work.tracks.following[i]


@kernel
def advance_partially(model: Model, inputs: Inputs, time: float, step: float, state: np.ndarray, work: Work) -> None:
    """Advance `state` (k,), which is that at `time` [s], in place by `step` [s], which may be negative."""
    base, total, rate, steady = work.tracks.base, work.tracks.total, work.tracks.rate, work.tracks.steady
    for i in range(len(state)):
        base[i], total[i] = state[i], 0.0
    for stage in range(4):
        rates(model, inputs, time + TIMES[stage] * step, state, work, rate)
        for i in range(len(state)):
            change = step * (rate[i] if work.tracks.moves[i] else steady[i])
            total[i] += WEIGHTS[stage] * change
            state[i] = base[i] + NEXT_STAGE[stage] * change
    for i in range(len(state)):
        state[i] = base[i] + total[i]


@kernel
def go_back(model: Model, inputs: Inputs, time: float, since: float, state: np.ndarray, work: Work) -> None:
    """Write the state `since` [s] before the kept one, which is that at `time` [s], into `state` (k,).

    Its rates are evaluated, so that forces of tracks and places of beads belong to it.
    """
    restore_state(state, work, True)
    if since > 0.0:
        advance_partially(model, inputs, time, -since, state, work)
    rates(model, inputs, time - since, state, work, work.tracks.rate)
