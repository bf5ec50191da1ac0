"""Constants and scratch arrays of tracks: paths with Coulomb friction, and paths that hold a bead from one side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.engine.model import Model
from polhode.jit.kernel_struct import KernelStruct
from polhode.physics.bodies.arrays import BODY_SIZE
from polhode.physics.paths.arrays import BEAD_SIZE

# Events of a bead within a step, in the order in which they are looked for.
PASSES_END, STOPS, SLIPS, LEAVES, LANDS, EVENTS = range(6)


@dataclass(frozen=True, eq=False)
class Tracks(KernelStruct):
    """Constants of the tracks of beads, one for each bead; equal one-sided paths share their points."""

    kinetic: np.ndarray
    """(c,) Coulomb's coefficient of kinetic friction."""
    static: np.ndarray
    """(c,) Coulomb's coefficient of static friction; 0: no friction."""
    one_sided: np.ndarray
    """(c,) bool: the track can push the bead along n = t x e only."""
    restitution: np.ndarray
    """(c,) coefficient of restitution of a bead that falls on its track."""
    first: np.ndarray
    """(c,) int64 index of the first point of a one-sided path."""
    stop: np.ndarray
    """(c,) int64 index after its last point."""
    parameters: np.ndarray
    """(n,) internal parameters of these points."""
    places: np.ndarray
    """(n, 3) [m] points of paths at rest, laboratory frame, among which the search for the nearest one begins."""


@dataclass(frozen=True, eq=False)
class TrackWork(KernelStruct):
    """Scratch of tracks. Arrays of the length k of the state are empty in scenes without tracks."""

    drive: np.ndarray
    """(c,) [N] force along t on a bead at rest, without that of the path; written by SOLVE."""
    across: np.ndarray
    """(c,) [N] size of the force of the path across it; written by SOLVE."""
    pressure: np.ndarray
    """(c,) [N] S.n, negative where the path pulls; written by SOLVE."""
    margins: np.ndarray
    """(EVENTS,) margin of each event of a bead, negative once it is due; FINISH."""
    following: np.ndarray
    """(k,) next state while an event before it is located; FINISH."""
    base: np.ndarray
    """(k,) state at the start of a partial step; FINISH."""
    total: np.ndarray
    """(k,) weighted sum of its rates; FINISH."""
    rate: np.ndarray
    """(k,) rates of the state; FINISH."""
    steady: np.ndarray
    """(k,) rates at the next state, with which everything but beads and the ledger moves; FINISH."""
    moves: np.ndarray
    """(k,) bool: rows of beads, of their bodies and of the ledger, which partial steps integrate."""


def has_tracks(model: Model) -> bool:
    """Whether any bead has Coulomb friction or a one-sided track."""
    return bool(model.beads.tracked.any())


def make_track_work(model: Model) -> TrackWork:
    """Scratch arrays for the tracks of a model."""
    count, k = len(model.beads.body), len(model.is_momentum) if has_tracks(model) else 0
    moves = np.zeros(k, dtype=np.bool_)
    moves[BODY_SIZE * model.bodies.first_bead : BODY_SIZE * len(model.bodies.mass)] = True
    moves[model.beads.at : model.beads.at + BEAD_SIZE * count] = True
    moves[model.ledger :] = True
    forces = {name: np.zeros(count) for name in ("drive", "across", "pressure")}
    states = {name: np.zeros(k) for name in ("following", "base", "total", "rate", "steady")}
    return TrackWork(**forces, margins=np.zeros(EVENTS), **states, moves=moves)
