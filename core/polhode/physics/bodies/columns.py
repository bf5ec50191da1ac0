"""Columns of bodies in tables and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.scene.column_names import Columns, vectors

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

COLUMNS = {
    "position": "m",
    "velocity": "m/s",
    "u1": "",
    "u2": "",
    "u3": "",
    "angular_velocity": "rad/s",
    "angular_momentum": "kg m²/s",
    "body_angular_momentum": "kg m²/s",
}
"""Vectors of a body with their units, in the order of `write_bodies`: all in the laboratory frame but the last one."""
WIDTH = 3 * len(COLUMNS)


def columns(compiled: CompiledScene) -> Columns:
    """For each body: its name, its number of columns, and their names and units."""
    for body in compiled.scene.bodies:
        yield body.name, WIDTH, vectors([body.name], COLUMNS)
