"""Where things are: what coordinates of a landscape are read from, of a state or of a snapshot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.engine.compile import CompiledScene
from core.physics.bodies.arrays import BASIS, POSITION, body_states
from core.physics.paths.arrays import bead_states
from core.physics.paths.path_kernels import to_user_parameter
from core.physics.points.arrays import point_states
from core.simulation.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class Pose:
    """Positions and orientations, laboratory frame."""

    position: np.ndarray  # (n, 3) [m] origins of bodies
    basis: np.ndarray  # (n, 3, 3) rows u1, u2, u3
    parameter: np.ndarray  # (c,) user parameters q of beads
    points: np.ndarray  # (p, 3) [m]


def pose_of_state(built: CompiledScene, state: np.ndarray) -> Pose:
    """The pose of a placed state (k,)."""
    model, rows = built.model, body_states(built.model.bodies, state)
    basis = rows[:, BASIS : BASIS + 9].reshape(-1, 3, 3)
    position = rows[:, POSITION : POSITION + 3] + (model.bodies.origin[:, None] @ basis)[:, 0]
    internal = bead_states(model.beads, state)[0].tolist()
    parameter = [to_user_parameter(model.beads.paths, i, q) for i, q in enumerate(internal)]
    return Pose(position, basis, np.array(parameter), point_states(model.points, state)[0].T)


def pose_of_snapshot(now: Snapshot) -> Pose:
    """The pose of a snapshot."""
    return Pose(now.bodies.position, now.bodies.basis, now.beads.parameter, now.points.position)
