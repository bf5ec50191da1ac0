"""URDF in ROS packages, and limits without a range."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from ros_package import ARM, INERTIAL, PACKAGE, TETRAHEDRON
from small_swings import period_of

from polhode import InputError, read_robot
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes


def write(folder: Path, mesh: str = "package://arm/meshes/link.obj", kind: str = "continuous", limit: str = "") -> Path:
    """The path of a model in a package, whose folder has another name."""
    for name in ("urdf", "meshes"):
        (folder / "src" / name).mkdir(parents=True, exist_ok=True)
    (folder / "src/package.xml").write_text(PACKAGE.format("arm"))
    (folder / "src/meshes/link.obj").write_text(TETRAHEDRON)
    path = folder / "src/urdf/arm.urdf"
    path.write_text(ARM.replace("MESH", mesh).replace("KIND", kind).replace("LIMIT", limit))
    return path


@pytest.mark.parametrize("mesh", ["package://arm/meshes/link.obj", "package://src/meshes/link.obj"])
def test_a_package_is_found_by_its_statement_or_its_folder(tmp_path: Path, mesh: str) -> None:
    scene = read_robot(write(tmp_path, mesh)).scene
    build(scene, Meshes())  # reads the mesh
    (body,) = scene.body
    assert body.shape[0].file == "../meshes/link.obj"


def test_names_without_a_package_count_from_the_folder_of_the_model(tmp_path: Path) -> None:
    path = write(tmp_path, "link.obj")
    (tmp_path / "src/urdf/link.obj").write_text(TETRAHEDRON)
    build(read_robot(path).scene, Meshes())
    path.write_text(path.read_text().replace("link.obj", "../meshes/link.obj"))
    with pytest.raises(InputError, match="leads"):
        read_robot(path)


@pytest.mark.parametrize("mesh", ["package://other/meshes/link.obj", "package:///meshes/link.obj", "package://.."])
def test_another_package_is_refused(tmp_path: Path, mesh: str) -> None:
    with pytest.raises(InputError, match="package"):
        read_robot(write(tmp_path, mesh))


def test_a_mesh_outside_of_the_package_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.obj").write_text(TETRAHEDRON)
    with pytest.raises(InputError, match="leads"):
        read_robot(write(tmp_path, "package://arm/../secret.obj"))


def test_limits_without_a_range_are_none_or_a_weld(tmp_path: Path) -> None:
    zeros = '<limit lower="0" upper="0" effort="0" velocity="0"/>'
    free = read_robot(write(tmp_path, kind="revolute", limit=zeros))
    (joint,) = free.scene.joint
    assert (joint.kind, joint.limits) == ("hinge", None)
    fixed = read_robot(write(tmp_path, kind="revolute", limit=zeros.replace('effort="0"', 'effort="5"')))
    assert not fixed.scene.joint
    (line,) = free.report.replaced
    assert (line.file, line.line, line.text) == ("arm.urdf", 3, free.notes[-1])
    assert (line.choice.option, line.choice.name, line.choice.value) == ("zero_limits", "j", "free")
    assert fixed.scene.body[0].support == "fixed"
    for robot in (free, fixed):
        assert any("line 3: <joint> 'j'" in str(note) for note in robot.notes)
    np.testing.assert_array_equal(free.scene.body[0].position, fixed.scene.body[0].position)


def test_limits_without_a_range_are_chosen_for_all_or_by_name(tmp_path: Path) -> None:
    zeros = '<limit lower="0" upper="0" effort="0" velocity="0"/>'
    path = write(tmp_path, kind="revolute", limit=zeros)
    assert not read_robot(path, zero_limits="locked").scene.joint
    assert not read_robot(path, zero_limits={"j": "locked"}).scene.joint
    assert read_robot(path, zero_limits={"other": "locked"}).scene.joint
    path.write_text(path.read_text().replace('effort="0"', 'effort="5"'))
    (joint,) = read_robot(path, zero_limits="free").scene.joint
    assert (joint.kind, joint.limits) == ("hinge", None)
    with pytest.raises(InputError, match="zero_limits"):
        read_robot(path, zero_limits="loose")


def test_a_package_elsewhere_is_given(tmp_path: Path) -> None:
    path = write(tmp_path, "package://parts/link.obj")
    with pytest.raises(InputError, match="--package parts=FOLDER"):
        read_robot(path)
    parts = tmp_path / "elsewhere"
    parts.mkdir()
    with pytest.raises(InputError, match="not there"):
        read_robot(path, packages={"parts": parts})
    (parts / "link.obj").write_text(TETRAHEDRON)
    robot = read_robot(path, packages={"parts": parts})
    build(robot.scene, Meshes())
    assert robot.scene.body[0].shape[0].file == "../../elsewhere/link.obj"
    (package,) = (line.choice for line in robot.report.used if line.choice is not None)
    assert (package.option, package.name, package.value) == ("package", "parts", str(parts.resolve()))
    with pytest.raises(InputError, match="no folder"):
        read_robot(path, packages={"parts": parts / "link.obj"})
    path.write_text(path.read_text().replace("parts/link", "parts/../src/meshes/link"))
    with pytest.raises(InputError, match="leads"):
        read_robot(path, packages={"parts": parts})


def test_a_mesh_of_two_packages_comes_from_each(tmp_path: Path) -> None:
    path = write(tmp_path)
    visual = '<visual><geometry><mesh filename="package://other/link.obj"/></geometry></visual></link>'
    path.write_text(path.read_text().replace("</link>", visual, 2).replace('"base"/>', '"base"/>', 1))
    (tmp_path / "other").mkdir()
    (tmp_path / "other/link.obj").write_text(TETRAHEDRON)
    scene = read_robot(path, packages={"other": tmp_path / "other"}).scene
    build(scene, Meshes())
    assert {shape.file for shape in scene.body[0].shape} == {"../meshes/link.obj", "../../other/link.obj"}


def test_packages_and_limits_are_for_urdf_only(tmp_path: Path) -> None:
    path = tmp_path / "ball.xml"
    path.write_text('<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>')
    with pytest.raises(InputError, match="no URDF"):
        read_robot(path, zero_limits="free")


def test_links_that_move_without_an_inertial_have_the_density_of_water(tmp_path: Path) -> None:
    path = write(tmp_path)
    tip = """<link name="tip"><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual></link>
