"""Polylines of bead paths: a wire through the bead, or a pair of rails below a rolling one. Geometry only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import tau

import numpy as np

from polhode.physics.paths.description import Cycloid, Path, PathBase
from polhode.physics.paths.path_frame import across, which_side
from polhode.physics.paths.path_geometry import points_on
from polhode.physics.paths.path_motions import PathMotion
from polhode.scene.formula_vector import at_the_start
from polhode.scene.quantity import Vector
from polhode.scene.scene import Scene

GRID = 2049  # points uniform in q, from which points uniform in arc length are interpolated
MOST, LEAST, ALTOGETHER = 400, 60, 40_000  # points of a polyline at most and at least, and of all together
CORNER = 0.5  # cosine of the angle between segments below which the polyline is split
WIRE = 0.16  # radius of a wire or a rail, in radii of the bead
GAUGE = 0.6  # half the distance of two rails, in radii of the bead
TIES = 4.5  # distance of the ties between rails, in the same
MOST_TIES = 240


@dataclass(frozen=True, eq=False)
class PathPolyline:
    """Polyline of one path; it is shared by beads on equal paths."""

    line: np.ndarray  # (n, 3) [m] laboratory frame, path not displaced; the first point of a closed one is repeated
    rails: tuple[np.ndarray, ...]  # (n, 3) [m] what is drawn: the line itself, or the two rails beside it
    ties: np.ndarray  # (k, 2, 3) [m] ends of the ties between rails
    parameters: np.ndarray  # (n,) user parameter q
    closed: bool
    stops: bool  # whether beads stop or bounce at the ends
    radius: float  # [m] of the wire
    motion: PathMotion

    @property
    def corners(self) -> np.ndarray:
        """(k,) indices of the points at which the line has corners, and of both ends."""
        directions = np.diff(self.line, axis=0)
        directions = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        inner = np.flatnonzero((directions[1:] * directions[:-1]).sum(axis=1) < CORNER) + 1
        return np.array([0, *inner.tolist(), len(self.line) - 1])

    @property
    def pieces(self) -> list[np.ndarray]:
        """The drawn lines, split at their corners; arrays (m, 3) [m]."""
        return [rail[first : last + 1] for rail in self.rails for first, last in pairwise(self.corners.tolist())]


def tracks(scene: Scene) -> dict[str, PathPolyline]:
    """Polyline of each bead by name; beads on equal paths with equal motion share one."""
    points = int(np.clip(ALTOGETHER // max(len(scene.bead), 1), LEAST, MOST))
    gravity = at_the_start(scene.world.gravity)
    return {
        bead.name: _track(bead.path, bead.path_motion, bead.radius, bead.rolling, bead.ends != "leave", points, gravity)
        for bead in scene.bead
    }


@lru_cache(maxsize=2048)  # requested by several views, and unchanged by edits of other items
def _track(
    path: Path, motion: PathMotion, radius: float, rolling: bool, stops: bool, points: int, gravity: Vector
) -> PathPolyline:
    """The polyline of a path with about `points` points, displaced to a rail if the bead rolls."""
    (q, line), wire = evenly(path, points), WIRE * radius
    closed = path.closure().closed
    if not rolling:
        return PathPolyline(line, (line,), np.zeros((0, 2, 3)), q, closed, stops and not closed, wire, motion)
    away, side = _from_track(line, closed, np.array(gravity))
    # The sphere touches both rails, whose centres are as far from its own as the line between them.
    height, half = radius + wire, GAUGE * radius
    rails = tuple(line - np.sqrt(height**2 - half**2) * away + sign * half * side for sign in (-1, 1))
    every = max(_tie_spacing(rails[0], TIES * radius), len(line) // MOST_TIES, 1)
    ties = np.stack([rail[::every] for rail in rails], axis=1)
    return PathPolyline(line - height * away, rails, ties, q, closed, stops and not closed, wire, motion)


def _tie_spacing(rail: np.ndarray, distance: float) -> int:
    """Number of segments of a rail (n, 3) [m] for each `distance` [m] along it."""
    return round(distance / float(np.linalg.norm(np.diff(rail, axis=0), axis=1).mean()))


def evenly(path: Path, points: int) -> tuple[np.ndarray, np.ndarray]:
    """(n,) q and (n, 3) [m] points of a path, uniform in arc length, with its corners in addition."""
    ends = path.ends()
    q = np.linspace(*ends, GRID)
    traced = points_on(path, q)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(traced, axis=0), axis=1))])
    wanted = np.linspace(0, lengths[-1], points)
    chosen = np.unique(np.concatenate([np.interp(wanted, lengths, q), _cusps(path)]))
    line = points_on(path, chosen)
    distinct = np.concatenate([[True], np.linalg.norm(np.diff(line, axis=0), axis=1) > 1e-3 * lengths[-1] / points])
    return chosen[distinct], line[distinct]


def _cusps(path: PathBase) -> np.ndarray:
    """Parameters q of the cusps of a path."""
    return tau * np.arange(1, path.arches) if isinstance(path, Cycloid) else np.zeros(0)


def _from_track(line: np.ndarray, closed: bool, gravity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) unit vectors from a track to the centre of a sphere that rolls along the line, and across the track."""
    rates = np.gradient(line, axis=0)
    if closed:
        rates[0] = rates[-1] = (line[1] - line[-2]) / 2
    tangents = rates / np.linalg.norm(rates, axis=1, keepdims=True)
    side, level = which_side(line, rates, gravity)
    beside = across(tangents, side, level)
    return np.cross(tangents, beside), beside
