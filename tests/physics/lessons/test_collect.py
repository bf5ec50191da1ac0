"""The hand-ins of a folder: each is processed, and those that are none of the class are named."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest
from lesson_files import SCENE, body_of, handed_in, lesson_scene, run_in_process

from polhode.lessons.class_table import csv_text, rows_of
from polhode.lessons.collect import collect
from polhode.lessons.hand_in import signed
from polhode.scene.problem import InputError
from polhode.scene.scene_writing import scene_text

OTHER = SCENE.replace('title = "Swings"', 'title = "Other swings"')


def of_version(data: bytes, version: str) -> bytes:
    return signed(body_of(data) | {"version": version})


def contradicting(data: bytes) -> bytes:
    """The hand-in with another measurement."""
    body = body_of(data)
    body["answers"][3]["value"] *= 1.01
    return signed(body)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of three, made in the process of lessons, among them two hand-ins of one name, and other files."""
    made = tmp_path_factory.mktemp("class")
    ada = handed_in("Ada", run_in_process)
    files = {
        "ada.handin": ada,
        "bob.handin": handed_in("=Bob", run_in_process),
        "again.handin": contradicting(ada),
        "cut.handin": ada[:-900],
        "old.handin": of_version(ada, "0.0.1"),
        "other.handin": signed(
            body_of(ada) | {"scene": {"text": scene_text(lesson_scene(OTHER)), "files": {}}, "title": "Other swings"}
        ),
        "notes.txt": b"Class 7b",
        "empty.handin": b"",
    }
    for name, data in files.items():
        (made / name).write_bytes(data)
    (made / "pictures").mkdir()
    return made


def test_each_file_is_processed_and_what_is_wrong_is_named(folder: Path) -> None:
    done: list[tuple[int, int]] = []
    result = collect(folder, progress=lambda *counts: done.append(counts))
    problems = {each.source: [str(problem) for problem in each.problems] for each in result.files}
    assert problems["bob.handin"] == []
    assert "name: 'Ada' is also that of again.handin; keep the one that counts" in problems["ada.handin"]
    assert any("answers[3].value: 'value' is" in each for each in problems["again.handin"])
    assert "line 2: is damaged" in problems["cut.handin"][0]
    assert any(each.startswith("version: is 0.0.1, and this program is") for each in problems["old.handin"])
    assert any(
        each == "lesson: is another one than that of the class: 'Other swings'; "
        "collect it in another folder, or name its scene as --lesson"
        for each in problems["other.handin"]
    )
    assert "line 1: is no hand-in of Polhode" in problems["empty.handin"][0]
    assert [(each.source, str(each.problems[0])) for each in result.foreign] == [
        ("notes.txt", "is no hand-in (.handin); move it to another folder")
    ]
    assert done == [(1, 3), (2, 3), (3, 3)]
    assert not result.is_faultless
    table = list(csv.DictReader(StringIO(csv_text(rows_of(result, False)))))
    bob = next(row for row in table if row["file"] == "bob.handin")
    assert (bob["name"], bob["step 2 predict [ms]"], bob["step 9 predict"]) == ("'=Bob", "1100", "equal")
    assert bob["step 15 explain"].startswith("'=")
    assert float(bob["step 4 measure [s]"]) == pytest.approx(1.115, abs=0.01)
    assert (bob["step 13 check passed"], bob["step 17 check passed"], bob["problems"]) == ("1", "1", "0")
    text = csv_text(rows_of(result, True))
    assert not any(name in text for name in ("Ada", "Bob", ".handin"))
    assert len(text.splitlines()) == 8


def test_the_scene_of_another_lesson_leaves_the_others_out(folder: Path) -> None:
    result = collect(folder, lesson_scene(OTHER))
    right = [each.source for each in result.files if each.hand_in is not None and each.repetition is not None]
    assert right == ["other.handin"]
    assert result.lesson is not None
    assert result.lesson.title == "Other swings"


def test_left_out_files_are_not_named(folder: Path) -> None:
    result = collect(folder, lesson_scene(OTHER), [folder / "notes.txt"])
    assert result.foreign == ()


def test_a_folder_without_hand_ins_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no hand-ins"):
        collect(tmp_path)
    with pytest.raises(InputError, match="can't be read"):
        collect(tmp_path / "nowhere")


def test_a_scene_without_a_lesson_is_refused(folder: Path) -> None:
    scene = lesson_scene().model_copy(update={"lesson": ()})
    with pytest.raises(InputError, match="has no lesson"):
        collect(folder, scene)


def test_a_collection_is_cancelled(folder: Path) -> None:
    def cancel() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(folder, check_cancelled=cancel)
