"""Typed values of a lesson: rounded ends of a range, refused values, empty answers, and curves by keys."""

from __future__ import annotations

from math import radians

import pytest
from gui import SOON, click
from lesson_driving import RUN, LessonDriver
from lesson_scenes import PENDULUM
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from polhode_app.docks.lesson.steps.field_row import FieldRow
from polhode_app.main_window import MainWindow

SCENE = (
    PENDULUM
    + """
[[lesson]]
title = "Typed"
step = [
    { run = ["body[0].tilt[1]"], range = { "body[0].tilt[1]" = [-0.5, 1.0] }, until = 0.2 },
    { explain = "Why?" },
]
[[lesson]]
title = "Drawn"
step = [ { predict = "curve", of = "rod.u3.x", until = 2.0 }, { run = [], until = 0.2 } ]
[[lesson]]
title = "Run"
step = [ { run = [], until = 0.2 } ]
"""
)
Key = Qt.Key


@pytest.mark.parametrize(
    ("typed", "value"),
    [("0.2 rad", 0.2), ("11.46", 0.2), ("-0.2 rad", -0.2), ("-11.46", -0.2), ("10", radians(10.0))],
)
def test_an_end_of_the_range_is_accepted_as_it_is_shown(qtbot: QtBot, typed: str, value: float) -> None:
    row = FieldRow("angle", "rad", 0.1, (-0.2, 0.2))
    qtbot.addWidget(row)
    row.failed.connect(pytest.fail)
    row.field.selectAll()
    qtbot.keyClicks(row.field, typed)
    qtbot.keyClick(row.field, Key.Key_Return)
    assert row.value == value
    assert row.field.text() == f"{value * 180 / 3.141592653589793:.6g}"


def test_a_number_out_of_the_range_stays_to_be_corrected(qtbot: QtBot) -> None:
    row, said = FieldRow("angle", "rad", 0.1, (-0.2, 0.2)), []
    qtbot.addWidget(row)
    row.failed.connect(said.append)
    row.field.selectAll()
    qtbot.keyClicks(row.field, "12")
    qtbot.keyClick(row.field, Key.Key_Return)
    assert said == ["12 is not between -11.46 and 11.46"]
    assert (row.value, row.field.text()) == (0.1, "12")
    qtbot.keyClick(row.field, Key.Key_Escape)
    assert row.field.text() == "5.72958"


def test_a_run_is_possible_again_after_a_refused_value(window: MainWindow, qtbot: QtBot) -> None:
    driver = LessonDriver(window, qtbot)
    driver.begin()
    shown = driver.input
    field = shown.rows["body[0].tilt[1]"].field
    driver.enter(field, "99")
    assert shown.error.isVisible()
    driver.press(shown.button)
    assert shown.error.isVisible()
    assert not driver.dock.player.is_running
    window.accessible.focus.focus(field)
    driver.key(Key.Key_Escape)
    driver.press(shown.button)
    qtbot.waitUntil(lambda: len(driver.progress.runs) == 1, timeout=RUN)
    assert not shown.error.isVisible()


def test_a_run_is_possible_again_after_its_process_has_died(window: MainWindow, qtbot: QtBot) -> None:
    driver = LessonDriver(window, qtbot, lesson=2)
    driver.begin()
    driver.dock.player.refused.emit("The process has ended.")
    assert driver.input.error.isVisible()
    driver.press(driver.input.button)
    qtbot.waitUntil(lambda: len(driver.progress.runs) == 1, timeout=RUN)


def test_an_empty_explanation_is_said(window: MainWindow, qtbot: QtBot) -> None:
    driver = LessonDriver(window, qtbot)
    driver.begin()
    driver.do_step()
    driver.go_on()
    driver.press(driver.dock.step.forward)
    assert driver.input.error.isVisible()
    assert QApplication.focusWidget() is driver.input.text
    assert not driver.dock.player.is_at_end
    driver.type("Because.")
    driver.press(driver.dock.step.forward)
    assert driver.dock.player.is_at_end


def test_a_curve_drawn_by_keys_is_one_answer(window: MainWindow, qtbot: QtBot) -> None:
    driver = LessonDriver(window, qtbot, lesson=1)
    driver.begin()
    driver.tab_to(driver.input.plot)
    for _ in range(4):
        driver.key(Key.Key_Up)
    assert not driver.progress.answers
    assert driver.dock.step.forward.isEnabled()
    driver.key(Key.Key_Return)
    assert len(driver.progress.answers) == 1
    driver.tab_to(driver.input.plot)
    driver.key(Key.Key_Down)
    driver.key(Key.Key_Tab)
    assert len(driver.progress.answers) == 2
    driver.tab_to(driver.input.plot)
    driver.key(Key.Key_Down)
    click(qtbot, driver.dock.step.forward)
    qtbot.waitUntil(lambda: driver.progress.current == 1, timeout=SOON)
    assert [answer.step for answer in driver.progress.answers] == [0, 0, 0]
