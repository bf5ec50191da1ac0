"""A saved state of a simulation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.scene.scene import Scene


class Checkpoint(NamedTuple):
    """What Simulation.return_to restores."""

    time: float  # [s]
    steps: int
    scene: Scene  # at that time
    state: np.ndarray  # (k,) flat state; core/engine/model.py
    driven: tuple[float, ...] = ()  # [SI] values of the driven parameters
    due: int = 0  # step up to which these values hold
