"""Public models as their owners publish them, which lie beside the repository; without them the tests are skipped."""

from __future__ import annotations

import os
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from mujoco_twin import compare_masses
from sampling import sampled
from small_swings import period_of

from polhode import Simulation, read_robot
from polhode.analysis.steps.limits import step_limits
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes

BESIDE = Path(__file__).resolve().parents[4] / "shared/corpus"
CORPUS = Path(os.environ.get("POLHODE_CORPUS", BESIDE))
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the public models are not here")
FILES = (
    sorted(
        path.relative_to(CORPUS).as_posix()
        for path in CORPUS.rglob("*.xml")
        if path.parent.name != "common" and path.name != "package.xml"
    )
    if CORPUS.is_dir()
    else []
)
UNREAD = {"mujoco/tendon_arm/arm26.xml": 2, "mujoco/hammock/hammock.xml": 27}
"""Freedoms of what MuJoCo 4.0 refuses; of the second one without its flexible part."""
MANY = ("mujoco/sleep/100_humanoids.xml", "mujoco/adhesion/sand_castle.xml", "mujoco/adhesion/active_adhesion.xml")
LEFT_OUT = ("mujoco/slider_crank/slider_crank.xml", *UNREAD)  # a part of what drives them is left out
STRINGS = {"dm_control/suite/ball_in_cup.xml": 1e-3, "mujoco/replicate/newton_cradle.xml": 1e-4}
"""Distances [m] between our strings and MuJoCo's, which it stretches."""
LABORATORY = ""
FREEDOM = {"hinge": 1, "slider": 1, "ball": 3}
STEP, TIME, NEAR = 1e-4, 0.5, 1e-6


def opened(name: str):
    return read_robot(CORPUS / name, root=CORPUS).scene


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.nightly) if name == MANY[0] else name for name in FILES]
)
def test_every_model_opens_with_all_that_moves(name: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    scene = opened(name)
    freedoms = sum(FREEDOM.get(joint.kind, 0) for joint in scene.joint) + 6 * flying(scene)
    if name in UNREAD:
        assert freedoms == UNREAD[name]
        return
    model = mujoco.MjModel.from_xml_path(str(CORPUS / name))
    assert freedoms == model.nv


def flying(scene) -> int:
    """Number of sets of bodies that hinges, sliders, balls and welds join, but not with the laboratory."""
    free = {body.name for body in scene.body if body.support == "free"}
    graph = nx.Graph()
    graph.add_nodes_from([*free, LABORATORY])
    for joint in scene.joint:
        if joint.kind in (*FREEDOM, "weld"):
            graph.add_edge(*(end if end in free else LABORATORY for end in (joint.first, joint.second)))
    return nx.number_connected_components(graph) - 1


@pytest.mark.parametrize("name", [name for name in FILES if name not in (*UNREAD, *MANY)])
def test_masses_equal_mujoco(name: str) -> None:
    pytest.importorskip("mujoco")
    compare_masses(CORPUS / name, root=CORPUS)


def free_of_impacts(scene):
    """The scene without contacts, limits and dry friction, in gravity that moves everything."""
    joints = tuple(joint.model_copy(update=UNHELD) if joint.kind in UNHELD_KINDS else joint for joint in scene.joint)
    world = scene.world.model_copy(update={"gravity": GRAVITY})
    solver = scene.solver.model_copy(update={"time_step": STEP})
    bodies = tuple(body.model_copy(update={"contact": None}) for body in scene.body)
    return scene.model_copy(update={"body": bodies, "wall": (), "joint": joints, "world": world, "solver": solver})


GRAVITY = (2.0, 1.0, -9.0)
UNHELD, UNHELD_KINDS = {"limits": None, "dry_friction": 0.0}, ("hinge", "slider", "tendon")


@pytest.mark.parametrize("name", [name for name in FILES if name not in (*LEFT_OUT, *MANY)])
def test_trees_move_as_in_mujoco(name: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    scene = free_of_impacts(opened(name))
    simulation = Simulation(scene)
    simulation.advance(TIME)
    bodies = simulation.snapshot().bodies
    model = mujoco.MjModel.from_xml_path(str(CORPUS / name))
    model.opt.timestep, model.opt.integrator = STEP, mujoco.mjtIntegrator.mjINT_RK4
    model.opt.gravity = GRAVITY
    flags = mujoco.mjtDisableBit
    model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_FRICTIONLOSS
    model.opt.enableflags = 0  # sleep
    model.opt.disableflags &= ~int(flags.mjDSBL_GRAVITY)
    if name not in STRINGS:
        model.opt.disableflags |= flags.mjDSBL_LIMIT
    data = mujoco.MjData(model)
    for _ in range(round(TIME / STEP)):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    compared = 0
    for number, body in enumerate(scene.bodies):
        theirs = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, body.name.replace("_", " "))
        theirs = max(theirs, mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, body.name))
        if theirs > 0 and body.support == "free":
            gap = np.abs(bodies.position[number] - data.xpos[theirs]).max()
            assert gap < STRINGS.get(name, NEAR), body.name
            compared += 1
    assert compared or "dominos" in name  # of which no body has a name


