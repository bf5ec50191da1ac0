"""Columns of conductors in tables and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.scene.column_names import Columns

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

HEATING = {"heating": "W"}


def columns(compiled: CompiledScene) -> Columns:
    """Of each body with a conductor its heating by induced currents."""
    for b in compiled.model.conductors.body:
        name = compiled.scene.bodies[b].name
        yield name, 1, [(f"{name}.heating", HEATING["heating"])]
