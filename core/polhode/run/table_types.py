"""Types of arguments of the compiled functions of a simulation: the tables of all scenes have the same ones.

Known from an empty scene, so that units can be compiled before a scene is.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from numba import types

from polhode.engine.compile import build
from polhode.engine.work import make_tables
from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene

NUMBER, COUNT = types.float64, types.int64
ROW, ROWS = types.Array(NUMBER, 1, "C"), types.Array(NUMBER, 2, "C")


@cache
def table_types() -> tuple[Any, Any, Any, Any]:
    """numba types of model, inputs, work and paths. The first call compiles an empty scene."""
    compiled = build(Scene(), Meshes())
    tables = compiled.model, compiled.inputs, make_tables(compiled.model), compiled.model.beads.paths
    return tuple(table._numba_type_ for table in tables)  # type: ignore[return-value]


def step_types() -> tuple[Any, ...]:
    """numba types of model, inputs, time, state (k,) and work, with which the phases of a step are called."""
    model, inputs, work, _ = table_types()
    return model, inputs, NUMBER, ROW, work
