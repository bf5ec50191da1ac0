"""Overlapping shapes of a body: the shared volume counts twice in mass and inertia (PEM section 3.2.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.geometry.point_in_solid import REGIONS, inside_mesh
from polhode.physics.bodies.shapes import MeshShape, ShapeBase
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Body, Scene

SAMPLES = 2**14  # points in the common box of two shapes: an overlap of 1e-3 of the box is found, 1e-6 is not
TOUCHING = 1e-3  # of the smaller box: shapes that share less than this touch, as rounded files do
# Fractions of powers of the root of x^4 = x + 1 fill a cube evenly (Roberts, extremelearning.com.au, 2018).
ROOT = 1.2207440846057596


@dataclass(frozen=True, eq=False)
class ShapeRegion:
    """A shape in its body: bounding box along the body's axes, from the body's origin, and a test of points."""

    low: np.ndarray  # (3,) [m]
    high: np.ndarray  # (3,) [m]
    inside: Callable[[np.ndarray], np.ndarray]  # (n, 3) [m] -> (n,) bool


@dataclass(frozen=True)
class Overlap:
    """Two overlapping shapes of a body, by index."""

    first: int
    second: int
    volume: float  # [m^3] estimated from points

    def problem(self, body: Body) -> Problem:
        """The overlap as a Problem, with a place relative to the body."""
        rule = Message(
            "overlaps shape[{shape}] of '{name}' by about {volume:.2g} m^3, which counts twice in mass and inertia",
            shape=self.first,
            name=body.name,
            volume=self.volume,
        )
        return Problem(f"shape[{self.second}]", rule, Message("move one of them, or make it smaller"))


def overlaps(scene: Scene, body: Body, meshes: Meshes) -> list[Overlap]:
    """Every pair of shapes that share space: their boxes first, then SAMPLES points in what the boxes share.

    The mass of a fixed or driven body plays no role, so its shapes may overlap; so may a shape without mass. Pairs that
    share less than TOUCHING of the smaller box are left out. Raises InputError where a mesh cannot be read.
    """
    if body.support in ("fixed", "driven"):
        return []
    placed = [None if shape.mass == 0 else _placement(scene, shape, meshes) for shape in body.shape]
    cube = _points()
    found = []
    for (i, a), (k, b) in combinations(enumerate(placed), 2):
        if a is None or b is None:
            continue
        low, high = np.maximum(a.low, b.low), np.minimum(a.high, b.high)
        if (high <= low).any():
            continue
        points = low + cube * (high - low)
        both = points[a.inside(points)]
        shared = float(np.prod(high - low) * b.inside(both).sum() / SAMPLES) if len(both) else 0.0
        if shared > TOUCHING * min(np.prod(a.high - a.low), np.prod(b.high - b.low)):
            found.append(Overlap(i, k, shared))
    return found


def _points() -> np.ndarray:
    """(SAMPLES, 3) quasi-random points in the unit cube, the same at every call."""
    steps = ROOT ** -np.arange(1.0, 4.0)
    return np.asarray((0.5 + np.arange(SAMPLES)[:, None] * steps) % 1.0)


def _placement(scene: Scene, shape: ShapeBase, meshes: Meshes) -> ShapeRegion | None:
    """Placement of a shape in its body; None for a shape without volume."""
    turn, position = shape.orientation.matrix(), np.array(shape.position)
    if isinstance(shape, MeshShape):
        mesh, scale = meshes.of(shape, scene.folder), shape.scale
        corners = scale * mesh.vertices @ turn.T + position
        return ShapeRegion(
            corners.min(axis=0), corners.max(axis=0), lambda p: inside_mesh(mesh, (p - position) @ turn / scale)
        )
    if type(shape) not in REGIONS:
        return None
    half, middle, inside = REGIONS[type(shape)](shape)
    center = position + turn[:, 2] * middle
    reach = np.abs(turn) @ half
    return ShapeRegion(center - reach, center + reach, lambda p: inside((p - position) @ turn))
