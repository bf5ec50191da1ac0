"""Engine record of joints.

LAW        springs, friction and motors along the axes
SOLVE      forces of the equations
PROJECT    rates of the angles
FINISH     projection of positions and velocities; angles; largest forces
SWITCH     limits, strings, dry friction, breaking
IMPACT     impulses there
ENERGY     elastic energy of the springs
OBSERVE    force, torque, their largest values, status, angle or displacement of each joint
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from core.engine.ledger import ELASTIC
from core.engine.model import NOTHING, Inputs, Model, Work
from core.engine.part import Part, Section
from core.engine.rates import place, rates
from core.jit.kernel import kernel
from core.physics.bodies.arrays import write
from core.physics.joints.arrays import CYLINDRICAL, HINGE, PER_JOINT, SLIDER, WIDTH, section_size, status_of, widths
from core.physics.joints.axis_forces import add_axis_forces, angular_rate, coordinate, joint_energy, reaction
from core.physics.joints.checks import check_joints
from core.physics.joints.compile import compile_joints, make_joint_work
from core.physics.joints.impacts import meet, settle_after_step
from core.physics.joints.projection import WELL, keep_largest, project_all, repair_members
from core.physics.joints.reactions import add_reactions
from core.physics.joints.start import start_joints
from core.physics.joints.switching import write_values

if TYPE_CHECKING:
    from core.engine.compile import CompiledScene


@kernel
def push(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: springs, friction and motors along the axes."""
    add_axis_forces(model.joints, time, state, work.bodies, work.joints, work.power)
    return 0.0


@kernel
def hold(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SOLVE: forces that keep the equations of all joints satisfied."""
    add_reactions(
        model.bodies,
        model.joints,
        model.body_motions,
        inputs.sensor_track,
        time,
        state,
        work.bodies,
        work.body_motions,
        work.joints,
        work.power,
    )
    return 0.0


@kernel
def turn(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """PROJECT: rates of the angles; status and largest forces change at steps alone."""
    for k in range(model.joints.largest + 2 * len(model.joints.kind)):
        out[model.joints.at + k] = 0.0
    for j in range(len(model.joints.kind)):
        if model.joints.angle[j] != NOTHING:
            out[model.joints.at + model.joints.angle[j]] = angular_rate(model.joints, j, state, work.bodies)
    return 0.0


@kernel
def finish(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """FINISH: project positions and velocities onto the equations; a state that can't be projected becomes nan."""
    keep_largest(model.joints, state, work.bodies, work.joints)
    repair_members(model.joints, model.bodies.support, state)
    left = project_all(
        model.bodies,
        model.joints,
        model.body_motions,
        inputs.sensor_track,
        time,
        state,
        work.bodies,
        work.body_motions,
        work.joints,
    )
    if not left <= WELL:
        state[model.joints.at] = nan
        return 0.0
    settle_after_step(model, inputs, time, state, work)
    return 0.0


@kernel
def switch(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SWITCH: what decides about the status of joints."""
    write_values(model, inputs, time, state, work, out)
    return 0.0


@kernel
def change_status(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """IMPACT: limits, strings, dry friction, breaking."""
    meet(model, inputs, time, state, work, out)
    return 0.0


@kernel
def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """ENERGY: elastic energy of the springs."""
    out[ELASTIC] += joint_energy(model.joints, state, work.bodies)
    return 0.0


@kernel
def observe(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """OBSERVE: force [N], torque [N m], largest of both, angle [rad] or displacement [m], and status of every joint.

    The forces need the sum of all others, which is evaluated for them.
    """
    rates(model, inputs, time, state, work, work.rate)
    at = 0
    for j in range(len(model.joints.kind)):
        force, torque = reaction(model.joints, j, state, work.bodies, work.joints)
        write(out, 0, at, force)
        write(out, 0, at + 3, torque)
        largest = model.joints.at + model.joints.largest + 2 * j
        out[at + 6], out[at + 7] = state[largest], state[largest + 1]
        at += WIDTH
        if model.joints.kind[j] in (HINGE, CYLINDRICAL, SLIDER):
            out[at], _ = coordinate(model.joints, j, state, work.bodies)
            at += 1
        if model.joints.status[j] != NOTHING:
            out[at] = status_of(model.joints, j, state)
            at += 1
    place(model, inputs, time, state, work)
    return 0.0


def owner(built: CompiledScene, number: int) -> str:
    """Name of the joint of a number of the state: angles, then status, then the largest force and torque."""
    joints = built.model.joints
    if number >= joints.largest:
        return built.scene.joint[(number - joints.largest) // 2].name
    return built.scene.joint[int(np.flatnonzero((joints.angle == number) | (joints.status == number))[0])].name


PART = Part(
    "joints",
    check=check_joints,
    compile=compile_joints,
    work=lambda model: {"joints": make_joint_work(model.joints, len(model.is_momentum))},
    section=Section(lambda model: np.zeros(section_size(model.joints), dtype=np.bool_), owner, "joints"),
    start=start_joints,
    is_in=lambda model, inputs: len(model.joints.kind) > 0,
    laws={"joint axes": push},
    solve=(hold,),
    project=(turn,),
    finish=(finish,),
    energy=(energy,),
    observe=(observe,),
    switch=(switch,),
    switches=lambda model: PER_JOINT * len(model.joints.switching),
    impact=(change_status,),
    width=lambda model: int(widths(model.joints).sum()),
)
