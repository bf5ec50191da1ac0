"""Models that are put together: attached ones with other units and classes, copies with what refers to them, roots."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import refuses
from mujoco_twin import compare_masses

from polhode import read_robot

CHILD = """<mujoco model="leg"><compiler angle="radian" meshdir="parts" autolimits="true" eulerseq="ZYX"/>
 <default><joint damping=".3"/><geom density="700"/>
  <default class="foot"><geom size=".05"/><joint range="-.2 .3"/></default></default>
 <asset><mesh name="block" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset>
 <worldbody>
  <frame name="hip" pos="0 0 .1" euler=".1 .2 .3">
   <body name="thigh" pos="0 .1 -.2" euler=".4 0 .2"><joint name="hip" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/><geom type="mesh" mesh="block"/>
    <body name="foot" pos="0 0 -.3" childclass="foot"><joint name="ankle"/><geom/></body></body>
  </frame>
 </worldbody>
 <equality><joint joint1="ankle" joint2="hip"/></equality></mujoco>"""
PARENT = """<mujoco model="walker"><default><joint damping="9"/><geom density="100"/></default>
 <asset><model name="leg" file="legs/leg.xml"/></asset>
 <worldbody>
  <body name="trunk" pos="0 0 1" euler="10 20 30"><freejoint/><geom size=".2"/>
   <frame pos=".1 0 0" euler="0 0 90"><attach model="leg" frame="hip" prefix="left_"/></frame>
   <frame pos="-.1 0 0"><attach model="leg" body="thigh" prefix="right_"/></frame>
   <frame name="arm" pos="0 .2 0"><body name="arm"><joint name="shoulder"/><geom size=".1" pos="0 0 .2"/></body></frame>
   <frame pos="0 -.2 0"><attach frame="arm" prefix="other_"/></frame>
  </body>
  <replicate count="3" offset="1 0 0" sep="-"><attach model="leg" prefix="lone_"/></replicate>
 </worldbody></mujoco>"""


def write(folder: Path, parent: str = PARENT, child: str = CHILD) -> Path:
    (folder / "legs").mkdir(exist_ok=True)
    (folder / "legs/leg.xml").write_text(child)
    (folder / "walker.xml").write_text(parent)
    return folder / "walker.xml"


def test_attached_parts_stand_and_weigh_as_in_mujoco(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    path = write(tmp_path)
    legs = {f"{side}_{part}" for side in ("left", "right") for part in ("thigh", "foot")}
    lone = {f"lone_{part}-{number}" for part in ("thigh", "foot") for number in range(3)}
    assert compare_masses(path) == {"trunk", "arm", "other_arm"} | legs | lone
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    scene = read_robot(path).scene
    for body in scene.body:
        np.testing.assert_allclose(body.position, data.body(body.name).xpos, atol=1e-12)
        np.testing.assert_allclose(body.orientation.matrix(), data.body(body.name).xmat.reshape(3, 3), atol=1e-12)
    joints = {joint.name: joint for joint in scene.joint}
    assert (joints["left_hip"].friction, joints["shoulder"].friction) == (0.3, 9.0)
    assert joints["lone_ankle-2"].limits.upper == 0.3
    assert sum(joint.kind == "gear" for joint in scene.joint) == model.neq == 5


def test_replicas_take_what_refers_to_them(tmp_path: Path) -> None:
    body = '<body name="b" pos="0 0 1"><joint name="j"/><geom size=".1" pos="1 0 0"/></body>'
    text = f"""<mujoco><worldbody><replicate count="4" offset="1 0 0"><replicate count="2" offset="0 1 0" sep="_">{body}
    </replicate></replicate><body><joint name="k"/><geom size="1"/></body></worldbody>
    <equality><joint joint1="j" joint2="k"/></equality></mujoco>"""
    scene = read_robot(write(tmp_path, text)).scene
    pairs = {(joint.first, joint.second) for joint in scene.joint if joint.kind == "gear"}
    assert pairs == {("k", f"j_{inner}{outer}") for inner in range(2) for outer in range(4)}


def test_a_model_beside_the_folder_needs_a_root(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "inner").mkdir()
    path = tmp_path / "inner/walker.xml"
    path.write_text(PARENT.replace("legs/leg.xml", "../legs/leg.xml"))
    with refuses("line 2: <model> 'leg'", "folder"):
        read_robot(path)
    robot = read_robot(path, root=tmp_path)
    assert robot.scene.folder == tmp_path
    assert len(robot.scene.body) == 13
    with refuses("line 1: <mujoco>", "folder", folder=tmp_path / "legs"):
        read_robot(path, root=tmp_path / "legs")


def test_an_attached_model_finds_its_meshes_in_its_own_folder(tmp_path: Path) -> None:
    path = write(tmp_path, child=CHILD.replace('vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"', 'file="block.obj"'))
    (tmp_path / "legs/parts").mkdir()
    (tmp_path / "legs/parts/block.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    files = {s.file for body in read_robot(path).scene.body for s in body.shape if s.kind == "mesh"}
    assert files == {"legs/parts/block.obj"}


@pytest.mark.parametrize(
    ("old", "new", "place", "term"),
    [
        ('model="leg" frame="hip"', 'model="arm" frame="hip"', "line 5: <attach>", "arm"),
        ('body="thigh"', 'body="shin"', "line 6: <attach>", "shin"),
        ('file="legs/leg.xml"', 'file="walker.xml"', "line 2: <model> 'leg'", "attach"),
        ('file="legs/leg.xml"', 'file="../leg.xml"', "line 2: <model> 'leg'", "folder"),
        ('count="3"', 'count="90000"', "line 10: <replicate>", "elements"),
    ],
)
def test_bad_attachments_are_refused(tmp_path: Path, old: str, new: str, place: str, term: str) -> None:
    with refuses(place, term):
        read_robot(write(tmp_path, PARENT.replace(old, new)))


def test_models_that_attach_each_other_are_refused(tmp_path: Path) -> None:
    asset = '<asset><model name="back" file="../walker.xml"/>'
    with refuses("line legs/leg.xml:4: <model> 'back'", "attach"):
        read_robot(write(tmp_path, child=CHILD.replace("<asset>", asset)))
