"""A lesson and what else happens to its scene: another one is opened, the file changes, it is a recording."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gui import SOON, accepted, click
from lesson_driving import LessonDriver
from lesson_scenes import PENDULUM, SHORT
from pytestqt.qtbot import QtBot
from recording_files import advance, begun, ended

from polhode.scene.scene_file import read_scene
from polhode_app.main_window import MainWindow

ASKED = """
[[lesson]]
title = "Asked"
vary = { "body[0].shape[0].length" = [0.4, 0.6] }
step = [ { predict = "number", ask = "Period", unit = "s" }, { run = [], until = 0.2 } ]
"""
SCENE = PENDULUM + ASKED + SHORT
Lab = Callable[..., MainWindow]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.toml"
    path.write_text(PENDULUM)
    return path


def opened(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    window.session.open(path)
    qtbot.waitUntil(lambda: window.session.document.path == path and not window.session.is_pending, timeout=SOON)


def left(driver: LessonDriver) -> None:
    driver.dock.leave()
    driver.qtbot.waitUntil(lambda: not driver.window.session.is_pending, timeout=SOON)


def test_what_is_typed_is_kept_when_another_scene_is_opened(window: MainWindow, qtbot: QtBot, other: Path) -> None:
    mine = window.session.document.path
    driver = LessonDriver(window, qtbot)
    driver.begin()
    qtbot.keyClicks(driver.input.field, "1.5")
    opened(window, qtbot, other)
    assert driver.progress is None
    assert driver.input is None
    opened(window, qtbot, mine)
    kept = driver.dock.player.kept(0, "Ada")
    assert [answer["value"] for answer in kept["answers"]] == [1.5]


def test_a_lesson_that_is_begun_again_keeps_the_old_answers_until_the_first_one(
    window: MainWindow, qtbot: QtBot
) -> None:
    driver = LessonDriver(window, qtbot)
    driver.begin()
    driver.enter(driver.input.field, "1.5")
    left(driver)
    driver.begin()  # by Begin again
    assert not driver.progress.answers
    left(driver)
    assert driver.dock.player.kept(0, "Ada")["answers"][0]["value"] == 1.5
    driver.begin()
    driver.enter(driver.input.field, "2")
    left(driver)
    assert driver.dock.player.kept(0, "Ada")["answers"][0]["value"] == 2.0


def test_a_file_that_changes_during_a_lesson_is_read_after_it(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    driver = LessonDriver(window, qtbot)
    driver.begin()
    accepted(window, qtbot)
    shown = window.session.scene
    window.session.document.path.write_text(SCENE.replace("mass = 0.2", "mass = 0.7"))
    qtbot.waitUntil(lambda: window.crash_recovery._waits_for_lock, timeout=SOON)
    assert "reloaded" not in window.toast.text
    assert window.session.scene == shown
    left(driver)
    qtbot.waitUntil(lambda: window.session.document.scene.body[0].shape[0].mass == 0.7, timeout=SOON)
    assert window.session.document.scene.body[0].shape[0].length == 0.5
    assert "reloaded" in window.toast.text


def test_an_unsaved_scene_comes_back_without_the_numbers_of_a_lesson(
    window: MainWindow, qtbot: QtBot, other: Path
) -> None:
    window.session.edit(window.session.scene.with_values({"body[0].friction": 0.1}))
    edited = accepted(window, qtbot)
    driver = LessonDriver(window, qtbot)
    driver.begin()
    assert accepted(window, qtbot) != edited
    opened(window, qtbot, other)
    assert [each.scene for each in window.crash_recovery.replaced] == [edited]
    window.session.replace_document(window.crash_recovery.replaced[-1])
    assert accepted(window, qtbot) == edited


def test_a_recording_is_refused_until_it_is_continued(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "run.vtkhdf"
    simulation, taping = begun(read_scene(window.session.document.path), path, 10)
    advance(simulation, taping, 20)
    ended(taping)
    window.session.open(path)
    qtbot.waitUntil(lambda: window.session.replay is not None, timeout=SOON)
    driver = LessonDriver(window, qtbot)
    start = driver.dock.start
    start.name.setText("Ada")
    click(qtbot, start.begin)
    assert "recording" in start.error.text()
    assert driver.progress is None
    assert window.session.replay is not None
    window.session.resume()
    click(qtbot, start.begin)
    assert driver.progress is not None
    assert window.session.newest.recording is None


def test_a_locked_scene_is_neither_restarted_nor_set_back(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.play(True)
    qtbot.waitUntil(lambda: session.frame.snapshot.time > 0.4, timeout=SOON)
    session.seek(0.1)
    session.play(True)
    qtbot.waitUntil(lambda: session.set_aside.is_undone_by(session.newest), timeout=SOON)
    qtbot.waitUntil(lambda: session.frame.snapshot.time > 0.3, timeout=SOON)
    session.lock.lock(session.newest)
    times: list[float] = []
    session.edit(session.scene.with_values({"body[0].friction": 0.1}), restart=True)
    session.undo()
    assert session.running
    for _ in range(5):
        qtbot.wait(60)
        times.append(session.frame.snapshot.time)
    assert min(times) >= 0.3
    assert session.set_aside.is_undone_by(session.newest)
    session.lock.unlock()


def test_tools_are_as_before_after_a_lesson(window: MainWindow, qtbot: QtBot) -> None:
    actions = window.action_table
    actions["handles"].setChecked(True)
    before = {name: actions[name].isChecked() for name in ("handles", "hand", "join", "path")}
    driver = LessonDriver(window, qtbot)
    driver.begin()
    assert not any(actions[name].isChecked() for name in before)
    left(driver)
    assert {name: actions[name].isChecked() for name in before} == before
