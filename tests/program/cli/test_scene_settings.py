"""`--set`: other values for fields of a scene on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from command_line import polhode, refused
from meaning import Meaning

from polhode import Simulation, read_scene
from polhode.recording.recording import read_recording

ROWS = ("--until", "0.02", "--every", "0.01", "--out")


def test_a_run_has_the_values_of_its_options(tmp_path: Path) -> None:
    """The same bits as in Python."""
    values = {"body[0].friction": 0.1, "world.gravity": (0.0, 0.0, -1.5), "solver.method": "verlet", "title": "Moon"}
    texts = ("body[0].friction=0.1", "world.gravity = [0, 0, -1.5]", "solver.method=verlet", 'title="Moon"')
    options = [word for text in texts for word in ("--set", text)]
    done = polhode("run", "heavy_top", *ROWS, "a.csv", *options, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    simulation = Simulation(read_scene("heavy_top").with_values(values))
    simulation.advance_steps(100)
    with (tmp_path / "a.csv").open() as file:
        assert [float(text) for text in [*csv.reader(file)][-1]][1:] == simulation.snapshot().numbers[1:].tolist()
    polhode("run", "heavy_top", *ROWS, "a.vtkhdf", *options, folder=tmp_path)
    with read_recording(tmp_path / "a.vtkhdf") as recorded:
        assert recorded.scene == read_scene("heavy_top").with_values(values).in_folder(recorded.scene.folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("body[0].fricton=0.1", Meaning("body[0].fricton", near="body[0].friction")),
        ("body[0].friction=-1", Meaning("body[0].friction", limit=0, value=-1)),
        ("body[0].friction=fast", Meaning("body[0].friction", value="fast")),
        ("body[0].friction=nan", Meaning("body[0].friction", "finite")),
        ("body[7].friction=1", Meaning("body[7].friction", count=1)),
        ("body[0].position=[0, 0", Meaning("--set", path="body[0].position", text="[0, 0")),
        (f"body[{'9' * 5000}].friction=1", Meaning("heavy_top", "path", "field")),
        ("friction", Meaning("--set", text="friction")),
        ("=1", Meaning("--set", text="=1")),
    ],
)
def test_wrong_values_are_refused(tmp_path: Path, text: str, message: Meaning) -> None:
    assert message.of(refused("check", "heavy_top", "--set", text, folder=tmp_path))


def test_fields_within_each_other_are_not_set_together(tmp_path: Path) -> None:
    given = ("--set", "body[0]={ name = 'a' }", "--set", "body[0].friction=2")
    assert Meaning("body[0].friction", other="body[0]").of(refused("check", "heavy_top", *given, folder=tmp_path))


def test_a_number_may_begin_with_its_point(tmp_path: Path) -> None:
    done = polhode("check", "heavy_top", "--set", "solver.time_step=.0005", "--json", folder=tmp_path)
    assert json.loads(done.stdout)["time_step"] == 0.0005


def test_what_is_no_scene_has_no_values(tmp_path: Path) -> None:
    polhode("run", "heavy_top", *ROWS, "a.vtkhdf", folder=tmp_path)
    given = ("--set", "title=a")
    for words in (("run", "a.vtkhdf", "--out", "b.csv"), ("render", "a.vtkhdf", "--out", "b.png")):
        assert Meaning("--set").of(refused(*words, *given, folder=tmp_path))
    assert Meaning("--set", "twice").of(refused("check", "heavy_top", *given, *given, folder=tmp_path))


def test_reports_as_json(tmp_path: Path) -> None:
    done = polhode("check", "heavy_top", "--set", "solver.time_step=0.05", "--json", folder=tmp_path)
    report = json.loads(done.stdout)
    assert report["counts"] == {"bodies": 1, "shapes": 5, "magnets": 0}
    assert report["time_step"] == 0.05
    assert report["units"] == {"mass": "kg", "time_step": "s", "largest_stable_step": "s"}
    assert report["largest_stable_step"] < 0.05
    assert any(warning["place"] == "solver.time_step" for warning in report["warnings"])
    assert done.stderr == ""
    listed = json.loads(polhode("scenes", "--json", folder=tmp_path).stdout)
    assert {"name": "heavy_top", "title": "Heavy top"} in listed
