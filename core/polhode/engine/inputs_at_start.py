"""Inputs of a scene before any interaction."""

from __future__ import annotations

from polhode.engine.model import Inputs, Model
from polhode.engine.registry import SUBJECTS
from polhode.scene.scene import Scene


def inputs_at_start(scene: Scene, model: Model) -> Inputs:
    """The inputs of a scene at its start, made by its subjects; no mouse interaction, the sensor's simulated target."""
    members = {name: value for part in SUBJECTS for name, value in part.inputs(scene, model).items()}
    return Inputs(**members)
