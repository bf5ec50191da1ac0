"""Engine records of beads on paths that move with bodies.

PLACE      beads, after bodies
SOLVE      forces of the paths, and their reactions on the bodies
PROJECT    rates of q and u
SWITCH     distances to the ends of paths; speeds of rough beads, or the static friction left to them
IMPACT     bounce, stop or departure there; rest or slip of rough beads
"""

from __future__ import annotations

from polhode.engine.events import FREE as UNDIVIDED
from polhode.engine.ledger import FRICTION
from polhode.engine.model import Step
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.carried.arrays import make_carried_work
from polhode.physics.carried.compile import check_carried, compile_carried
from polhode.physics.carried.coupling import couple
from polhode.physics.carried.ends import PER_BEAD, finish_ends, meet_ends, write_distances
from polhode.physics.carried.friction import settle_after_step, stop_or_slip, write_margins
from polhode.physics.carried.placement import place_carried
from polhode.physics.paths.arrays import HOLD, PARAMETER, SPEED, bead_rows, is_held, moves_along


@kernel
def place(s: Step) -> None:
    """PLACE: beads on paths of bodies."""
    place_carried(s.model.bodies, s.model.beads, s.model.carried, s.state, s.work.bodies, s.work.beads, s.work.carried)


@kernel
def react(s: Step) -> None:
    """SOLVE: forces of paths on their beads, and of these on the bodies."""
    couple(
        s.model.bodies,
        s.model.beads,
        s.model.body_motions,
        s.model.tracks,
        s.model.carried,
        s.inputs.sensor_track,
        s.time,
        s.state,
        s.work.bodies,
        s.work.beads,
        s.work.body_motions,
        s.work.carried,
    )


@kernel
def project(s: Step) -> None:
    """PROJECT: rates of q and u, and the power of the friction of paths. Without forces the speeds stay constant."""
    rows, rates = bead_rows(s.model.beads, s.state), bead_rows(s.model.beads, s.out)
    for i in s.model.carried.bead:
        if not is_held(rows[HOLD, i]):
            continue
        speed, moves = rows[SPEED, i], moves_along(rows[HOLD, i])
        rates[PARAMETER, i] = speed / s.work.beads.stretch[i] if moves else 0.0
        rates[SPEED, i], rates[HOLD, i] = 0.0, 0.0
        if s.work.beads.loaded[0] != 0.0 and moves:
            rates[SPEED, i] = s.work.carried.change[i]
            s.work.power[FRICTION] += (s.work.beads.coulomb[i] - s.model.beads.friction[i] * speed) * speed


@kernel
def finish(s: Step) -> None:
    """FINISH: beads at rest at an end; ends and rough beads if steps are not divided."""
    finish_ends(s)
    if s.work.events.mode[0] == UNDIVIDED:
        settle_after_step(s)


@kernel
def distances(s: Step) -> None:
    """SWITCH: distances of all beads from the ends of their paths, and margins of rough ones."""
    write_distances(s.model.beads, s.model.carried.with_ends, bead_rows(s.model.beads, s.state), s.out)
    write_margins(s, s.out[PER_BEAD * len(s.model.carried.with_ends) :])


@kernel
def meet(s: Step) -> None:
    """IMPACT: ends of paths, and rough beads that stop or slip."""
    meet_ends(s)
    stop_or_slip(s, s.out[PER_BEAD * len(s.model.carried.with_ends) :])


PLACED = Part("paths on bodies", is_in=lambda model, inputs: len(model.carried.bead) > 0, place=(place,))
COUPLED = Part(
    "beads on bodies",
    check=check_carried,
    compile=compile_carried,
    work=lambda model: {"carried": make_carried_work(model)},
    is_in=lambda model, inputs: len(model.carried.bead) > 0,
    solve=(react,),
    project=(project,),
    finish=(finish,),
    switch=(distances,),
    switches=lambda model: PER_BEAD * len(model.carried.with_ends) + len(model.carried.rough),
    impact=(meet,),
)
