"""Constants and scratch arrays of tracks: paths with Coulomb friction, and paths that hold a bead from one side."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Model
from polhode.jit.kernel_struct import KernelStruct

# Events of a bead on a track.
PASSES_END, STOPS, SLIPS, LEAVES, LANDS, EVENTS = range(6)


class Tracks(KernelStruct):
    """Constants of the tracks of beads, one for each bead; equal one-sided paths share their points."""

    bead: np.ndarray
    """(n,) int64 index of each tracked bead."""
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
    """(p,) internal parameters of these points."""
    points: np.ndarray
    """(p, 3) [m] points of paths at rest, laboratory frame, among which the search for the nearest one begins."""


class TrackWork(KernelStruct):
    """Scratch of tracks, for c beads, n of which are tracked."""

    drive: np.ndarray
    """(c,) [N] force along t on a bead at rest, without that of the path; written by SOLVE."""
    across: np.ndarray
    """(c,) [N] size of the force of the path across it; written by SOLVE."""
    pressure: np.ndarray
    """(c,) [N] S.n, negative where the path pulls; written by SOLVE."""
    values: np.ndarray
    """(EVENTS n,) margins of tracked beads, of methods whose steps are not divided; FINISH."""


def make_track_work(model: Model) -> TrackWork:
    """Scratch arrays for the tracks of a model."""
    drive, across, pressure = np.zeros((3, len(model.beads.body)))
    return TrackWork(drive, across, pressure, np.zeros(EVENTS * len(model.tracks.bead)))
