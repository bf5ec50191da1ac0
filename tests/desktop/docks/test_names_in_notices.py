"""Notices, headings and descriptions of the window call items as the tree does: in Japanese, and by real keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import LEFT, SOON, accepted, inspect, seen_at, send
from PySide6.QtCore import QEvent, Qt
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.main_window import MainWindow
from polhode_app.window.shell.qt_translator import use_language

SCENE = gallery.path("pendulum_wave")
LABEL = "おもり 0 (bob0)"


@pytest.fixture(autouse=True)
def _english_again(qapp: object) -> object:
    yield
    use_language("en")


def test_a_removed_item_is_called_as_in_the_tree(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    use_language("ja")
    window.session.select(("body", 0))
    qtbot.keyClick(window, Qt.Key.Key_Delete)
    accepted(window, qtbot)
    assert LABEL in window.toast.text
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert accepted(window, qtbot).body[0].name == "bob0"


def test_heading_and_description_of_the_selection_are_japanese(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    use_language("ja")
    inspector = inspect(window, "body", 0)
    qtbot.waitUntil(lambda: LABEL in inspector.header.text(), timeout=SOON)
    qtbot.waitUntil(lambda: LABEL in window.view.surface.accessibleDescription(), timeout=SOON)


def test_the_status_bar_says_what_is_grabbed(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    use_language("ja")
    window.session.play(False)
    window.session.reset()
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time == 0.0, timeout=SOON)
    window.action_table["hand"].setChecked(True)
    bodies = window.session.frame.snapshot.bodies
    shape = window.session.scene.body[0].shape[-1]
    at = seen_at(window, bodies.position[0] + shape.position @ bodies.basis[0])
    send(window, QEvent.Type.MouseButtonPress, at, LEFT)
    text = window.status.currentMessage()
    send(window, QEvent.Type.MouseButtonRelease, at, LEFT)
    assert "おもり" in text
    assert "(bob" in text
