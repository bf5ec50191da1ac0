"""Scenes that are not saved are kept aside, found again after a crash, and never while their program lives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from meaning import Meaning

from polhode.scene.scene_file import read_scene
from polhode_app.session.autosave import EVERY, SLOTS, Autosave
from scenes import scene

CHILD = """
import os, sys
from pathlib import Path
from polhode_app.session.autosave import Autosave
from polhode.scene.scene_file import scene_of
autosave = Autosave(Path(sys.argv[1]))
autosave.keep(scene_of({"title": "of a child"}, ""), False, None)
autosave.wait()
print("kept", flush=True)
sys.stdin.read()
"""


def test_what_is_saved_leaves_nothing(tmp_path: Path) -> None:
    autosave, first = Autosave(tmp_path), scene(title="a")
    autosave.look(0.0, first, True, None)
    autosave.wait()
    assert not list(tmp_path.glob("*.toml"))
    autosave.look(EVERY, first, False, None)
    autosave.wait()
    (path,) = tmp_path.glob("*.toml")
    assert read_scene(path).title == "a"
    autosave.look(2 * EVERY, first, True, None)
    autosave.wait()
    assert not list(tmp_path.glob("*.toml"))
    autosave.close()


def test_an_edit_is_written_when_it_is_time(tmp_path: Path) -> None:
    autosave = Autosave(tmp_path)
    autosave.look(0.0, scene(title="a"), False, None)
    autosave.wait()
    autosave.look(EVERY / 2, scene(title="b"), False, None)
    autosave.wait()
    (path,) = tmp_path.glob("*.toml")
    assert read_scene(path).title == "a"
    autosave.look(1.1 * EVERY, scene(title="b"), False, None)
    autosave.wait()
    assert read_scene(path).title == "b"
    autosave.close()


def test_another_program_that_lives_is_left_alone_and_one_that_was_killed_is_found(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "kept\n"
    mine = Autosave(tmp_path)
    assert mine.left() == []
    mine.keep(scene(title="mine"), False, None)
    mine.wait()
    assert len(list(tmp_path.glob("*.toml"))) == 2
    child.kill()
    child.wait()
    (left,) = mine.left()
    assert read_scene(left.path).title == "of a child"
    left.forget()
    assert mine.left() == []
    mine.close()
    (left,) = Autosave(tmp_path).left()  # it ended without saving
    assert read_scene(left.path).title == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="modes of Unix")
def test_nobody_else_may_read_what_is_not_saved(tmp_path: Path) -> None:
    autosave = Autosave(tmp_path / "unsaved")
    for title in "ab":
        autosave.keep(scene(title=title), False, None)
        autosave.wait()
        (path,) = (tmp_path / "unsaved").glob("*.toml")
        assert path.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "unsaved").stat().st_mode & 0o777 == 0o700
    autosave.close()


def test_a_lack_of_places_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for slot in range(SLOTS):
        (tmp_path / f"{slot}.toml").touch()
    autosave = Autosave(tmp_path)
    (record,) = caplog.records
    assert Meaning("", "unsaved", "locked", folder=tmp_path).of(record.getMessage())
    autosave.look(0.0, scene(title="a"), False, None)
    autosave.close()


def test_a_folder_that_cannot_be_made_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    autosave = Autosave(tmp_path / "file" / "below")
    autosave.look(0.0, scene(title="a"), False, None)
    assert autosave.left() == []
    autosave.close()
