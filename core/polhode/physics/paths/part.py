"""Engine record of beads.

BEGIN      chooses idle rows, if all beads slide under their weight only
REDUCE     path geometry into BeadWork; bodies of beads into the state and into BodyWork
LAW        marks that forces are summed; other laws act on the bodies of beads
PROJECT    rates of q and dl/dt, constraint force
FINISH     ends of paths; bases of turning beads
OBSERVE    parameter, speed and constraint force
"""

from __future__ import annotations

import numpy as np

from polhode.engine.idle import has_idle_rows
from polhode.engine.model import Inputs, Model, Work
from polhode.engine.part import Part, Section
from polhode.engine.rates import rates
from polhode.jit.kernel import kernel
from polhode.jit.vec import row
from polhode.physics.bodies.arrays import BODY_SIZE, write
from polhode.physics.paths.arrays import PARAMETER, SPEED, bead_rows, make_bead_work
from polhode.physics.paths.columns import WIDTH
from polhode.physics.paths.compile import compile_beads, start_beads
from polhode.physics.paths.path_ends import end_paths, orthonormalise_bead_bases
from polhode.physics.paths.path_kernels import to_user_parameter
from polhode.physics.paths.placement import place_beads, project_beads
from polhode.physics.paths.weight_driven import can_idle, drive_beads, forget_pieces


@kernel
def leave_out_bodies(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    """BEGIN: make the bodies of beads idle rows, if all beads slide under their weight only; see
    core/polhode/engine/idle.py.

    Not if any other subject reads or acts on bodies, or if a bead rolls or has left its path. The bases of bodies,
    which are constant, are copied to `work.stage`.
    """
    if work.program.only_beads[0] == 0:
        return 0.0
    rows = bead_rows(model.beads, state)
    for i in range(rows.shape[1]):
        if not can_idle(model.beads, i, rows):
            return 0.0
    forget_pieces(work.beads)
    first, stop = BODY_SIZE * model.bodies.first_bead, BODY_SIZE * len(model.bodies.mass)
    for i in range(first, stop):
        work.stage[i] = state[i]
    work.idle[0], work.idle[1] = first, stop
    return 0.0


@kernel
def reduce(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """REDUCE: place all beads and their bodies, unless these are idle.

    PROJECT then counts no forces until LAW marks them.
    """
    if not has_idle_rows(work):
        place_beads(model.bodies, model.beads, inputs.sensor_track, time, state, work.bodies, work.beads)
    work.beads.loaded[0] = 0.0
    return 0.0


@kernel
def load(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: mark that forces are summed: PROJECT includes them."""
    work.beads.loaded[0] = 1.0
    return 0.0


@kernel
def project(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """PROJECT: rates of all beads, constraint forces, and powers; rates of their bodies unless these are idle."""
    if has_idle_rows(work):
        drive_beads(
            model.bodies,
            model.beads,
            inputs.gravity,
            inputs.sensor_track,
            time,
            state,
            work.bodies,
            work.beads,
            work.power,
            out,
        )
    else:
        project_beads(model.bodies, model.beads, state, work.bodies, work.beads, work.power, out)
    return 0.0


@kernel
def finish(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """FINISH: treat beads beyond the ends of their paths, and make the bases of turning beads orthonormal.

    The largest deviation of a basis is kept in work.basis_error.
    """
    end_paths(model, inputs, time, state, work)
    if not has_idle_rows(work):
        work.basis_error[0] = max(work.basis_error[0], orthonormalise_bead_bases(model.beads, state))
    return 0.0


@kernel
def write_beads(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """OBSERVE: parameter of the user, speed [m/s] and constraint force [N], laboratory frame, of every bead.

    S needs the sum of all forces, which is evaluated for it.
    """
    work.beads.constraint_requested[0] = 1.0
    rates(model, inputs, time, state, work, work.rate)
    work.beads.constraint_requested[0] = model.beads.force_needed
    rows = bead_rows(model.beads, state)
    for i in range(rows.shape[1]):
        at = WIDTH * i
        out[at], out[at + 1] = to_user_parameter(model.beads.paths, i, rows[PARAMETER, i]), rows[SPEED, i]
        write(out, 0, at + 2, row(work.beads.constraint, i))
    return 0.0


PART = Part(
    "paths",
    compile=compile_beads,
    model_fields=("gravity",),  # which side of a path is below
    work=lambda model: {"beads": make_bead_work(model.beads)},
    section=Section(
        lambda model: np.repeat([False, True, False], len(model.beads.body)),
        lambda built, number: built.scene.bead[number % len(built.scene.bead)].name,
        "beads",
    ),
    start=start_beads,
    is_in=lambda model, inputs: len(model.beads.body) > 0,
    meets_bodies=False,  # beads meet their own bodies only
    begin=(leave_out_bodies,),
    reduce=(reduce,),
    laws={"paths": load},
    project=(project,),
    finish=(finish,),
    observe=(write_beads,),
    width=lambda model: WIDTH * len(model.beads.body),
    shown={},
)
