"""URDF in ROS packages, and limits without a range."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from ros_package import ARM, INERTIAL, PACKAGE, TETRAHEDRON

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
