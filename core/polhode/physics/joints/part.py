"""Engine records of joints: what all have, forces along axes, joints in trees, all others, and status.

A scene compiles and calls those that it has. Phases of all of them in their order:

PLACE      rates about axes with little or no inertia
LAW        springs, friction and motors along the axes
SOLVE      accelerations without joints of what is no node of a tree; forces of trees; forces of all other equations
PROJECT    rates of the angles
FINISH     largest forces, angles; projection of trees, then of all others; its energy; change of status
SWITCH     limits, strings, dry friction, breaking
IMPACT     impulses there
ENERGY     elastic energy of the springs
OBSERVE    force, torque, their largest values, status, angle or displacement of each joint
"""

from __future__ import annotations

from math import isnan

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import ELASTIC, PROJECTION
from polhode.engine.model import NOTHING, Inputs, Model, Work
from polhode.engine.part import Part, Section
from polhode.engine.rates import place, rates
from polhode.jit.kernel import kernel
from polhode.physics.bodies.arrays import write
from polhode.physics.joints.arrays import CYLINDRICAL, HINGE, PER_JOINT, SLIDER, WIDTH, section_size, status_of, widths
from polhode.physics.joints.axis_forces import add_axis_forces, angular_rate, coordinate, joint_energy, reaction
from polhode.physics.joints.checks import check_joints
from polhode.physics.joints.compile import compile_joints, make_joint_work
from polhode.physics.joints.constraints.accelerations import add_accelerations
from polhode.physics.joints.constraints.impacts import meet, settle_after_step
from polhode.physics.joints.constraints.projection import (
    accept,
    count_angles,
    keep_largest,
    place_members,
    project_positions,
    project_velocities,
    repair_members,
)
from polhode.physics.joints.constraints.reactions import add_reactions, factorise_responses, write_all_equations
from polhode.physics.joints.constraints.slender_axes import add_held_rates
from polhode.physics.joints.constraints.switching import write_values
from polhode.physics.joints.constraints.work_of_projection import begin_projection, energy_of_projection, keep_loads
from polhode.physics.joints.start import assembled, start_angles
from polhode.physics.joints.trees.forces import hold_trees
from polhode.physics.joints.trees.projection import project_trees, turn_slender_nodes


@kernel
def push(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: springs, friction and motors along the axes."""
    add_axis_forces(model.joints, time, state, work.bodies, work.joints, work.power)
    return 0.0


@kernel
def accelerate(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SOLVE: keep all other forces, and the accelerations under these of bodies that are no nodes of trees."""
    keep_loads(model.joints, work.bodies, work.joints)
    add_accelerations(
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
    return 0.0


@kernel
def turn_slender(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """PLACE: angular velocities about axes with little or no inertia, as far as joints hold them."""
    write_all_equations(model.joints, time, state, work.bodies, work.joints)
    factorise_responses(model.bodies, model.joints, state, work.joints)
    add_held_rates(model.bodies, model.joints, state, False, work.bodies, work.joints)
    return 0.0


@kernel
def turn_nodes(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """PLACE: likewise, of bodies in trees."""
    joints = model.joints
    turn_slender_nodes(joints.trees, work.joints.still, state, work.bodies, work.joints.tree)
    return 0.0


@kernel
def hold_tree(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SOLVE: forces of joints in trees."""
    hold_trees(model.joints.trees, work.joints.acceleration, state, work.bodies, work.joints.tree)
    return 0.0


@kernel
def hold_loop(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SOLVE: forces that keep all other equations satisfied."""
    add_reactions(model.bodies, model.joints, time, state, work.bodies, work.joints, work.power)
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
def keep(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """FINISH: the largest forces, from the last evaluation of the step."""
    keep_largest(model.joints, state, work.bodies, work.joints)
    return 0.0


@kernel
def begin_finish(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """FINISH: make bases orthonormal, count angles, and place what is no node of a tree."""
    repair_members(model.joints, model.bodies.support, state)
    begin_projection(model.bodies, model.joints, state, work.joints)
    count_angles(model.joints, state)
    place_members(
        model.bodies,
        model.joints,
        model.body_motions,
        inputs.sensor_track,
        time,
        state,
        work.bodies,
        work.body_motions,
    )
    return 0.0


@kernel
def project_tree(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """FINISH: project the nodes of trees; a state that can't be projected becomes nan. Returns what is left."""
    joints = model.joints
    left = project_trees(
        model.bodies, joints.trees, joints.scale, work.joints.still, state, work.bodies, work.joints.tree
    )
    return accept(joints, left, state)


@kernel
def project_loop(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """FINISH: project all other bodies; a state that can't be projected becomes nan. Returns what is left."""
    left = project_positions(
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
    project_velocities(model.bodies, model.joints, state, work.bodies, work.joints)
    return accept(model.joints, left, state)


@kernel
def count_energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """FINISH: energy that the projection has added."""
    state[model.ledger + PROJECTION] += energy_of_projection(model.bodies, model.joints, state, work.joints)
    return 0.0


@kernel
def settle_status(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """FINISH: status of joints at the end of steps that are not divided."""
    if not isnan(state[model.joints.at]):
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
    start=start_angles,
    is_in=lambda model, inputs: len(model.joints.kind) > 0,
    solve=(accelerate,),
    project=(turn,),
    finish=(keep, begin_finish),
    observe=(observe,),
    width=lambda model: int(widths(model.joints).sum()),
    shown={},
)
SLENDER = Part(
    "slender bodies of joints",
    is_in=lambda model, inputs: len(model.joints.slender) > 0,
    place=(turn_slender,),
)
SLENDER_NODES = Part(
    "slender bodies of trees",
    is_in=lambda model, inputs: len(model.joints.trees.slender) > 0,
    place=(turn_nodes,),
)
ALONG_AXES = Part(
    "forces along axes of joints",
    is_in=lambda model, inputs: len(model.joints.acting) > 0,
    laws={"joint axes": push},
    energy=(energy,),
)
TREES = Part(
    "joints in trees",
    is_in=lambda model, inputs: len(model.joints.trees.body) > 0,
    solve=(hold_tree,),
    finish=(project_tree,),
    assemble=(begin_finish, project_tree),
    assembled=assembled,
)
LOOPS = Part(
    "joints with equations",
    is_in=lambda model, inputs: model.joints.row[-1] > 0,
    solve=(hold_loop,),
    finish=(project_loop,),
    assemble=(begin_finish, project_loop),
    assembled=assembled,
)
PROJECTED = Part(
    "projection onto joints",
    is_in=PART.is_in,
    finish=(count_energy,),
)
STATUS = Part(
    "status of joints",
    is_in=lambda model, inputs: len(model.joints.switching) > 0,
    finish=(settle_status,),
    switch=(switch,),
    switches=lambda model: PER_JOINT * len(model.joints.switching),
    impact=(change_status,),
)
PARTS = (PART, ALONG_AXES, TREES, LOOPS, PROJECTED, STATUS)
