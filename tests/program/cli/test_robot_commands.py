"""Models of robots at the command line."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from meaning import Meaning

from polhode import read_robot, read_scene
from polhode_app.cli.main import main

ARM = """<robot name="arm"><link name="base"/><link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.01"/></inertial><visual><geometry><mesh filename="parts/rod.obj"/></geometry>
</visual></link><joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="3" velocity="4"/></joint></robot>"""
MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
NOTES = ("effort of <limit> is not used (line 4)", "velocity of <limit> is not used (line 4)")


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "rod.obj").write_text(MESH)
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    return path


def test_check_lists_what_is_used_and_left_out(arm: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["check", str(arm)]) == 0
    said = capsys.readouterr()
    assert Meaning(str(arm), "ok", bodies=1, shapes=1, magnets=0, mass="1 kg").of(said.out)
    assert said.err == ""
    lines = said.out.splitlines()
    used, left_out = lines.index("used:"), lines.index("left out:")
    assert "  <link> (2 times, first in line 1)" in lines[used:left_out]
    assert lines[left_out + 1 :] == [f"  {note}" for note in NOTES]


def test_check_lists_the_same_as_json(arm: Path, capsys: pytest.CaptureFixture) -> None:
    zeros = arm.read_text().replace('lower="-1" upper="1"', 'lower="0" upper="0"').replace('"3"', '"0"')
    arm.write_text(zeros.replace('"4"', '"0"'))
    assert main(["check", str(arm), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["import"]
    assert {"text": "<joint> (line 3)", "file": "arm.urdf", "line": 3} in said["used"]
    assert said["left_out"] == [{"text": note, "file": "arm.urdf", "line": 4} for note in NOTES]
    (limits,) = said["replaced"]
    assert (limits["line"], limits["choice"]) == (3, {"option": "zero_limits", "name": "hinge", "value": "free"})
    assert main(["check", str(arm), "--json", "--zero-limits", "locked"]) == 0
    (limits,) = json.loads(capsys.readouterr().out)["import"]["replaced"]
    assert limits["choice"]["value"] == "locked"


def test_run_tells_what_is_not_used(arm: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["run", str(arm), "--until", "0.05", "--out", str(tmp_path / "a.csv")]) == 0
    assert [f"{arm}: note: {note}" for note in NOTES] == capsys.readouterr().err.splitlines()[:2]
    assert "hinge.angle" in (tmp_path / "a.csv").read_text().splitlines()[0]


def test_packages_are_given_to_every_command_that_opens_a_robot(
    arm: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    arm.write_text(ARM.replace("parts/", "package://elsewhere/"))
    given = ["--package", f"elsewhere={tmp_path / 'parts'}"]
    assert main(["check", str(arm)]) == 2
    assert main(["check", str(arm), *given]) == 0
    assert main(["inertia", str(arm), *given]) == 0
    assert main(["run", str(arm), "--until", "0", "--out", str(tmp_path / "a.csv"), *given]) == 0
    assert main(["convert", str(arm), str(tmp_path / "arm.toml"), *given]) == 0
    assert read_scene(tmp_path / "arm.toml").body[0].shape[0].file == "parts/rod.obj"
    capsys.readouterr()
    for wrong, told in (("elsewhere", "NAME=FOLDER"), ("elsewhere=", "NAME=FOLDER"), (f"elsewhere={arm}", "no folder")):
        assert main(["check", str(arm), "--package", wrong]) == 2
        assert told in capsys.readouterr().err
    assert main([str(arm), "--package", "elsewhere"]) == 2  # the window
    assert "NAME=FOLDER" in capsys.readouterr().err
    scene = str(tmp_path / "arm.toml")
    assert main([scene, *given]) == 2
    assert Meaning(scene, "robot").of(capsys.readouterr().err)
    assert main(["check", "heavy_top", *given]) == 2
    assert "is no robot" in capsys.readouterr().err


def test_a_zip_of_a_package_is_a_robot_and_any_other_is_not(
    arm: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    with zipfile.ZipFile(tmp_path / "arm.zip", "w") as archive:
        for file in (arm, arm.parent / "parts/rod.obj"):
            archive.write(file, file.relative_to(tmp_path))
    assert main(["check", str(tmp_path / "arm.zip")]) == 0
    assert main(["check", f"{tmp_path / 'arm.zip'}#/arm.urdf"]) == 0
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.writestr("Raw Data.csv", "t,x\n0,1\n")
    capsys.readouterr()
    assert main(["check", str(tmp_path / "data.zip")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_convert_writes_a_scene_that_finds_the_meshes(arm: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "scenes" / "arm.toml"
    out.parent.mkdir()
    assert main(["convert", str(arm), str(out)]) == 0
    assert capsys.readouterr().err.splitlines() == [f"{out}: {note}" for note in NOTES]
    assert read_scene(out).body[0].shape[0].file == "../parts/rod.obj"
    assert read_scene(out).joint == read_robot(arm).scene.joint
    assert main(["check", str(out)]) == 0
    assert main(["convert", str(arm), str(tmp_path / "arm.udf")]) == 2


def test_a_fault_is_told_with_its_line(arm: Path, capsys: pytest.CaptureFixture) -> None:
    arm.write_text(ARM.replace("parts/", "package://parts/"))
    assert main(["check", str(arm)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert Meaning(f"{arm}: line 2: <mesh>", name="parts").of(said)


def test_convert_writes_mjcf_and_lists_what_it_lacks(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "magnets.xml"
    assert main(["convert", "magnet_pendulum", str(out), "--set", "body[0].friction=0.25"]) == 0
    assert Meaning(str(out), "MJCF", place="body[0].dipole").of(capsys.readouterr().err)
    assert 'damping="0.25"' in out.read_text()
    assert main(["convert", "magnet_pendulum", str(out), "--package", "a=b"]) == 2
    assert Meaning("magnet_pendulum", "robot").of(capsys.readouterr().err)
    for name in ("nowhere/shapes.xml", "nowhere/shapes.toml"):
        assert main(["convert", "shapes" if ".xml" in name else str(out), str(tmp_path / name)]) == 2
        assert capsys.readouterr().err.splitlines()[-1].startswith(str(tmp_path / name))
    assert main(["check", str(out)]) == 0


def test_convert_reads_and_writes_a_model_of_mujoco(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    source, out = tmp_path / "arm.xml", tmp_path / "out.xml"
    joint = '<joint name="hinge" axis="0 1 0" damping=".1"/><geom size=".1" pos="0 0 -1"/>'
    source.write_text(f'<mujoco><worldbody><body name="rod">{joint}</body></worldbody></mujoco>')
    assert main(["convert", str(source), str(out)]) == 0
    one, other = (read_robot(path).scene for path in (source, out))
    assert [body.name for body in one.body] == [body.name for body in other.body]
    assert one.joint == other.joint
    capsys.readouterr()
    assert main(["convert", str(source), str(source), "--overwrite"]) == 2
    assert Meaning("arm.xml", name=str(source)).of(capsys.readouterr().err)
    assert "damping" in source.read_text()


def test_convert_replaces_no_mesh_that_a_scene_reads(arm: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    read = tmp_path / "out-mesh0.obj"
    read.write_text(MESH)
    arm.write_text(ARM.replace("parts/rod.obj", read.name))
    assert main(["convert", str(arm), str(tmp_path / "out.xml"), "--overwrite"]) == 2
    assert read.read_text() == MESH
    assert main(["convert", str(arm), str(tmp_path / "other.xml")]) == 0
    assert (tmp_path / "other-mesh0.obj").is_file()


HINGE = """<mujoco><include file="../common/gravity.xml"/><worldbody><body name="arm"><joint name="j" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 1 0 0" size="0.1"/></body></worldbody>
<keyframe><key name="bent" qpos="0.75"/></keyframe></mujoco>"""


def test_a_model_has_files_below_a_root_folder_and_starts_at_a_keyframe(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    model = tmp_path / "models" / "arm.xml"
    for file in (model, tmp_path / "common" / "gravity.xml"):
        file.parent.mkdir()
    (tmp_path / "common" / "gravity.xml").write_text('<mujoco><option gravity="0 0 -1"/></mujoco>')
    model.write_text(HINGE)
    assert main(["check", str(model)]) == 2
    assert Meaning("", "folder").of(capsys.readouterr().err)
    out, given = tmp_path / "arm.toml", ["--root", str(tmp_path), "--keyframe", "bent"]
    assert main(["convert", str(model), str(out), *given]) == 0
    assert read_scene(out).joint[0].angle == pytest.approx(0.75)
    assert main(["check", str(model), "--root", str(tmp_path), "--keyframe", "straight"]) == 2
    assert Meaning("", "keyframe").of(capsys.readouterr().err)
