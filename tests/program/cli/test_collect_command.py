"""`polhode collect`: the table, the pictures, the JSON, and what it refuses."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from command_line import polhode, refused
from lesson_files import body_of, handed_in, lesson_scene, run_in_process
from meaning import Meaning
from PIL import Image

from polhode.lessons.hand_in import signed
from polhode.scene.scene_writing import write_scene


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a class of two, and the scene of their lesson beside it."""
    folder = tmp_path_factory.mktemp("collected")
    (folder / "class").mkdir()
    (folder / "class/ada.handin").write_bytes(handed_in("Ada", run_in_process))
    (folder / "class/\u3042\u304d\u3089.handin").write_bytes(handed_in("\u3042\u304d\u3089", run_in_process))
    write_scene(lesson_scene(), folder / "swings.toml")
    return folder


def test_a_class_becomes_a_table_with_pictures(made: Path) -> None:
    done = polhode(
        "collect", "class", "--out", "class.csv", "--lesson", "swings.toml", "--pictures", "pictures", folder=made
    )
    assert done.returncode == 0, done.stderr
    assert Meaning("class", count=2, wrong=0).of(done.stderr.splitlines()[-1])
    rows = list(csv.DictReader(StringIO((made / "class.csv").read_text("utf-8"))))
    assert [row["name"] for row in rows] == ["Ada", "\u3042\u304d\u3089"]
    assert all(row["step 17 check passed"] == "1" for row in rows)
    pictures = sorted(path.name for path in (made / "pictures").iterdir())
    assert pictures == ["1-ada.png", "2-\u3042\u304d\u3089.png"]
    with Image.open(made / "pictures/1-ada.png") as picture:
        assert len(picture.convert("RGB").getcolors(10**6) or ()) > 20


def test_a_picture_that_can_not_be_written_is_named_after_the_report(made: Path) -> None:
    (made / "taken/2-\u3042\u304d\u3089.png").mkdir(parents=True)
    done = polhode("collect", "class", "--out", "all.csv", "--pictures", "taken", folder=made)
    assert done.returncode == 2
    report, fault = done.stderr.splitlines()[-2:]
    assert Meaning("class", count=2, wrong=0).of(report)
    assert Meaning("2-\u3042\u304d\u3089.png", "written").of(fault)
    assert "Traceback" not in done.stderr
    assert len((made / "all.csv").read_text("utf-8").splitlines()) == 3


def test_problems_are_printed_and_set_the_status(made: Path, tmp_path: Path) -> None:
    body = body_of((made / "class/ada.handin").read_bytes())
    body["answers"][4]["value"]["difference"] = 0.0
    (tmp_path / "ada.handin").write_bytes(signed(body))
    (tmp_path / "notes.txt").write_text("")
    done = polhode("collect", ".", "--out", "table.csv", "--json", "--anonymous", folder=tmp_path)
    assert done.returncode == 1
    assert Meaning("answers[4].value", "ada.handin", key="difference", value="0.0").of(done.stderr)
    assert Meaning("notes.txt", ".handin").of(done.stderr)
    told = json.loads(done.stdout)
    assert [*told] == ["lesson", "hand_ins", "foreign"]
    assert told["lesson"] == "Swings"
    assert (told["foreign"], len(told["hand_ins"])) == (1, 1)
    row = told["hand_ins"][0]
    assert (row["number"], row["problems"], row["messages"][0]["place"]) == (1, 1, "answers[4].value")
    assert "Ada" not in done.stdout
    assert "Ada" not in (tmp_path / "table.csv").read_text()
    again = polhode("collect", ".", "--out", "table.csv", folder=tmp_path)
    assert not Meaning("table.csv", ".handin").of(again.stderr)


@pytest.mark.nightly
def test_the_table_goes_to_standard_output(made: Path) -> None:
    done = polhode("collect", "class", "--out", "-", "--quiet", folder=made)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("number,file,name,problems,variant,minutes,step 2 predict [ms],")
    assert len(done.stdout.splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("nowhere --out a.csv", Meaning("nowhere", "folder")),
        ("empty --out a.csv", Meaning("empty", ".handin", "folder")),
        ("class --out a.txt", Meaning("a.txt", ending=".txt", endings=".csv")),
        ("class --out nowhere/a.csv", Meaning("nowhere/a.csv", folder="nowhere")),
        ("class --out - --json", Meaning("--json", "--out")),
        ("class --out a.csv --pictures swings.toml", Meaning("--pictures", name="swings.toml")),
        ("class --out a.csv --pictures nowhere/b", Meaning("--pictures", folder="nowhere")),
        ("class --out a.csv --lesson heavy_top", Meaning("lesson", "[[lesson]]")),
        ("class --out swings.toml --lesson swings.toml", Meaning("swings.toml", name="swings.toml")),
    ],
)
def test_what_can_not_be_is_refused(made: Path, words: str, meaning: Meaning) -> None:
    (made / "empty").mkdir(exist_ok=True)
    assert meaning.of(refused("collect", *words.split(), folder=made))
