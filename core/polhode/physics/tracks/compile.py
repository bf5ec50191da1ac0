"""Tracks of a scene as arrays."""

from __future__ import annotations

import numpy as np

from polhode.engine.part import Draft
from polhode.physics.paths.arrays import Beads
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.compile import SAMPLES
from polhode.physics.paths.description import PathBase
from polhode.physics.paths.path_kernels import trace
from polhode.physics.tracks.arrays import Tracks

PER_PIECE = 8  # points on each piece of a spline


def compile_tracks(draft: Draft) -> None:
    """Add the member `tracks` of the Model; the beads are compiled already."""
    draft.model["tracks"] = build_tracks(draft.scene.bead, draft.model["beads"])


def build_tracks(beads: tuple[Bead, ...], compiled: Beads) -> Tracks:
    """The tracks of all beads; `compiled` are the same beads as kernel arrays."""
    known: dict[PathBase, tuple[int, int]] = {}
    parameters, points = [np.zeros(0)], [np.zeros((0, 3))]
    ranges = np.zeros((len(beads), 2), dtype=np.int64)
    for i, bead in enumerate(beads):
        if bead.one_sided is None:
            continue
        if bead.path not in known:
            first = sum(map(len, parameters))
            parameters.append(_parameters(compiled, i))
            points.append(_points(compiled, i, parameters[-1]))
            known[bead.path] = first, first + len(parameters[-1])
        ranges[i] = known[bead.path]
    return Tracks(
        bead=np.flatnonzero(compiled.tracked),
        kinetic=np.array([bead.kinetic_friction for bead in beads], dtype=float),
        static=np.array([bead.holding_friction for bead in beads], dtype=float),
        one_sided=np.array([bead.one_sided is not None for bead in beads], dtype=np.bool_),
        restitution=np.array([_restitution(bead) for bead in beads], dtype=float),
        first=ranges[:, 0].copy(),
        stop=ranges[:, 1].copy(),
        parameters=np.concatenate(parameters),
        points=np.concatenate(points),
    )


def _parameters(compiled: Beads, i: int) -> np.ndarray:
    """(n,) internal parameters of points of path i, several on each piece of a spline."""
    paths = compiled.paths
    pieces = int(paths.stop_piece[i] - paths.first_piece[i])
    return np.linspace(paths.start[i], paths.stop[i], max(SAMPLES, PER_PIECE * pieces + 1))


def _points(compiled: Beads, i: int, q: np.ndarray) -> np.ndarray:
    """(n, 3) [m] points of path i at rest at internal parameters q (n,), laboratory frame."""
    found = np.empty((len(q), 3, 3))
    trace(compiled.paths, i, q, found)
    return found[:, 0]


def _restitution(bead: Bead) -> float:
    """Coefficient of restitution of a bead by its contact; 0 without one."""
    return 0.0 if bead.contact is None else bead.contact.restitution or 0.0
