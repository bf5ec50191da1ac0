"""Engine records of beads on paths that move with bodies.

PLACE      beads, after bodies
SOLVE      forces of the paths, and their reactions on the bodies
PROJECT    rates of q and u
SWITCH     distances to the ends of paths; speeds of rough beads, or the static friction left to them
IMPACT     bounce, stop or departure there; rest or slip of rough beads
"""

from __future__ import annotations

import numpy as np

from polhode.engine.events import FREE as UNDIVIDED
from polhode.engine.ledger import FRICTION
from polhode.engine.model import Inputs, Model, Work
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
def place(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """PLACE: beads on paths of bodies."""
    place_carried(model.bodies, model.beads, model.carried, state, work.bodies, work.beads, work.carried)
    return 0.0


@kernel
def react(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SOLVE: forces of paths on their beads, and of these on the bodies."""
    couple(
        model.bodies,
        model.beads,
        model.body_motions,
        model.tracks,
        model.carried,
        time,
        state,
        work.bodies,
        work.beads,
        work.body_motions,
        work.carried,
    )
    return 0.0


@kernel
def project(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """PROJECT: rates of q and u, and the power of the friction of paths. Without forces the speeds stay constant."""
    rows, rates = bead_rows(model.beads, state), bead_rows(model.beads, out)
    for i in model.carried.bead:
        if not is_held(rows[HOLD, i]):
            continue
        speed, moves = rows[SPEED, i], moves_along(rows[HOLD, i])
        rates[PARAMETER, i] = speed / work.beads.stretch[i] if moves else 0.0
        rates[SPEED, i], rates[HOLD, i] = 0.0, 0.0
        if work.beads.loaded[0] != 0.0 and moves:
            rates[SPEED, i] = work.carried.change[i]
            work.power[FRICTION] += (work.beads.coulomb[i] - model.beads.friction[i] * speed) * speed
    return 0.0


@kernel
def finish(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """FINISH: beads at rest at an end; ends and rough beads if steps are not divided."""
    finish_ends(model, inputs, time, state, work)
    if work.events.mode[0] == UNDIVIDED:
        settle_after_step(model, inputs, time, state, work)
    return 0.0


@kernel
def distances(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SWITCH: distances of all beads from the ends of their paths, and margins of rough ones."""
    write_distances(model.beads, model.carried.with_ends, bead_rows(model.beads, state), out)
    margins = out[PER_BEAD * len(model.carried.with_ends) :]
    write_margins(model, inputs, time, state, work, margins)
    return 0.0


@kernel
def meet(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """IMPACT: ends of paths, and rough beads that stop or slip."""
    meet_ends(model, inputs, time, state, work, out)
    margins = out[PER_BEAD * len(model.carried.with_ends) :]
    stop_or_slip(model, inputs, time, state, work, margins)
    return 0.0


PLACED = Part(
    "paths on bodies",
    is_in=lambda model, inputs: len(model.carried.bead) > 0,
    place=(place,),
)
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
