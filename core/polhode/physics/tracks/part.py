"""Engine record of tracks: Coulomb friction of beads, and tracks that hold a bead from one side only.

SOLVE      Coulomb friction, and the forces that decide about events
SWITCH     margins of events: stop, slip, departure, landing, ends of the path
IMPACT     these events
FINISH     the same, if steps are not divided
OBSERVE    whether a one-sided track holds its bead
"""

from __future__ import annotations

from polhode.engine.model import Step
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.paths.arrays import HOLD, bead_rows, is_held
from polhode.physics.tracks.arrays import EVENTS, make_track_work
from polhode.physics.tracks.columns import WIDTH
from polhode.physics.tracks.compile import compile_tracks
from polhode.physics.tracks.coulomb_friction import add_coulomb_friction
from polhode.physics.tracks.margins import write_margins
from polhode.physics.tracks.switching import pass_events, settle_after_step


@kernel
def resist(s: Step) -> None:
    """SOLVE: Coulomb friction of all beads."""
    rows = bead_rows(s.model.beads, s.state)
    add_coulomb_friction(
        s.model.bodies, s.model.beads, s.model.tracks, rows, s.work.bodies, s.work.beads, s.work.tracks, s.work.power
    )


@kernel
def write_tracks(s: Step) -> None:
    """OBSERVE: of each bead on a one-sided track 1 while the track holds it, 0 while it flies."""
    rows, at = bead_rows(s.model.beads, s.state), 0
    for i in range(rows.shape[1]):
        if s.model.tracks.one_sided[i]:
            s.out[at] = 1.0 if is_held(rows[HOLD, i]) else 0.0
            at += WIDTH


PART = Part(
    "tracks",
    compile=compile_tracks,
    work=lambda model: {"tracks": make_track_work(model)},
    is_in=lambda model, inputs: len(model.tracks.bead) > 0,
    solve=(resist,),
    finish=(settle_after_step,),
    switch=(write_margins,),
    switches=lambda model: EVENTS * len(model.tracks.bead),
    impact=(pass_events,),
    observe=(write_tracks,),
    width=lambda model: WIDTH * int(model.tracks.one_sided.sum()),
    shown={},
)
