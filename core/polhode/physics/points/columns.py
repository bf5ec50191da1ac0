"""Columns of points in tables and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.scene.column_names import Columns, vectors

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

COLUMNS = {"position": "m", "velocity": "m/s"}
"""Vectors of a point with their units, in the order of `write_points`."""


def columns(compiled: CompiledScene) -> Columns:
    """For each particle and soft body: its name, its number of columns, and their names and units."""
    soft = {soft.name for soft in compiled.scene.soft}
    for name, where in compiled.points.items():
        count = where.stop - where.start
        own = (f"{name}.{k}" for k in range(count)) if name in soft else [name]
        yield name, 3 * len(COLUMNS) * count, vectors(own, COLUMNS)
