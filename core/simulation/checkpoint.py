"""A moment of a run to which it can be taken back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.scene.scene import Scene


class Checkpoint(NamedTuple):
    """A simulation as it was."""

    time: float  # [s]
    steps: int
    scene: Scene  # of then
    state: np.ndarray  # flat
    driven: tuple[float, ...] = ()  # numbers that the hand drove
    due: int = 0  # step up to which these hold
