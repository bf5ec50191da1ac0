"""Public models as their owners publish them, which lie beside the repository; without them the tests are skipped."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from small_swings import period_of

from polhode import read_robot
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes

BESIDE = Path(__file__).resolve().parents[4] / "shared/corpus"
CORPUS = Path(os.environ.get("POLHODE_CORPUS", BESIDE))
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the public models are not here")
SUITE = [f"dm_control/suite/{name}.xml" for name in ("acrobot", "cartpole", "finger", "pendulum", "reacher")]
MUJOCO = [f"mujoco/{name}.xml" for name in ("replicate/newton_cradle", "sleep/dominos")]


@pytest.mark.parametrize("name", [*SUITE, *MUJOCO])
def test_masses_equal_mujoco(name: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    scene = read_robot(CORPUS / name).scene
    masses = build(scene, Meshes()).model.bodies.mass
    model = mujoco.MjModel.from_xml_path(str(CORPUS / name))
    moving = {body.name: mass for body, mass in zip(scene.bodies, masses, strict=True) if body.support != "fixed"}
    theirs = {model.body(number).name: model.body_mass[number] for number in range(model.nbody)}
    assert moving
    for each in moving.keys() & theirs.keys():
        assert moving[each] == pytest.approx(theirs[each], rel=1e-6)
    total = sum(model.body_mass[number] for number in range(model.nbody) if model.body_weldid[number])
    assert sum(moving.values()) == pytest.approx(total, rel=1e-6)


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
