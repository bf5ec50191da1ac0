"""Models of robots, MJCF of one or several files, and URDF, also in a zip and with packages: damaged bytes and words.
An accepted one is compiled, and written as MJCF.
"""

from __future__ import annotations

import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

from fuzz.case import Case, Target
from fuzz.damage import damaged
from polhode.engine.compile import build
from polhode.exporters.mjcf.document import mjcf_of
from polhode.importers.opening import read_robot
from polhode.mesh.mesh import Meshes

MJCF = """<mujoco model="arm">
 <compiler angle="radian" eulerseq="xyz" autolimits="true" meshdir="."/>
 <option gravity="0 0 -9.81" timestep="0.002" integrator="RK4"/>
 <default><geom density="800" rgba="1 0 0 1"/>
  <default class="soft"><joint damping="0.1" stiffness="2"/></default></default>
 <asset><mesh name="part" file="part.obj"/><material name="red" rgba="1 0 0 0.5"/></asset>
 <worldbody>
  <geom name="floor" type="plane" size="1 1 1" pos="0 0 -2"/>
  <body name="upper" pos="0 0 1" euler="0.1 0.2 0.3">
   <joint name="shoulder" axis="0 1 0" range="-1 1"/>
   <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05"/>
   <frame pos="0 0 -0.5">
    <body name="lower" childclass="soft" quat="1 0 0 0.1">
     <joint name="elbow" axis="1 0 0" ref="0.1" springref="0.2"/>
     <joint name="elbow2" axis="0 1 0"/>
     <inertial pos="0 0 -0.1" mass="1" diaginertia="0.1 0.1 0.1"/>
     <geom type="mesh" mesh="part" material="red"/>
    </body>
   </frame>
  </body>
  <body name="ball" pos="1 0 1"><freejoint/><geom size="0.1"/></body>
  <body name="wheel" pos="2 0 1"><joint name="wheel" damping="0.1" frictionloss="0.1"/>
   <geom type="box" size="1 2 3"/></body>
 </worldbody>
 <equality>
  <weld body1="ball" body2="lower"/><connect body1="wheel" anchor="0 0 0"/>
  <joint joint1="wheel" joint2="shoulder" polycoef="0 2"/>
 </equality>
</mujoco>
"""
INCLUDING = """<mujoco><include file="inner.xml"/>
 <worldbody>
  <replicate count="3" offset="1 0 0" euler="0 0 10" sep="_">
   <body name="leg" childclass="leg"><joint name="hip"/><include file="leg.xml"/></body>
  </replicate>
 </worldbody></mujoco>
"""
INNER = (
    '<mujocoinclude><default class="main"><default class="leg"><geom density="5"/></default></default></mujocoinclude>'
)
LEG = '<mujoco><geom size="0.1"/><body pos="0 0 -1"><joint/><geom size="0.2"/></body></mujoco>'
DRIVEN = """<mujoco><compiler settotalmass="9" boundmass="0.01" inertiagrouprange="0 3"/>
 <option><flag filterparent="disable" energy="enable"/></option>
 <default><position kp="9"/><tendon range="0 2"/>
  <default class="d"><site size="1"/><motor gear="2"/></default></default>
 <asset><mesh name="v" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="1 -1 2" refpos="1 0 0" inertia="exact"/>
  <mesh name="b" builtin="supersphere" params="6 .5 1" refquat="1 .1 0 0"/><model name="leg" file="sub.xml"/></asset>
 <worldbody><site name="hook" pos="0 0 2"/>
  <body name="a" gravcomp=".5"><freejoint/><geom type="mesh" mesh="v"/><geom type="box" mesh="b" contype="2"/>
   <body name="b"><frame pos="1 0 0" euler="9 0 0"><joint name="x" type="slide" armature=".1" range="-1 2"/></frame>
    <joint name="y" axis="0 1 0"/><geom type="mesh" mesh="b" solref="-100 -1"/><site name="s" pos="0 0 1"/></body>
   <attach model="leg" prefix="l_"/></body>
  <frame name="f"><body name="c" pos="3 0 0"><joint name="z"/><geom size=".1" pos="1 0 0"/></body></frame>
  <frame pos="0 3 0"><attach frame="f" prefix="c_"/></frame>
 </worldbody>
 <contact><exclude body1="a" body2="c"/></contact>
 <tendon><spatial class="d" stiffness="5" springlength="0 1"><site site="hook"/><site site="s"/></spatial>
  <fixed name="t"><joint joint="x" coef="2"/><joint joint="z" coef="-1"/></fixed></tendon>
 <equality><tendon tendon1="t"/><connect site1="hook" site2="s"/><joint joint1="y"/></equality>
 <actuator><motor tendon="t"/><position joint="y" ctrlrange=".5 1"/><general joint="z" biastype="affine"
  gainprm="2" biasprm="0 -2 -1" dyntype="filter"/><velocity joint="c_z" kv="3"/></actuator>
 <keyframe><key name="0" qvel="1 0 0 0 1 0 1 2 3 4 5"/></keyframe></mujoco>
"""
SUB = """<mujoco><compiler angle="radian"/><default><geom size=".1"/></default><worldbody>
 <body name="k" euler="1 0 0"><joint name="k"/><geom pos="1 0 0"/></body></worldbody>
 <actuator><motor joint="k"/></actuator></mujoco>"""
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
URDF = f"""<robot name="arm">
 <material name="blue"><color rgba="0 0 1 1"/></material>
 <link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
 <link name="a">{INERTIAL}
  <visual><geometry><mesh filename="part.obj"/></geometry><material name="blue"/></visual></link>
 <link name="b">{INERTIAL}<collision><geometry><cylinder radius="1" length="2"/></geometry></collision></link>
 <link name="c">{INERTIAL}</link>
 <link name="tip"><visual><geometry><sphere radius="1"/></geometry></visual></link>
 <joint name="j1" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="0.1" friction="0.1"/></joint>
 <joint name="j2" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 1" rpy="0.1 0 0"/>
  <mimic joint="j1" multiplier="2" offset="0.1"/></joint>
 <joint name="j3" type="prismatic"><parent link="b"/><child link="c"/><limit lower="0.5" upper="1"/></joint>
 <joint name="j4" type="fixed"><parent link="c"/><child link="tip"/></joint>
</robot>
"""
MIMICS = f"""<robot name="mimics"><link name="base"/>
 <link name="a">{INERTIAL}<visual><geometry><mesh filename="package://given/part.obj"/></geometry></visual></link>
 <link name="b"><visual><geometry><mesh filename="package://package/part.dae"/></geometry></visual></link>
 <link name="c"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
 <joint name="j1" type="revolute"><parent link="base"/><child link="a"/><mimic joint="j2" multiplier="2"/>
  <limit lower="0" upper="0" effort="0" velocity="0"/></joint>
 <joint name="j2" type="revolute"><parent link="base"/><child link="b"/><mimic joint="j3" offset="0.1"/>
  <limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
 <joint name="j3" type="revolute"><parent link="b"/><child link="c"/><limit lower="0" upper="0" effort="1"/></joint>
</robot>
"""
WORDS = (
    *("<body>", "</body>", "<joint/>", "<geom/>", "<link/>", "<!DOCTYPE a>", "<![CDATA[", "&lt;", "&x;", "<!--", "-->"),
    *("slide", "hinge", "ball", "free", "mesh", "plane", "fixed", "floating", "planar", "../part.obj", "/dev/zero"),
    *(
        '<include file="model.xml"/>',
        '<include file="inner.xml"/>',
        '<replicate count="30">',
        "</replicate>",
        "../a.xml",
    ),
    *(
        '<attach model="leg" prefix="x"/>',
        "<frame>",
        "builtin",
        "package://a",
        "package://package/part.obj",
        "package://given/../part.obj",
        "package://given/part.obj",
        "package://arm.zip#/part.obj",
        '<mimic joint="j1"/>',
        '<limit lower="0" upper="0" effort="0" velocity="0"/>',
        "world",
        "name",
        "class",
        "main",
        "degree",
        "true",
        "false",
        "0 0 0",
        "1 0 0 0",
        "wheel",
        "tip",
    ),
)
PART = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
PICTURED = (
    '<COLLADA version="1.4.1"><library_images><image id="i"><init_from>../x.png</init_from></image></library_images>'
    "</COLLADA>"
)


