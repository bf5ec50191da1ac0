"""The poses of all rigid things of a run: those of the bodies, and of what else moves as a whole."""

from __future__ import annotations

import numpy as np
from scipy.integrate import cumulative_trapezoid

from polhode.simulation.snapshot import Snapshot
from polhode_app.export.motion.parts import Poses
from polhode_app.viewport.things.instances import quaternions

SAME_PLACE = 1e-5  # difference of positions of the same thing, relative to the largest coordinate: float32
SAME_TURN = 1e-5  # difference of the products of quaternions from 1


class PoseTable:
    """Poses, frame by frame. Things that move like a body share its poses."""

    def __init__(self) -> None:
        self._frames: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._bodies: tuple[np.ndarray, np.ndarray] | None = None
        self._others: list[tuple[np.ndarray, np.ndarray]] = []

    def add(self, now: Snapshot) -> None:
        """Take the bodies of the next frame."""
        bodies = now.bodies
        self._frames.append((np.array(bodies.position), quaternions(bodies.basis), np.array(bodies.angular_velocity)))

    def _of_bodies(self) -> tuple[np.ndarray, np.ndarray]:
        """(f, n, 3) [m] positions and (f, n, 4) quaternions of the bodies."""
        if self._bodies is None:
            self._bodies = np.stack([m[0] for m in self._frames]), np.stack([m[1] for m in self._frames])
        return self._bodies

    def find(self, position: np.ndarray, quaternion: np.ndarray) -> np.ndarray:
        """(n,) indices of poses with positions (f, n, 3) [m] and quaternions (f, n, 4); new ones where there are none.

        Of several equal ones the first is taken.
        """
        return np.array([self._find_one(position[:, k], quaternion[:, k]) for k in range(position.shape[1])], int)

    def _find_one(self, position: np.ndarray, quaternion: np.ndarray) -> int:
        """Index of the pose with positions (f, 3) [m] and quaternions (f, 4)."""
        positions, turns = self._of_bodies()
        near = SAME_PLACE * max(float(np.abs(position).max(initial=0.0)), 1e-12)
        alike = np.flatnonzero((np.abs(positions[0] - position[0]) <= near).all(axis=1))
        for body in alike.tolist():
            away = np.abs(positions[:, body] - position).max()
            if away <= near and 1 - np.abs((turns[:, body] * quaternion).sum(axis=1)).min() < SAME_TURN:
                return body
        for number, (known, turn) in enumerate(self._others):
            if np.array_equal(known, position) and np.array_equal(turn, quaternion):
                return positions.shape[1] + number
        self._others.append((position, quaternion))
        return positions.shape[1] + len(self._others) - 1

    def poses(self, times: np.ndarray) -> Poses:
        """All poses at the times (f,) [s]: those of the bodies, then the others in the order in which they were found.

        Call it when all are found.
        """
        positions, turns = self._of_bodies()
        spin = np.stack([m[2] for m in self._frames])
        swept = cumulative_trapezoid(spin, times, axis=0, initial=0.0)
        others = len(self._others)
        if others:
            positions = np.concatenate([positions, np.stack([known for known, _ in self._others], axis=1)], axis=1)
            turns = np.concatenate([turns, np.stack([turn for _, turn in self._others], axis=1)], axis=1)
            swept = np.concatenate([swept, np.zeros((len(times), others, 3))], axis=1)
        return Poses(positions, turns, swept)
