"""Columns of spheres on paths in tables and plots."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from polhode.scene.column_names import Columns, vectors

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

VECTORS = {"tangent": "", "curvature": "1/m"}
"""Unit tangent t towards larger parameters, and curvature vector chi = dt/dl, of the path at the bead."""
COLUMNS = {
    "parameter": "",
    "speed": "m/s",
    "constraint_force": "N",
    "acceleration": "m/s^2",
    **VECTORS,
    "length": "m",
}
"""Columns of a bead beside those of its body; the acceleration is that along the path, d^2 l/dt^2, the length l the
distance from the start of the path along it, and `curvature` beside its components the absolute value of the vector.
"""
WIDTH = 14


def columns(compiled: CompiledScene) -> Columns:
    """For each bead: its name, its number of columns, and their names and units."""
    for bead in compiled.scene.bead:
        units = COLUMNS | {"parameter": bead.path.parameter_unit}
        scalars = [(f"{bead.name}.{what}", units[what]) for what in ("parameter", "speed")]
        force = vectors([bead.name], {"constraint_force": units["constraint_force"]})
        along = [(f"{bead.name}.acceleration", units["acceleration"])]
        last = [(f"{bead.name}.length", units["length"]), (f"{bead.name}.curvature", units["curvature"])]
        yield bead.name, WIDTH, chain(scalars, force, along, vectors([bead.name], VECTORS), last)
