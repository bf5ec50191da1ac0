"""Quantities of the past that nobody had asked for while it was. Lives inside the physics thread; no Qt."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from app.commands import Sampled
from app.sensor.followers import has_followers
from core.columns import columns
from core.diagnostics import observed
from core.model import make_work
from core.simulation import Bookmark, Simulation

BUDGET = 0.08  # [s] wall time: a run catches up with so much
MOST = 2000  # states: more can't be told apart in a plot
TRIED = 3  # states that tell what one of them takes


def recalled(simulation: Simulation, kept: Sequence[Bookmark], wanted: Sequence[str]) -> Sampled | None:
    """The wanted columns at states of the simulation's past, oldest first; None where there are none.

    The simulation does not hear of it. States of other scenes, before an edit, are left out, and all of them where a
    hand over the sensor leads: where that was nobody knows. A spring by which a hand pulled has no energy here.
    """
    built = simulation.built
    known = {name: place for place, name in enumerate(columns(built))}
    names = ("time", *(name for name in wanted if name in known))
    states = [state for state in kept if state.scene is simulation.scene and state.time != simulation.time]
    if len(names) == 1 or not states or has_followers(simulation.scene):
        return None
    places, work = [known[name] for name in names], make_work(built.model)

    def row(state: Bookmark) -> np.ndarray:
        return observed(built.model, built.inputs, np.array([state.time]), state.state[None], work)[0, places]

    begun = time.perf_counter()
    for state in states[:TRIED]:
        row(state)
    each = (time.perf_counter() - begun) / min(TRIED, len(states))
    most = int(min(MOST, max(1.0, BUDGET / max(each, 1e-9))))
    return Sampled(names, np.array([row(state) for state in states[:: -(-len(states) // most)]]), recalled=True)
