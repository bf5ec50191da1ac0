"""Columns of one-sided tracks in tables and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.scene.column_names import Columns

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

ON_TRACK = {"on_track": ""}
WIDTH = 1


def columns(compiled: CompiledScene) -> Columns:
    """For each bead on a one-sided track: 1 while the track holds it, 0 while it flies."""
    for bead in compiled.scene.bead:
        if bead.one_sided is not None:
            yield bead.name, WIDTH, [(f"{bead.name}.on_track", ON_TRACK["on_track"])]
