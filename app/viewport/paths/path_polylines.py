"""What is drawn of a bead's path: a wire through a bead that slides, a rail below one that rolls. Places only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import tau

import numpy as np

from core.physics.paths.description import Cycloid, Path, PathBase
from core.physics.paths.path_frame import across, which_side
from core.physics.paths.path_geometry import places_on
from core.physics.paths.path_motions import PathMotion
from core.scene.quantity import Vector
from core.scene.scene import Scene

GRID = 2049  # places by q, from which those that are even in length are taken
MOST, LEAST, ALTOGETHER = 400, 60, 40_000  # points of a track, and of all
CORNER = 0.5  # cosine of the angle by which a track turns at a corner, beyond which it is drawn in two pieces
WIRE = 0.16  # radius of a wire or a rail, in radii of the bead


@dataclass(frozen=True)
class PathPolyline:
    """One path; several beads may share it."""

    line: np.ndarray  # (n, 3) [m] laboratory, where the path is not moved; the last place of a closed one is its first
    parameters: np.ndarray  # (n,) q there, as the scene counts it
    closed: bool
    stops: bool  # whether its ends hold a bead back
    radius: float  # [m] of the wire
    motion: PathMotion

    @property
    def pieces(self) -> list[np.ndarray]:
        """The line, cut at its corners."""
        ways = np.diff(self.line, axis=0)
        ways = ways / np.linalg.norm(ways, axis=1, keepdims=True)
        corners = np.flatnonzero((ways[1:] * ways[:-1]).sum(axis=1) < CORNER) + 1
        ends = [0, *corners.tolist(), len(self.line) - 1]
        return [self.line[first : last + 1] for first, last in pairwise(ends)]


def tracks(scene: Scene) -> dict[str, PathPolyline]:
    """The track of each bead by its name; beads on the same path that move alike have the same one."""
    points = int(np.clip(ALTOGETHER // max(len(scene.bead), 1), LEAST, MOST))
    gravity = scene.world.gravity
    return {
        bead.name: _track(bead.path, bead.path_motion, bead.radius, bead.rolling, bead.ends != "leave", points, gravity)
        for bead in scene.bead
    }


@lru_cache(maxsize=2048)  # the room and the view both ask, and an edit elsewhere changes none
def _track(
    path: Path, motion: PathMotion, radius: float, rolling: bool, stops: bool, points: int, gravity: Vector
) -> PathPolyline:
    (q, line), wire = evenly(path, points), WIRE * radius
    closed = path.closure().closed
    if rolling:
        line = line - (radius + wire) * _from_track(line, closed, np.array(gravity))
    return PathPolyline(line, q, closed, stops and not closed, wire, motion)


def evenly(path: Path, points: int) -> tuple[np.ndarray, np.ndarray]:
    """(n,) q and (n, 3) [m] places along a path at even lengths, and its corners."""
    ends = path.ends()
    q = np.linspace(*ends, GRID)
    places = places_on(path, q)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    wanted = np.linspace(0, lengths[-1], points)
    chosen = np.unique(np.concatenate([np.interp(wanted, lengths, q), _cusps(path)]))
    line = places_on(path, chosen)
    apart = np.concatenate([[True], np.linalg.norm(np.diff(line, axis=0), axis=1) > 1e-3 * lengths[-1] / points])
    return chosen[apart], line[apart]


def _cusps(path: PathBase) -> np.ndarray:
    return tau * np.arange(1, path.arches) if isinstance(path, Cycloid) else np.zeros(0)


def _from_track(line: np.ndarray, closed: bool, gravity: np.ndarray) -> np.ndarray:
    """(n, 3) unit vectors from a track below a sphere to its middle, which goes along the line."""
    rates = np.gradient(line, axis=0)
    if closed:
        rates[0] = rates[-1] = (line[1] - line[-2]) / 2
    tangents = rates / np.linalg.norm(rates, axis=1, keepdims=True)
    side, level = which_side(line, rates, gravity)
    return np.cross(tangents, across(tangents, side, level))
