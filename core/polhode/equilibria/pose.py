"""Positions and orientations of a state or a snapshot, for coordinates of a landscape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.physics.bodies.arrays import BASIS, POSITION, body_states
from polhode.physics.paths.arrays import bead_states
from polhode.physics.paths.path_kernels import to_internal_parameter, to_user_parameter
from polhode.physics.points.arrays import point_states
from polhode.simulation.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class Pose:
    """Positions and orientations, laboratory frame."""

    position: np.ndarray  # (n, 3) [m] origins of bodies
    basis: np.ndarray  # (n, 3, 3) rows u1, u2, u3
    parameter: np.ndarray  # (c,) user parameters q of beads
    points: np.ndarray  # (p, 3) [m]


def pose_of_state(compiled: CompiledScene, state: np.ndarray) -> Pose:
    """The pose of a placed state (k,)."""
    model, rows = compiled.model, body_states(compiled.model.bodies, state)
    basis = rows[:, BASIS : BASIS + 9].reshape(-1, 3, 3)
    position = rows[:, POSITION : POSITION + 3] + (model.bodies.origin[:, None] @ basis)[:, 0]
    internal = bead_states(model.beads, state)[0].tolist()
    parameter = [to_user_parameter(model.beads.paths, i, q) for i, q in enumerate(internal)]
    return Pose(position, basis, np.array(parameter), point_states(model.points, state)[0].T)


def state_in_pose(compiled: CompiledScene, still: np.ndarray, pose: Pose) -> np.ndarray | None:
    """A copy of `still` (k,) in a pose, with the same amplitudes of modes, not yet placed; None for another scene."""
    model, state = compiled.model, still.copy()
    rows, beads = body_states(model.bodies, state), len(model.beads.body)
    shapes = len(rows), beads, len(model.points.mass)
    if (len(pose.position), len(pose.parameter), len(pose.points)) != shapes or not np.isfinite(pose.position).all():
        return None
    rows[:, BASIS : BASIS + 9] = pose.basis.reshape(-1, 9)
    rows[:, POSITION : POSITION + 3] = pose.position - (model.bodies.origin[:, None] @ pose.basis)[:, 0]
    parameters = [to_internal_parameter(model.beads.paths, i, q) for i, q in enumerate(pose.parameter.tolist())]
    bead_states(model.beads, state)[0] = parameters
    point_states(model.points, state)[0] = pose.points.T
    return state


def pose_of_snapshot(now: Snapshot) -> Pose:
    """The pose of a snapshot."""
    return Pose(now.bodies.position, now.bodies.basis, now.beads.parameter, now.points.position)
