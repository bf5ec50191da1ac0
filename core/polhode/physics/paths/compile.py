"""Beads of a scene as arrays, their start state, and the transfer of their motion to an edited scene."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.engine.model import NOTHING, Model
from polhode.engine.part import Draft
from polhode.physics.bodies.arrays import ON_PATH
from polhode.physics.paths.arrays import (
    AT_REST,
    AT_THE_END,
    BEAD_SIZE,
    ENDS,
    GONE,
    HOLD,
    ON_ITS_PATH,
    PARAMETER,
    SLIDES_BACKWARD,
    SLIDES_FORWARD,
    SPEED,
    Beads,
    bead_states,
)
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.compile_paths import build_paths
from polhode.physics.paths.description import PathBase, Spline
from polhode.physics.paths.path_frame import stated_side, which_side
from polhode.physics.paths.path_kernels import STILL, Paths, to_internal_parameter, to_user_parameter, trace
from polhode.physics.paths.path_motions import CarriedPath
from polhode.scene.formula_vector import at_the_start
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, Problem
from polhode.scene.scene import Scene

ROLLING = 7 / 5  # of a solid sphere: 1 + 2/5
SAMPLES = 257  # points of a path, for its direction across


def build_beads(scene: Scene) -> Beads:
    """The beads of a scene as kernel arrays. Raises InputError with all their problems."""
    beads, bodies = scene.bead, len(scene.bodies)
    paths = _paths(scene)
    sides = _sides(scene, paths)
    tracked = np.array([_is_tracked(bead) for bead in beads], dtype=np.bool_)
    masses, factors = np.array([bead.mass for bead in beads]), np.array([inertia_along(bead) for bead in beads])
    friction = np.array([bead.friction for bead in beads])
    compiled = Beads(
        body=np.arange(bodies - len(beads), bodies),
        inertia=factors,
        radius=np.array([bead.radius for bead in beads]),
        friction=friction,
        ends=np.array([ENDS[bead.ends] for bead in beads], dtype=np.int64),
        side=np.array([side for side, _ in sides]).reshape(-1, 3),
        level=np.array([level for _, level in sides], dtype=np.bool_),
        weights=np.stack([masses, friction, 1.0 / (factors * masses)]),
        tracked=tracked,
        force_needed=float(tracked.any()),
        moved=bool((paths.motion != STILL).any() or paths.turns.any() or paths.follows[:, 0].any()),
        carrier=np.array([carrier_of(scene, bead) for bead in beads], dtype=np.int64),
        paths=paths,
    )
    problems = [problem for i, bead in enumerate(beads) for problem in _starts_beyond_ends(compiled, i, bead)]
    if problems:
        raise InputError(scene.title or "scene", problems)
    return compiled


def inertia_along(bead: Bead) -> float:
    """f: the effective mass of a bead along its path is f times its mass; 1 + 2/5 of a rolling solid sphere."""
    return ROLLING if bead.rolling else 1.0


def _is_tracked(bead: Bead) -> bool:
    """Whether core/polhode/physics/tracks finds the events of a bead; on paths of bodies `carried` does."""
    return (bead.holding_friction > 0 or bead.one_sided is not None) and bead.path_motion.kind != "body"


def carrier_of(scene: Scene, bead: Bead) -> int:
    """Index of the body that the path of a bead moves with; NOTHING if there is none."""
    if not isinstance(bead.path_motion, CarriedPath):
        return NOTHING
    return [body.name for body in scene.body].index(bead.path_motion.body)


def _paths(scene: Scene) -> Paths:
    """Paths of all beads. Raises InputError."""
    try:
        return build_paths([(bead.path, bead.path_motion) for bead in scene.bead])
    except InputError as error:
        raise InputError(scene.title or "scene", list(error.problems)) from None


def _starts_beyond_ends(beads: Beads, i: int, bead: Bead) -> list[Problem]:
    """Problem of a start beyond the ends of an open path, with the range of its parameter; none if it starts on it."""
    paths, q = beads.paths, to_internal_parameter(beads.paths, i, bead.parameter)
    if paths.closed[i] or paths.start[i] <= q <= paths.stop[i]:
        return []
    low, high = (to_user_parameter(paths, i, end) for end in (paths.start[i], paths.stop[i]))
    rule = Message(
        "{parameter:g} is beyond the path of '{name}', whose q runs from {low:.6g} to {high:.6g}",
        parameter=bead.parameter,
        name=bead.name,
        low=low,
        high=high,
    )
    return [Problem(f"bead[{i}].parameter", rule, Message("start between them"))]


def _sides(scene: Scene, paths: Paths) -> list[tuple[np.ndarray, bool]]:
    """Direction across the path at rest (3,) of each bead, and whether it is level; from SAMPLES points.

    Of a one-sided track t x e is then the stated normal. Raises InputError with all paths that have no such normal.
    """
    gravity, sides, problems = np.array(at_the_start(scene.world.gravity)), [], []
    for i, bead in enumerate(scene.bead):
        found = np.empty((SAMPLES, 3, 3))
        trace(paths, i, np.linspace(paths.start[i], paths.stop[i], SAMPLES), found)
        try:
            if bead.one_sided is None:
                sides.append(which_side(found[:, 0], found[:, 1], gravity))
            else:
                sides.append(stated_side(bead.one_sided, found[:, 1], bool(paths.closed[i]), gravity))
        except InvalidValue as error:
            problems.append(Problem(f"bead[{i}].one_sided", error.rule, error.remedy))
    if problems:
        raise InputError(scene.title or "scene", problems)
    return sides


def compile_beads(draft: Draft) -> None:
    """Add the member `beads` of the Model, and mark their bodies as held by paths. Raises InputError.

    Their bodies have been compiled as free ones, so that they can leave a path.
    """
    beads = build_beads(draft.scene)
    draft.model["beads"] = beads
    draft.model["bodies"].support[beads.body] = ON_PATH


def start_beads(draft: Draft, model: Model, state: np.ndarray) -> None:
    """Write the start of the beads into the start state; their bodies follow in the first REDUCE."""
    bead_states(model.beads, state)[:] = start_of_beads(draft.scene.bead, model.beads)


def start_of_beads(beads: Sequence[Bead], compiled: Beads) -> np.ndarray:
    """(3, c) rows of the beads in the start state: internal parameter, speed [m/s], HOLD."""
    rows = np.zeros((BEAD_SIZE, len(beads)))
    for i, bead in enumerate(beads):
        rows[PARAMETER, i] = to_internal_parameter(compiled.paths, i, bead.parameter)
        rows[SPEED, i] = bead.speed
        rows[HOLD, i] = hold_of(bead)
    return rows


def hold_of(bead: Bead, speed: float | None = None) -> float:
    """HOLD of a bead on its path at its initial or another speed [m/s]."""
    u = bead.speed if speed is None else speed
    if bead.holding_friction == 0:
        return ON_ITS_PATH
    return AT_REST if u == 0 else SLIDES_FORWARD if u > 0 else SLIDES_BACKWARD


def transfer_beads(old: tuple[Scene, Beads, np.ndarray], new: tuple[Scene, Beads, np.ndarray]) -> None:
    """Write into the rows of a new scene the motion of every bead of an old one with the same name and start.

    On an edited path the bead keeps its relative position between the knots and its speed. If it has left the old path,
    or the new path is of another kind, it is reset.

    old, new: scene, beads and bead rows (3, c) of the state of each; the rows of `new` are written.
    """
    (scene, was, before), (edited, now, after) = old, new
    known = {bead.name: (i, bead) for i, bead in enumerate(scene.bead)}
    for k, bead in enumerate(edited.bead):
        i, like = known.get(bead.name, (-1, bead))
        if i < 0 or (like.parameter, like.speed) != (bead.parameter, bead.speed):
            continue
        if (like.path, like.path_motion) == (bead.path, bead.path_motion):
            after[:, k] = before[:, i]
        elif before[HOLD, i] != GONE and like.path.kind == bead.path.kind:
            after[:, k] = before[:, i]
            knots, new_knots = _knots(like.path, was.paths, i), _knots(bead.path, now.paths, k)
            if len(knots) != len(new_knots):
                knots, new_knots = knots[[0, -1]], new_knots[[0, -1]]
            after[PARAMETER, k] = _parameter_on_new_knots(
                before[PARAMETER, i], knots, new_knots, bool(now.paths.closed[k])
            )
        stopped = after[HOLD, k] == AT_THE_END and bead.ends == "stop"
        if after[HOLD, k] != GONE and not stopped:
            after[HOLD, k] = hold_of(bead, after[SPEED, k])


def _knots(path: PathBase, paths: Paths, i: int) -> np.ndarray:
    """(n,) internal parameters of the points of a spline, or of both ends of another path."""
    if isinstance(path, Spline):
        return np.concatenate([[0.0], np.cumsum(path.distances())])
    return np.array([paths.start[i], paths.stop[i]])


def _parameter_on_new_knots(q: float, knots: np.ndarray, new_knots: np.ndarray, closed: bool) -> float:
    """The parameter on a path with `new_knots` (n,) that corresponds to q on one with `knots` (n,).

    Whole turns are kept.
    """
    span, new_span = knots[-1] - knots[0], new_knots[-1] - new_knots[0]
    turns = np.floor((q - knots[0]) / span) if closed else 0.0
    return float(np.interp(q - turns * span, knots, new_knots) + turns * new_span)
