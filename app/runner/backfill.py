"""Quantities of the past that nobody had asked for while it was. Lives inside the physics thread; no Qt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.messages import ColumnSamples
from app.runner.pacing import worked
from app.sensor.followers import has_followers
from core.analysis.columns import columns
from core.analysis.diagnostics import observed
from core.engine.work import make_work
from core.simulation.simulation import Checkpoint, Simulation

BUDGET = 0.08  # [s] of work: a run catches up with so much
MOST = 2000  # states: more can't be told apart in a plot
FEWEST = 4  # states, however long they take; as long as there is time, those between them follow
NUMBERS = 2**20  # that are held at once


def backfilled_samples(
    simulation: Simulation, kept: Sequence[Checkpoint], wanted: Sequence[str]
) -> ColumnSamples | None:
    """The wanted columns at states of the simulation's past, oldest first; None where there are none.

    The simulation does not hear of it. States of other scenes, before an edit, are left out, and all of them where a
    hand over the sensor leads: where that was unknown. A spring by which a hand pulled has no energy here.
    """
    built = simulation.built
    known = {name: place for place, name in enumerate(columns(built))}
    names = ("time", *(name for name in wanted if name in known))
    states = [state for state in kept if state.scene is simulation.scene and state.time != simulation.time]
    if len(names) == 1 or not states or has_followers(simulation.scene):
        return None
    places, work = [known[name] for name in names], make_work(built.model, built.inputs)
    at_once = max(1, NUMBERS // len(known))

    def rows(chosen: Sequence[Checkpoint]) -> Iterator[np.ndarray]:
        for begin in range(0, len(chosen), at_once):
            some = chosen[begin : begin + at_once]
            times, numbers = np.array([state.time for state in some]), np.array([state.state for state in some])
            yield observed(built.model, built.inputs, times, numbers, work)[:, places]

    states = states[:: -(-len(states) // MOST)]
    stride = 1 << max(len(states) // FEWEST, 1).bit_length() - 1
    begun, found = worked(), [*rows(states[::stride])]
    while stride > 1 and 2 * (worked() - begun) < BUDGET:  # those between are as many as there were
        found += rows(states[stride // 2 :: stride])
        stride //= 2
    numbers = np.vstack(found)
    return ColumnSamples(names, numbers[np.argsort(numbers[:, 0])], recalled=True)
