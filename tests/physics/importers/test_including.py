"""MJCF of several files, with repeated parts, and models that lose everything that moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polhode import InputError, read_robot
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes

MAIN = """<mujoco model="crane">
 <include file="parts/styles.xml"/>
 <worldbody>
  <replicate count="12" offset="0.3 0.1 0" euler="0 0 20" sep="_">
   <body name="arm" pos="0 1 2" euler="10 0 0">
    <joint name="hinge" axis="0 1 0"/>
    <include file="parts/arm.xml"/>
   </body>
  </replicate>
 </worldbody>
</mujoco>"""
STYLES = '<mujocoinclude><default><geom density="700"/></default></mujocoinclude>'
ARM = '<mujoco>\n <geom type="capsule" fromto="0 0 0 0.1 0 -0.4" size="0.04"/>\n {}\n</mujoco>'


def write(folder: Path, main: str = MAIN, more: str = "") -> Path:
    """The path of a model whose parts lie in a folder beside it; `more` is in the file of the arm."""
    (folder / "parts").mkdir()
    (folder / "parts/styles.xml").write_text(STYLES)
    (folder / "parts/arm.xml").write_text(ARM.format(more))
    (folder / "crane.xml").write_text(main)
    return folder / "crane.xml"


def test_parts_of_several_files_equal_mujoco(tmp_path: Path) -> None:
    # Replicas of an included part; masses and places of mujoco's own compiler.
    mujoco = pytest.importorskip("mujoco")
    main = MAIN.replace('<include file="parts/arm.xml"/>', ARM.format("").split("\n")[1])
    path = write(tmp_path)
    model = mujoco.MjModel.from_xml_string(main.replace('<include file="parts/styles.xml"/>', STYLES[15:-16]))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = read_robot(path).scene
    masses = build(scene, Meshes()).model.bodies.mass
    names = [body.name for body in scene.bodies]
    assert names == [f"arm_{number:02d}" for number in range(12)]
    assert model.nbody == 13
    for number, name in enumerate(names):
        theirs = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
        assert masses[number] == pytest.approx(model.body_mass[theirs], rel=1e-6)
        np.testing.assert_allclose(scene.bodies[number].position, data.xpos[theirs], atol=1e-12)


def test_faults_and_notes_name_the_included_file_and_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, more="<plugin/>")
    assert any("parts/arm.xml:3" in str(note) for note in read_robot(path).notes)
    (tmp_path / "parts/arm.xml").write_text(ARM.format('<geom size="-x"/>'))
    with pytest.raises(InputError, match=r"parts/arm\.xml:3"):
        read_robot(path)


@pytest.mark.parametrize("name", ["crane.xml", "parts/arm.xml", "parts/../crane.xml"])
def test_a_file_that_includes_what_is_read_already_is_refused(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, more=f'<include file="{name}"/>')
    with pytest.raises(InputError, match="is read already"):
        read_robot(path)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside.xml").write_text(ARM.format(""))
    (tmp_path / "inside").mkdir()
    path = write(tmp_path / "inside")
    (tmp_path / "inside/parts/arm.xml").unlink()
    (tmp_path / "inside/parts/arm.xml").symlink_to(tmp_path / "outside.xml")
    with pytest.raises(InputError, match="leads"):
        read_robot(path)


def test_files_in_each_other_are_bounded(tmp_path: Path) -> None:
    path = write(tmp_path, more='<include file="0.xml"/>')
    for number in range(120):
        inner = f'<include file="{number + 1}.xml"/>'
        (tmp_path / f"{number}.xml").write_text(f"<mujoco>{'<body>' * 5}{inner}{'</body>' * 5}</mujoco>")
    with pytest.raises(InputError, match="in each other"):
        read_robot(path)


def test_too_many_copies_are_refused(tmp_path: Path) -> None:
    inner = '<replicate count="1000" offset="1 0 0">' * 3 + '<geom size="1"/>' + "</replicate>" * 3
    path = write(tmp_path, f"<mujoco><worldbody>{inner}</worldbody></mujoco>")
    with pytest.raises(InputError, match="makes more than"):
        read_robot(path)


def test_a_model_without_anything_left_that_moves_is_refused(tmp_path: Path) -> None:
    inner = '<geom size="1"/><composite type="cable"/>'
    path = write(tmp_path, f"<mujoco><worldbody>{inner}</worldbody></mujoco>")
    with pytest.raises(InputError, match="<composite>"):
        read_robot(path)
    path.write_text('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')  # nothing was lost
    assert len(read_robot(path).scene.bodies) == 1


def test_the_rest_of_a_model_opens_without_what_is_left_out(tmp_path: Path) -> None:
    sdf = '<body name="lost"><joint name="x"/><joint name="y"/><geom type="sdf" mesh="gear"/></body>'
    cable = '<body name="end"><freejoint/><composite type="cable"/></body>'
    swing = '<body name="swing"><joint/><geom size=".1" pos="1 0 0"/></body>'
    path = write(tmp_path, f"<mujoco><worldbody>{sdf}{cable}{swing}</worldbody></mujoco>")
    robot = read_robot(path)
    assert [(body.name, body.support) for body in robot.scene.body] == [("swing", "free")]
    build(robot.scene, Meshes())
    for name in ("lost", "end"):
        assert any(name in str(note) and "mass" in str(note) for note in robot.notes), robot.notes
    path.write_text(f"<mujoco><worldbody>{sdf}</worldbody></mujoco>")
    with pytest.raises(InputError, match="sdf"):
        read_robot(path)
