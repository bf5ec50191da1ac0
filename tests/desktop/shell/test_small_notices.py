"""Texts over the view: the bar of a film, offers after a change of language, keys after a field."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gui import LEFT, SOON, accepted, inspect, row_of, type_in
from meaning import Meaning
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.main_window import MainWindow
from polhode_app.window.shell.qt_translator import use_language
from polhode_app.window.widgets.toast import FilmBar, Toast

Lab = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def _english_again(qapp: object) -> object:
    yield
    use_language("en")


def test_the_bar_of_a_film_shows_no_markup(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    window.action_table["record"].trigger()
    bars = window.view.findChildren(FilmBar)
    qtbot.waitUntil(lambda: any(bar.isVisible() and "Recording 0:" in bar.text for bar in bars), timeout=SOON)
    bar = next(bar for bar in bars if bar.isVisible())
    assert "<" not in bar.text
    picture = bar.grab().toImage()
    reds = [picture.pixelColor(x, y) for x in range(40) for y in range(picture.height())]
    assert any(color.red() > 180 and color.green() < 110 for color in reds)  # the dot
    window.action_table["record"].trigger()
    qtbot.waitUntil(lambda: not bar.isVisible(), timeout=2 * SOON)


def test_an_offer_that_was_replaced_does_not_return_with_another_language(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    window.session.edit(window.session.scene.model_copy(update={"title": "mine"}))
    accepted(window, qtbot)
    window.files.open(gallery.path("compass"))
    qtbot.waitUntil(lambda: Meaning("", "saved", title="mine").of(window.toast.text), timeout=SOON)
    window.set_language("ja")
    qtbot.waitUntil(lambda: "saved" not in window.toast.text, timeout=SOON)
    assert "mine" in window.toast.text  # the visible offer is translated
    window.toast.show_message("something else", None)
    window.set_language("en")
    qtbot.waitUntil(lambda: window.action_table["quit"].text() == "&Quit", timeout=SOON)
    assert window.toast.text == "something else"


@pytest.mark.parametrize("width", [240, 390, 640])
def test_a_long_message_is_wrapped_within_its_frame(qtbot: QtBot, width: int) -> None:
    view = QWidget()
    qtbot.addWidget(view)
    view.resize(width, 556)
    view.show()
    toast = Toast(view)
    text = (
        "Paused: 'cuboid' at t = 17.14 s: words and numbers as many as those of a run that has ended, 0.001 s and"
        " others\nAnd a second line, which has to be broken as well: Runge-Kutta 4, 1.1e-05 s."
    )
    toast.show_message(text, None, dict.fromkeys(("Halve the step", "Reset", "Why?"), lambda: None))
    qtbot.waitUntil(lambda: toast.isVisible() and toast.width() <= width, timeout=SOON)
    assert toast.contentsRect().contains(toast.label.geometry())
    assert toast.label.height() >= toast.label.heightForWidth(toast.label.width())


def test_progress_is_told_once_and_keeps_the_button_that_is_pressed(qtbot: QtBot) -> None:
    view, told, cancelled = QWidget(), [], []

    def cancel() -> None:
        cancelled.append(True)

    qtbot.addWidget(view)
    view.resize(640, 400)
    view.show()
    toast = Toast(view)
    toast.message_shown.connect(told.append)
    toast.show_progress("Writing: 1 %", "Cancel", cancel)
    button = toast.findChild(QPushButton)
    qtbot.waitUntil(button.isVisible, timeout=SOON)
    qtbot.mousePress(button, LEFT)
    for percent in (2, 3):
        toast.show_progress(f"Writing: {percent} %", "Cancel", cancel)
    assert toast.text == "Writing: 3 %"
    assert told == ["Writing: 1 %"]
    qtbot.mouseRelease(button, LEFT)
    assert cancelled == [True]
    toast.show_message("Written", None)
    toast.show_progress("Writing: 4 %", "Cancel", cancel)
    assert told == ["Writing: 1 %", "Written", "Writing: 4 %"]


def test_letters_after_return_are_keys_of_the_window(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "body", 0)
    field = row_of(window, "body[0].friction").editor.field
    type_in(qtbot, field, "0.5")
    assert accepted(window, qtbot).body[0].friction == 0.5
    assert not field.hasFocus()
    was_on = window.settings.story
    qtbot.keyClick(window.focusWidget() or window, Qt.Key.Key_I)
    assert window.settings.story is not was_on
    assert float(field.text()) == 0.5
    type_in(qtbot, field, "many")
    assert field.hasFocus()  # what is wrong can be mended
    qtbot.keyClick(field, Qt.Key.Key_Escape)


def test_the_drift_is_small_again_after_rewinding_to_before_an_edit(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 0.5, timeout=SOON)
    world = window.session.scene.world.model_copy(update={"gravity": (0.0, 0.0, -30.0)})
    window.session.edit(window.session.scene.model_copy(update={"world": world}))
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 1.0, timeout=SOON)
    window.session.set_speed(0.1)
    window.session.seek(0.2)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time < 0.3, timeout=SOON)
    assert np.abs(window.session.frame.drift) < 1e-3


def test_function_keys_work_while_a_field_has_the_focus(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "body", 0)
    for field in (row_of(window, "body[0].name").editor.field, window.transport.solver.step.lineEdit()):
        qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: isinstance(window.focusWidget(), QLineEdit | QAbstractSpinBox), timeout=SOON)
        for key, name in ((Qt.Key.Key_F4, "plots"), (Qt.Key.Key_F6, "sensor")):
            before = window.action_table[name].isChecked()
            qtbot.keyClick(window.focusWidget(), key)
            assert window.action_table[name].isChecked() is not before
        text = field.text()
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_R)  # a letter goes into the field
        assert "r" in field.text() or field.text() == text
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
