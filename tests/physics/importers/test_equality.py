"""Equality constraints of MJCF: gears of hinges and sliders, joints that are held, sites that are tied."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning
from mujoco_twin import opened

from polhode import Simulation, read_robot

mujoco = pytest.importorskip("mujoco")
MODEL = """<mujoco><compiler angle="radian"/><option timestep="1e-3" integrator="RK4"/>
 <default><equality solref="0.002 1" solimp=".9999 .9999 .001"/></default><worldbody>
 <body name="a" pos="0 0 1"><joint name="a" axis="0 1 0" ref=".1"/><geom size=".1" pos=".2 0 -.2"/>
  <site name="a" pos=".2 .3 -.2"/></body>
 <body name="b" pos="1 0 1"><joint name="b" type="slide" axis="1 0 .5" ref=".2"/><geom size=".1"/></body>
 <body name="c" pos="2 0 1"><joint name="c" axis="1 0 0"/><geom size=".1" pos="0 .2 0"/></body>
 <body name="d" pos=".2 .3 .5"><joint name="d" type="ball" pos="0 0 -.4"/><geom size=".1"/>
  <site name="d" pos="0 0 .3"/></body>
 </worldbody><tendon><fixed name="sum"><joint joint="a" coef="2"/><joint joint="c" coef="-1"/></fixed></tendon>
 <equality>{}</equality></mujoco>"""


@pytest.mark.parametrize(
    "equality",
    [
        '<joint joint1="b" joint2="a" polycoef="0 .5 0 0 0"/>',
        '<joint joint1="a" joint2="c" polycoef="0 2 0 0 0"/>',
        '<tendon tendon1="sum" polycoef="0 0 0 0 0"/>',
        '<joint joint1="b" polycoef=".3 0 0 0 0"/>',
    ],
)
def test_couplings_move_as_stiff_ones_of_mujoco(tmp_path: Path, equality: str) -> None:
    text = MODEL.format(equality)
    scene, model = opened(tmp_path, text), mujoco.MjModel.from_xml_string(text)
    simulation, data = Simulation(scene), mujoco.MjData(model)
    held = 'joint1="b" polycoef' in equality
    data.qpos[1] += 0.3 if held else 0.0
    for _ in range(300):
        mujoco.mj_step(model, data)
    simulation.advance(0.3)
    mujoco.mj_kinematics(model, data)
    bodies = {body.name: number for number, body in enumerate(scene.bodies)}
    position, basis = simulation.snapshot().bodies.position, simulation.snapshot().bodies.basis
    for name in "ab" if held else "abc":
        if name in bodies:
            np.testing.assert_allclose(position[bodies[name]], data.body(name).xpos, atol=1e-3)
            np.testing.assert_allclose(basis[bodies[name]].T, data.body(name).xmat.reshape(3, 3), atol=1e-3)


def test_connected_sites_stay_together(tmp_path: Path) -> None:
    scene = opened(tmp_path, MODEL.format('<connect name="tie" site1="a" site2="d"/>'))
    tie = next(joint for joint in scene.joint if joint.name == "tie")
    assert (tie.kind, tie.first, tie.second) == ("ball", "a", "d")
    assert (tie.anchor_first, tie.anchor_second) == ((0.2, 0.3, -0.2), (0.0, 0.0, 0.3))
    Simulation(scene).advance(0.1)


@pytest.mark.parametrize(
    "equality",
    [
        '<joint joint1="a" joint2="c" polycoef="0 1 2 0 0"/>',
        '<joint joint1="a" joint2="c" active="false"/>',
        '<weld site1="a" site2="d"/>',
        '<joint joint1="a" joint2="c" polycoef="0 0 0 0 0"/>',
    ],
)
def test_constraints_that_are_not_read_are_listed(tmp_path: Path, equality: str) -> None:
    path = tmp_path / "model.xml"
    path.write_text(MODEL.format(equality))
    assert any(Meaning("", "left", "out").of(note) for note in read_robot(path).notes)
