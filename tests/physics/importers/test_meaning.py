"""Conversion of models of robots: bodies, joints, walls, and notes on ignored parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from meaning import Meaning, refuses

from polhode import read_robot
from polhode.engine.compile import build
from polhode.importers.geometry import has_holes
from polhode.importers.opening import Robot
from polhode.mesh.mesh import Meshes

INERTIAL = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
OPEN = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def opened(folder: Path, text: str) -> Robot:
    path = folder / "model.xml"
    path.write_text(text)
    return read_robot(path)


def fixed(name: str, parent: str, child: str, kind: str = "fixed", inside: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def test_every_unknown_thing_is_listed_once(tmp_path: Path) -> None:
    text = """<mujoco><extension/><default><muscle force="1"/></default><worldbody><composite/><composite/>
    <body sleep="never"><joint name="a" user="0.1" range="0 0"  limited="false"/><geom size="1" condim="3"/>
    <geom size="1" condim="3"/><flexcomp/></body></worldbody><actuator><muscle joint="a"/></actuator></mujoco>"""
    expected = [
        Meaning("", "<composite>", "<worldbody>", "2", "1"),  # how often, and the line of the first
        Meaning("", "<extension>", "<mujoco>", "1"),
        Meaning("", "<flexcomp>", "<body>", "3"),
        Meaning("", "<muscle>", "<actuator>", "3"),
        Meaning("", "condim", "<geom>", "2"),
        Meaning("", "sleep", "<body>", "2"),
        Meaning("", "user", "<joint>", "2"),
    ]
    notes = sorted(opened(tmp_path, text).notes)
    assert len(notes) == len(expected)
    assert all(each.of(note) for each, note in zip(expected, notes, strict=True)), notes


def test_drawn_shapes_add_no_mass_and_an_open_mesh_may_be_drawn(tmp_path: Path) -> None:
    (tmp_path / "open.obj").write_text(OPEN)
    visual = '<visual><geometry><mesh filename="open.obj" scale="2 2 2"/></geometry></visual>'
    links = f'<link name="a"/><link name="b">{INERTIAL}{visual}</link>'
    text = f'<robot name="r">{links}{fixed("j", "a", "b", "continuous")}</robot>'
    scene = opened(tmp_path, text).scene
    assert scene.body[0].shape[0].scale == 2.0
    assert build(scene, Meshes()).model.bodies.mass == [2.0]


def test_an_open_mesh_that_gives_the_mass_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "open.obj").write_text(OPEN)
    visual = '<visual><geometry><mesh filename="open.obj"/></geometry></visual>'
    links = f'<link name="a"/>\n<link name="b">{visual}</link>'
    with refuses("line 2: <link> 'b'", "open", name="open.obj"):
        opened(tmp_path, f'<robot name="r">{links}{fixed("j", "a", "b", "continuous")}</robot>')


def test_holes_are_told_from_noise_of_corners() -> None:
    """Corners of a cube whose triangles differ by less than a millionth of its size are closed, without one open."""
    cube = trimesh.creation.box().triangles
    noisy = cube + 1e-8 * np.random.default_rng(1).standard_normal(cube.shape)
    assert not has_holes(np.concatenate([noisy, noisy[:1, [0, 0, 1]]]))  # one of them without area
    assert has_holes(noisy[1:])
    assert not has_holes(np.zeros((1, 3, 3)))


def test_links_without_mass_are_part_of_others(tmp_path: Path) -> None:
    turned = '<origin xyz="0 0 1" rpy="0 1.5707963267948966 0"/>'
    text = f"""<robot name="r"><link name="base"/><link name="dummy"/><link name="arm">{INERTIAL}</link>
    <link name="tip"><visual><geometry><sphere radius="0.1"/></geometry></visual></link>
    {fixed("j", "base", "dummy", "continuous")}{fixed("k", "dummy", "arm", inside=turned)}
    {fixed("l", "arm", "tip", inside='<origin xyz="1 0 0"/>')}</robot>"""
    robot = opened(tmp_path, text)
    (body,) = robot.scene.body
    assert body.name == "dummy"
    assert body.inertia.center == pytest.approx((0, 0, 1))
    assert np.diag(body.inertia.tensor) == pytest.approx([3, 3, 1])  # I + m s^2 across the shift
    assert body.shape[0].position == pytest.approx((0, 0, 0), abs=1e-12)  # 1 along the turned x axis, which is -z
    assert [joint.kind for joint in robot.scene.joint] == ["hinge"]
    assert len(robot.notes) == 2


def test_a_floating_joint_makes_a_free_body(tmp_path: Path) -> None:
    text = f'<robot name="r"><link name="w"/><link name="b">{INERTIAL}</link>{fixed("j", "w", "b", "floating")}</robot>'
    scene = opened(tmp_path, text).scene
    assert (scene.body[0].support, scene.joint) == ("free", ())


def test_mimic_is_a_gear(tmp_path: Path) -> None:
    links = "".join(f'<link name="{name}">{INERTIAL}</link>' for name in "abcd")
    text = f"""<robot name="r"><link name="base"/>{links}{fixed("ja", "base", "a", "continuous")}
    {fixed("jb", "a", "b", "continuous", '<mimic joint="ja" multiplier="-2" offset="0.5"/>')}
    {fixed("jc", "a", "c", "prismatic", '<limit lower="-1" upper="1"/><mimic joint="ja"/>')}
    {fixed("jd", "a", "d", "revolute", '<limit lower="-1" upper="1"/>')}</robot>"""
    robot = opened(tmp_path, text)
    gears = [(each.first, each.second, each.ratio) for each in robot.scene.joint if each.kind == "gear"]
    assert gears == [("ja", "jb", -2.0), ("ja", "jc", 1.0)]
    assert robot.scene.joint[1].angle == 0.5
    build(robot.scene, Meshes())


def test_planes_are_walls(tmp_path: Path) -> None:
    text = """<mujoco><worldbody><body pos="0 0 1"><geom name="ramp" type="plane" size="1 1 1" euler="0 30 0"
    friction="0.4 0 0"/></body><body pos="0 0 3"><freejoint/><geom size="0.1" mass="2"/></body></worldbody></mujoco>"""
    (wall,) = opened(tmp_path, text).scene.wall
    assert (wall.name, wall.kinetic_friction, wall.point) == ("ramp", 0.4, (0.0, 0.0, 1.0))
    assert wall.normal == pytest.approx((0.5, 0, 3**0.5 / 2))


def test_equality_ties_bodies_and_gears_hinges(tmp_path: Path) -> None:
    body = '<body name="{0}" pos="{1} 0 0"><joint name="j{0}" axis="0 1 0"/><geom size="0.1" pos="0 0 -1"/></body>'
    text = f"""<mujoco><worldbody>{body.format("a", 0)}{body.format("b", 1)}{body.format("c", 2)}</worldbody>
    <equality><connect name="tie" body1="a" anchor="0 0 -1"/><weld body1="b" body2="c"/>
    <joint joint1="jb" joint2="ja" polycoef="0 3 0 0 0"/><joint joint1="jb" joint2="ja" polycoef="0 1 2 0 0"/>
    <connect body1="a" body2="b" anchor="0 0 0" active="false"/></equality></mujoco>"""
    robot = opened(tmp_path, text)
    ball, weld, gear = robot.scene.joint[3:]
    assert (ball.kind, ball.first, ball.second, ball.anchor_first) == ("ball", "a", None, (0.0, 0.0, -1.0))
    assert (weld.kind, weld.first, weld.second) == ("weld", "b", "c")
    assert (gear.first, gear.second, gear.ratio) == ("ja", "jb", 3.0)
    assert len([note for note in robot.notes if Meaning("", "left", "out").of(note)]) == 2


def test_meshes_of_assets_and_names_that_occur_twice(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "wedge.obj").write_text(TETRAHEDRON)
    text = """<mujoco><compiler meshdir="parts"/><asset><mesh file="wedge.obj" scale="0.1 0.1 0.1"/></asset><worldbody>
    <body name="x y"><joint name="x y" range="10 20"/><geom type="mesh" mesh="wedge" density="1200"/></body>
    </worldbody></mujoco>"""
    robot = opened(tmp_path, text)
    (body,), (joint,) = robot.scene.body, robot.scene.joint
    assert (body.name, joint.name, body.shape[0].file) == ("x_y", "x_y_joint", "parts/wedge.obj")
    assert joint.angle == joint.limits.lower == pytest.approx(np.radians(10))
    assert build(robot.scene, Meshes()).model.bodies.mass == pytest.approx([1200 / 6 * 0.1**3])


@pytest.mark.parametrize("outermost", ["<default>", '<default class="all">'])
def test_default_classes_are_inherited_and_apply_where_they_are_named(tmp_path: Path, outermost: str) -> None:
    shape = '<geom size="1" {0}/>'
    text = f"""<mujoco>{outermost}<default class="red"><geom rgba="1 0 0 1"/>
    <default class="heavy"><geom density="5000"/></default></default></default><worldbody>
    <body><freejoint/>{shape.format("")}</body><body childclass="red"><freejoint/>{shape.format("")}</body>
    <body childclass="red"><freejoint/>{shape.format('class="heavy"')}</body></worldbody></mujoco>"""
    shapes = [body.shape[0] for body in opened(tmp_path, text).scene.body]
    assert [(each.color, each.density) for each in shapes] == [
        (None, 1000.0),
        ("#ff0000", 1000.0),
        ("#ff0000", 5000.0),
    ]
