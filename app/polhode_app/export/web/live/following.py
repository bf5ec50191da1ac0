"""Frames of reference in which drawn points and poses are at rest, found from frames that are displaced at random.

A point follows a frame of reference in which it is at rest: the laboratory, a body, a vector of the channels such as
the position of a point, or a wall. What was found holds in all frames to rounding; a part that follows nothing found,
such as a field line, can't be drawn by the page.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from polhode_app.export.web.live.channels import BASIS, SPIN, VECTOR, Channels
from polhode_app.viewport.things.instances import quaternions

CLOSE = 1e-4  # residual of drawn positions, relative to the stage: they are of single precision
SPREAD, TINY = 1e-3, 1e-300  # of the factors of arrows, relative to them
LABORATORY = 0  # index of a frame of reference; then come bodies, vectors and walls


@dataclass(frozen=True, eq=False)
class Following:
    """Points (n,) in their frames of reference."""

    frame: np.ndarray  # (n,) int: LABORATORY, 1 + body, then vectors and walls
    local: np.ndarray  # (n, 3) [m] position in that frame; of a vector a displacement in the laboratory frame


class References:
    """The frames of reference of a scene in some displaced frames."""

    def __init__(self, channels: Channels, frames: np.ndarray, scale: float):
        """Take displaced frames (f, c); `scale` [m] is that of the stage."""
        self._channels, self._close = channels, CLOSE * scale
        self._position, self._basis, self._frames = channels.positions(frames), channels.bases(frames), frames
        first = np.array(channels.vectors, int)
        self._vectors = frames[:, first[:, None] + np.arange(VECTOR)]
        self._walls = frames[:, channels.of_wall(0) : channels.measured]
        self._tree = cKDTree(self._vectors.transpose(1, 0, 2).reshape(len(first), -1)) if len(first) else None

    def points(self, moved: np.ndarray) -> Following | None:
        """The frames of reference of points (f, n, 3) [m]; None if one of them follows nothing that is known."""
        count = moved.shape[1]
        frame, local = np.full(count, -1), np.zeros((count, VECTOR))
        still = np.ptp(moved, axis=0).max(axis=-1, initial=0.0) <= self._close
        frame[still], local[still] = LABORATORY, moved[0, still]
        self._vectors_of(moved, frame)
        for find in (self._in_bodies, self._at_walls):
            left = np.flatnonzero(frame < 0)
            if len(left):
                find(moved, left, frame, local)
        return Following(frame, local) if (frame >= 0).all() else None

    def arrows(self, vectors: np.ndarray, tails: Following) -> Following | None:
        """The vectors of which `vectors` (f, n, 3), drawn from `tails`, are multiples, all by one factor in each frame.

        Their `frame` is the index of a vector of the channels, or of a body whose velocity it is, at the point `local`.
        None if one of them is no multiple of such a vector.
        """
        frame, local = np.full(vectors.shape[1], LABORATORY), tails.local.copy()
        factors = np.full(vectors.shape[:2], np.nan)
        for number in np.flatnonzero(np.abs(vectors).max(axis=(0, 2), initial=0.0) > 0).tolist():
            wanted, body = vectors[:, number], int(tails.frame[number]) - 1
            known, names = self._vectors, 1 + self._channels.bodies + np.arange(self._vectors.shape[1])
            if 0 <= body < self._channels.bodies:
                at_tail = velocity_at(self._channels, self._frames, body, local[number])
                known, names = np.concatenate([at_tail[:, None], known], axis=1), np.append(1 + body, names)
            factor = (known * wanted[:, None]).sum(axis=2) / np.maximum((known * known).sum(axis=2), TINY)
            residual = np.abs(factor[..., None] * known - wanted[:, None]).max(axis=(0, 2), initial=0.0)
            if not len(residual) or residual.min() > CLOSE * np.abs(wanted).max():
                return None
            best = int(residual.argmin())
            frame[number], factors[:, number] = names[best], factor[:, best]
        known_ones = factors[:, frame != LABORATORY]
        same = np.ptp(known_ones, axis=1) <= SPREAD * np.abs(known_ones).max(axis=1) if known_ones.size else np.ones(1)
        return Following(frame, local) if same.all() else None

    def values(self, found: Following, row: np.ndarray) -> np.ndarray:
        """(n, 3) the vectors that `arrows` found, in one frame (c,), without their factor."""
        vectors, channels = np.zeros((len(found.frame), VECTOR)), self._channels
        for number, frame in enumerate(found.frame.tolist()):
            if frame > channels.bodies:
                first = channels.vectors[frame - 1 - channels.bodies]
                vectors[number] = row[first : first + VECTOR]
            elif frame != LABORATORY:
                vectors[number] = velocity_at(channels, row[None], frame - 1, found.local[number])[0]
        return vectors

    def poses(self, position: np.ndarray, quaternion: np.ndarray) -> list[tuple[int, np.ndarray, np.ndarray] | None]:
        """For poses (f, n, 3) [m] and (f, n, 4) the frame, and the position (3,) and the quaternion (4,) within it.

        None for one that follows nothing that is known.
        """
        return [self._pose(position[:, k], quaternion[:, k]) for k in range(position.shape[1])]

    def _pose(self, position: np.ndarray, quaternion: np.ndarray) -> tuple[int, np.ndarray, np.ndarray] | None:
        """One pose, by the tips of its axes, which follow one frame."""
        axes = _matrices(quaternion)
        size = self._close / CLOSE
        tips = np.concatenate([position[:, None], position[:, None] + size * axes], axis=1)
        found = self.points(tips)
        if found is None or len(set(found.frame.tolist())) > 1:
            return self._shifted(position, quaternion, axes)
        inner = (found.local[1:] - found.local[0]) / size
        return int(found.frame[0]), found.local[0], quaternions(inner[None])[0]

    def _shifted(
        self, position: np.ndarray, quaternion: np.ndarray, axes: np.ndarray
    ) -> tuple[int, np.ndarray, np.ndarray] | None:
        """A pose that does not turn, at a vector."""
        found = self.points(position[:, None])
        if found is None or np.ptp(axes, axis=0).max() > CLOSE:
            return None
        return int(found.frame[0]), found.local[0], quaternion[0]

    def _vectors_of(self, moved: np.ndarray, frame: np.ndarray) -> None:
        """Find the points that are at vectors of the channels."""
        left = np.flatnonzero(frame < 0)
        if self._tree is None or not len(left):
            return
        wanted = moved[:, left].transpose(1, 0, 2).reshape(len(left), -1)
        away, nearest = self._tree.query(wanted, p=np.inf)
        near = away <= self._close
        frame[left[near]] = 1 + self._channels.bodies + nearest[near]

    def _in_bodies(self, moved: np.ndarray, left: np.ndarray, frame: np.ndarray, local: np.ndarray) -> None:
        """Find the points that are fixed in a body."""
        for body in range(self._channels.bodies):
            inner = (moved[:, left] - self._position[:, body, None]) @ self._basis[:, body].transpose(0, 2, 1)
            fixed = np.ptp(inner, axis=0).max(axis=-1) <= self._close
            frame[left[fixed]], local[left[fixed]] = 1 + body, inner[0, fixed]
            left = left[~fixed]
            if not len(left):
                return

    def _at_walls(self, moved: np.ndarray, left: np.ndarray, frame: np.ndarray, local: np.ndarray) -> None:
        """Find the points that move with a wall."""
        normals = self._channels.normals
        for wall in range(self._channels.walls):
            shift = self._walls[:, wall, None] * normals[wall]
            at = moved[:, left] - shift[:, None]
            fixed = np.ptp(at, axis=0).max(axis=-1) <= self._close
            first = 1 + self._channels.bodies + len(self._channels.vectors)
            frame[left[fixed]], local[left[fixed]] = first + wall, at[0, fixed]
            left = left[~fixed]
            if not len(left):
                return


def velocity_at(channels: Channels, frames: np.ndarray, body: int, point: np.ndarray) -> np.ndarray:
    """(f, 3) [m/s] velocity of a point (3,) [m] of a body, body frame, in frames (f, c)."""
    at = channels.of_body(body)
    basis = frames[:, at + BASIS : at + BASIS + 9].reshape(-1, VECTOR, VECTOR)
    turning = np.cross(frames[:, at + SPIN : at + SPIN + VECTOR], np.einsum("i,fij->fj", point, basis))
    return np.asarray(frames[:, at + VECTOR : at + 2 * VECTOR] + turning)


def _matrices(quaternion: np.ndarray) -> np.ndarray:
    """(f, 3, 3) rows are the axes of quaternions (f, 4), scalar first."""
    w, x, y, z = quaternion.T
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], -1),
            np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)], -1),
            np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], -1),
        ],
        axis=1,
    )
