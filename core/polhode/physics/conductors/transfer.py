"""Currents in conductors across an edit of the scene: a mode that both scenes have keeps its current."""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Step
from polhode.engine.work import make_tables, run_hooks
from polhode.physics.conductors.part import PART, slow_modes


def transfer_conductors(
    old: CompiledScene, state: np.ndarray, new: CompiledScene, time: float, result: np.ndarray
) -> None:
    """Write the flux linkages of `new` into `result` (k,), with the currents that `state` (k,) of `old` has at `time`
    [s].
    """
    if not len(slow_modes(new.model)):
        return
    known, conductors = _currents(old, state, time), new.model.conductors
    start = np.zeros(len(conductors.time_constant))
    for c, b in enumerate(conductors.body.tolist()):
        modes, current = known.get(new.scene.bodies[b].name, (np.zeros((0, 0)), np.zeros(0)))
        own = _modes(new, c)
        count = min(len(modes), len(own))
        if np.array_equal(modes[:count], own[:count]):
            first = conductors.first_mode[c]
            start[first : first + count] = current[:count]
    _write_linkages(new, start, time, result)


def _modes(compiled: CompiledScene, c: int) -> np.ndarray:
    """(d, n) slow modes of conductor c."""
    conductors = compiled.model.conductors
    first, nodes = conductors.first_mode[c], conductors.first_node[c + 1] - conductors.first_node[c]
    return np.asarray(conductors.mode[first : first + conductors.slow[c], :nodes])


def _write_linkages(compiled: CompiledScene, current: np.ndarray, time: float, state: np.ndarray) -> None:
    """Write the flux linkages for these currents (k,) [A] of all modes into `state`."""
    work = make_tables(compiled.model)
    work.conductors.current[:] = current
    run_hooks(PART.assemble, Step(compiled.model, compiled.inputs, time, state, work, work.rate))


def _currents(compiled: CompiledScene, state: np.ndarray, time: float) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Slow modes (d, n) of each conductor and their currents (d,) [A] in a state (k,), by the name of the body."""
    conductors, other, slow = compiled.model.conductors, state.copy(), slow_modes(compiled.model)
    if not len(slow):
        return {}
    _write_linkages(compiled, np.zeros(len(conductors.time_constant)), time, other)
    own = slice(conductors.at, conductors.at + len(slow))
    current = (state[own] - other[own]) / conductors.time_constant[slow]
    parts = np.split(current, np.cumsum(conductors.slow)[:-1])
    names = [compiled.scene.bodies[b].name for b in conductors.body.tolist()]
    return {name: (_modes(compiled, c), part) for c, (name, part) in enumerate(zip(names, parts, strict=True))}
