"""`polhode collect`: the table, the pictures, the JSON, and what it refuses."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from command_line import polhode, refused
from lesson_files import body_of, handed_in, lesson_scene, run_in_process
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
    assert done.stderr.endswith("class: 2 hand-ins, 0 with problems\n")
    rows = list(csv.DictReader(StringIO((made / "class.csv").read_text("utf-8"))))
    assert [row["name"] for row in rows] == ["Ada", "\u3042\u304d\u3089"]
    assert all(row["step 17 check passed"] == "1" for row in rows)
    pictures = sorted(path.name for path in (made / "pictures").iterdir())
    assert pictures == ["1-ada.png", "2-\u3042\u304d\u3089.png"]
    with Image.open(made / "pictures/1-ada.png") as picture:
        assert len(picture.convert("RGB").getcolors(10**6) or ()) > 20


def test_problems_are_printed_and_set_the_status(made: Path, tmp_path: Path) -> None:
    body = body_of((made / "class/ada.handin").read_bytes())
    body["answers"][4]["value"]["difference"] = 0.0
    (tmp_path / "ada.handin").write_bytes(signed(body))
    (tmp_path / "notes.txt").write_text("")
    done = polhode("collect", ".", "--out", "table.csv", "--json", "--anonymous", folder=tmp_path)
    assert done.returncode == 1
    assert "ada.handin: answers[4].value: 'difference' is 0.0, and the run has -0.01" in done.stderr
    assert "notes.txt: is no hand-in (.handin); move it to another folder" in done.stderr
    told = json.loads(done.stdout)
    assert [*told] == ["lesson", "hand_ins", "foreign"]
    assert told["lesson"] == "Swings"
    assert (told["foreign"], len(told["hand_ins"])) == (1, 1)
    row = told["hand_ins"][0]
    assert (row["number"], row["problems"], row["messages"][0]["place"]) == (1, 1, "answers[4].value")
    assert "Ada" not in done.stdout
    assert "Ada" not in (tmp_path / "table.csv").read_text()
    again = polhode("collect", ".", "--out", "table.csv", folder=tmp_path)
    assert "table.csv: is no hand-in" not in again.stderr


@pytest.mark.nightly
def test_the_table_goes_to_standard_output(made: Path) -> None:
    done = polhode("collect", "class", "--out", "-", "--quiet", folder=made)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("number,file,name,problems,variant,minutes,step 2 predict [ms],")
    assert len(done.stdout.splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("nowhere --out a.csv", "nowhere: can't be read: "),
        ("empty --out a.csv", "empty: has no hand-ins (.handin); name the folder with the hand-ins"),
        ("class --out a.txt", "a.txt: the ending '.txt' is not a known one; use .csv"),
        ("class --out nowhere/a.csv", "nowhere/a.csv: there is no folder 'nowhere'"),
        ("class --out - --json", "--json: is for standard output; name a file as --out"),
        ("class --out a.csv --pictures swings.toml", "--pictures: 'swings.toml' is no folder"),
        ("class --out a.csv --pictures nowhere/b", "--pictures: there is no folder 'nowhere'"),
        ("class --out a.csv --lesson heavy_top", "has no lesson; name a scene with a table [[lesson]]"),
        ("class --out swings.toml --lesson swings.toml", "swings.toml: is also read: it is the file 'swings.toml'"),
    ],
)
def test_what_can_not_be_is_refused(made: Path, words: str, said: str) -> None:
    (made / "empty").mkdir(exist_ok=True)
    assert said in refused("collect", *words.split(), folder=made)
