"""A saved state of a simulation, from which it can continue after edits of the scene."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from polhode.scene.scene import Scene


class Checkpoint(NamedTuple):
    """State of a simulation for Simulation.return_to: state vector, clock, driven parameters. Interactions and muted
    modes are not in it.

    `state` is a copy, so a checkpoint may be kept and handed to other threads.
    """

    time: float  # [s]
    steps: int
    scene: Scene  # at that time
    state: np.ndarray  # (k,) flat state; core/polhode/engine/model.py
    driven: tuple[float, ...] = ()  # [SI] values of the driven parameters
    due: int = 0  # step up to which these values hold
