"""The column of the centrifugal force's energy in tables and plots: only a scene that rotates has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.scene.column_names import Columns

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

COLUMN = "energy.centrifugal"


def columns(compiled: CompiledScene) -> Columns:
    """The column of the energy in a scene that rotates, none in others."""
    if compiled.inputs.rotation.rotates:
        yield "energy", 1, [(COLUMN, "J")]
