"""Spheres on paths as arrays: what is constant, what stands in the state, and where on their paths they are now."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel import view
from core.jit.kernel_struct import KernelStruct, rows_within
from core.physics.paths.path_kernels import Paths

# One bead in the state: how far along its path, the speed along it, what holds it.
PLACE, SPEED, HOLD, BEAD_SIZE = range(4)
ON_ITS_PATH, AT_THE_END, GONE = 0.0, 1.0, 2.0  # where it stays for good; or it has left the path and is free
BOUNCE, STOP, LEAVE = range(3)
ENDS = {"bounce": BOUNCE, "stop": STOP, "leave": LEAVE}


@dataclass(frozen=True, eq=False)
class Beads(KernelStruct):
    """The last bodies of the model. Their rows of the state follow from a number along a path while they are on it."""

    body: np.ndarray  # (c,) int64
    inertia: np.ndarray  # (c,) f: along its path a bead is as heavy as f times its mass, 7/5 if it rolls, else 1
    radius: np.ndarray  # (c,) [m]
    friction: np.ndarray  # (c,) [N s/m] along the path
    ends: np.ndarray  # (c,) int64, one of ENDS
    side: np.ndarray  # (c, 3) unit vector that says which way is across the path
    level: np.ndarray  # (c,) bool: the track is below, opposite to `side`; else it is bent about `side`
    weights: np.ndarray  # (3, c) mass [kg], friction [N s/m] and 1/(f m) [1/kg], to be read eight at a time
    moved: bool  # some of the paths are moved as wholes, or may be
    paths: Paths
    at: int = 0  # where they begin in the state


@dataclass(frozen=True, eq=False)
class BeadWork(KernelStruct):
    """Scratch: the paths where the beads are, as everything was placed last."""

    tangent: np.ndarray  # (c, 3) t = dr/dl
    across: np.ndarray  # (c, 3) unit vector across t, about which a bead would roll forwards
    curvature: np.ndarray  # (c, 3) [1/m] chi = dt/dl
    stretch: np.ndarray  # (c,) |dr/dq| [m per unit of q]
    shift: np.ndarray  # (c, 3) [m] how far the paths have moved
    velocity: np.ndarray  # (c, 3) [m/s] of the paths
    acceleration: np.ndarray  # (c, 3) [m/s^2] of the paths
    constraint: np.ndarray  # (c, 3) [N] S, by the paths on the beads
    piece: np.ndarray  # (c,) int64: of its spline, where a bead was last
    turn: np.ndarray  # (c,) whole periods that are in q there; nan where nobody knows
    slope: np.ndarray  # (3, c) dr/dq where beads are that only weight acts on
    loaded: np.ndarray  # (1,) 0 while there are no forces: speeds stay, whatever the paths do
    asked: np.ndarray  # (1,) not 0 while somebody asks for the constraint, and for what is across a bead that slides
    jump: np.ndarray  # (1,) not 0 since a bead has come to an end of its path: earlier rates say nothing any more


def make_bead_work(beads: Beads) -> BeadWork:
    """Scratch arrays of the sizes that a model needs."""
    count = len(beads.body)
    of_beads = ["tangent", "across", "curvature", "shift", "velocity", "acceleration", "constraint"]
    arrays: dict[str, np.ndarray] = {name: np.zeros((count, 3)) for name in of_beads}
    arrays |= {name: np.zeros(1) for name in ("loaded", "asked", "jump")}
    of_waiting = {"turn": np.full(count, np.nan), "slope": np.zeros((3, count))}
    return BeadWork(**arrays, stretch=np.ones(count), piece=beads.paths.first_piece.copy(), **of_waiting)


def bead_states(beads: Beads, state: np.ndarray) -> np.ndarray:
    """(3, c) view of the beads in the state (k,): q, dl/dt [m/s], and what holds each."""
    count = len(beads.body)
    return state[beads.at : beads.at + BEAD_SIZE * count].reshape(BEAD_SIZE, count)


@view
def bead_rows(beads: Beads, state: np.ndarray) -> np.ndarray:
    """The same for kernels."""
    return rows_within(state, beads.at, BEAD_SIZE, len(beads.body))
