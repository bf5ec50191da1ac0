"""Keyframes of MJCF as starts: coordinates, rates and controls of every kind of joint, as in MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning, refuses
from mujoco_twin import NEAR, STEP, TIME

from polhode import Simulation, read_robot

mujoco = pytest.importorskip("mujoco")
MODEL = f"""<mujoco><compiler angle="radian"/><option timestep="{STEP}" integrator="RK4"/>
 <default><geom contype="0" conaffinity="0"/></default><worldbody>
 <body name="loose" pos="0 0 1" euler=".1 .2 .3"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 0 .05"/>
  <body name="ball" pos=".3 0 0"><joint type="ball" pos="0 0 .1"/><geom type="box" size=".05 .1 .2" pos="0 .1 -.2"/>
   <body name="hinge" pos="0 0 -.4" euler="1 0 0"><joint name="h" axis="1 1 0" pos=".05 0 0" ref=".2"/>
    <geom type="capsule" size=".04 .1" pos=".1 0 0"/></body></body></body>
 <body name="cart" pos="2 0 1"><joint name="x" type="slide" axis="1 0 .2" ref=".1"/><joint name="y" axis="0 1 0"/>
  <joint name="z" axis="0 0 1" pos=".1 0 0"/><geom type="box" size=".1 .2 .3" pos=".2 0 .1"/></body>
 </worldbody><actuator><motor joint="x" gear="20"/><muscle joint="h"/><position joint="y" kp="9"/></actuator>
 <keyframe><key/><key name="go" qpos=".1 .2 .9 1 .2 -.3 .4  1 .5 .2 -.1  .7  .4 .3 -.5"
  qvel=".5 -.4 .3 1 2 -1  -1 .5 2  1.5  .6 1.1 -.8" ctrl=".4 0 .2"/></keyframe></mujoco>"""


def test_a_keyframe_starts_as_in_mujoco(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(MODEL.replace('<muscle joint="h"/>', '<motor joint="h" gear="0.5"/>'))
    robot = read_robot(path, start="go")
    assert robot.starts == ("0", "go")
    simulation = Simulation(robot.scene)
    simulation.advance(TIME)
    bodies = simulation.snapshot().bodies
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 1)
    mujoco.mj_forward(model, data)
    start = robot.scene.body[1]
    np.testing.assert_allclose(start.position, data.body("ball").xpos, atol=1e-12)
    np.testing.assert_allclose(start.angular_velocity, data.body("ball").cvel[:3], atol=1e-12)
    for _ in range(round(TIME / STEP)):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    for number, body in enumerate(robot.scene.bodies):
        theirs = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, body.name)
        if theirs > 0:
            assert np.abs(bodies.position[number] - data.xpos[theirs]).max() < NEAR, body.name
            assert np.abs(bodies.basis[number].T - data.xmat[theirs].reshape(3, 3)).max() < NEAR, body.name


def test_actuators_that_are_left_out_keep_their_controls(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    joints = {joint.name: joint for joint in read_robot(path, start="go").scene.joint}
    assert (joints["x"].motor.torque, joints["y"].motor.torque) == ("20.0*(0.4)", "9.0*(0.2)")


def test_a_start_beyond_the_range_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(MODEL.replace('name="y" axis', 'name="y" range="-.2 .1" axis'))
    robot = read_robot(path, start="go")
    assert any(Meaning("", "beyond", joint="y").of(note) for note in robot.notes)
    joint = next(joint for joint in robot.scene.joint if joint.name == "y")
    assert joint.angle == joint.limits.upper == 0.1


@pytest.mark.parametrize(
    ("old", "new", "term"),
    [('name="go"', 'name="stay"', "keyframe"), ('qvel=".5', 'qvel="', "numbers"), ("1 .2 -.3 .4", "0 0 0 0", "qpos")],
)
def test_bad_keyframes_are_refused(tmp_path: Path, old: str, new: str, term: str) -> None:
    path = tmp_path / "model.xml"
    path.write_text(MODEL.replace(old, new))
    place = "line 1: <mujoco>" if term == "keyframe" else "line 10: <key> 'go'"
    with refuses(place, term):
        read_robot(path, start="go")
