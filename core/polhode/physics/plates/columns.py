"""Columns of conducting plates in tables and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.scene.column_names import Columns, vectors

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

COLUMNS = {"force": "N"}
HEATING = {"heating": "W"}
WIDTH = 4


def columns(compiled: CompiledScene) -> Columns:
    """Of each plate the force on it and the Joule heat per time; none without magnets."""
    for plate in compiled.scene.plate if len(compiled.model.dipoles.moment) else ():
        yield plate.name, WIDTH, [*vectors([plate.name], COLUMNS), (f"{plate.name}.heating", HEATING["heating"])]