<joint name="f" type="fixed"><parent link="link"/><child link="tip"/></joint></robot>"""
    text = path.read_text().replace("</robot>", tip)
    path.write_text(text)
    (body,) = read_robot(path).scene.body
    assert body.inertia.mass == 2  # what is fixed to a mass has none of its own
    path.write_text(text.replace(INERTIAL, ""))
    robot = read_robot(path)
    masses = build(robot.scene, Meshes()).model.bodies.mass
    assert sum(masses) == pytest.approx(1000 * (0.1**3 + 0.1**3 / 6))
    assert [line.line for line in robot.report.replaced] == [1, 3]


def test_pictures_of_a_mesh_are_told(tmp_path: Path) -> None:
    path = write(tmp_path, "package://arm/meshes/link.dae")
    text = trimesh.creation.box([1, 1, 1]).export(file_type="dae").decode()
    picture = '<library_images><image id="i"><init_from>skin.png</init_from></image></library_images>'
    (tmp_path / "src/meshes/link.dae").write_text(text.replace("</asset>", "</asset>" + picture, 1))
    robot = read_robot(path)
    build(robot.scene, Meshes())
    (line,) = robot.report.left_out
    assert line.line == 2
    assert "skin.png" in line.text


CHAIN = """<robot name="chain"><link name="base"/>{links}
 {joints}</robot>"""


def chain(folder: Path, mimics: dict[str, str], limits: str = "") -> Path:
    """Three hinges on the base, some of which mimic others."""
    links = "".join(f'<link name="{name}">{INERTIAL}</link>' for name in "abc")
    kind = "revolute" if limits else "continuous"
    joints = "".join(
        f'<joint name="j{name}" type="{kind if name == "a" else "continuous"}"><parent link="base"/>'
        f'<child link="{name}"/><axis xyz="0 0 1"/>{limits if name == "a" else ""}{mimics.get(name, "")}</joint>\n'
        for name in "abc"
    )
    path = folder / "chain.urdf"
    path.write_text(CHAIN.format(links=links, joints=joints))
    return path


def test_joints_mimic_joints_that_mimic_others_whatever_their_order(tmp_path: Path) -> None:
    mimics = {
        "a": '<mimic joint="jb" multiplier="2" offset="0.1"/>',
        "b": '<mimic joint="jc" multiplier="-3" offset="0.2"/>',
    }
    scene = read_robot(chain(tmp_path, mimics)).scene
    build(scene, Meshes())
    gears = {joint.second: joint for joint in scene.joint if joint.kind == "gear"}
    assert {name: (gear.first, gear.ratio) for name, gear in gears.items()} == {"ja": ("jb", 2), "jb": ("jc", -3)}
    angles = {joint.name: joint.angle for joint in scene.joint if joint.kind == "hinge"}
    assert angles == pytest.approx({"ja": 0.5, "jb": 0.2, "jc": 0.0})
    mimics["c"] = '<mimic joint="ja"/>'
    with pytest.raises(InputError, match="itself"):
        read_robot(chain(tmp_path, mimics))


def test_what_mimics_a_joint_that_is_locked_is_fixed(tmp_path: Path) -> None:
    path = chain(tmp_path, {"b": '<mimic joint="ja"/>'}, '<limit lower="0" upper="0" effort="0" velocity="0"/>')
    assert len(read_robot(path).scene.joint) == 4
    robot = read_robot(path, zero_limits="locked")
    assert [joint.name for joint in robot.scene.joint] == ["jc"]
    assert len(robot.report.replaced) == 2


def test_a_link_of_a_cad_exporter_swings_with_its_mass_and_period(tmp_path: Path) -> None:
    """A rod of 1 m and 3 kg about its end, with limits of zeros and a frame turned by its joint."""
    path = write(tmp_path, kind="revolute", limit='<limit lower="0" upper="0" effort="0" velocity="0"/>')
    rod = (
        '<inertial><origin xyz="0 0.5 0"/><mass value="3"/>'
        '<inertia ixx="0.25" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.25"/></inertial>'
    )
    text = path.read_text().replace(INERTIAL, rod).replace('<axis xyz="0 1 0"/>', '<axis xyz="1 0 0"/>')
    path.write_text(text.replace("</joint>", '<origin rpy="-1.5707963267948966 0 0"/></joint>'))
    scene = read_robot(path).scene
    assert scene.body[-1].inertia.mass == 3
    assert period_of(scene, "link") == pytest.approx(2 * np.pi * np.sqrt(2 / 3 / 9.81), abs=1e-5)
