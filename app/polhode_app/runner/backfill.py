"""Columns requested after the run has passed, computed from stored states. Runs in the physics thread; no Qt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

import numpy as np

from polhode.analysis.columns import columns
from polhode.analysis.followers import has_followers
from polhode.engine.diagnostics import observed
from polhode.engine.work import make_work
from polhode.jit.processor_time import worked
from polhode.simulation.simulation import Checkpoint, Simulation
from polhode_app.messages import ColumnSamples

BUDGET = 0.08  # [s] CPU time: Pacing catches up with such a delay
MOST = 2000  # states: a plot cannot resolve more
FEWEST = 4  # states evaluated regardless of the budget; while it lasts, states between them follow
NUMBERS = 2**20  # values held in memory at once


def backfilled_samples(
    simulation: Simulation, kept: Sequence[Checkpoint], wanted: Sequence[str]
) -> ColumnSamples | None:
    """Evaluate the columns `wanted` at stored states of the run; None if there are none.

    The simulation itself is not changed. States before the last edit are left out. A scene that follows the sensor has
    no backfill, because the distance at that time is unknown; the energy of a mouse spring is unknown too and is
    missing.
    """
    compiled = simulation.compiled
    known = {name: index for index, name in enumerate(columns(compiled))}
    names = ("time", *(name for name in wanted if name in known))
    of_scene = (states for scene, states in groupby(kept, lambda state: state.scene) if scene == simulation.scene)
    states = [state for state in chain.from_iterable(of_scene) if state.time != simulation.time]
    if len(names) == 1 or not states or has_followers(simulation.scene):
        return None
    indices, work = [known[name] for name in names], make_work(compiled.model, compiled.inputs)
    at_once = max(1, NUMBERS // len(known))

    def rows(chosen: Sequence[Checkpoint]) -> Iterator[np.ndarray]:
        for begin in range(0, len(chosen), at_once):
            some = chosen[begin : begin + at_once]
            times, numbers = np.array([state.time for state in some]), np.array([state.state for state in some])
            yield observed(compiled.model, compiled.inputs, times, numbers, work)[:, indices]

    states = states[:: -(-len(states) // MOST)]
    stride = 1 << max(len(states) // FEWEST, 1).bit_length() - 1
    begun, found = worked(), [*rows(states[::stride])]
    while stride > 1 and 2 * (worked() - begun) < BUDGET:  # the next level has as many states as all before
        found += rows(states[stride // 2 :: stride])
        stride //= 2
    numbers = np.vstack(found)
    return ColumnSamples(names, numbers[np.argsort(numbers[:, 0])], recalled=True)
