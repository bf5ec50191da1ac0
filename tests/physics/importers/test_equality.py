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


FREE = """<body name="f" pos="{pos}" quat="{quat}"><freejoint/><geom type="box" size=".1 .2 .05"/>
 <site name="f" pos=".1 0 .1" euler="0 .5 0"/></body>"""
HELD = ".2 .3 1.3", "0.9 0.1 0.2 0.4"
SITE = '<site name="h" pos="{}" quat="{}"/>'
WELDS = {
    "reference": '<weld body1="a" body2="f"/>',
    "relpose": '<weld body1="a" body2="f" relpose=".2 .3 .3 0.9 0.1 0.2 0.4"/>',
    "anchor": '<weld body1="a" body2="f" anchor=".1 0 0" relpose="{} 0.9 0.1 0.2 0.4"/>',
    "exchanged": '<weld body1="f" body2="a" relpose="{} 0.9 -0.1 -0.2 -0.4"/>',
    "sites": '<weld site1="h" site2="f"/>',
}


def turn_of(quaternion: str) -> np.ndarray:
    found = np.zeros(9)
    numbers = np.array(quaternion.split(), dtype=float)
    mujoco.mju_quat2Mat(found, numbers / np.linalg.norm(numbers))
    return found.reshape(3, 3)


def welded(weld: str, pos: str = HELD[0], quat: str = HELD[1]) -> str:
    """A free body beside the pendulum "a", to which it is held at HELD."""
    turn, place = turn_of(HELD[1]), np.array([0.2, 0.3, 0.3])
    spots = {"anchor": place + turn @ [0.1, 0, 0], "exchanged": -turn.T @ place}
    text = WELDS[weld].format(" ".join(map(repr, map(float, spots.get(weld, place)))))
    own = np.zeros(4)
    mujoco.mju_mat2Quat(own, (turn @ turn_of("0.9689124217106447 0 0.24740395925452294 0")).ravel())
    site = SITE.format(*(" ".join(map(repr, each.tolist())) for each in (place + turn @ [0.1, 0, 0.1], own)))
    model = MODEL.replace('<site name="a"', site + '<site name="a"')
    model = model.replace("</worldbody>", FREE.format(pos=pos, quat=quat) + "</worldbody>")
    return model.format(text)


@pytest.mark.parametrize("weld", WELDS)
def test_welds_move_as_stiff_ones_of_mujoco(tmp_path: Path, weld: str) -> None:
    text = welded(weld)
    scene, model = opened(tmp_path, text), mujoco.MjModel.from_xml_string(text)
    simulation, data = Simulation(scene), mujoco.MjData(model)
    for _ in range(300):
        mujoco.mj_step(model, data)
    simulation.advance(0.3)
    mujoco.mj_kinematics(model, data)
    position, basis = simulation.snapshot().bodies.position, simulation.snapshot().bodies.basis
    for name in "af":
        number = [body.name for body in scene.bodies].index(name)
        np.testing.assert_allclose(position[number], data.body(name).xpos, atol=1e-3)
        np.testing.assert_allclose(basis[number].T, data.body(name).xmat.reshape(3, 3), atol=2e-3)


@pytest.mark.parametrize("weld", ["relpose", "anchor", "exchanged", "sites"])
def test_a_free_body_starts_where_a_weld_holds_it(tmp_path: Path, weld: str) -> None:
    text = welded(weld, "3 2 1", "1 0 0 0")
    path = tmp_path / "model.xml"
    path.write_text(text)
    robot = read_robot(path)
    body = next(body for body in robot.scene.body if body.name == "f")
    np.testing.assert_allclose(body.position, np.array(HELD[0].split(), dtype=float), atol=1e-12)
    np.testing.assert_allclose(body.orientation.matrix(), turn_of(HELD[1]), atol=1e-12)
    assert any(Meaning("", "free").of(note) for note in robot.notes)
    Simulation(robot.scene).advance(0.01)


def test_welded_sites_of_bodies_that_meet(tmp_path: Path) -> None:
    scene = opened(tmp_path, MODEL.format('<weld name="tie" site1="a" site2="d"/>'))
    tie = next(joint for joint in scene.joint if joint.name == "tie")
    assert (tie.kind, tie.first, tie.second) == ("weld", "a", "d")


@pytest.mark.parametrize(
    "equality",
    [
        '<joint joint1="a" joint2="c" polycoef="0 1 2 0 0"/>',
        '<joint joint1="a" joint2="c" active="false"/>',
        '<weld body1="a" body2="b" relpose="0 0 1 1 0 0 0"/>',
        '<joint joint1="a" joint2="c" polycoef="0 0 0 0 0"/>',
    ],
)
def test_constraints_that_are_not_read_are_listed(tmp_path: Path, equality: str) -> None:
    path = tmp_path / "model.xml"
    path.write_text(MODEL.format(equality))
    assert any(Meaning("", "left", "out").of(note) for note in read_robot(path).notes)
