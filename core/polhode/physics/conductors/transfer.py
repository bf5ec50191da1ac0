"""Currents of coils and conductors across an edit of the scene: a circuit of the same name keeps its current, and so
does a mode that both scenes have. Their flux linkages follow, which depend on all currents.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Model, Step, Work
from polhode.engine.work import run_hooks, tables_to_assemble
from polhode.physics.coils.part import PART as COILS
from polhode.physics.coils.part import start_linkages
from polhode.physics.coils.transfer import solved, start_of_circuits
from polhode.physics.conductors.arrays import slow_modes
from polhode.physics.conductors.part import PART


def transfer_currents(
    old: CompiledScene, state: np.ndarray, new: CompiledScene, time: float, result: np.ndarray
) -> None:
    """Write the sections of circuits and conductors of `new` into `result` (k,), with the currents, charges and
    switches that `state` (k,) of `old` has at `time` [s].
    """
    with_coils, modes = COILS.is_in(new.model, new.inputs), len(slow_modes(new.model.conductors)) > 0
    if not with_coils and not modes:
        return
    before, model = solved(old, state, time), new.model
    if with_coils:
        model = start_of_circuits(old, state, before, new, result)
    known = _currents(old, state, before, time)
    work = tables_to_assemble(model, new.inputs)
    _give(new, known, work)
    if with_coils:
        run_hooks((start_linkages,), Step(model, new.inputs, time, result, work, work.rate))
    if modes:
        _write_linkages(new, model, time, result, work)


def _give(compiled: CompiledScene, known: dict[str, tuple[np.ndarray, np.ndarray]], work: Work) -> None:
    """Write the currents of modes that a scene has in common with the `known` ones into `work`."""
    conductors = compiled.model.conductors
    for c, b in enumerate(conductors.body.tolist()):
        modes, current = known.get(compiled.scene.bodies[b].name, (np.zeros((0, 0)), np.zeros(0)))
        own = _modes(compiled, c)
        count = min(len(modes), len(own))
        if np.array_equal(modes[:count], own[:count]):
            first = conductors.first_mode[c]
            work.conductors.current[first : first + count] = current[:count]


def _modes(compiled: CompiledScene, c: int) -> np.ndarray:
    """(d, n) slow modes of conductor c."""
    conductors = compiled.model.conductors
    first, nodes = conductors.first_mode[c], conductors.first_node[c + 1] - conductors.first_node[c]
    return np.asarray(conductors.mode[first : first + conductors.slow[c], :nodes])


def _write_linkages(compiled: CompiledScene, model: Model, time: float, state: np.ndarray, work: Work) -> None:
    """Write the flux linkages for the currents of modes and coils in `work` into `state` (k,)."""
    run_hooks(PART.assemble, Step(model, compiled.inputs, time, state, work, work.rate))


def _currents(
    compiled: CompiledScene, state: np.ndarray, work: Work, time: float
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Slow modes (d, n) of each conductor and their currents (d,) [A] in a state (k,), by the name of the body.

    work: that of `solved`, with the currents of coils
    """
    conductors, other, slow = compiled.model.conductors, state.copy(), slow_modes(compiled.model.conductors)
    if not len(slow):
        return {}
    work.conductors.current[:] = 0.0
    _write_linkages(compiled, compiled.model, time, other, work)
    own = slice(conductors.at, conductors.at + len(slow))
    linked = work.eddy.mutual
    inductance = linked if linked.any() else np.diag(conductors.time_constant[slow])
    current = np.linalg.solve(inductance, state[own] - other[own])
    parts = np.split(current, np.cumsum(conductors.slow)[:-1])
    names = [compiled.scene.bodies[b].name for b in conductors.body.tolist()]
    return {name: (_modes(compiled, c), part) for c, (name, part) in enumerate(zip(names, parts, strict=True))}