def bases() -> list[Case]:
    """A file of each format with nearly all that is understood."""
    return [Case("model.xml", text.encode()) for text in (MJCF, INCLUDING, DRIVEN, URDF, MIMICS)]


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """A damaged text."""
    others = [other.content for other in chance.sample(known, 1)]
    return Case("model.xml", damaged(case.content, others, chance, WORDS))


def read(path: Path, content: bytes) -> str:
    """The scene, compiled; of every third length from a zip, and of every fifth with joints that are locked."""
    (path.parent / "part.obj").write_text(PART)
    (path.parent / "leg.xml").write_bytes(LEG.encode() if len(content) % 4 else content)  # a damaged one, too
    (path.parent / "sub.xml").write_bytes(SUB.encode() if len(content) % 5 else content)
    (path.parent / "inner.xml").write_text(INNER)
    (path.parent / "package.xml").write_text("<package><name>package</name></package>")
    (path.parent / "part.dae").write_text(PICTURED)
    packages, limits = {"given": path.parent}, "locked" if len(content) % 5 == 0 else None
    is_urdf = b"<robot" in content
    if is_urdf and len(content) % 3 == 0:
        with zipfile.ZipFile(path.with_name("arm.zip"), "w") as archive:
            archive.writestr("package/arm.urdf", content)
            for name in ("part.obj", "part.dae", "package.xml"):
                archive.write(path.with_name(name), f"package/{name}")
        path = path.with_name("arm.zip")
    start = "0" if b"<key" in content and len(content) % 2 else None
    robot = read_robot(path, packages, limits) if is_urdf else read_robot(path, start=start)
    build(robot.scene, Meshes())
    mjcf_of(robot.scene, "out", Meshes())
    assert len(robot.report.replaced) + len(robot.report.left_out) >= len(robot.notes) - 1
    return " ".join(sorted({joint.kind for joint in robot.scene.joint})) + (" with notes" if robot.notes else "")


TARGET = Target("robot", bases, mutate, read, goal=20_000)
