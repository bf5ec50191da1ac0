"""Channels: the numbers of a frame that a live page gets from the engine, and everything drawn follows from.

These are the numbers that the kernel `measure` writes (core/polhode/simulation/take_snapshot.py), then the
displacements of the paths of beads. The page and `Channels` count them alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.engine.diagnostics import ENERGY_COLUMNS, width
from polhode.engine.ledger import LEDGER_SIZE
from polhode.engine.model import Model
from polhode.physics.bodies.columns import WIDTH as BODY_WIDTH
from polhode.physics.joints.arrays import widths
from polhode.physics.paths.columns import WIDTH as BEAD_WIDTH
from polhode.physics.points.arrays import POINT_SIZE
from polhode.simulation.simulation import Simulation
from polhode.simulation.take_snapshot import OTHERS

VECTOR = 3
OF_BEAD = (2, 6, 9)  # offsets of constraint force, tangent and curvature in the columns of a bead
BASIS, SPIN = 6, 15  # offsets of u1 and of the angular velocity in the columns of a body


@dataclass(frozen=True, eq=False)
class Channels:
    """Where a frame has what; all in SI, laboratory frame."""

    bodies: int
    """Number of bodies; the columns of the first one begin at channel 1."""
    points: int
    """Number of points, whose columns follow those of the bodies."""
    beads: int
    """Number of beads, whose columns follow those of the points, and whose paths have the last channels."""
    columns: int
    """Number of columns of the table, the first channels."""
    walls: int
    """Number of walls, whose displacements follow OTHERS after the columns."""
    vectors: tuple[int, ...]
    """First channels of all vectors: those of bodies, points, beads, joints, and the displacements of paths."""
    normals: np.ndarray
    """(w, 3) unit vectors along which walls are displaced."""

    @classmethod
    def of(cls, simulation: Simulation) -> Channels:
        """The channels of a simulation."""
        model, work = simulation.compiled.model, simulation.structs.work
        bodies, points, beads = len(model.bodies.mass), len(model.points.mass), len(model.beads.body)
        walls, columns = len(model.walls.stiffness), width(work)
        at = 1 + BODY_WIDTH * bodies
        vectors = [*range(1, at + POINT_SIZE * points, VECTOR)]
        at += POINT_SIZE * points
        vectors += [at + BEAD_WIDTH * bead + inner for bead in range(beads) for inner in OF_BEAD]
        vectors += [int(first) + inner for first in _joints(model, columns) for inner in (0, VECTOR)]
        vectors += [columns + OTHERS + walls + VECTOR * bead for bead in range(beads)]
        return cls(bodies, points, beads, columns, walls, tuple(vectors), np.array(model.walls.normal))

    @property
    def measured(self) -> int:
        """Number of the channels that `measure` writes."""
        return self.columns + OTHERS + self.walls

    @property
    def count(self) -> int:
        """Number of all channels."""
        return self.measured + VECTOR * self.beads

    def of_body(self, body: int) -> int:
        """Channel of the first column of a body."""
        return 1 + BODY_WIDTH * body

    def of_point(self, point: int) -> int:
        """Channel of the first column of a point."""
        return self.of_body(self.bodies) + POINT_SIZE * point

    def of_bead(self, bead: int) -> int:
        """Channel of the first column of a bead beside those of its body."""
        return self.of_point(self.points) + BEAD_WIDTH * bead

    def of_wall(self, wall: int) -> int:
        """Channel of the displacement of a wall."""
        return self.columns + OTHERS + wall

    @property
    def places(self) -> np.ndarray:
        """(n, 3) channels of all positions: of bodies, points, and the displacements of paths."""
        points = _steps(self.of_point(0), POINT_SIZE, self.points)
        return np.concatenate([_steps(1, BODY_WIDTH, self.bodies), points, _steps(self.measured, VECTOR, self.beads)])

    def positions(self, frames: np.ndarray) -> np.ndarray:
        """(f, n, 3) [m] positions of bodies in frames (f, c)."""
        return frames[:, _steps(1, BODY_WIDTH, self.bodies)]

    def bases(self, frames: np.ndarray) -> np.ndarray:
        """(f, n, 3, 3) bases of bodies in frames (f, c), rows u1, u2, u3."""
        first = 1 + BASIS + BODY_WIDTH * np.arange(self.bodies)
        return frames[:, first[:, None] + np.arange(9)].reshape(len(frames), self.bodies, 3, 3)


def _joints(model: Model, columns: int) -> np.ndarray:
    """(j,) first columns of the joints: force, then torque. They are the last columns of the subjects."""
    width = widths(model.joints)
    return columns - ENERGY_COLUMNS - LEDGER_SIZE - int(width.sum()) + np.cumsum(width) - width


def _steps(first: int, step: int, count: int) -> np.ndarray:
    """(count, 3) channels of vectors that are `step` apart."""
    return first + step * np.arange(count)[:, None] + np.arange(VECTOR)
