"""Engine records of joints: what all have, forces along axes, joints in trees, all others, and status.

A scene compiles and calls those that it has. Phases of all of them in their order:

PLACE      rates about axes with little or no inertia
LAW        springs, friction and motors along the axes
SOLVE      accelerations without joints of what is no node of a tree; forces of trees; forces of all other equations
PROJECT    rates of the angles
FINISH     largest forces, angles; projection of trees, then of all others; its energy; change of status
SWITCH     limits, strings, dry friction, breaking
IMPACT     impulses there
ENERGY     elastic energy of the springs, kinetic energy of rotors
OBSERVE    force, torque, their largest values, status, angle or displacement of each joint
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import ELASTIC, KINETIC, PROJECTION
from polhode.engine.model import NOTHING, Step
from polhode.engine.part import Part, StateSection
from polhode.engine.rates import place, rates
from polhode.jit.kernel import kernel
from polhode.physics.bodies.arrays import write
from polhode.physics.joints.arrays import (
    CYLINDRICAL,
    HINGE,
    PER_JOINT,
    SLIDER,
    TENDON,
    WIDTH,
    section_size,
    status_of,
    widths,
)
from polhode.physics.joints.axis_forces import (
    add_axis_forces,
    angular_rate,
    coordinate,
    joint_energy,
    reaction,
    rotor_energy,
)
from polhode.physics.joints.checks import check_joints
from polhode.physics.joints.compile import adjusted_axis_laws, compile_joints, make_joint_work
from polhode.physics.joints.constraints.accelerations import add_accelerations
from polhode.physics.joints.constraints.impacts import change_status, settle_after_step
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
def push(s: Step) -> None:
    """LAW: springs, friction and motors along the axes."""
    add_axis_forces(s.model.joints, s.time, s.state, s.work.bodies, s.work.joints, s.work.power)


@kernel
def accelerate(s: Step) -> None:
    """SOLVE: keep all other forces, and the accelerations under these of bodies that are no nodes of trees."""
    keep_loads(s.model.joints, s.work.bodies, s.work.joints)
    add_accelerations(
        s.model.bodies,
        s.model.joints,
        s.model.body_motions,
        s.inputs.sensor_track,
        s.time,
        s.state,
        s.work.bodies,
        s.work.body_motions,
        s.work.joints,
    )


@kernel
def turn_slender(s: Step) -> None:
    """PLACE: angular velocities about axes with little or no inertia, as far as joints hold them."""
    write_all_equations(s.model.joints, s.time, s.state, s.work.bodies, s.work.joints)
    factorise_responses(s.model.bodies, s.model.joints, s.state, s.work.joints)
    add_held_rates(s.model.bodies, s.model.joints, s.state, False, s.work.bodies, s.work.joints)


@kernel
def turn_nodes(s: Step) -> None:
    """PLACE: likewise, of bodies in trees."""
    joints = s.model.joints
    turn_slender_nodes(joints.trees, s.work.joints.still, s.state, s.work.bodies, s.work.joints.tree)


@kernel
def hold_tree(s: Step) -> None:
    """SOLVE: forces of joints in trees."""
    hold_trees(s.model.joints.trees, s.work.joints.acceleration, s.state, s.work.bodies, s.work.joints.tree)


@kernel
def hold_loop(s: Step) -> None:
    """SOLVE: forces that keep all other equations satisfied."""
    add_reactions(s.model.bodies, s.model.joints, s.time, s.state, s.work.bodies, s.work.joints, s.work.power)


@kernel
def turn(s: Step) -> None:
    """PROJECT: rates of the angles; status and largest forces change at steps alone."""
    for k in range(s.model.joints.largest + 2 * len(s.model.joints.kind)):
        s.out[s.model.joints.at + k] = 0.0
    for j in range(len(s.model.joints.kind)):
        if s.model.joints.angle[j] != NOTHING:
            s.out[s.model.joints.at + s.model.joints.angle[j]] = angular_rate(s.model.joints, j, s.state, s.work.bodies)


@kernel
def keep(s: Step) -> None:
    """FINISH: the largest forces, from the last evaluation of the step."""
    keep_largest(s.model.joints, s.state, s.work.bodies, s.work.joints)


@kernel
def energy_of_rotors(s: Step) -> float:
    """Kinetic energy [J] of the rotors of joints in the state, which is placed."""
    if len(s.model.joints.rotors) == 0:
        return 0.0
    place(s.model, s.inputs, s.time, s.state, s.work)
    return rotor_energy(s.model.joints, s.state, s.work.bodies)


@kernel
def begin_finish(s: Step) -> None:
    """FINISH: make bases orthonormal, count angles, and place what is no node of a tree."""
    repair_members(s.model.joints, s.model.bodies.support, s.state)
    begin_projection(s.model.bodies, s.model.joints, s.state, s.work.joints)
    s.work.joints.kinetic[0] += energy_of_rotors(s)
    count_angles(s.model.joints, s.state)
    place_members(
        s.model.bodies,
        s.model.joints,
        s.model.body_motions,
        s.inputs.sensor_track,
        s.time,
        s.state,
        s.work.bodies,
        s.work.body_motions,
    )


@kernel
def project_tree(s: Step) -> None:
    """FINISH: project the nodes of trees; a state that can't be projected becomes nan."""
    joints = s.model.joints
    left = project_trees(
        s.model.bodies, joints.trees, joints.scale, s.work.joints.still, s.state, s.work.bodies, s.work.joints.tree
    )
    s.work.joints.left[0] = accept(joints, left, s.state)


