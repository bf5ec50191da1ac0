"""The dock of lessons: a whole lesson by keys and by mouse, the lock of the scene, and what is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gui import SOON
from lesson_driving import LessonDriver, opened
from lesson_scenes import PENDULUM, SHORT, WHOLE
from pytestqt.qtbot import QtBot

from polhode.lessons.hand_in import read_hand_in
from polhode_app.main_window import MainWindow

SCENE = PENDULUM + WHOLE + SHORT
Lab = Callable[..., MainWindow]


@pytest.mark.parametrize("by_keys", [True, False], ids=["keys", "mouse"])
def test_a_lesson_is_gone_through(window: MainWindow, qtbot: QtBot, tmp_path: Path, by_keys: bool) -> None:
    before = window.session.document.scene
    driver = LessonDriver(window, qtbot, "Ada", by_keys=by_keys, answers={4: {"body[0].tilt[1]": 20}})
    progress = driver.go_through()
    assert progress.value_of(8)["passed"]
    path = driver.save(tmp_path / "ada.handin")
    found = read_hand_in(path)
    assert (found.name, found.title) == ("Ada", "How long does a swing take?")
    assert found.runs[0].values["body[0].tilt[1]"] == pytest.approx(0.349, abs=1e-3)
    driver.press(driver.dock.end.leave)
    qtbot.waitUntil(lambda: window.session.document.scene == before and not window.session.is_pending, timeout=SOON)
    assert not window.session.lock.is_on