@pytest.mark.parametrize("name", sampled([name for name in FILES if name not in MANY[:2]], 3))
def test_the_steps_of_all_models_are_accepted_by_check(name: str) -> None:
    """The largest stable step of the linearised rates, of contacts that may close and of strings."""
    scene = opened(name)
    compiled = build(scene, Meshes())
    assert scene.solver.time_step <= step_limits(compiled, 0.0, compiled.start)["rk4"].step


def test_cargo_in_a_gripper_moves_at_the_step_of_its_joint_dampers() -> None:
    """A damper of 1 N m s on a small inertia diverges at the stated step of 1 ms."""
    simulation = Simulation(opened("mujoco/adhesion/active_adhesion.xml"))
    simulation.advance(0.1)
    assert np.abs(simulation.snapshot().bodies.velocity).max() < 5.0


def test_the_pendulum_of_a_cad_exporter_has_its_mass_and_period() -> None:
    scene = read_robot(CORPUS / "dfki_pendulum/urdf/Einfachpendel_1.urdf").scene
    build(scene, Meshes())  # reads its meshes
    (link,) = (body for body in scene.bodies if body.support != "fixed")
    (hinge,) = scene.joint
    assert (hinge.kind, hinge.limits) == ("hinge", None)
    assert link.inertia.mass == pytest.approx(0.67531, rel=1e-6)
    about_hinge, distance = link.inertia.tensor[0][0], np.hypot(*link.inertia.center[1:])
    period = 2 * np.pi * np.sqrt(about_hinge / (link.inertia.mass * 9.81 * distance))
    assert period == pytest.approx(1.33855, rel=1e-5)


@pytest.mark.parametrize("name", ["06-flexible", "07-physics"])
def test_the_robot_of_the_lessons_of_ros_opens_with_all_that_moves(name: str) -> None:
    robot = read_robot(CORPUS / f"urdf_tutorial/urdf/{name}.urdf")
    model = build(robot.scene, Meshes()).model  # reads its meshes
    kinds = {joint.name: joint.kind for joint in robot.scene.joint}
    wheels = [f"{side}_{end}_wheel_joint" for side in ("left", "right") for end in ("front", "back")]
    turning = (*wheels, "head_swivel", "left_gripper_joint", "right_gripper_joint")
    assert {each for each, kind in kinds.items() if kind != "weld"} == {*turning, "gripper_extension"}
    assert kinds["gripper_extension"] == "slider"
    assert all(kinds[each] == "hinge" for each in turning)
    moving = [body.name for body in robot.scene.bodies if body.support != "fixed"]
    assert (model.bodies.mass[[body.support != "fixed" for body in robot.scene.bodies]] > 0).all()
    assert {"left_tip", "right_tip", "box"} <= set(moving)
    assert any("l_finger_color.png" in line.text for line in robot.report.left_out)


def test_the_pendulum_of_a_cad_exporter_swings_with_its_period() -> None:
    scene = read_robot(CORPUS / "dfki_pendulum/urdf/Einfachpendel_1.urdf").scene
    assert period_of(scene, "Link_1") == pytest.approx(1.33855, abs=1e-5)


def test_the_string_of_a_gripper_runs_over_its_pulleys() -> None:
    """A tendon of three branches, of which two have a third of the tension."""
    robot = read_robot(CORPUS / "mujoco/adhesion/active_adhesion.xml")
    (spring,) = robot.scene.spring
    assert spring.pull_only
    assert spring.rest_length == 0.19
    assert set(spring.strands) == {1.0, 0.0, 1 / 3}
    assert any(spring.over_bodies)
    assert not any(line.text.startswith("line 123:") for line in robot.report.left_out)


def test_a_humanoid_has_the_limits_of_its_hamstrings() -> None:
    """Tendons over hip and knee, which keep their range; nothing of them is left out."""
    robot = read_robot(CORPUS / "mujoco/humanoid/humanoid.xml")
    tendons = [joint for joint in robot.scene.joint if joint.kind == "tendon"]
    assert [tendon.name for tendon in tendons] == ["hamstring_right", "hamstring_left"]
    assert {tendon.coefficients for tendon in tendons} == {(0.5, -0.5)}
    assert {(tendon.limits.lower, tendon.limits.upper) for tendon in tendons} == {(-0.3, 2.0)}
    assert not any("tendon" in line.text or "fixed" in line.text for line in robot.report.left_out)


def test_a_humanoid_squats_at_the_limits_of_its_joints() -> None:
    """Light bodies between joints of one body, held at limits and pressed on a floor, need factors of each state."""
    scene = read_robot(CORPUS / "mujoco/humanoid/humanoid.xml", start="squat").scene
    simulation = Simulation(scene)
    simulation.advance(0.3)
    snapshot = simulation.snapshot()
    assert np.abs(snapshot.bodies.velocity).max() < 5.0
    for joint, coordinate in zip(scene.joint, snapshot.joints.coordinate, strict=True):
        if getattr(joint, "limits", None) is not None:
            assert joint.limits.lower - 1e-6 < coordinate < joint.limits.upper + 1e-6, joint.name
