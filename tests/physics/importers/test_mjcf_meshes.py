"""Meshes of MJCF: masses as in MuJoCo for every source, kind of inertia, scale and reference; places of vertices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import refuses
from mujoco_twin import compare_masses

from polhode import read_robot, write_scene
from polhode.mesh.mesh import Meshes
from polhode.scene.scene_file import read_scene

mujoco = pytest.importorskip("mujoco")
WEDGE = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0.5 0 1.5\nv 1 1 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 4 2 5\nf 3 4 5\n"
VERTICES = 'vertex="0 0 0  1 0 0  0 2 0  .5 0 1.5"'
TURNED = 'refpos=".1 .2 -.3" refquat="1 .2 .3 -.4"'
SOURCES = [
    'builtin="supersphere" params="8 .3 .4" scale=".2 .13 .085"',
    'builtin="supertorus" params="9 .2 .4 1" inertia="{}"',
    'builtin="hemisphere" params="3" scale=".1 .1 .2"',
    'builtin="sphere" params="1"',
    'builtin="cone" params="5 .4" scale="1 -1 1"',
    'builtin="box" params="2 3 4 .1 .2 .3"',
    f"{VERTICES} {TURNED}",
    f'{VERTICES} face="0 2 1  0 1 3  0 3 2  1 2 3" {TURNED} scale=".1 .2 -.3"',
    f'file="wedge.obj" inertia="{{}}" scale=".1 .1 .1" {TURNED}',
    'file="wedge.obj" inertia="{}" scale="-.1 .2 .1" refpos=".1 .2 -.3"',
    f'file="wedge.obj" inertia="{{}}" scale="-.1 .2 .1" {TURNED}',
]


def model(folder: Path, mesh: str, geom: str = 'density="300"', more: str = "") -> Path:
    (folder / "wedge.obj").write_text(WEDGE)
    path = folder / "model.xml"
    body = f"""<body name="b" pos="1 2 3" euler="10 20 30"><freejoint/>
    <geom type="mesh" mesh="m" pos=".1 0 .2" euler="40 0 10" {geom}/>{more}</body>"""
    path.write_text(f'<mujoco><asset><mesh name="m" {mesh}/></asset><worldbody>{body}</worldbody></mujoco>')
    return path


def sources() -> list[str]:
    kinds = ("legacy", "convex", "exact", "shell")
    return [text.format(kind) for text in SOURCES for kind in (kinds if "{}" in text else ("",))]


@pytest.mark.parametrize("mesh", sources())
def test_masses_of_meshes_equal_mujoco(tmp_path: Path, mesh: str) -> None:
    assert compare_masses(model(tmp_path, mesh)) == {"b"}


@pytest.mark.parametrize("mesh", [SOURCES[0], SOURCES[4], SOURCES[7], *(text.format("exact") for text in SOURCES[8:])])
def test_vertices_stand_where_mujoco_has_them(tmp_path: Path, mesh: str) -> None:
    path = model(tmp_path, mesh)
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    mujoco.mj_kinematics(theirs, data)
    wanted = theirs.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T + data.geom_xpos[0]
    scene = read_robot(path).scene
    (body,), (shape,) = scene.body, scene.body[0].shape
    inside = Meshes().of(shape, scene.folder).vertices * shape.scale @ shape.orientation.matrix().T + shape.position
    found = inside @ body.orientation.matrix().T + body.position
    gaps = np.linalg.norm(found[:, None] - wanted[None], axis=2)
    assert gaps.min(axis=0).max() < 1e-5  # they are float32


def test_a_scene_that_states_vertices_is_written_and_read_alike(tmp_path: Path) -> None:
    scene = read_robot(model(tmp_path, SOURCES[7])).scene
    write_scene(scene, tmp_path / "elsewhere.toml")
    again = read_scene(tmp_path / "elsewhere.toml")
    assert again.body[0].shape[0] == scene.body[0].shape[0]
    Meshes().of(again.body[0].shape[0], again.folder)


@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "box", "ellipsoid"])
def test_forms_that_are_fitted_to_a_mesh_have_masses_as_in_mujoco(tmp_path: Path, kind: str) -> None:
    path = model(
        tmp_path, f"{VERTICES} {TURNED}", geom=f'type="{kind}" fitscale="1.2"'.replace("type", "rgba='1 0 0 1' type")
    )
    path.write_text(path.read_text().replace('type="mesh" mesh="m"', 'mesh="m"'))
    assert compare_masses(path) == {"b"}


@pytest.mark.parametrize(
    "compiler",
    [
        'settotalmass="14"',
        'boundmass="200" boundinertia="30"',
        'balanceinertia="true"',
        'inertiagrouprange="2 3"',
        'inertiafromgeom="true"',
        'inertiafromgeom="auto"',
    ],
)
def test_rules_of_the_compiler_about_masses_equal_mujoco(tmp_path: Path, compiler: str) -> None:
    path = tmp_path / "model.xml"
    path.write_text(f"""<mujoco><compiler {compiler}/><asset><mesh name="m" {VERTICES}/></asset><worldbody>
    <body name="a"><freejoint/><geom size=".1 .2 .3" type="box" group="2"/><geom type="mesh" mesh="m" group="3"/>
     <geom size=".3" group="1" mass="3"/></body>
    <body name="b" pos="3 0 0"><joint/><inertial pos="0 .1 0" mass="2" diaginertia=".5 .6 .7"/>
     <geom size=".2" group="2"/></body>
    <body name="c" pos="5 0 0"><geom size=".2" group="2"/></body></worldbody></mujoco>""")
    assert compare_masses(path) == {"a", "b"}


def test_a_mesh_takes_the_scale_of_its_own_class(tmp_path: Path) -> None:
    path = model(tmp_path, f'class="small" {VERTICES}')
    default = '<default><mesh scale="2 2 2"/><default class="small"><mesh scale=".1 .2 .3"/></default></default>'
    path.write_text(path.read_text().replace("<asset>", f"{default}<asset>"))
    assert compare_masses(path) == {"b"}


@pytest.mark.parametrize(
    ("mesh", "key"),
    [
        ('vertex="0 0 0 1 0"', "rows"),
        ('vertex="0 0 0 1 0 0 0 1 0 1 1 0"', "plane"),
        (f'{VERTICES} face="0 1 4"', "index"),
        (f'{VERTICES} face="0 1 0.5"', "index"),
        (f'{VERTICES} scale="1 0 1"', "factor"),
        ('builtin="supersphere" params="1e9 1 1"', "params"),
        ('builtin="cone" params="2 1"', "params"),
        ('builtin="teapot" params="2 1"', "builtin"),
        ('vertex="0 0 0 nan 0 0 0 1 0 0 0 1"', "finite"),
        ('file="../wedge.obj"', "folder"),
    ],
)
def test_bad_meshes_are_refused_with_their_line(tmp_path: Path, mesh: str, key: str) -> None:
    with refuses("line 1: <mesh> 'm'", key):
        read_robot(model(tmp_path, mesh))
