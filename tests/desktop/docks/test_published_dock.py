"""Published experiments in the window: the dock follows the scene, opens it, and runs it beside its values."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import SOON, press_space
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode.scene.display.published import SOURCES
from polhode_app.docks.story.published_dock import PublishedDock
from polhode_app.main_window import MainWindow

Lab = Callable[..., MainWindow]


def opened(window: MainWindow, qtbot: QtBot) -> PublishedDock:
    """The dock, by its key."""
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_F9, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: window.findChild(PublishedDock) is not None, timeout=SOON)
    dock = window.findChild(PublishedDock)
    assert dock is not None
    qtbot.waitUntil(lambda: dock.is_built and dock.isVisible(), timeout=SOON)
    return dock


def test_an_experiment_runs_beside_its_values(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("thrown_cube"))
    dock = opened(window, qtbot)
    assert dock.name == "thrown_cube"
    assert SOURCES["thrown_cube"].text in dock.source.text()
    assert not dock.table.isVisible()
    qtbot.mouseClick(dock.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dock.table.rowCount() == 3, timeout=120_000)
    expected, found = (dock.table.item(0, column).text() for column in (1, 2))
    assert float(expected.split()[0]) == pytest.approx(3.66972477)
    assert float(found.split()[0]) == pytest.approx(3.66972477, abs=5e-4)
    assert all(not dock.table.item(row, 0).font().bold() for row in range(3))  # as it is where values disagree
    assert dock.note.text()
    assert not dock.bar.isVisible()


def test_a_run_is_cancelled(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("tippe_top"))
    dock = opened(window, qtbot)
    qtbot.mouseClick(dock.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dock.bar.isVisible, timeout=SOON)
    qtbot.mouseClick(dock.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dock.bar.isVisible(), timeout=SOON)
    assert dock.table.rowCount() == 0


def test_the_choice_opens_a_scene_by_keys(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("pendulum_from_the_horizontal"))
    dock = opened(window, qtbot)
    dock.choice.setFocus()
    qtbot.keyClick(dock.choice, Qt.Key.Key_Down)
    name = dock.name
    assert name == "two_four_bars"
    dock.open_button.setFocus()
    press_space(window, qtbot, dock.open_button)
    qtbot.waitUntil(lambda: window.session.document.path == gallery.path(name), timeout=SOON)
    assert dock.name == name
