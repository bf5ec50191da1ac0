"""Start states of a search: a scrambled Sobol sequence over the configuration space.

bodies that turn about two or three axes    uniform over all orientations (Shoemake, Graphics Gems III, 1992)
bodies on axles                             uniform over a turn
free bodies, particles                      uniform over the box about all parts, enlarged by its size
beads                                       uniform in their parameters
points of soft bodies, modes                displaced by a part of their distances
joined bodies                               moved from the scene's start along random directions that joints allow
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, log2, pi

import numpy as np
from scipy.spatial.transform import Rotation
from scipy.stats import qmc

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import NOTHING
from polhode.equilibria.pose import Pose, state_in_pose
from polhode.equilibria.system import System, positions_of
from polhode.physics.bodies.arrays import BASIS, BODY_SIZE
from polhode.physics.paths.arrays import bead_states

BENT = 0.3  # displacement of points, of the length of their shortest spring
EXCITED = 0.2  # amplitude of modes: displacement of points over the size of the scene
FARTHEST, SUBSTEPS = 1.5 * pi, 16  # of a start of joined bodies: largest change of a coordinate, and number of parts


def make_starts(
    system: System, compiled: CompiledScene, count: int, seed: int, present: Pose | None = None
) -> Iterator[np.ndarray]:
    """`count` start states (k,) at rest, the first of the scene, and one in the pose `present`, if given."""
    still = system.freedoms.at_rest(compiled.start)
    system.freedoms.place(still)
    yield still
    if present is not None and (state := state_in_pose(compiled, still, present)) is not None:
        system.freedoms.place(state)
        yield state
    if count == 1:
        return
    numbers = qmc.Sobol(max(system.freedoms.count, 3), scramble=True, rng=np.random.default_rng(seed)).random_base2(
        max(0, ceil(log2(count - 1)))
    )[: count - 1]
    for row in numbers:
        yield _joined_start(system, still, row) if system.is_joined else _start(system, compiled, still, row)


def _joined_start(system: System, still: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """(k,) the state `still` moved in SUBSTEPS parts along one direction that the joints allow."""
    state, directions = still, system.tangent(still)
    assert directions is not None
    directions = directions / np.abs(directions / system.unit[:, None]).max(axis=0, initial=1e-300)
    wanted = directions @ ((2 * numbers[: directions.shape[1]] - 1) * FARTHEST / SUBSTEPS)
    for _ in range(SUBSTEPS):
        try:
            tangent = system.tangent(state)
        except np.linalg.LinAlgError:
            return state
        assert tangent is not None
        along = tangent @ (tangent.T @ wanted)  # with constant length, as on a geodesic
        wanted = along * (np.linalg.norm(wanted) / max(float(np.linalg.norm(along)), 1e-300))
        following = system.moved(state, wanted)
        if not np.isfinite(following).all():
            return state
        state = following
    return state


def _start(system: System, compiled: CompiledScene, still: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """(k,) one start for `numbers` (n,) in [0, 1)."""
    freedoms, state = system.freedoms, still.copy()
    _turn_bodies(system, compiled, state, numbers)
    positions = positions_of(compiled)
    low, high = positions.min(axis=0) - system.length, positions.max(axis=0) + system.length
    for each in (freedoms.shifting, freedoms.points):
        at = freedoms.indices.shifting if each is freedoms.shifting else freedoms.indices.points
        if each is freedoms.points and len(at):
            state[at] = _points(compiled, low, high, still[at], at, numbers[each])
        elif len(at):
            axis = np.arange(len(at)) % 3
            state[at] = low[axis] + (high - low)[axis] * numbers[each]
    paths = compiled.model.beads.paths
    bead_states(compiled.model.beads, state)[0] = paths.start + (paths.stop - paths.start) * numbers[freedoms.beads]
    state[freedoms.indices.modes] += (2 * numbers[freedoms.modes] - 1) * EXCITED * system.unit[freedoms.modes]
    freedoms.place(state)
    return state


def _turn_bodies(system: System, compiled: CompiledScene, state: np.ndarray, numbers: np.ndarray) -> None:
    """Write the orientations of all bodies that turn into `state` (k,)."""
    turning = system.freedoms.indices.turning
    for b in np.unique(turning[:, 0]).tolist():
        mine = np.flatnonzero(turning[:, 0] == b)
        at = BODY_SIZE * b + BASIS
        basis = state[at : at + 9].reshape(3, 3)
        if len(mine) == 1:
            axis = compiled.model.bodies.axes[b, turning[mine[0], 1]] @ basis
            turn = Rotation.from_rotvec(2 * pi * numbers[mine[0]] * axis)
        else:
            u, v, w = (*numbers[mine].tolist(), 0.5)[:3]
            low, high = np.sqrt(1 - u), np.sqrt(u)
            quaternion = low * np.sin(2 * pi * v), low * np.cos(2 * pi * v), high * np.sin(2 * pi * w)
            turn = Rotation.from_quat((*quaternion, high * np.cos(2 * pi * w)))
        state[at : at + 9] = (basis @ turn.as_matrix().T).ravel()


def _points(
    compiled: CompiledScene, low: np.ndarray, high: np.ndarray, still: np.ndarray, at: np.ndarray, numbers: np.ndarray
) -> np.ndarray:
    """(p,) [m] positions of points: particles anywhere in the box, points of soft bodies near their start."""
    count = len(compiled.model.points.mass)
    axis, point = np.divmod(at - compiled.model.points.at, count)
    soft = np.zeros(count, dtype=bool)
    for item in compiled.scene.soft:
        soft[compiled.points[item.name]] = True
    near = still + (2 * numbers - 1) * BENT * _shortest_springs(compiled)[point]
    return np.where(soft[point], near, low[axis] + (high - low)[axis] * numbers)


def _shortest_springs(compiled: CompiledScene) -> np.ndarray:
    """(p,) [m] length of the shortest spring of each point; 0 without one."""
    springs, count = compiled.springs, len(compiled.model.points.mass)
    shortest = np.full(count, np.inf)
    for ends in (springs.first, springs.second):
        inside = (ends != NOTHING) & (ends < count)
        np.minimum.at(shortest, ends[inside], springs.rest[inside])
    return np.where(np.isfinite(shortest), shortest, 0.0)
