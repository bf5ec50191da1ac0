"""Full turns between two frames, which the rotations at these frames do not show."""

from __future__ import annotations

import numpy as np

from polhode_app.export.motion.parts import Poses

LEAST = 1e-9  # sine of half the angle of a rotation without an axis


def extra_turns(poses: Poses) -> np.ndarray:
    """(f - 1, n) int16 full turns to the next frame, beyond the shortest rotation and about its axis.

    The shortest rotation q_1 q_0^-1 has an angle a in 0 ... pi about an axis n; of all angles a + 2 pi k the one
    nearest to the swept rotation along n, the integral of the angular velocity, is meant.
    """
    before, after = poses.quaternion[:-1], poses.quaternion[1:]
    w0, v0, w1, v1 = before[..., 0], before[..., 1:], after[..., 0], after[..., 1:]
    scalar = w0 * w1 + (v0 * v1).sum(axis=-1)
    vector = w0[..., None] * v1 - w1[..., None] * v0 - np.cross(v1, v0)
    vector *= np.where(scalar < 0, -1.0, 1.0)[..., None]
    sine = np.linalg.norm(vector, axis=-1)
    angle = 2 * np.arctan2(sine, np.abs(scalar))
    axis = vector / np.maximum(sine, LEAST)[..., None]
    swept = (np.diff(poses.swept, axis=0) * axis).sum(axis=-1)
    turns = np.rint((swept - angle) / (2 * np.pi))
    return np.asarray(np.where(sine > LEAST, turns, 0.0).clip(-32768, 32767).astype(np.int16))
