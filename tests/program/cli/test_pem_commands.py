"""PEM's files at the command line."""

from __future__ import annotations

import csv
from pathlib import Path

import pem
import pytest
from meaning import Meaning

from polhode import read_scene
from polhode_app.cli.main import main


@pytest.fixture
def pendulum(tmp_path: Path) -> Path:
    path = tmp_path / "pendulum.udf"
    path.write_text(pem.PENDULUM, encoding="utf-8")
    return path


def last_row(table: Path) -> dict[str, float]:
    with table.open(encoding="utf-8", newline="") as file:
        return {name: float(value) for name, value in list(csv.DictReader(file))[-1].items()}


def test_a_run_turns_by_the_inertia_that_it_is_asked_for(pendulum: Path, tmp_path: Path) -> None:
    ends = []
    for option in ([], ["--inertia", "shapes"], ["--inertia", "file"]):
        assert main(["run", str(pendulum), "--until", "0.5", "--out", str(tmp_path / "run.csv"), *option]) == 0
        ends.append(last_row(tmp_path / "run.csv"))
    assert ends[0] == ends[1]
    assert abs(ends[2]["pendulum0.u3.x"] - ends[0]["pendulum0.u3.x"]) > 1e-6
    assert ends[0]["body1.position.x"] == pytest.approx(-0.01)


def test_a_scene_without_stated_inertia_has_no_file_to_turn_by(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = str(tmp_path / "x.csv")
    assert main(["run", "compass", "--until", "0.1", "--out", out, "--inertia", "file"]) == 2
    assert Meaning("--inertia", "states", "inertia").of(capsys.readouterr().err)
    assert main(["run", "compass", "--until", "0.1", "--out", out, "--inertia", "fil"]) == 2
    assert Meaning("--inertia", value="'fil'", near="file").of(capsys.readouterr().err)


def test_an_inertia_that_no_body_has_stops_only_who_asks_for_it(
    pendulum: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    pendulum.write_text(pem.PENDULUM.replace("200.5", "-200.5"), encoding="utf-8")
    run = ["run", str(pendulum), "--until", "0.01", "--out", str(tmp_path / "x.csv")]
    assert main(run) == 0
    assert main([*run, "--inertia", "file"]) == 2
    assert Meaning("body[0].inertia.tensor", "positive", "principal").of(capsys.readouterr().err)


def test_convert_leads_there_and_back(pendulum: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    toml, udf = tmp_path / "a.toml", tmp_path / "b.udf"
    assert main(["convert", str(pendulum), str(toml)]) == 0
    assert main(["convert", str(toml), str(udf)]) == 0
    assert main(["check", str(udf)]) == 0
    assert read_scene(toml).solver.inertia == "shapes"
    assert main(["convert", "magnet_pendulum", str(udf)]) == 0
    assert Meaning("b.udf", "PEM", "names").of(capsys.readouterr().err)
    assert main(["convert", str(udf), str(tmp_path / "c.udf")]) == 2
    assert Meaning("", "conversions", from_udf=".udf", from_urdf=".urdf", to=".toml").of(capsys.readouterr().err)


def test_convert_names_what_a_file_of_pem_can_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["convert", "shapes", str(tmp_path / "no.udf")]) == 2
    said = capsys.readouterr().err
    assert Meaning("no.udf: body[3].shape[0].kind", "PEM", kind="capsule").of(said)
    assert "Traceback" not in said
    assert not (tmp_path / "no.udf").exists()
    assert main(["convert", "catching_magnets", str(tmp_path / "no.udf")]) == 2
    said = capsys.readouterr().err
    assert Meaning("body[0].contact", "nothing", "kind").of(said)
    assert Meaning("body[0].shape[0].magnet", "magnets", "points").of(said)
