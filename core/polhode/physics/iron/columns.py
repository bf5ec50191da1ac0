"""Columns of soft iron in tables and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polhode.scene.column_names import Columns, vectors

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

MOMENT = {"induced_moment": "A m^2"}
MAGNETISATION = {"magnetisation": "T"}
WIDTH = 4


def columns(compiled: CompiledScene) -> Columns:
    """Of each body with iron the induced moment, and the magnetisation: mu0 times the root of its mean square."""
    return columns_of(compiled, compiled.model.iron.body)


def columns_of(compiled: CompiledScene, bodies: np.ndarray) -> Columns:
    """The same of bodies by their indices (k,)."""
    for b in bodies.tolist():
        name = compiled.scene.bodies[b].name
        scalars = [(f"{name}.{what}", unit) for what, unit in MAGNETISATION.items()]
        yield name, WIDTH, [*vectors([name], MOMENT), *scalars]
