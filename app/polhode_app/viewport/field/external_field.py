"""The external field of a scene as a few vectors, for the scale of what is drawn of it."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from polhode.formulas.vector_fields import components, values
from polhode.scene.scene import FormulaField, RotatingField
from polhode_app.viewport.base.stage import Stage

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
        found = values(components(field.texts), stage.center + stage.radius * POINTS, 0.0).T
        return np.asarray(found[np.isfinite(found).all(axis=1)])
    return np.array([field.value])
