"""`polhode fit` with segments, several files, other models and predictions: text, JSON, table and report."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning

from polhode_app.cli.main import main

SCENE = """
world = { gravity = [0.0, 0.0, -9.0] }
solver = { time_step = 0.01 }
[[body]]
name = "ball"
support = "free"
velocity = [0.0, 0.0, 3.0]
shape = [{ kind = "sphere", radius = 0.05, mass = 0.2 }]
"""
PULL, SPEED, HEIGHT = "world.gravity[2]", "body[0].velocity[2]", "ball.position.z"
DRIVEN = """
world = { gravity = [0.0, 0.0, 0.0] }
solver = { time_step = 0.01 }
[[body]]
name = "ball"
support = "free"
shape = [{ kind = "sphere", radius = 0.05, mass = 0.5 }]
[[force]]
on = "ball"
force = { z = { data = "0.csv", column = "F", outside = "hold" } }
"""


@pytest.fixture
def throws(tmp_path: Path) -> list[str]:
    """Arguments of a fit to two throws with other speeds; the noise is that of a seed."""
    (tmp_path / "a.toml").write_text(SCENE)
    noise, arguments = np.random.default_rng(5), ["fit", str(tmp_path / "a.toml")]
    for run, speed in enumerate((4.0, 6.0)):
        t = np.linspace(0.0, 1.0, 41)
        columns = [t, speed * t - 9.7 * t**2 / 2 + noise.normal(0.0, 0.01, len(t))]
        path = tmp_path / f"{run}.csv"
        np.savetxt(path, np.column_stack(columns), "%.9g", ",", header="t (s),z (m)", comments="")
        arguments += ["--data", str(path)]
    return [*arguments, "--map", f"z={HEIGHT}", "--free", PULL, "--free", SPEED]


def test_two_files_have_one_gravity_and_two_speeds(throws, capsys, tmp_path):
    table, report = tmp_path / "p.csv", tmp_path / "r.html"
    more = ["--json", "--without", PULL, "--predict", str(table), "--report", str(report)]
    assert main([*throws, *more]) == 0
    found = json.loads(capsys.readouterr().out)
    values = {each["name"]: each for each in found["unknowns"]}
    for name, value in ((PULL, -9.7), (SPEED, 4.0), (f"run[1].{SPEED}", 6.0)):
        assert abs(values[name]["value"] - value) < 4 * values[name]["error"]
    (comparison,) = found["comparisons"]
    assert comparison["nested"]
    assert comparison["probability"] < 1e-3
    assert comparison["unknowns"] == [2, 3]
    assert (comparison["without"], comparison["against"]) == ([PULL], None)
    rows = np.genfromtxt(table, delimiter=",", names=True, deletechars="")
    value, lower, upper = (rows[f"{HEIGHT}{end}"] for end in ("", ".lower", ".upper"))
    measured = np.loadtxt(tmp_path / "0.csv", delimiter=",", skiprows=1)[:, 1]
    assert np.mean((lower < measured) & (measured < upper)) > 0.8
    assert upper - value == pytest.approx(value - lower)
    assert np.ptp(upper - lower) > 0.0
    page = report.read_text("utf-8")
    assert "<th>Other model</th>" in page
    assert page.count("<img") + page.count("<svg") >= 2


def test_the_report_has_the_fitted_times_of_each_run(throws, tmp_path):
    """Half of 82 rows: 20 of the first run, 21 of the second."""
    report = tmp_path / "r.html"
    assert main([*throws, "--hold-out", "0.5", "--report", str(report)]) == 0
    page = report.read_text("utf-8")
    assert "– 0.475 s" in page
    assert "– 0.5 s" in page


def test_another_scene_of_the_same_data_is_compared(throws, capsys, tmp_path):
    (tmp_path / "air.toml").write_text(SCENE.replace('"free"', '"free"\ndrag = 1.0'))
    assert main([*throws, "--json", "--against", str(tmp_path / "air.toml")]) == 0
    (comparison,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert not comparison["nested"]
    assert comparison["aicc"][0] > comparison["aicc"][1] + 10
    assert comparison["separation"]["quantity"] == HEIGHT
    assert (comparison["without"], comparison["against"]) == ([], "air.toml")


def test_both_criteria_follow_from_the_sums_of_squares_in_json(throws, capsys):
    """AICc from those of the columns, F from those in the weights of this model, which are these over sigma^2."""
    assert main([*throws, "--json", "--without", PULL]) == 0
    (found,) = json.loads(capsys.readouterr().out)["comparisons"]
    (column,) = found["columns"]
    n, m, sums = found["values"], len(found["columns"]), column["sums_of_squares"]
    assert (column["quantity"], column["unit"], column["values"]) == (HEIGHT, "m", n)
    assert [s / column["sigma"] ** 2 for s in sums] == pytest.approx(found["sums_of_squares"])
    for s, p, aicc in zip(sums, found["unknowns"], found["aicc"], strict=True):
        k = p + m
        assert n * np.log(s / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1) == pytest.approx(aicc)
    (one, two), (few, many) = found["sums_of_squares"], found["unknowns"]
    assert (one - two) / (many - few) / (two / (n - many)) == pytest.approx(found["f"])


def test_other_models_are_named(throws, capsys, tmp_path):
    """Two of one unknown each would be alike by their number: in the terminal, in a report, and in Japanese."""
    (tmp_path / "air.toml").write_text(SCENE.replace('"free"', '"free"\ndrag = 1.0'))
    report, more = tmp_path / "r.html", ["--without", SPEED, "--against", str(tmp_path / "air.toml")]
    assert main([*throws, *more, "--report", str(report)]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "AICc" in line]
    assert [Meaning("", "AICc", first=1, second=3).of(line) for line in lines] == [True, False]
    for line, name in zip(lines, (SPEED, "air.toml"), strict=True):
        assert name in line
        assert "1 unknowns" not in line
    page = report.read_text("utf-8")
    rows = [page.index(f"<td>{name}") for name in ("without", "air.toml")]
    assert rows == sorted(rows)


def test_the_same_scene_is_no_other_model(throws, capsys, tmp_path):
    (tmp_path / "b.toml").write_text(f'title = "Throw"\n{SCENE}')
    for name in ("a.toml", "b.toml"):
        assert main([*throws, "--against", str(tmp_path / name)]) == 2
        assert Meaning("--against", "model").of(capsys.readouterr().err)


def test_the_same_readings_are_no_further_run(throws, capsys, tmp_path):
    first, copy = tmp_path / "0.csv", tmp_path / "copy.csv"
    copy.write_bytes(first.read_bytes())
    for again in (first, copy):
        assert main([*throws, "--data", str(again)]) == 2
        assert Meaning("--data", "once", file=str(again), first=str(first)).of(capsys.readouterr().err)


def test_a_value_at_a_bound_is_told(throws, capsys, tmp_path):
    """Gravity of 9.7 m/s^2 is beyond the bound of 9.5, and within that of 20."""
    report, one = tmp_path / "r.html", throws[:4]
    arguments = [*one, *throws[6:], "--report", str(report)]
    assert main([*arguments, "--bounds", f"{PULL}=-9.5:0", "--json"]) == 0
    (note,) = (each for each in json.loads(capsys.readouterr().out)["notes"] if PULL in each)
    assert Meaning("", "limit", limit=-9.5).of(note)
    assert "-9.5" in report.read_text("utf-8")
    assert main([*arguments, "--bounds", f"{PULL}=-20:0"]) == 0
    assert "limit" not in capsys.readouterr().out


def test_segments_follow_a_run_that_begins_anew(throws, capsys, tmp_path):
    """A second throw from the first one's end, which the scene does not know: two segments find gravity."""
    rows = np.loadtxt(tmp_path / "0.csv", delimiter=",", skiprows=1)
    later = np.loadtxt(tmp_path / "1.csv", delimiter=",", skiprows=1) + [1.025, 5.0]
    later[0, 1] = np.nan  # the first row of a segment belongs to the end of the previous one
    both = tmp_path / "both.csv"
    np.savetxt(both, np.vstack([rows, later]), "%.9g", ",", header="t (s),z (m)", comments="")
    arguments = ["fit", throws[1], "--data", str(both), *throws[6:], "--json"]
    assert main([*arguments, "--segments", "2"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["segments"] == 2
    assert abs(found["unknowns"][0]["value"] + 9.7) < 4 * found["unknowns"][0]["error"]
    assert found["unknowns"][0]["error"] < 0.2
    assert main([*throws, "--segments", "2"]) == 2
    assert Meaning("--segments", runs=2).of(capsys.readouterr().err)


def test_each_file_has_its_own_input(tmp_path, capsys):
    """Forces of other strength in two files: one mass moves by both."""
    (tmp_path / "a.toml").write_text(DRIVEN)
    t, arguments = np.linspace(0.0, 1.0, 41), ["fit", str(tmp_path / "a.toml")]
    for run, force in enumerate((2.0, 5.0)):
        columns = np.column_stack([t, force / 0.8 * t**2 / 2 + 1e-6 * np.sin(40 * t), np.full(len(t), force)])
        np.savetxt(tmp_path / f"{run}.csv", columns, "%.9g", ",", header="t (s),z (m),F (N)", comments="")
        arguments += ["--data", str(tmp_path / f"{run}.csv")]
    assert main([*arguments, "--map", f"z={HEIGHT}", "--free", "body[0].shape[0].mass", "--json"]) == 0
    (mass,) = json.loads(capsys.readouterr().out)["unknowns"]
    assert mass["value"] == pytest.approx(0.8, rel=1e-4)


def test_the_offset_of_an_input_has_the_unit_of_its_field(tmp_path, capsys):
    (tmp_path / "a.toml").write_text(DRIVEN)
    t = np.linspace(0.0, 1.0, 41)
    columns = np.column_stack([t, 3.0 / 0.5 * t**2 / 2 + 1e-6 * np.sin(40 * t), np.full(len(t), 2.0)])
    np.savetxt(tmp_path / "0.csv", columns, "%.9g", ",", header="t (s),z (m),F (N)", comments="")
    arguments = ["fit", str(tmp_path / "a.toml"), "--data", str(tmp_path / "0.csv"), "--map", f"z={HEIGHT}"]
    assert main([*arguments, "--free", "force[0].force[2].offset", "--json"]) == 0
    (offset,) = json.loads(capsys.readouterr().out)["unknowns"]
    assert offset["unit"] == "N"
    assert offset["value"] == pytest.approx(1.0, rel=1e-4)


@pytest.mark.parametrize("command", [["check"], ["run", "--until", "0.1", "--out", "-"]])
def test_notes_on_the_data_of_inputs_are_printed(command, tmp_path, capsys):
    """A gap of the column, and two columns of its name; a gap of another column is of no concern."""
    (tmp_path / "a.toml").write_text(DRIVEN)
    (tmp_path / "0.csv").write_text("t,F,F,G\n0,1,1,1\n1,nan,1,nan\n2,1,1,nan\n3,1,1,1\n")
    assert main([command[0], str(tmp_path / "a.toml"), *command[1:]]) == 0
    said = capsys.readouterr().err.splitlines()
    gaps = [line for line in said if "gap" in line]
    assert len(gaps) == 1
    assert Meaning("", "'F'", "1").of(gaps[0])
    assert any("'F.2'" in line for line in said)


@pytest.mark.parametrize(("heading", "status"), [("J", 0), ("kg m^2/s^2", 0), ("N m", 0), ("N", 2)])
def test_a_torque_may_be_in_any_unit_of_its_dimension(heading, status, tmp_path, capsys):
    torque = DRIVEN.replace("force = {", "torque = {")
    (tmp_path / "a.toml").write_text(torque)
    (tmp_path / "0.csv").write_text(f"t (s),F ({heading})\n0,1\n1,1\n")
    assert main(["check", str(tmp_path / "a.toml")]) == status
    assert Meaning("", "force[0].torque[2].unit", unit="N").of(capsys.readouterr().err) == (status == 2)


def test_another_scene_has_the_settings_and_the_input_of_each_file(tmp_path, capsys):
    """A ball beside it, which no quantity depends on: with both scenes the fits agree."""
    (tmp_path / "a.toml").write_text(DRIVEN)
    beside = '[[body]]\nname = "other"\nsupport = "fixed"\nshape = [{ kind = "sphere", radius = 0.05, mass = 1.0 }]\n'
    (tmp_path / "b.toml").write_text(DRIVEN.replace("[[force]]", f"{beside}[[force]]"))
    t, arguments = np.linspace(0.0, 1.0, 41), ["fit", str(tmp_path / "a.toml"), "--against", str(tmp_path / "b.toml")]
    for run, force in enumerate((2.0, 5.0)):
        columns = np.column_stack([t, (force / 0.8 - 1.0) * t**2 / 2 + 1e-3 * np.sin(40 * t), np.full(len(t), force)])
        np.savetxt(tmp_path / f"{run}.csv", columns, "%.9g", ",", header="t (s),z (m),F (N)", comments="")
        arguments += ["--data", str(tmp_path / f"{run}.csv")]
    arguments += ["--map", f"z={HEIGHT}", "--free", "body[0].shape[0].mass", "--set", "world.gravity[2]=-1.0"]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["unknowns"][0]["value"] == pytest.approx(0.8, rel=1e-3)
    (comparison,) = found["comparisons"]
    assert comparison["aicc"][0] == pytest.approx(comparison["aicc"][1], abs=1e-6)


@pytest.mark.parametrize("has_scene", [False, True])
def test_another_scene_is_refused_before_the_fit(throws, capsys, tmp_path, monkeypatch, has_scene):
    """A file that is missing, and a scene in which the unknown speed is that of a ball without measurements."""
    monkeypatch.setattr("polhode.fitting.fit.solve", lambda *_: pytest.fail("fitted"))
    if has_scene:
        idle = SCENE[SCENE.index("[[body]]") :].replace('"ball"', '"idle"')
        head = SCENE[: SCENE.index("[[body]]")]
        (tmp_path / "other.toml").write_text(head + idle + SCENE[SCENE.index("[[body]]") :])
    assert main([*throws, "--against", str(tmp_path / "other.toml")]) == 2
    assert "other.toml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "place"),
    [
        (["--without", "body[0].drag"], "--without"),
        (["--without", PULL, "--without", SPEED], "--without"),
        (["--predict", "p.txt"], "--predict"),
        (["--predict", "p.csv", "--segments", "2"], "--predict"),
        (["--own", "body[0].drag"], "--own"),
    ],
)
def test_options_that_do_not_fit_are_refused(throws, capsys, more, place):
    assert main([*throws, *more]) == 2
    assert Meaning(place).of(capsys.readouterr().err)
