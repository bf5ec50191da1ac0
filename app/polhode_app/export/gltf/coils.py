"""Coil springs as one shape each, which is moved, turned and stretched along its axis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from polhode_app.export.motion.parts import Deformed

SHORTEST = 1e-12  # [m] length of a coil with a direction


@dataclass(frozen=True, eq=False)
class Coil:
    """One coil spring: its points are basis.T @ (scale * points) + start."""

    points: np.ndarray  # (v, 3) float32 in its own frame; z, along the axis, is in lengths of the spring
    start: np.ndarray  # (f, 3) [m] first end
    basis: np.ndarray  # (f, 3, 3) unit vectors of its frame in rows
    scale: np.ndarray  # (f, 3) 1, 1 and the length [m]


def coils_of(deformed: Deformed) -> Iterator[Coil]:
    """The coils of a mesh of tubes. Their shape is that at the first frame."""
    count, rings, sides = np.asarray(deformed.structure["tube"], int).tolist()
    across = np.asarray(deformed.structure["coils"], float).reshape(count, 5)[:, 2:]
    shaped = deformed.points.astype(float).reshape(len(deformed.points), count, rings * sides, 3)
    for k in range(count):
        points = shaped[:, k]
        start, end = points[:, :sides].mean(axis=1), points[:, -sides:].mean(axis=1)
        along = end - start
        length = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), SHORTEST)
        z = along / length
        x = across[k] - (z @ across[k])[:, None] * z
        x /= np.maximum(np.linalg.norm(x, axis=1, keepdims=True), SHORTEST)
        basis = np.stack([x, np.cross(z, x), z], axis=1)
        own = (points[0] - start[0]) @ basis[0].T / [1.0, 1.0, length[0, 0]]
        scale = np.concatenate([np.ones((len(length), 2)), length], axis=1)
        yield Coil(own.astype(np.float32), start, basis, scale)
