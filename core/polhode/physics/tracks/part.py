"""Engine record of tracks: Coulomb friction of beads, and tracks that hold a bead from one side only.

SOLVE      Coulomb friction, and the forces that decide about events
SWITCH     margins of events: stop, slip, departure, landing, ends of the path
IMPACT     these events
FINISH     the same, if steps are not divided
OBSERVE    whether a one-sided track holds its bead
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.paths.arrays import HOLD, bead_rows, is_held
from polhode.physics.tracks.arrays import EVENTS, has_tracks, make_track_work
from polhode.physics.tracks.columns import WIDTH
from polhode.physics.tracks.compile import compile_tracks
from polhode.physics.tracks.coulomb_friction import add_coulomb_friction
from polhode.physics.tracks.margins import write_margins
from polhode.physics.tracks.switching import pass_events, settle_after_step


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
    """FINISH: events that are due by the end of a step that is not divided."""
    settle_after_step(model, inputs, time, state, work)
    return 0.0


@kernel
def margins(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SWITCH: margins of the events of all tracked beads."""
    write_margins(model, inputs, time, state, work, out)
    return 0.0


@kernel
def switch(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """IMPACT: events of tracked beads."""
    pass_events(model, inputs, time, state, work, out)
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
    switch=(margins,),
    switches=lambda model: EVENTS * len(model.tracks.bead),
    impact=(switch,),
    observe=(write_tracks,),
    width=lambda model: WIDTH * int(model.tracks.one_sided.sum()),
    shown={},
)
