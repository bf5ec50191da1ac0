"""Currents, charges and switches across an edit of the scene: a circuit of the same name keeps them.

It keeps its current, not its flux linkage.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Step, Work
from polhode.engine.work import run_hooks, tables_to_assemble
from polhode.physics.coils.arrays import Circuits
from polhode.physics.coils.part import PART, start_linkages
from polhode.physics.coils.wiring import Wiring, wirings


def transfer_coils(old: CompiledScene, state: np.ndarray, new: CompiledScene, time: float, result: np.ndarray) -> None:
    """Write the section of circuits of `new` into `result` (k,), with the currents, charges and switches that `state`
    (k,) of `old` has at `time` [s].
    """
    circuits = new.model.circuits
    if not PART.is_in(new.model, new.inputs):
        return
    found, before = _wirings(new), {one.name: one for one in _wirings(old)}
    kept = {one.name for one in found if one.name in before and _stated(before[one.name]) == _stated(one)}
    start = {"current": circuits.current.copy(), "charge": circuits.charge.copy()}
    for what, values in (("current", _currents(old, state, time)), ("charge", _charges(old, state))):
        for c, one in enumerate(found):
            if one.name in values and one.name in kept:
                start[what][c] = values[one.name]
    open_before = _open_switches(old, state)
    for n, c in enumerate(circuits.switched):
        at = _first_switch(circuits) + n
        result[at] = open_before.get(found[c].name, result[at])
    _write_start(new, start, time, result)


def _wirings(compiled: CompiledScene) -> list[Wiring]:
    return list(wirings(compiled.scene.coil, compiled.scene.circuit))


def _stated(one: Wiring) -> tuple[float, float]:
    """Current [A] and charge [C] at the start: an edit of them applies at once."""
    return one.item.current, one.charge


def _first_switch(circuits: Circuits) -> int:
    """Index of the first switch in the state."""
    return int(circuits.at) + len(circuits.dynamic) + len(circuits.charged)


def _write_start(compiled: CompiledScene, start: dict[str, np.ndarray], time: float, state: np.ndarray) -> Work:
    """Write flux linkages for the currents (c,) [A] and the charges (c,) [C] of `start` into `state`, whose switches
    are set; the work arrays, in which it is placed.
    """
    model = compiled.model.with_members(circuits=replace(compiled.model.circuits, **start))
    work = tables_to_assemble(model, compiled.inputs)
    run_hooks((start_linkages,), Step(model, compiled.inputs, time, state, work, work.rate))
    return work


def _currents(compiled: CompiledScene, state: np.ndarray, time: float) -> dict[str, float]:
    """Currents [A] of the dynamic circuits in a state (k,), by name."""
    circuits = compiled.model.circuits
    if not len(circuits.dynamic):
        return {}
    work = _write_start(compiled, {}, time, state.copy())
    run_hooks(PART.energy, Step(compiled.model, compiled.inputs, time, state, work, work.energy))
    return {_wirings(compiled)[k].name: float(work.circuits.current[k]) for k in circuits.dynamic}


def _charges(compiled: CompiledScene, state: np.ndarray) -> dict[str, float]:
    """Charges [C] of capacitors in a state (k,), by the names of their circuits."""
    circuits, found = compiled.model.circuits, _wirings(compiled)
    at = int(circuits.at) + len(circuits.dynamic)
    return {found[c].name: float(state[at + i]) for i, c in enumerate(circuits.charged)}


def _open_switches(compiled: CompiledScene, state: np.ndarray) -> dict[str, float]:
    """1 for open switches, 0 for closed ones, in a state (k,), by the names of their circuits."""
    circuits, found = compiled.model.circuits, _wirings(compiled)
    at = _first_switch(circuits)
    return {found[c].name: float(state[at + n]) for n, c in enumerate(circuits.switched)}
