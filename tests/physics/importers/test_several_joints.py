"""Several joints in a body: each moves as in MuJoCo, and keeps its own limits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import refuses
from mujoco_twin import STEP, compare, opened

from polhode import Simulation

JOINTS = ("hip_x", "hip_z", "hip_y", "ankle_y", "ankle_x", "rail_y", "a")
MODEL = f"""<mujoco model="hips"><option timestep="{STEP}" integrator="RK4"/>
 <default><geom contype="0" conaffinity="0"/><joint damping="0.02" armature="0.03"/></default>
 <worldbody>
  <body name="torso" pos="0 0 1" euler="10 20 0"><freejoint/><geom type="capsule" size="0.1 0.2"/>
   <body name="thigh" pos="0.1 0.05 -0.3">
    <joint name="hip_x" axis="1 0 0" pos="0 0 0.05" stiffness="2" springref="20"/>
    <joint name="hip_z" axis="0 0.1 1" pos="0 0 0.05" stiffness="3" springref="-30"/>
    <joint name="hip_y" axis="0 1 0" pos="0 0 0.02" stiffness="5" springref="40"/>
    <geom type="capsule" fromto="0 0 0 0 0.01 -.4" size=".05"/>
    <body name="foot" pos="0 0 -0.75">
     <joint name="ankle_y" axis="0 1 0" pos="0 0 .08" stiffness="1" springref="20"/>
     <joint name="ankle_x" axis="1 0 .5" pos="0 0 .04" stiffness="2" springref="20"/>
     <geom type="capsule" fromto="-.07 -.01 0 .14 -.03 0" size=".02"/></body>
   </body>
  </body>
  <body name="planar" pos="2 0 1">
   <joint name="rail_x" type="slide" axis="1 0 0" stiffness="3"/><joint name="rail_z" type="slide" axis="0 0 1"/>
   <joint name="rail_y" axis="0 1 0" ref="10"/>
   <geom type="box" size=".1 .2 .3" pos="0.1 0 0.05"/>
   <body name="leg" pos="0 0 -.3"><joint name="knee"/><geom type="capsule" fromto="0 0 0 .2 0 -.4" size=".03"/></body>
  </body>
  <body name="gimbal" pos="-2 0 1">
   <joint name="a" axis="0 0 1"/><joint name="b" axis="1 0 0"/><joint name="c" axis="0 1 0" pos="0 0 .1"/>
   <geom type="box" size=".1 .2 .3" pos="0.1 0 -0.15"/></body>
 </worldbody></mujoco>"""


@pytest.mark.parametrize("is_limited", [False, True])  # limits that nothing reaches are solved by the matrix
def test_chains_of_hinges_and_sliders_move_as_in_mujoco(tmp_path: Path, is_limited: bool) -> None:
    text = MODEL
    for name in JOINTS if is_limited else ():
        text = text.replace(f'name="{name}"', f'name="{name}" range="-170 170"')
    scene = opened(tmp_path, text)
    compare(scene, text, ["torso", "thigh", "foot", "planar", "leg", "gimbal"])
    assert sum(body.inertia.mass for body in scene.body if body.inertia is not None) < 1e-5  # of 200 kg


def test_each_of_several_joints_stops_at_its_own_limit(tmp_path: Path) -> None:
    joints = '<joint name="x" axis="1 0 0" range="-20 30"/><joint name="y" axis="0 1 0" range="-50 10"/>'
    body = f'<body name="b">{joints}<geom type="capsule" fromto="0 0 0 -.3 .2 .1" size=".05"/></body>'
    scene = opened(tmp_path, f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    run = Simulation(scene).run(until=2.0, every=0.05)
    x, y = (np.degrees(np.asarray(run[f"{name}.angle"])) for name in "xy")
    assert (x.min(), y.min()) == pytest.approx((-20, -50), abs=1e-6)  # it falls onto both
    assert x.max() < 30
    assert y.max() < 10


def test_a_free_joint_beside_others_is_refused(tmp_path: Path) -> None:
    body = '<body><joint name="x"/><joint name="f" type="free"/><geom size="1"/></body>'
    with refuses("line 1: <joint> 'f'", "free", "joint"):
        opened(tmp_path, f"<mujoco><worldbody>{body}</worldbody></mujoco>")


def test_joints_and_inertials_may_stand_in_frames(tmp_path: Path) -> None:
    inertial = '<inertial pos=".1 0 .2" quat="1 .2 .3 0" mass="2" diaginertia=".1 .2 .25"/>'
    joints = '<joint name="x" axis="1 0 .2" pos="0 .1 0" damping=".1"/><joint name="z" type="slide"/>'
    frame = f'<frame pos=".1 .2 0" euler="40 0 20"><frame euler="0 30 0">{joints}</frame>{inertial}</frame>'
    flying = '<frame pos=".1 0 0" euler="0 0 20"><freejoint/><geom size=".1" pos=".1 0 0"/></frame>'
    bodies = f'<body name="b" euler="0 10 0">{frame}</body><body name="f" pos="2 0 0">{flying}</body>'
    text = f"""<mujoco><option timestep="{STEP}" integrator="RK4"/>
    <default><geom contype="0" conaffinity="0"/></default><worldbody>{bodies}</worldbody></mujoco>"""
    compare(opened(tmp_path, text), text, ["b", "f"])