@kernel
def project_loop(s: Step) -> None:
    """FINISH: project all other bodies; a state that can't be projected becomes nan."""
    left = project_positions(
        s.model.bodies,
        s.model.joints,
        s.model.body_motions,
        s.inputs.sensor_track,
        s.time,
        s.state,
        s.work.bodies,
        s.work.body_motions,
        s.work.joints,
    )
    project_velocities(s.model.bodies, s.model.joints, s.state, s.work.bodies, s.work.joints)
    s.work.joints.left[0] = accept(s.model.joints, left, s.state)


@kernel
def count_energy(s: Step) -> None:
    """FINISH: energy that the projection has added."""
    added = energy_of_projection(s.model.bodies, s.model.joints, s.state, s.work.joints) + energy_of_rotors(s)
    s.state[s.model.ledger + PROJECTION] += added


@kernel
def energy(s: Step) -> None:
    """ENERGY: elastic energy of the springs."""
    s.out[ELASTIC] += joint_energy(s.model.joints, s.state, s.work.bodies)


@kernel
def turning_energy(s: Step) -> None:
    """ENERGY: kinetic energy of the rotors."""
    s.out[KINETIC] += rotor_energy(s.model.joints, s.state, s.work.bodies)


@kernel
def observe(s: Step) -> None:
    """OBSERVE: force [N], torque [N m], largest of both, angle [rad] or displacement [m], and status of every joint.

    The forces need the sum of all others, which is evaluated for them.
    """
    rates(s.model, s.inputs, s.time, s.state, s.work, s.work.rate)
    at = 0
    for j in range(len(s.model.joints.kind)):
        force, torque = reaction(s.model.joints, j, s.state, s.work.bodies, s.work.joints)
        write(s.out, 0, at, force)
        write(s.out, 0, at + 3, torque)
        largest = s.model.joints.at + s.model.joints.largest + 2 * j
        s.out[at + 6], s.out[at + 7] = s.state[largest], s.state[largest + 1]
        at += WIDTH
        if s.model.joints.kind[j] in (HINGE, CYLINDRICAL, SLIDER, TENDON):
            s.out[at], _ = coordinate(s.model.joints, j, s.state, s.work.bodies)
            at += 1
        if s.model.joints.status[j] != NOTHING:
            s.out[at] = status_of(s.model.joints, j, s.state)
            at += 1
    place(s.model, s.inputs, s.time, s.state, s.work)


def owner(compiled: CompiledScene, number: int) -> str:
    """Name of the joint of a number of the state: angles, then status, then the largest force and torque."""
    joints = compiled.model.joints
    if number >= joints.largest:
        return compiled.scene.joint[(number - joints.largest) // 2].name
    return compiled.scene.joint[int(np.flatnonzero((joints.angle == number) | (joints.status == number))[0])].name


ADJUSTABLE = ("friction", "motor.torque", "motor.speed", "spring.stiffness", "spring.damping", "spring.rest")

PART = Part(
    "joints",
    check=check_joints,
    compile=compile_joints,
    adjustable=dict.fromkeys((f"joint[].{name}" for name in ADJUSTABLE), adjusted_axis_laws),
    agreeing=("joint[].motor.speed",),
    work=lambda model: {"joints": make_joint_work(model.joints)},
    section=StateSection(lambda model: np.zeros(section_size(model.joints), dtype=np.bool_), owner, "joints"),
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
    "slender bodies of joints", is_in=lambda model, inputs: len(model.joints.slender) > 0, place=(turn_slender,)
)
SLENDER_NODES = Part(
    "slender bodies of trees", is_in=lambda model, inputs: len(model.joints.trees.slender) > 0, place=(turn_nodes,)
)
ALONG_AXES = Part(
    "forces along axes of joints",
    is_in=lambda model, inputs: len(model.joints.acting) > 0,
    laws={"joint axes": push},
    energy=(energy,),
)
ROTORS = Part("rotors of joints", is_in=lambda model, inputs: len(model.joints.rotors) > 0, energy=(turning_energy,))
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
PROJECTED = Part("projection onto joints", is_in=PART.is_in, finish=(count_energy,))
STATUS = Part(
    "status of joints",
    is_in=lambda model, inputs: len(model.joints.switching) > 0,
    finish=(settle_after_step,),
    switch=(write_values,),
    switches=lambda model: PER_JOINT * len(model.joints.switching),
    impact=(change_status,),
)
PARTS = (PART, ALONG_AXES, ROTORS, TREES, LOOPS, PROJECTED, STATUS)
