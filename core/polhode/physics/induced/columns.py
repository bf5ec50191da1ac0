"""Columns of iron of dipoles in tables and plots: those of iron with panels (iron/columns.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.physics.iron.columns import columns_of
from polhode.scene.column_names import Columns

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene


def columns(compiled: CompiledScene) -> Columns:
    """Of each body with induced dipoles their moment, and the magnetisation."""
    return columns_of(compiled, compiled.model.induced.iron)
