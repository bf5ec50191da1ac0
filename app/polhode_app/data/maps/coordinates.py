"""Axes of maps as coordinates of the running scene: where the live state stands on the map. No Qt."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from polhode.scene.fields import FieldPath
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot

Reading = Callable[[Snapshot], float]
BODY = ("position", "velocity", "angular_velocity")


def reading_of(scene: Scene, path: FieldPath) -> Reading | None:
    """Function that reads the current value [SI] of the axis at `path`; None if it is no coordinate of a state.

    Tilts are rotation vectors from the orientation that the scene states.
    """
    last = path[3] if len(path) > 3 else 0
    if len(path) < 3 or not isinstance(path[1], int) or not isinstance(last, int):  # such as orientation.angle
        return None
    kind, number, key, component = str(path[0]), path[1], str(path[2]), last
    if kind == "body" and key == "tilt":
        return _tilt(scene, number, component)
    if kind == "body" and key in BODY:
        return lambda now: float(getattr(now.bodies, key)[number, component])
    if kind == "particle" and key in ("position", "velocity"):
        before = len(scene.particle)
        return lambda now: float(getattr(now.points, key)[len(now.points.position) - before + number, component])
    if kind == "bead" and key in ("parameter", "speed"):
        return lambda now: float(getattr(now.beads, key)[number])
    if kind == "joint" and key == "angle":
        return lambda now: float(now.joints.coordinate[number])
    return None


def _tilt(scene: Scene, number: int, component: int) -> Reading:
    """Component of the rotation vector [rad] from the stated orientation of a body to the present one."""
    stated = scene.body[number].orientation.matrix()

    def read(now: Snapshot) -> float:
        return float(rotation_vector(now.bodies.basis[number].T @ stated.T)[component])

    return read


def rotation_vector(turn: np.ndarray) -> np.ndarray:
    """(3,) [rad] axis times angle of a rotation matrix (3, 3): the inverse of polhode.sweep.variation.rotation."""
    across = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    sine, cosine = float(np.linalg.norm(across)), 0.5 * (float(np.trace(turn)) - 1.0)
    if sine > 1e-9:
        return across * (np.arctan2(sine, cosine) / sine)
    if cosine > 0:
        return across
    axis = np.sqrt(np.clip((np.diag(turn) + 1.0) / 2.0, 0.0, None))  # half a turn: the sign of the axis is free
    return np.pi * axis


def readings(scene: Scene, paths: tuple[FieldPath, ...]) -> tuple[Reading, Reading] | None:
    """Readings of the first two axes; None where either is no coordinate."""
    if len(paths) < 2:
        return None
    first, second = (reading_of(scene, path) for path in paths[:2])
    return (first, second) if first is not None and second is not None else None
