"""Conductors of a scene as arrays: the rings of all shapes of a body, and their modes."""

from __future__ import annotations

from functools import cache, lru_cache
from math import isqrt, pi

import numpy as np
import scipy

from polhode.engine.part import Draft
from polhode.formulas.gauss_points import gauss_points
from polhode.physics.coils.compile import ELEMENTS
from polhode.physics.coils.windings.inductance import circle
from polhode.physics.conductors.arrays import Conductors
from polhode.physics.conductors.loops import Loops, conducting, loops_of_body, numbered
from polhode.scene.scene import Scene

DISC = 2, 6  # points of a ring's disc in a field by formulas: circles, and points on each
IMPLICIT = 1e-3  # of the time step: slower modes are in the state of the implicit method, which any of them suits


def compile_conductors(draft: Draft) -> None:
    """Add the member `conductors` of the Model."""
    scene, dipoles, bodies = draft.scene, draft.model["dipoles"], draft.model["bodies"]
    owners = [b for b, body in enumerate(scene.body) if conducting(body)]
    made = [loops_of_body(scene.body[b], scene.world.permeability) for b in owners]
    modes = [modes_of(loops, least(scene)) for loops in made]
    widest = max((len(loops.resistance) for loops in made), default=0)
    first_node = _firsts([len(loops.resistance) for loops in made])
    origin = [bodies.origin[b] for b in owners]
    draft.model["conductors"] = Conductors(
        at=0,
        body=np.array(owners, dtype=np.int64),
        magnet=np.flatnonzero(np.diff(dipoles.first)).astype(np.int64) if owners else np.zeros(0, np.int64),
        first_source=_firsts([len(loops.position) for loops in made]),
        position=_joined([loops.position + at for loops, at in zip(made, origin, strict=True)], 3),
        area=_joined([loops.area for loops in made], 3),
        across=_joined([loops.across for loops in made], 3),
        radius=np.concatenate([np.zeros(0), *(loops.radius for loops in made)]),
        node=numbered([loops.node for loops in made], first_node),
        share=_joined([loops.share for loops in made], 3),
        first_node=first_node,
        first_mode=_firsts([len(constants) for constants, _ in modes]),
        conductance=np.concatenate([np.zeros(0), *(conductances(loops) for loops in made)]),
        slow=np.array([np.count_nonzero(constants >= least(scene)) for constants, _ in modes], dtype=np.int64),
        time_constant=np.concatenate([np.zeros(0), *(constants for constants, _ in modes)]),
        mode=_joined([np.pad(mode, ((0, 0), (0, widest - mode.shape[1]))) for _, mode in modes], widest),
        begin=np.concatenate([np.zeros(0), *(begins(mode) for _, mode in modes)]).astype(np.int64),
        dipoles=sum(int(np.count_nonzero(loops.radius == 0.0)) for loops in made),
        circle=np.ascontiguousarray(circle(ELEMENTS).T),
        disc=_disc(),
    )


def conductances(loops: Loops) -> np.ndarray:
    """(n,) [1/ohm] of nodes that have no resistance in common; 0 of others."""
    own = np.diag(loops.resistance)
    return 1.0 / own if np.count_nonzero(loops.resistance) == len(own) else np.zeros(len(own))


def modes_of(loops: Loops, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Time constants (k,) [s] in falling order, and modes (k, n) with R as their scalar product.

    Those of `least` [s] and more, and at least one; behind them, where nodes have a resistance in common, a triangular
    basis of all others, whose time constants are given as 0. Kept for the next scene with the same conductor.
    """
    is_diagonal = bool(conductances(loops).any())
    return _modes(loops.inductance.tobytes(), loops.resistance.tobytes(), is_diagonal, least)


@lru_cache(maxsize=4)
def _modes(inductance: bytes, resistance: bytes, is_diagonal: bool, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Those of `modes_of`, of the matrices (n, n) L [H] and R [ohm]; is_diagonal: R is. Not to be written into."""
    count = isqrt(len(resistance) // 8)
    matrices = (np.frombuffer(each).reshape(count, count) for each in (inductance, resistance))
    constants, modes = scipy.linalg.eigh(*matrices)
    constants, modes = constants[::-1], modes.T[::-1]
    count = max(1, int(np.count_nonzero(constants >= least)))
    if is_diagonal or count == len(constants):
        return constants[:count].copy(), np.ascontiguousarray(modes[:count])
    slow = constants[:count].copy()
    if slow[0] < least:  # named for the note alone
        count = 0
    fast = scipy.linalg.qr(modes[count:], mode="r")[0][: len(constants) - count]
    rows = np.concatenate([modes[:count], np.triu(fast)])
    return np.pad(slow, (0, len(rows) - len(slow))), np.ascontiguousarray(rows)


def begins(mode: np.ndarray) -> np.ndarray:
    """(k,) the first node with a current in each mode (k, n)."""
    return np.asarray((mode != 0.0).argmax(axis=1))


def least(scene: Scene) -> float:
    """Time constant [s] from which on a mode has its flux linkage in the state."""
    solver = scene.solver
    return solver.time_step * (IMPLICIT if solver.method == "implicit" else 1.0)


def _joined(rows: list[np.ndarray], width: int) -> np.ndarray:
    return np.concatenate([np.zeros((0, width)), *rows])


def _firsts(counts: list[int]) -> np.ndarray:
    return np.cumsum([0, *counts]).astype(np.int64)


@cache
def _disc() -> np.ndarray:
    """(q, 3) points of a disc of radius 1, and their weights: Gauss points of the square of the radius."""
    at, weight = gauss_points(DISC[0])
    radius, angle = np.sqrt(0.5 * (1.0 + at))[:, None], 2.0 * pi * np.arange(DISC[1]) / DISC[1]
    part = np.broadcast_to(0.5 * weight[:, None] / DISC[1], (DISC[0], DISC[1]))
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), part], axis=-1).reshape(-1, 3)
