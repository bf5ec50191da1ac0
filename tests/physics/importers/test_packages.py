"""URDF in ROS packages, and limits without a range."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polhode import InputError, read_robot
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes

PACKAGE = "<package><name>{}</name></package>"
TETRAHEDRON = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
INERTIAL = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
ARM = f"""<robot name="arm"><link name="base"/><link name="link">{INERTIAL}
 <visual><geometry><mesh filename="MESH"/></geometry></visual></link>
 <joint name="j" type="KIND"><parent link="base"/><child link="link"/><axis xyz="0 1 0"/>LIMIT</joint></robot>"""


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
    assert body.shape[0].file == "meshes/link.obj"


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
    assert fixed.scene.body[0].support == "fixed"
    for robot in (free, fixed):
        assert any("line 3: <joint> 'j'" in str(note) for note in robot.notes)
    np.testing.assert_array_equal(free.scene.body[0].position, fixed.scene.body[0].position)
