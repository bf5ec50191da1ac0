"""Columns of forces by formulas in tables and plots: only scenes with such forces have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.scene.column_names import Columns, vectors
from polhode.scene.scene import Scene

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

COLUMNS = {"applied_force": "N"}
ENERGY = "energy.force"


def things(scene: Scene) -> list[str]:
    """Names of the bodies and points on which forces act, each once, in order."""
    return list(dict.fromkeys(force.on for force in scene.force))


def columns(compiled: CompiledScene) -> Columns:
    """The sum of the forces on each thing, then the energy of those that have a potential."""
    for name in things(compiled.scene):
        yield name.partition(".")[0], 3, vectors([name], COLUMNS)
    if compiled.model.forces.any_conserves:
        yield "energy", 1, [(ENERGY, "J")]
