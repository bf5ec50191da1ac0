"""Choice between the two poses of a tag in each picture, by the pattern and by the motion.

A tag that is seen nearly along its axis, or from afar, fits the picture nearly as well when tilted the other way. The
sequence with the least sum of

    n log((1 - m^2) / (1 - m_best^2)) + |angle between neighbours| / scale

is chosen, with the correlation m of each pose: over all pictures at once for films (Viterbi's dynamic programming),
picture by picture for a live camera.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.spatial.transform import Rotation

from polhode.camera.pose import Hypothesis

WEIGHT = 10.0  # n: the residuals of neighbouring points are correlated, so it is far below their number
TURN = 0.1  # [rad] of a turn between two pictures that costs as much as a residual larger by 1/n
ERROR = 0.05  # [pixels] below which errors of corners say nothing


def costs(poses: Sequence[Hypothesis]) -> np.ndarray:
    """(n,) costs of the poses of one picture by themselves, 0 for the best."""
    if all(each.match for each in poses):
        residuals = np.log([max(1.0 - each.match**2, 1e-9) for each in poses])
    else:
        residuals = np.log([ERROR**2 + each.error**2 for each in poses])
    return WEIGHT * (residuals - residuals.min())


def turn(one: Hypothesis, other: Hypothesis) -> float:
    """Angle [rad] between two orientations."""
    a, b = (Rotation.from_rotvec(each.rotation) for each in (one, other))
    return float((a.inv() * b).magnitude())


class LiveTracker:
    """Chooses a pose as soon as a picture has come."""

    def __init__(self) -> None:
        self._last: Hypothesis | None = None

    def choose(self, poses: Sequence[Hypothesis]) -> Hypothesis:
        """The pose of a picture with at least one."""
        total = costs(poses)
        if self._last is not None:
            total = total + [turn(self._last, each) / TURN for each in poses]
        self._last = poses[int(np.argmin(total))]
        return self._last


def choose_all(pictures: Sequence[Sequence[Hypothesis]]) -> list[Hypothesis]:
    """The pose of each picture, from all pictures together; each has at least one."""
    if not pictures:
        return []
    total, origins = costs(pictures[0]), list[np.ndarray]()
    for before, here in pairwise(pictures):
        steps = np.array([[turn(a, b) / TURN for a in before] for b in here]) + total
        origins.append(steps.argmin(axis=1))
        total = steps.min(axis=1) + costs(here)
    chosen = [int(np.argmin(total))]
    for origin in reversed(origins):
        chosen.append(int(origin[chosen[-1]]))
    return [poses[k] for poses, k in zip(pictures, reversed(chosen), strict=True)]


def mean_pose(poses: Sequence[Hypothesis]) -> tuple[Rotation, np.ndarray]:
    """Orientation and position (3,) [m] of a tag at rest: the median position, the mean orientation near it."""
    turns = Rotation.from_rotvec([each.rotation for each in poses])
    angles = (turns.mean().inv() * turns).magnitude()
    near = angles <= max(2.0 * float(np.median(angles)), math.radians(0.1))
    return turns[near].mean(), np.median([each.position for each in poses], axis=0)
