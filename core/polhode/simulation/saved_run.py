"""Everything that a simulation needs to continue with the same bits, as plain arrays: for copies and other processes.

Compiled scenes are not in it: they hold addresses of machine code. They are compiled again from the scene.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from polhode.analysis.model_warnings import Warnings
from polhode.engine.model import Clock, Inputs
from polhode.jit.kernel_struct import KernelStruct
from polhode.physics.grab.interactions import Interaction
from polhode.scene.scene import Scene
from polhode.simulation.sensor_drive import SensorDrive

OTHERS = ("program", "work_sharing", "samples", "cancel")
"""Members of Work that belong to a process or to its observers."""


@dataclass(frozen=True, eq=False)
class SavedSteps:
    """State and clock, the history of the method, and what laws remember from step to step."""

    state: np.ndarray  # (k,) flat state; core/polhode/engine/model.py
    clock: Clock
    steps: int
    history: np.ndarray  # (h, k) of the method
    work: tuple[np.ndarray, ...]  # arrays of Work, each of its own shape, in order
    warnings: Warnings


@dataclass(frozen=True)
class SavedRun:
    """The state of a simulation, and of everything that acts on it."""

    scene: Scene
    driven: tuple[float, ...]  # [SI] values of the driven parameters
    muted: frozenset[tuple[str, int]]
    follows: bool  # whether the sensor track is a measured one
    interaction: Interaction | None
    inputs: dict[str, Any]  # members of Inputs that interactions and the sensor change
    sensor_drive: SensorDrive
    steps: SavedSteps

    def inputs_in(self, inputs: Inputs) -> Inputs:
        """`inputs` of the same scene with the interaction and the sensor track."""
        pull = replace(inputs.pull, **self.inputs["pull"])
        return inputs.with_members(**{**self.inputs, "pull": pull})


def saved_inputs(inputs: Inputs) -> dict[str, Any]:
    """The members of inputs that interactions and the sensor change, as plain arrays and numbers."""
    return {"held": inputs.held.copy(), "pull": inputs.pull.members, "sensor_track": inputs.sensor_track.copy()}


def arrays_of(work: KernelStruct) -> Iterator[np.ndarray]:
    """The arrays (...) of a Work and of the structs in it, in order, without those that belong to a process."""
    for name, member in work.members.items():
        if name not in OTHERS:
            if isinstance(member, KernelStruct):
                yield from arrays_of(member)
            elif isinstance(member, np.ndarray):
                yield member
