"""Currents, charges and switches across an edit of the scene: a circuit of the same name keeps them.

It keeps its current, not its flux linkage: polhode.physics.conductors.transfer writes linkages for all currents.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Model, Step, Work
from polhode.engine.work import run_hooks, tables_to_assemble
from polhode.physics.coils.arrays import Circuits
from polhode.physics.coils.part import PART, start_linkages
from polhode.physics.coils.wiring import Wiring, wirings


def start_of_circuits(
    old: CompiledScene, state: np.ndarray, work: Work, new: CompiledScene, result: np.ndarray
) -> Model:
    """Model of `new` whose circuits start with the currents and charges that `old` has; switches go into `result` (k,).

    state: (k,) of `old`; work: that of `solved` in this state
    """
    circuits = new.model.circuits
    found, before = _wirings(new), {one.name: one for one in _wirings(old)}
    kept = {one.name for one in found if one.name in before and _stated(before[one.name]) == _stated(one)}
    start = {"current": circuits.current.copy(), "charge": circuits.charge.copy()}
    for what, values in (("current", _currents(old, work)), ("charge", _charges(old, state))):
        for c, one in enumerate(found):
            if one.name in values and one.name in kept:
                start[what][c] = values[one.name]
    open_before = _open_switches(old, state)
    for n, c in enumerate(circuits.switched):
        at = _first_switch(circuits) + n
        result[at] = open_before.get(found[c].name, result[at])
    return new.model.with_members(circuits=replace(circuits, **start))


def solved(compiled: CompiledScene, state: np.ndarray, time: float) -> Work:
    """Work arrays with the currents of coils in a state (k,) at `time` [s]."""
    work = tables_to_assemble(compiled.model, compiled.inputs)
    if PART.is_in(compiled.model, compiled.inputs):
        placed = Step(compiled.model, compiled.inputs, time, state.copy(), work, work.rate)
        run_hooks((start_linkages,), placed)
        run_hooks(PART.energy, placed._replace(state=state, out=work.energy))
    return work


def _wirings(compiled: CompiledScene) -> list[Wiring]:
    return list(wirings(compiled.scene.coil, compiled.scene.circuit))


def _stated(one: Wiring) -> tuple[float, float]:
    """Current [A] and charge [C] at the start: an edit of them applies at once."""
    return one.item.current, one.charge


def _first_switch(circuits: Circuits) -> int:
    """Index of the first switch in the state."""
    return int(circuits.at) + len(circuits.dynamic) + len(circuits.charged)


def _currents(compiled: CompiledScene, work: Work) -> dict[str, float]:
    """Currents [A] of the dynamic circuits, by name; `work` of `solved`."""
    return {_wirings(compiled)[k].name: float(work.circuits.current[k]) for k in compiled.model.circuits.dynamic}


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
