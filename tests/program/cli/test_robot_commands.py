"""Models of robots at the command line."""

from __future__ import annotations

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


def test_check_and_run_tell_what_is_not_used(arm: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["check", str(arm)]) == 0
    said = capsys.readouterr()
    assert Meaning(str(arm), "ok", bodies=1, shapes=1, magnets=0, mass="1 kg").of(said.out)
    assert [f"{arm}: note: {note}" for note in NOTES] == said.err.splitlines()
    assert main(["run", str(arm), "--until", "0.05", "--out", str(tmp_path / "a.csv")]) == 0
    assert capsys.readouterr().err.count("note: ") == 2
    assert "hinge.angle" in (tmp_path / "a.csv").read_text().splitlines()[0]


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
