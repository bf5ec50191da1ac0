"""The external field of a scene as a few vectors, and the field in its coils, for the scale of what is drawn."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np

from polhode.data.inputs import formula_of
from polhode.formulas.parser import parse
from polhode.formulas.vector_fields import components, values
from polhode.physics.coils.wiring import Wiring, wirings
from polhode.scene.formula_vector import texts
from polhode.scene.scene import FormulaField, RotatingField
from polhode_app.viewport.base.stage import Stage

TIMES = np.linspace(0.0, 2.0, 41)  # [s] at which sources of coils are evaluated
POINTS = np.random.default_rng(1).uniform(-1.0, 1.0, (64, 3))  # in radii of the stage


def field_in_space() -> ModuleType:
    """The module of that name, which loads the compiler: the first frame does not wait for it."""
    from polhode.physics.magnets import field_in_space as module  # noqa: PLC0415

    return module


def external_vectors(stage: Stage) -> np.ndarray:
    """(n, 3) [T] vectors that the external field takes: amplitudes, or values of its formulas in the stage at t = 0."""
    field = stage.scene.world.magnetic_field
    if isinstance(field, RotatingField):
        return np.array([field.cosine, field.sine])
    if isinstance(field, FormulaField):
        parts = components(texts(field.components, stage.scene.folder))
        found = values(parts, stage.center + stage.radius * POINTS, 0.0).T
        return np.asarray(found[np.isfinite(found).all(axis=1)])
    return np.array([field.value])


def strongest_in_coils(stage: Stage) -> float:
    """Estimate [T] of the largest field in the middle of coils, from their sources and currents at the start.

    What magnets induce is left out: it is weaker than their own field.
    """
    strongest, scene = 0.0, stage.scene
    for one in wirings(scene.coil, scene.circuit):
        for k in one.coils:
            coil = scene.coil[k]
            length = float(np.hypot(2.0 * coil.mean_radius, 2.0 * coil.half_length))
            strongest = max(strongest, scene.world.permeability * coil.turns * _current(one, scene.folder) / length)
    return strongest


def _current(one: Wiring, folder: Path) -> float:
    """Estimate [A] of the largest current of a circuit."""
    if one.formula is None:
        return abs(one.item.current)
    drives = float(np.abs(parse(formula_of(one.formula[1], folder), ("t",))({"t": TIMES})).max(initial=0.0))
    if one.is_driven:
        return drives
    return max(abs(one.item.current), drives / one.resistance if one.resistance > 0.0 else 0.0)
