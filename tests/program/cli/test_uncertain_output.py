"""`polhode run` and `check` of scenes with uncertain numbers."""

from __future__ import annotations

import csv
import json
from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning
from recording_files import advance, begun, ended

from polhode import read_recording, read_scene
from polhode.scene import gallery
from polhode.scene.uncertain import Uncertain
from polhode_app.cli.main import main
from polhode_app.cli.results.batch import Request, run_to_file
from polhode_app.cli.results.recording_export import unwind

PENDULUM = """
[[body]]
name = "bob"
support = "pivot"
orientation = { axis = [1, 0, 0], angle = 0.1 }
shape = [{ kind = "point", mass = 1.0, position = [0, 0, %s] }]
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    """A pendulum of an uncertain length."""
    path = tmp_path / "pendulum.toml"
    path.write_text(PENDULUM % '"-0.458 +- 0.001"')
    return path


def table(path: Path) -> dict[str, np.ndarray]:
    """The columns of a table in CSV."""
    with path.open() as file:
        rows = [*csv.reader(file)]
    return dict(zip(rows[0], np.array(rows[1:], dtype=float).T, strict=True))


def test_a_table_has_the_deviations_of_what_is_uncertain(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = scene.with_name("run.csv")
    assert main(["run", str(scene), "--until", "3", "--out", str(out)]) == 0
    found = table(out)
    certain = scene.with_name("certain.toml")
    certain.write_text(PENDULUM % "-0.458")
    assert main(["run", str(certain), "--until", "3", "--out", str(out)]) == 0
    plain = table(out)
    assert [name for name in found if not name.endswith(".sd")] == [*plain], "columns of a certain scene as before"
    assert all((found[name] == plain[name]).all() for name in plain)
    assert "bob.u3.y.sd" in found
    assert "bob.position.x.sd" not in found, "it hangs on a pivot"
    assert found["bob.u3.y.sd"][0] == 0.0
    slope = 0.1 * pi / (2 * pi * sqrt(0.458 / 9.80665)) * 0.001 / 0.458  # of the deviation, at zeros of the angle
    assert found["bob.u3.y.sd"].max() == pytest.approx(3.0 * slope, rel=0.1)
    said = capsys.readouterr().err
    assert "100 % body[0].shape[0].position[2]" in said
    assert "period of bob.u3.y: 1.3587 +- 0.0015 s" in said  # T (1 + a^2/16) and T s/(2 L)


def test_check_lists_uncertain_numbers(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(scene), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["uncertain"] == [
        {
            "path": "body[0].shape[0].position[2]",
            "mean": -0.458,
            "deviation": 0.001,
            "distribution": "normal",
            "letter": "",
        }
    ]
    assert main(["check", "heavy_top", "--json"]) == 0
    assert "uncertain" not in json.loads(capsys.readouterr().out)
    assert main(["check", "heavy_top", "--set", "body[0].friction=1e-4 +- 1e-5 uniform"]) == 0
    assert "body[0].friction = 0.0001 +- 1e-05 uniform" in capsys.readouterr().out


def test_check_refuses_a_letter_of_two_distributions(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = scene.read_text().replace("0.001", "0.001 (a)").replace("mass = 1.0", 'mass = "1.0 +- 0.1 uniform (a)"')
    scene.write_text(text)
    assert main(["check", str(scene)]) == 2
    assert "(a)" in capsys.readouterr().err


def test_recordings_carry_uncertain_numbers(scene: Path) -> None:
    out = scene.with_name("run.vtkhdf")
    assert main(["run", str(scene), "--until", "0.1", "--out", str(out)]) == 0
    recorded = read_recording(out)
    assert recorded.scene.body[0].shape[0].position[2] == Uncertain(-0.458, 0.001)


def test_probabilities_are_in_the_summary_of_a_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = gallery.path("double_well").read_text()
    begin = text.index("[[sweep]]")
    axes = '{ parameter = "bead[0].friction", range = [0.2, 0.3], count = 2 }'
    draws = '{ parameter = "bead[0].parameter", draws = { count = 40 } }'
    path, out = tmp_path / "ridge.toml", tmp_path / "map.h5"
    start = (
        text[:begin].replace("parameter = -0.95", 'parameter = "0.05 +- 0.05"').replace("speed = 0.6", "speed = 0.0")
    )
    outcome = 'outcome = { kind = "attractor", near = ["left", "right"], of = "bead" }\ncheck = "none"'
    path.write_text(f'{start}\n[[sweep]]\nname = "sides"\nuntil = 20\naxes = [{axes}, {draws}]\n{outcome}\n')
    assert main(["sweep", str(path), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["info", str(out), "--json"]) == 0
    chances = np.array(json.loads(capsys.readouterr().out)["probabilities"])
    assert chances.shape == (2, 2)
    assert chances.sum(axis=0) == pytest.approx(np.ones(2))
    assert (chances[1] > 0.6).all()


def test_deviations_that_memory_cannot_hold_are_left_out(
    scene: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polhode.uncertainty.uncertainties.MOST_NUMBERS", 100)
    out = scene.with_name("run.csv")
    assert main(["run", str(scene), "--until", "0.1", "--out", str(out)]) == 0
    found = table(out)
    assert len(found["bob.u3.y"]) > 1
    assert not [name for name in found if name.endswith(".sd")]
    assert "--every" in capsys.readouterr().err


def test_the_runs_for_deviations_report_progress(scene: Path) -> None:
    reports: list[float] = []
    until = 0.01
    run_to_file(read_scene(scene), Request(until, until, scene.with_name("a.csv"), reports.append))
    certain = scene.with_name("certain.toml")
    certain.write_text(PENDULUM % "-0.458")
    plain: list[float] = []
    run_to_file(read_scene(certain), Request(until, until, scene.with_name("b.csv"), plain.append))
    assert len(reports) > len(plain)
    assert reports == sorted(reports)


def test_a_converted_recording_has_the_deviations_of_the_run(scene: Path) -> None:
    recording, out, direct = (scene.with_name(name) for name in ("run.vtkhdf", "run.csv", "direct.csv"))
    options = ["--until", "3", "--every", "0.1", "--out"]
    assert main(["run", str(scene), *options, str(recording)]) == 0
    assert main(["convert", str(recording), str(out), "--units"]) == 0
    assert main(["run", str(scene), *options, str(direct)]) == 0
    made, expected = table(out), table(direct)
    assert [*made] == [*expected]
    assert "bob.u3.y.sd" in made
    for name in made:
        assert made[name] == pytest.approx(expected[name], abs=1e-12), name
    assert "bob.u3.y.sd" in out.with_name("run.units.csv").read_text("utf-8")


def test_a_recording_that_was_disturbed_has_no_deviations(scene: Path) -> None:
    recording, out = scene.with_name("run.vtkhdf"), scene.with_name("run.csv")
    simulation, taping = begun(read_scene(scene), recording, every=50)
    advance(simulation, taping, 5)
    simulation.set({"body[0].friction": 0.01})
    advance(simulation, taping, 5)
    ended(taping)
    assert main(["convert", str(recording), str(out)]) == 0
    assert not any(name.endswith(".sd") for name in table(out))


def test_a_conversion_reports_the_runs_for_deviations(scene: Path) -> None:
    recording, reports = scene.with_name("run.vtkhdf"), []
    assert main(["run", str(scene), "--until", "0.1", "--every", "0.01", "--out", str(recording)]) == 0
    run = read_recording(recording)
    assert unwind(run, scene.with_name("run.csv"), None, reports.append) == []
    assert reports == sorted(reports)
    assert reports[-1] == pytest.approx(run.rows)
    assert len(reports) > 1, "one for the only block of rows"


def test_a_conversion_without_possible_deviations_has_the_other_columns(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording, out = scene.with_name("run.vtkhdf"), scene.with_name("run.csv")
    text = scene.read_text().replace("0.001", "0.001 (a)").replace("mass = 1.0", 'mass = "1.0 +- 0.1 uniform (a)"')
    scene.write_text(text)
    simulation, taping = begun(read_scene(scene), recording, every=50)
    advance(simulation, taping, 5)
    ended(taping)
    capsys.readouterr()
    assert main(["convert", str(recording), str(out)]) == 0
    found = table(out)
    assert len(found["bob.u3.y"]) > 1
    assert not any(name.endswith(".sd") for name in found)
    assert "(a)" in capsys.readouterr().err


@pytest.mark.parametrize("ending", [".udf", ".xml"])
@pytest.mark.parametrize("length", ['"-0.458 +- 0.001"', "-0.458"])
def test_a_conversion_notes_the_uncertainties_that_it_leaves_out(
    scene: Path, capsys: pytest.CaptureFixture[str], ending: str, length: str
) -> None:
    scene.write_text(PENDULUM % length)
    out = scene.with_suffix(ending)
    assert main(["convert", str(scene), str(out)]) == 0
    noted = Meaning(str(out), "mean", place="body[0].shape[0].position[2]").of(capsys.readouterr().err)
    assert noted == ("+-" in length)
    assert "0.458" in out.read_text()
