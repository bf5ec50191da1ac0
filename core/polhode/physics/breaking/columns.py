"""Columns of springs that break in tables and plots: only scenes with such springs have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.physics.breaking.items import items_of
from polhode.scene.column_names import Columns

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

BROKEN = "broken"
"""Number of broken springs of a soft body; 1 of a single spring that is broken."""


def columns(compiled: CompiledScene) -> Columns:
    """The number of broken springs of each soft body and single spring that can break."""
    for name in items_of(compiled.scene):
        yield name, 1, [(f"{name}.{BROKEN}", "")]
