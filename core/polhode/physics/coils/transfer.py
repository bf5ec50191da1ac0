"""Currents of coils across an edit of the scene: a coil of the same name keeps its current, not its flux linkage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Step
from polhode.engine.work import make_tables, run_hooks
from polhode.physics.coils.arrays import DYNAMIC
from polhode.physics.coils.part import PART


def transfer_coils(old: CompiledScene, state: np.ndarray, new: CompiledScene, result: np.ndarray) -> None:
    """Write the flux linkages of `new` into `result` (k,), with the currents that `state` (k,) of `old` has."""
    names = [coil.name for coil in new.scene.coil]
    if not (new.model.coils.kind == DYNAMIC).any():
        return
    start = new.model.coils.current.copy()
    for name, current in _currents(old, state).items():
        if name in names and _stated(old, name) == _stated(new, name):
            start[names.index(name)] = current
    _write_linkages(new, start, result)


def _stated(compiled: CompiledScene, name: str) -> float:
    """Current [A] of a coil at the start: an edit of it applies at once."""
    return next(coil.current for coil in compiled.scene.coil if coil.name == name)


def _write_linkages(compiled: CompiledScene, current: np.ndarray, state: np.ndarray) -> np.ndarray:
    """Write the flux linkages for these currents (n,) [A] into `state`; the inductances (d, d) [H] of dynamic coils."""
    model = compiled.model.with_members(coils=replace(compiled.model.coils, current=current))
    work = make_tables(model)
    run_hooks(PART.assemble, Step(model, compiled.inputs, 0.0, state, work, work.rate))
    order = work.coils.order
    return np.asarray(work.coils.inductance[np.ix_(order, order)])


def _currents(compiled: CompiledScene, state: np.ndarray) -> dict[str, float]:
    """Currents [A] of the dynamic coils in a state (k,), by name: L (I - I_0) is the change of the flux linkages."""
    coils, other = compiled.model.coils, state.copy()
    order = np.flatnonzero(coils.kind == DYNAMIC)
    if not len(order):
        return {}
    inductance = _write_linkages(compiled, coils.current, other)
    own = slice(coils.at, coils.at + len(order))
    found = coils.current[order] + np.linalg.solve(inductance, state[own] - other[own])
    return {compiled.scene.coil[k].name: float(value) for k, value in zip(order, found, strict=True)}
