"""The hand-ins of a folder: each is processed, and those that are none of the class are named."""

from __future__ import annotations

import csv
import errno
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from lesson_files import SCENE, body_of, handed_in, lesson_scene, run_in_process
from meaning import Meaning, refuses

from polhode.lessons.class_table import csv_text, rows_of
from polhode.lessons.collect import collect
from polhode.lessons.hand_in import signed
from polhode.lessons.passing import refusal_of_message
from polhode.lessons.process import lesson_server
from polhode.process.child_process import ChildProcess
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
    problems = {each.source: each.problems for each in result.files}
    assert problems["bob.handin"] == ()
    for source, meaning in (
        ("ada.handin", Meaning("name", name="Ada", other="again.handin")),
        ("again.handin", Meaning("answers[3].value", key="value")),
        ("cut.handin", Meaning("line 2", "damaged")),
        ("old.handin", Meaning("version", made="0.0.1")),
        ("other.handin", Meaning("lesson", title="Other swings")),
        ("empty.handin", Meaning("line 1", "Polhode")),
    ):
        assert any(map(meaning.of, problems[source])), (source, problems[source])
    assert [each.source for each in result.foreign] == ["notes.txt"]
    assert Meaning("", ending=".handin").of(result.foreign[0].problems[0])
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
    with refuses(ending=".handin"):
        collect(tmp_path)
    with refuses("nowhere"):
        collect(tmp_path / "nowhere")


def test_a_scene_without_a_lesson_is_refused(folder: Path) -> None:
    scene = lesson_scene().model_copy(update={"lesson": ()})
    with refuses("lesson", "scene"):
        collect(folder, scene)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_collection_is_cancelled_while_its_processes_work(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process is left, and no temporary folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen, end = set[int](), time.monotonic() + 60.0

    def cancel() -> None:
        assert time.monotonic() < end
        seen.update(processes_of(tmp_path))
        if seen and [*tmp_path.glob("polhode-*/polhode-*")]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(folder, check_cancelled=cancel)
    assert seen
    assert not any(Path(f"/proc/{number}").exists() for number in seen)
    assert not [*tmp_path.iterdir()]


def processes_of(temporary: Path) -> Iterator[int]:
    """Processes whose temporary files are below a folder."""
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"TMPDIR={temporary}".encode() in path.read_bytes():
                yield int(path.parent.name)


def test_a_process_that_can_not_be_started_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with refuses("", "process", reason=os.strerror(errno.ENOENT)):
        collect(folder)


def test_an_order_that_fails_does_not_end_the_process(folder: Path, tmp_path: Path) -> None:
    """A fault of the program, and one of the disk: the folder for temporary files is gone."""
    data = (folder / "bob.handin").read_bytes()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = lesson_server(str(temporary))
    answers = []
    for order in ({"seconds": "soon"}, {"seconds": 100.0}):
        process.send({"order": "repeat", "source": "bob.handin", **order}, [data])
        answers.append(last_answer(process))
    for path in temporary.iterdir():
        shutil.rmtree(path)
    temporary.rmdir()
    process.send(
        {"order": "repeat", "source": "other.handin", "seconds": 1.0}, [(folder / "other.handin").read_bytes()]
    )
    answers.append(last_answer(process))
    process.close()
    assert [head["event"] for head in answers] == ["refused", "repeated", "refused"]
    assert Meaning("runs", "program", fault="TypeError").of(refusal_of_message(answers[0]).problems[0])
    assert Meaning("runs", "disk").of(refusal_of_message(answers[2]).problems[0])


def last_answer(process: ChildProcess) -> dict[str, Any]:
    """The answer to an order, after those about its progress."""
    while (answer := process.receive(280.0)) is not None:
        if answer[0]["event"] not in ("compiling", "running"):
            return answer[0]
    raise AssertionError("the process has ended")
