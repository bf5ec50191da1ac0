"""Engine record of beads.

BEGIN      chooses idle rows, if all beads slide under their weight only
REDUCE     path geometry into BeadWork; bodies of beads into the state and into BodyWork
LAW        marks that forces are summed; other laws act on the bodies of beads
PROJECT    rates of q and dl/dt, constraint force
FINISH     ends of paths; bases of turning beads
OBSERVE    parameter, speed and constraint force
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.idle import has_idle_rows
from polhode.engine.model import Step
from polhode.engine.part import Part, StateSection
from polhode.engine.rates import rates
from polhode.jit.kernel import kernel
from polhode.jit.vec import dot, row
from polhode.physics.bodies.arrays import BODY_SIZE, write
from polhode.physics.paths.arc_length import length_at
from polhode.physics.paths.arrays import PARAMETER, SPEED, bead_rows, make_bead_work
from polhode.physics.paths.columns import WIDTH
from polhode.physics.paths.compile import compile_beads, start_beads
from polhode.physics.paths.path_ends import end_paths, orthonormalise_bead_bases
from polhode.physics.paths.path_kernels import to_user_parameter
from polhode.physics.paths.placement import place_beads, project_beads
from polhode.physics.paths.weight_driven import can_idle, drive_beads, forget_pieces


@kernel
def leave_out_bodies(s: Step) -> None:
    """BEGIN: make the bodies of beads idle rows, if all beads slide under their weight only; see
    core/polhode/engine/idle.py.

    Not if any other subject reads or acts on bodies, or if a bead rolls or has left its path. The bases of bodies,
    which are constant, are copied to `work.stage`.
    """
    if s.work.program.only_beads[0] == 0:
        return
    rows = bead_rows(s.model.beads, s.state)
    for i in range(rows.shape[1]):
        if not can_idle(s.model.beads, i, rows):
            return
    forget_pieces(s.work.beads)
    first, stop = BODY_SIZE * s.model.bodies.first_bead, BODY_SIZE * len(s.model.bodies.mass)
    for i in range(first, stop):
        s.work.stage[i] = s.state[i]
    s.work.idle[0], s.work.idle[1] = first, stop


@kernel
def reduce(s: Step) -> None:
    """REDUCE: place all beads and their bodies, unless these are idle.

    PROJECT then counts no forces until LAW marks them.
    """
    if not has_idle_rows(s.work):
        place_beads(s.model.bodies, s.model.beads, s.inputs.sensor_track, s.time, s.state, s.work.bodies, s.work.beads)
    s.work.beads.loaded[0] = 0.0


@kernel
def load(s: Step) -> None:
    """LAW: mark that forces are summed: PROJECT includes them."""
    s.work.beads.loaded[0] = 1.0


@kernel
def project(s: Step) -> None:
    """PROJECT: rates of all beads, constraint forces, and powers; rates of their bodies unless these are idle."""
    if has_idle_rows(s.work):
        drive_beads(
            s.model.bodies,
            s.model.beads,
            s.inputs.gravity,
            s.inputs.sensor_track,
            s.time,
            s.state,
            s.work.bodies,
            s.work.beads,
            s.work.power,
            s.out,
        )
    else:
        project_beads(s.model.bodies, s.model.beads, s.state, s.work.bodies, s.work.beads, s.work.power, s.out)


@kernel
def finish(s: Step) -> None:
    """FINISH: treat beads beyond the ends of their paths, and make the bases of turning beads orthonormal.

    The largest deviation of a basis is kept in work.basis_error.
    """
    end_paths(s.model, s.inputs, s.time, s.state, s.work)
    if not has_idle_rows(s.work):
        s.work.basis_error[0] = max(s.work.basis_error[0], orthonormalise_bead_bases(s.model.beads, s.state))


@kernel
def write_beads(s: Step) -> None:
    """OBSERVE: parameter of the user, speed [m/s], constraint force [N], acceleration along the path [m/s^2], unit
    tangent and curvature vector [1/m], laboratory frame, length [m] from the start of the path and curvature [1/m] of
    every bead.

    S and the acceleration need the sum of all forces, which is evaluated for them.
    """
    s.work.beads.constraint_requested[0] = 1.0
    rates(s.model, s.inputs, s.time, s.state, s.work, s.work.rate)
    s.work.beads.constraint_requested[0] = s.model.beads.force_needed
    rows, changes = bead_rows(s.model.beads, s.state), bead_rows(s.model.beads, s.work.rate)
    for i in range(rows.shape[1]):
        at = WIDTH * i
        s.out[at], s.out[at + 1] = to_user_parameter(s.model.beads.paths, i, rows[PARAMETER, i]), rows[SPEED, i]
        write(s.out, 0, at + 2, row(s.work.beads.constraint, i))
        s.out[at + 5] = changes[SPEED, i]
        write(s.out, 0, at + 6, row(s.work.beads.tangent, i))
        curvature = row(s.work.beads.curvature, i)
        write(s.out, 0, at + 9, curvature)
        s.out[at + 12] = length_at(s.model.beads.paths, i, rows[PARAMETER, i])
        s.out[at + 13] = sqrt(dot(curvature, curvature))


PART = Part(
    "paths",
    compile=compile_beads,
    model_fields=("gravity",),  # which side of a path is below
    work=lambda model: {"beads": make_bead_work(model.beads)},
    section=StateSection(
        lambda model: np.repeat([False, True, False], len(model.beads.body)),
        lambda compiled, number: compiled.scene.bead[number % len(compiled.scene.bead)].name,
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
