"""Beads of a scene as arrays, and where on their paths they start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.bead import Bead
from core.bead_tables import BEAD_SIZE, ENDS, PLACE, SPEED, Beads
from core.build_paths import build_paths
from core.curves import Paths, internal, shown, trace
from core.problem import InputError, Problem
from core.scene import Scene

ROLLING = 7 / 5  # of a solid sphere: 1 + 2/5
SAMPLES = 257  # of a path, to see how it lies
STEEP = 0.9  # cosine between gravity and the steepest place of a path that still counts as level
BALANCED = 1e-3  # part of a path's length: its ends are above each other, and it turns over as much as it goes on
UP = np.array([0.0, 0.0, 1.0])


def build_beads(scene: Scene) -> Beads:
    """The beads of a scene; raises InputError with all that is wrong with them."""
    beads, bodies, gravity = scene.bead, len(scene.bodies), np.array(scene.world.gravity)
    paths = _paths(scene)
    sides = [_side_of(paths, i, gravity) for i in range(len(beads))]
    built = Beads(
        body=np.arange(bodies - len(beads), bodies),
        inertia=np.array([inertia_along(bead) for bead in beads]),
        radius=np.array([bead.radius for bead in beads]),
        friction=np.array([bead.friction for bead in beads]),
        ends=np.array([ENDS[bead.ends] for bead in beads], dtype=np.int64),
        side=np.array([side for side, _ in sides]).reshape(-1, 3),
        level=np.array([level for _, level in sides], dtype=np.bool_),
        paths=paths,
    )
    problems = [problem for i, bead in enumerate(beads) for problem in _beyond(built, i, bead)]
    if problems:
        raise InputError(scene.title or "scene", problems)
    return built


def inertia_along(bead: Bead) -> float:
    """f: a bead is as heavy along its path as f times its mass."""
    return ROLLING if bead.rolling else 1.0


def _paths(scene: Scene) -> Paths:
    try:
        return build_paths([(bead.path, bead.path_motion) for bead in scene.bead])
    except InputError as error:
        raise InputError(scene.title or "scene", list(error.problems)) from None


def _beyond(beads: Beads, i: int, bead: Bead) -> list[Problem]:
    """A start beyond the ends of the path."""
    paths, q = beads.paths, internal(beads.paths, i, bead.parameter)
    if paths.closed[i] or paths.start[i] <= q <= paths.stop[i]:
        return []
    low, high = (shown(paths, i, end) for end in (paths.start[i], paths.stop[i]))
    rule = f"{bead.parameter:g} is beyond the path of '{bead.name}', whose q runs from {low:.6g} to {high:.6g}"
    return [Problem(f"bead[{i}].parameter", rule, "start between them")]


def _side_of(paths: Paths, i: int, gravity: np.ndarray) -> tuple[np.ndarray, bool]:
    found = np.empty((SAMPLES, 3, 3))
    trace(paths, i, np.linspace(paths.start[i], paths.stop[i], SAMPLES), found)
    return which_side(found[:, 0], found[:, 1], gravity)


def which_side(places: np.ndarray, rates: np.ndarray, gravity: np.ndarray) -> tuple[np.ndarray, bool]:
    """Unit vector (3,) that says what is across a path, and whether the path is level.

    It leads through `places` (n, 3) [m] at `rates` (n, 3), r' at even steps of q.

    On a level path, nowhere steep, it is up: a sphere rolls on a track below. A steep path is taken to be bent in a
    plane, or nearly, and the vector is across that, so that a track below at most places, or at the lowest one of a
    ring, is on the side that the sphere rolls on.
    """
    lengths = np.linalg.norm(rates, axis=1, keepdims=True)
    tangents = rates / lengths
    up = -gravity / np.linalg.norm(gravity) if gravity.any() else UP
    if np.abs(tangents @ up).max() < STEEP:
        return up, True
    side = np.linalg.eigh(rates.T @ tangents)[1][:, 0]
    rolling = np.cross(up, rates) @ side  # about which way on a track below, weighed by the way
    whole = rolling.sum()
    if abs(whole) < BALANCED * lengths.sum():
        whole = rolling[(places @ up).argmin()]
    return (side if whole >= 0 else -side), False


def start_of_beads(beads: Sequence[Bead], built: Beads) -> np.ndarray:
    """(3, c) the rows of the beads in the state at the start."""
    rows = np.zeros((BEAD_SIZE, len(beads)))
    for i, bead in enumerate(beads):
        rows[PLACE, i] = internal(built.paths, i, bead.parameter)
        rows[SPEED, i] = bead.speed
    return rows


def starts_alike(old: Scene, new: Scene) -> Iterator[tuple[int, int]]:
    """Numbers in two scenes of the beads that have the same name, path and start."""
    known = {bead.name: (i, _start_of(bead)) for i, bead in enumerate(old.bead)}
    for k, bead in enumerate(new.bead):
        i, start = known.get(bead.name, (0, ()))
        if start == _start_of(bead):
            yield i, k


def _start_of(bead: Bead) -> tuple[object, ...]:
    return bead.path, bead.path_motion, bead.parameter, bead.speed
