"""Evaluation of paths without the compiler, for drawing before the physics is compiled; user parameters."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from polhode.formulas.cubic_spline import cubic_pieces
from polhode.formulas.parser import parse
from polhode.physics.bodies.shapes import unit
from polhode.physics.paths.description import Cycloid, PathBase, Spline
from polhode.physics.paths.path_motions import PathFollows, PathMotion, SpinMotion

OUTLINE = 65  # number of points of a polyline


def points_on(path: PathBase, q: np.ndarray) -> np.ndarray:
    """(n, 3) [m] points of a path at rest at user parameters q (n,), laboratory frame."""
    if isinstance(path, Spline):
        return _on_spline(path, q)
    origin, axes = path.frame()
    if isinstance(path, Cycloid):
        local = path.radius * np.column_stack([q - np.sin(q), np.zeros(len(q)), 1.0 + np.cos(q)])
    else:
        local = _values(path.formulas(), "q", q)
    return np.asarray(origin + local @ axes.T)


def _values(texts: tuple[str, str, str] | None, variable: str, values: np.ndarray) -> np.ndarray:
    """(n, 3) values of three formulas in one variable at `values` (n,); zeros where there are no formulas."""
    if texts is None:
        return np.zeros((len(values), 3))
    return np.column_stack(
        [np.broadcast_to(parse(text, [variable])({variable: values}), len(values)) for text in texts]
    )


def _on_spline(path: Spline, q: np.ndarray) -> np.ndarray:
    """(n, 3) [m] points of a spline at q (n,), the length [m] of the chords up to there."""
    points = np.array([*path.points, path.points[0]] if path.closed else path.points)
    knots = np.concatenate([[0.0], np.cumsum(path.distances())])
    inside = q % knots[-1] if path.closed else q
    piece = np.clip(np.searchsorted(knots, inside, "right") - 1, 0, len(knots) - 2)
    powers = (inside - knots[piece])[:, None] ** np.arange(3, -1, -1)
    return np.asarray(np.einsum("nkp,np->nk", cubic_pieces(knots, points, path.closed)[piece], powers))


def point_on_path(path: PathBase, q: float) -> np.ndarray:
    """(3,) [m] point of a path at rest at the user parameter q, laboratory frame."""
    return np.asarray(points_on(path, np.array([q]))[0])


@lru_cache(maxsize=256)
def polyline(path: PathBase) -> np.ndarray:
    """(OUTLINE, 3) [m] points along a path at rest, at even steps of q; cached."""
    return points_on(path, np.linspace(*path.ends(), OUTLINE))


class PathPose(NamedTuple):
    """How a path is displaced from its position at rest: about the origin, then along."""

    rotation: np.ndarray
    """(..., 3, 3) rotation matrix."""
    offset: np.ndarray
    """(..., 3) [m] displacement of the origin, laboratory frame."""

    def apply(self, points: np.ndarray) -> np.ndarray:
        """(..., m, 3) [m] displaced positions of points (m, 3) [m] of the path at rest."""
        return np.asarray(points @ np.swapaxes(self.rotation, -1, -2) + self.offset[..., None, :])

    def undo(self, points: np.ndarray) -> np.ndarray:
        """(m, 3) [m] positions on the path at rest of displaced points (m, 3) [m]; of a single pose."""
        return np.asarray((points - self.offset) @ self.rotation)


def path_poses(motion: PathMotion, times: np.ndarray, distances: np.ndarray) -> PathPose:
    """Poses of a path at `times` (n,) [s]: by its formulas, its rotation, or the smoothed sensor.

    distances: (n,) [m] of the sensor's target at these times.
    """
    if isinstance(motion, SpinMotion):
        rotation = _rotations(unit(motion.axis), motion.angular_velocity * times)
        return PathPose(rotation, motion.point - rotation @ motion.point)
    still = np.broadcast_to(np.eye(3), (len(times), 3, 3))
    if isinstance(motion, PathFollows):
        return PathPose(still, motion.gentle_ways(distances)[:, None] * unit(motion.axis))
    return PathPose(still, _values(motion.formulas(), "t", times))


def _rotations(axis: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """(n, 3, 3) rotation matrices about a unit vector (3,) by angles (n,) [rad] (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, cosine = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    return np.asarray(np.eye(3) + sine * cross + (1.0 - cosine) * cross @ cross)


def path_pose(motion: PathMotion, time: float, distance: float) -> PathPose:
    """As `path_poses`, at one time [s] and one distance [m] of the sensor's target."""
    poses = path_poses(motion, np.array([time]), np.array([distance]))
    return PathPose(poses.rotation[0], poses.offset[0])
