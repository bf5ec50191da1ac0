"""Keys of rotations between which the shortest rotation is the right one."""

from __future__ import annotations

import numpy as np

MOST = np.pi / 2  # [rad] rotation from one key to the next


def rotation_keys(times: np.ndarray, quaternion: np.ndarray, turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(k,) [s] times and (k, 4) unit quaternions, scalar first, from those at times (f,) [s] with full turns between.

    Where a rotation from one frame to the next, with its full turns (f - 1,), is larger than MOST, keys are put
    between, for players interpolate by the shortest rotation.
    """
    found_times, found = [times[:1]], [quaternion[:1]]
    for row, turn in enumerate(turns.tolist()):
        angle, axis = _rotation(quaternion[row], quaternion[row + 1])
        angle += 2 * np.pi * turn
        count = max(1, int(np.ceil(abs(angle) / MOST)))
        share = np.arange(1, count + 1) / count
        half = share * angle / 2
        step = np.column_stack([np.cos(half), np.sin(half)[:, None] * axis])
        found_times.append(times[row] + share * (times[row + 1] - times[row]))
        found.append(_product(step, quaternion[row]))
    return np.concatenate(found_times), continued(np.concatenate(found))


def continued(quaternion: np.ndarray) -> np.ndarray:
    """(k, 4) the same rotations with signs such that neighbours are near to each other."""
    flips = (quaternion[1:] * quaternion[:-1]).sum(axis=1) < 0
    signs = np.where(np.cumsum(np.concatenate([[False], flips])) % 2 == 1, -1.0, 1.0)
    return np.asarray(quaternion * signs[:, None])


def _rotation(before: np.ndarray, after: np.ndarray) -> tuple[float, np.ndarray]:
    """Angle 0 to pi and axis (3,) of the rotation between two quaternions."""
    step = _product(after[None], before * [1, -1, -1, -1])[0]
    step *= -1.0 if step[0] < 0 else 1.0
    sine = float(np.linalg.norm(step[1:]))
    return 2 * float(np.arctan2(sine, step[0])), step[1:] / max(sine, 1e-30)


def _product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(k, 4) products of quaternions (k, 4) with one (4,)."""
    w, v = left[:, :1], left[:, 1:]
    scalar = w * right[0] - (v @ right[1:])[:, None]
    return np.concatenate([scalar, w * right[1:] + right[0] * v + np.cross(v, right[1:])], axis=1)
