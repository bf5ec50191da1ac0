"""Currents, charges and switches across an edit of the scene: a circuit of the same name keeps them.

It keeps its current, not its flux linkage.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Step
from polhode.engine.work import make_tables, run_hooks
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


def _write_start(compiled: CompiledScene, start: dict[str, np.ndarray], time: float, state: np.ndarray) -> np.ndarray:
    """Write flux linkages for the currents (c,) [A] and the charges (c,) [C] of `start` into `state`, whose switches
    are set; the inductances (d, d) [H] of dynamic circuits.
    """
    model = compiled.model.with_members(circuits=replace(compiled.model.circuits, **start))
    work = make_tables(model)
    run_hooks((start_linkages,), Step(model, compiled.inputs, time, state, work, work.rate))
    order = model.circuits.dynamic
    return np.asarray(work.circuits.inductance[np.ix_(order, order)])


def _currents(compiled: CompiledScene, state: np.ndarray, time: float) -> dict[str, float]:
    """Currents [A] of the dynamic circuits in a state (k,), by name: L (I - I_0) is the change of the flux linkages."""
    circuits, other = compiled.model.circuits, state.copy()
    order = circuits.dynamic
    if not len(order):
        return {}
    is_open = np.zeros(len(circuits.kind), dtype=bool)
    is_open[circuits.switched] = state[_first_switch(circuits) :][: len(circuits.switched)] != 0.0
    inductance = _write_start(compiled, {"current": circuits.current}, time, other)
    own = slice(circuits.at, circuits.at + len(order))
    change = np.where(is_open[order], 0.0, state[own] - other[own])
    found = np.where(is_open, 0.0, circuits.current)[order] + np.linalg.solve(inductance, change)
    return {_wirings(compiled)[k].name: float(value) for k, value in zip(order, found, strict=True)}


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
