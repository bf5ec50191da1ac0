"""Engine record of tracks: Coulomb friction of beads, and tracks that hold a bead from one side only.

SOLVE      Coulomb friction, and the forces that decide about events
FINISH     events within the step: stop, slip, departure, landing, ends of the path
OBSERVE    whether a one-sided track holds its bead
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.paths.arrays import HOLD, bead_rows, is_held
from polhode.physics.tracks.arrays import has_tracks, make_track_work
from polhode.physics.tracks.columns import WIDTH
from polhode.physics.tracks.compile import compile_tracks
from polhode.physics.tracks.coulomb_friction import add_coulomb_friction
from polhode.physics.tracks.events import find_events


@kernel
def resist(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SOLVE: Coulomb friction of all beads."""
    rows = bead_rows(model.beads, state)
    add_coulomb_friction(
        model.bodies, model.beads, model.tracks, rows, work.bodies, work.beads, work.tracks, work.power
    )
    return 0.0


@kernel
def finish(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """FINISH: events of beads within the step that ends at `time`."""
    find_events(model, inputs, time, state, work)
    return 0.0


@kernel
def write_tracks(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """OBSERVE: of each bead on a one-sided track 1 while the track holds it, 0 while it flies."""
    rows, at = bead_rows(model.beads, state), 0
    for i in range(rows.shape[1]):
        if model.tracks.one_sided[i]:
            out[at] = 1.0 if is_held(rows[HOLD, i]) else 0.0
            at += WIDTH
    return 0.0


PART = Part(
    "tracks",
    compile=compile_tracks,
    work=lambda model: {"tracks": make_track_work(model)},
    is_in=lambda model, inputs: has_tracks(model),
    solve=(resist,),
    finish=(finish,),
    observe=(write_tracks,),
    width=lambda model: WIDTH * int(model.tracks.one_sided.sum()),
    shown={},
)
