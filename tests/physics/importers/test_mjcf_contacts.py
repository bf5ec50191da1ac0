"""Contacts of MJCF: which bodies press on each other, as MuJoCo finds them, laws, shapes that are only seen, steps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning, refuses
from mujoco_twin import opened

from polhode import Simulation, read_robot

mujoco = pytest.importorskip("mujoco")
# All balls of one place overlap: what MuJoCo does not filter it lists as a contact.
PILE = """<mujoco><option {option}>{flag}</option><default><geom size=".1"/></default><worldbody>
 <geom name="ground"/><body name="static"><geom/></body>
 <body name="root"><freejoint/><geom/>
  <body name="child"><joint name="x"/><joint name="y" axis="0 1 0"/><geom/>
   <body name="welded" pos=".01 0 0"><geom/><body name="grandchild"><joint/><geom/></body></body></body>
  <body name="second"><joint type="ball"/><geom contype="2" conaffinity="4"/></body>
  <body name="third"><joint type="ball"/><geom contype="4" conaffinity="0"/></body>
  <body name="seen"><joint type="ball"/><geom contype="0" conaffinity="0"/></body></body>
 <body name="held"><joint/><geom pos=".01 0 0"/></body><body name="other"><freejoint/><geom conaffinity="6"/></body>
 </worldbody><contact><exclude body1="root" body2="other"/></contact></mujoco>"""


def pressing(scene) -> set[frozenset[str]]:
    """Pairs of bodies that press on each other where they overlap."""
    touching = {body.name: set(body.contact.ignores) for body in scene.body if body.contact is not None}
    fixed = {body.name for body in scene.body if body.support == "fixed"}
    tied = {frozenset((joint.first, joint.second)) for joint in scene.joint}
    pairs = {frozenset((a, b)) for a in touching for b in touching if a != b and not {a, b} <= fixed}
    return {pair for pair in pairs - tied if not any(b in touching[a] for a in pair for b in pair)}


@pytest.mark.parametrize("flag", ["", '<flag filterparent="disable"/>', '<flag contact="disable"/>'])
def test_the_same_pairs_press_on_each_other_as_in_mujoco(tmp_path: Path, flag: str) -> None:
    text = PILE.format(option="", flag=flag)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    owners = [model.body(int(model.geom_bodyid[geom])).name for geom in data.contact.geom.ravel()]
    wanted = {frozenset(pair) for pair in np.array(owners).reshape(-1, 2).tolist()}
    scene = opened(tmp_path, text)
    tied = {frozenset((joint.first, joint.second)) for joint in scene.joint}  # which never press here
    assert pressing(scene) == wanted - tied
    assert len(wanted) == 0 if "contact" in flag else len(wanted) > 15


def test_shapes_that_do_not_collide_are_only_seen(tmp_path: Path) -> None:
    shapes = '<geom size=".1"/><geom size=".2" contype="0" conaffinity="0"/>'
    world = f'<geom type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/>{shapes}</body>'
    (body,) = opened(tmp_path, f"<mujoco><worldbody>{world}</worldbody></mujoco>").body
    assert [shape.presses for shape in body.shape] == [True, False]


def test_laws_of_contacts_follow_solref_and_friction(tmp_path: Path) -> None:
    ball = '<body pos="{0} 0 1"><freejoint/><geom size=".1" mass="2" {1}/></body>'
    balls = ball.format(0, 'friction=".3"') + ball.format(1, 'solref=".01 .5"') + ball.format(2, 'solref="-900 -6"')
    scene = opened(tmp_path, f"<mujoco><worldbody>{balls}</worldbody></mujoco>")
    usual, harder, stated = (body.contact for body in scene.body)
    assert (usual.kinetic_friction, harder.kinetic_friction) == (0.3, 1.0)
    assert usual.stiffness == pytest.approx(2 / (0.95 * 0.02) ** 2)
    assert usual.damping == pytest.approx(2 * 2 / (0.95 * 0.02))
    assert harder.stiffness == pytest.approx(2 / (0.95 * 0.01 * 0.5) ** 2)
    assert stated.stiffness == pytest.approx(2 * 900 / 0.95**2)
    assert stated.damping == pytest.approx(2 * 6 / 0.95)


def test_boxes_come_to_rest_on_each_other(tmp_path: Path) -> None:
    box = '<body name="{0}" pos="0 0 {1}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    text = f"""<mujoco><option timestep=".005"/><worldbody><geom type="plane" size="1 1 1"/>
    {box.format("low", 0.1)}{box.format("high", 0.31)}</worldbody></mujoco>"""
    (tmp_path / "model.xml").write_text(text)
    robot = read_robot(tmp_path / "model.xml")
    assert robot.scene.solver.time_step < 0.005
    assert any(Meaning("", "contacts", stated=0.005).of(note) for note in robot.notes)
    simulation = Simulation(robot.scene)
    simulation.advance(2.0)
    low, high = simulation.snapshot().bodies.position
    assert low[2] == pytest.approx(0.1, abs=0.01)
    assert high[2] == pytest.approx(0.3, abs=0.01)
    assert np.abs(simulation.snapshot().bodies.velocity).max() < 1e-3


def test_flat_and_open_meshes(tmp_path: Path) -> None:
    flat = 'vertex="0 0 0 1 0 0 0 1 0 1 1 0" face="0 1 2 1 3 2" inertia="shell"'
    opened_box = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2" inertia="shell"'
    meshes = f'<asset><mesh name="flat" {flat}/><mesh name="open" {opened_box}/></asset>'
    bodies = "".join(f'<body><freejoint/><geom type="mesh" mesh="{name}"/></body>' for name in ("flat", "open"))
    path = tmp_path / "model.xml"
    path.write_text(f"<mujoco>{meshes}<worldbody>{bodies}</worldbody></mujoco>")
    robot = read_robot(path)
    flat_shape, open_shape = (body.shape[0] for body in robot.scene.body)
    assert (flat_shape.presses, open_shape.presses, open_shape.convex_hull) == (False, True, True)
    assert any(Meaning("", "flat").of(note) for note in robot.notes)


def test_excluded_bodies_must_be_there(tmp_path: Path) -> None:
    with refuses("line 10: <exclude>", name="rest"):
        opened(tmp_path, PILE.format(option="", flag="").replace('body2="other"', 'body2="rest"'))
