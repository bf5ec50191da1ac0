"""Work of teachers in the window: record the steps of a lesson, print a worksheet, and collect hand-ins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gui import LEFT, SOON, START, accepted, choose, click, inspect, press_space, row_of, type_in
from lesson_driving import LessonDriver
from lesson_scenes import PENDULUM, SHORT, WHOLE
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from polhode_app.docks.lesson.class_dock import ClassDock
from polhode_app.docks.lesson.lesson_dock import LessonDock
from polhode_app.edit.parts import without
from polhode_app.main_window import MainWindow

SCENE = PENDULUM + SHORT
Lab = Callable[..., MainWindow]
COLLECTED = 300_000  # [ms]


def recording(window: MainWindow, qtbot: QtBot) -> LessonDock:
    window.action_table["record_lesson"].trigger()
    qtbot.waitUntil(lambda: window.docks.dock("lesson") is not None, timeout=SOON)
    dock = window.docks.dock("lesson")
    qtbot.waitUntil(lambda: dock.record.isVisible(), timeout=SOON)
    return dock


def test_steps_are_recorded(window: MainWindow, qtbot: QtBot) -> None:
    before = window.session.document.scene
    dock = recording(window, qtbot)
    page = dock.record
    qtbot.keyClicks(page.title, "Gravity of the Moon")
    choose(qtbot, page.form.kind, "number")
    type_in(qtbot, page.form.ask, "Period")
    type_in(qtbot, page.form.unit, "s")
    click(qtbot, page.form.add)
    assert len(page.lesson.steps) == 1
    inspect(window, "body", 0)
    type_in(qtbot, row_of(window, "body[0].friction").editor.field, "0.001")
    accepted(window, qtbot)
    assert page.lesson.fields == ["body[0].friction"]
    window.session.play(True)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 0.5, timeout=SOON)
    window.session.play(False)
    assert page.lesson.steps[1]["run"] == ["body[0].friction"]
    window.action_table["inspector"].setChecked(False)
    choose(qtbot, page.form.kind, "measure")
    page.area.ensureWidgetVisible(page.form.of)
    choose(qtbot, page.form.of, "rod.u3.x")
    page.area.ensureWidgetVisible(page.form.add)
    press_space(window, qtbot, page.form.add)
    click(qtbot, page.save)
    scene = accepted(window, qtbot)
    assert [step.kind for step in scene.lesson[1].step] == ["predict", "run", "measure"]
    assert scene.lesson[1].title == "Gravity of the Moon"
    assert scene.body == before.body
    assert not window.action_table["record_lesson"].isChecked()
    assert dock.start.lessons.count() == 2
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot).lesson == before.lesson


def test_a_step_that_breaks_a_rule_is_said(window: MainWindow, qtbot: QtBot) -> None:
    page = recording(window, qtbot).record
    choose(qtbot, page.form.kind, "choice")
    press_space(window, qtbot, page.form.add)
    assert "choices" in page.error.text()
    assert not page.lesson.steps
    click(qtbot, page.cancel)
    assert not page.isVisible()


def test_a_worksheet_is_written(lab: Lab, qtbot: QtBot, tmp_path: Path) -> None:
    window = lab(PENDULUM + WHOLE)
    window.action_table["worksheet"].trigger()
    dialog = window.lessons.worksheets.dialog
    dialog.path.setText(str(tmp_path / "sheet"))
    qtbot.mouseClick(dialog.buttons.button(dialog.buttons.StandardButton.Save), LEFT)
    path = tmp_path / "sheet.pdf"
    qtbot.waitUntil(path.exists, timeout=START)
    assert path.read_bytes().startswith(b"%PDF")


def test_a_scene_without_a_lesson_has_no_worksheet(lab: Lab, qtbot: QtBot) -> None:
    window = lab(PENDULUM)
    window.action_table["worksheet"].trigger()
    assert window.lessons.worksheets.dialog is None
    assert "no lesson" in window.toast.text


def opened(window: MainWindow, qtbot: QtBot) -> ClassDock:
    window.action_table["hand_ins"].trigger()
    qtbot.waitUntil(lambda: window.docks.dock("hand_ins") is not None, timeout=SOON)
    return window.docks.dock("hand_ins")


def test_hand_ins_are_collected(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("Ada", "Grace"):
        driver = LessonDriver(window, qtbot, name)
        driver.go_through()
        driver.save(folder / f"{name}.handin")
        driver.press(driver.dock.end.leave)
        qtbot.waitUntil(lambda: not window.session.lock.is_on, timeout=SOON)
    damaged = (folder / "Ada.handin").read_bytes()
    (folder / "Eve.handin").write_bytes(damaged.replace(b'"Ada"', b'"Eve"'))
    dock = opened(window, qtbot)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    click(qtbot, dock.choose)
    assert dock.cancel.isVisible()
    qtbot.waitUntil(lambda: dock.table.rowCount() == 3, timeout=COLLECTED)
    assert [row["name"] for row in dock.rows] == ["Ada", "", "Grace"]
    assert [row["problems"] for row in dock.rows] == ["0", "1", "0"]
    assert dock.note.text() == "3 hand-ins, 1 with problems"
    assert not dock.table.item(0, 0).icon().isNull()
    dock.table.selectRow(1)
    assert "damaged" in dock.error.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "class.csv"), ""))
    click(qtbot, dock.save)
    assert (tmp_path / "class.csv").read_text().startswith("number,")


def test_one_hand_in_is_not_a_plural(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "Eve.handin").write_text("damaged")
    dock = opened(window, qtbot)
    dock.collect(tmp_path)
    qtbot.waitUntil(lambda: dock.table.rowCount() == 1, timeout=COLLECTED)
    assert dock.note.text() == "1 hand-in, 1 with problems"


def test_a_folder_without_hand_ins_is_said(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dock = opened(window, qtbot)
    dock.collect(tmp_path)
    qtbot.waitUntil(lambda: dock.error.isVisible(), timeout=START)
    assert "has no hand-ins" in dock.error.text()
    assert not dock.save.isEnabled()


def test_a_collection_is_cancelled(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dock = opened(window, qtbot)
    dock.collect(tmp_path)
    dock.cancel.setFocus()
    qtbot.keyClick(dock.cancel, Qt.Key.Key_Return)
    assert not dock.queue.orders
    assert dock.choose.isEnabled()


def test_a_recording_of_steps_ends_with_its_scene(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dock = recording(window, qtbot)
    window.session.edit(window.session.scene.with_values({"body[0].friction": 0.1}))
    accepted(window, qtbot)
    assert dock.record.lesson.fields == ["body[0].friction"]
    other = tmp_path / "other.toml"
    other.write_text(PENDULUM.replace("length = 0.5", "length = 0.4"))
    window.session.open(other)
    qtbot.waitUntil(lambda: window.session.document.path == other, timeout=SOON)
    assert dock.record.lesson is None
    assert not window.action_table["record_lesson"].isChecked()
    assert "has ended" in window.toast.text
    assert dock.start.isVisible()


def test_fields_of_a_removed_item_leave_the_recording(lab: Lab, qtbot: QtBot) -> None:
    second = PENDULUM.split("[[body]]")[1].replace('"rod"\nsupport', '"other"\nsupport')
    window = lab(PENDULUM + "[[body]]" + second)
    page = recording(window, qtbot).record
    window.session.edit(window.session.scene.with_values({"body[0].friction": 0.1, "body[1].friction": 0.2}))
    scene = accepted(window, qtbot)
    page.lesson.add_run(1.0)
    window.session.edit(without(scene, ("body", 0)))
    accepted(window, qtbot)
    assert page.lesson.fields == ["body[0].friction"]
    assert page.lesson.steps[0]["run"] == ["body[0].friction"]
    assert "rod" in page.error.text()
    window.session.undo()
    accepted(window, qtbot)
    assert page.lesson.steps[0]["run"] == ["body[0].friction", "body[1].friction"]
    assert page.error.text() == ""
    window.session.redo()
    accepted(window, qtbot)
    assert page.lesson.fields == page.lesson.steps[0]["run"] == ["body[0].friction"]
    qtbot.keyClicks(page.title, "One")
    click(qtbot, page.save)
    made = accepted(window, qtbot)
    assert [(each.name, each.friction) for each in made.body] == [("other", 0.0)]
    assert made.lesson[0].step[0].run == ("body[0].friction",)
