"""Quantities are found by other words for them, in the language of the window and in others; names are distinct."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gui import SOON, click, inspect
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListView
from pytestqt.qtbot import QtBot

from polhode_app.docks.inspector.parameter_chooser import ParameterChooser
from polhode_app.main_window import MainWindow
from polhode_app.window.shell.qt_translator import use_language

SCENE = """
format = 2
[[body]]
name = "bob"
support = "axle"
axis = [0, 1, 0]
orientation = { axis = [0, 1, 0], angle = 0.5 }
shape = [{ kind = "sphere", radius = 0.1, mass = 0.5, position = [0, 0, -0.4] }]
[[body]]
name = "top"
position = [1, 0, 0]
angular_velocity = [0, 0, 100]
shape = [{ kind = "cone", radius = 0.04, length = 0.05, density = 2700, position = [0, 0, 0.0375] }]
[[sweep]]
name = "map"
until = 2.0
axes = [{ parameter = "body[0].friction", range = [0.0, 1.0], count = 4 }]
"""
WORDS = ("振れ角", "傾き", "swing angle", "tilt", "inclination")


@pytest.fixture(params=["en", "ja"])
def language(request: pytest.FixtureRequest, window: MainWindow) -> Iterator[str]:
    use_language(request.param)
    yield request.param
    use_language("en")


def listed(qtbot: QtBot, search: QLineEdit, view: QListView, typed: str) -> list[str]:
    """Names of the rows that stay in a list when something is typed into its search line."""
    search.clear()
    click(qtbot, search)
    for letter in typed:
        qtbot.keyClick(search, letter) if letter.isascii() else search.insert(letter)  # as an input method does
    model = view.model()
    return [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]


@pytest.mark.parametrize("typed", WORDS)
def test_the_list_of_plots_finds_angles_by_other_words(
    window: MainWindow, qtbot: QtBot, language: str, typed: str
) -> None:
    window.action_table["plots"].setChecked(True)
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    plots = window.docks.docks["plots"]
    qtbot.waitUntil(lambda: bool(plots.list.model.names), timeout=SOON)
    found = listed(qtbot, plots.list.search, plots.list.view, typed)
    assert sorted(found) == ["bob.angle", "bob.deflection", "top.angle"]
    assert len(listed(qtbot, plots.list.search, plots.list.view, "")) > 40


@pytest.mark.parametrize("typed", WORDS)
def test_the_numbers_of_a_scene_are_found_by_other_words(
    window: MainWindow, qtbot: QtBot, language: str, typed: str
) -> None:
    window.action_table["maps"].setChecked(True)
    qtbot.waitUntil(lambda: window.docks.dock("maps") is not None, timeout=SOON)
    parameter = window.docks.docks["maps"].widgets.form.rows[0].parameter
    parameter.setFocus()
    qtbot.keyClick(parameter, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.findChild(ParameterChooser) is not None, timeout=SOON)
    dialog = window.findChild(ParameterChooser)
    found = listed(qtbot, dialog.search, dialog.view, typed)
    dialog.reject()
    qtbot.waitUntil(lambda: window.findChild(ParameterChooser) is None, timeout=SOON)
    assert {"body[0].tilt[1]", "body[1].tilt[0]"} <= set(found)
    assert not any("position" in name or "radius" in name for name in found)


def test_no_two_rows_of_a_top_have_the_same_name(window: MainWindow, language: str) -> None:
    """The distance of its centre from the pivot, and the length of its cone."""
    inspector = inspect(window, "body", 1)
    grid = inspector.form.layout()
    labels = [grid.itemAtPosition(row, 0) for row in range(grid.rowCount())]
    names = [each.widget().text() for each in labels if each and isinstance(each.widget(), QLabel)]
    assert inspector.form.length_row is not None
    assert len(names) > 8
    assert len(set(names)) == len(names), names
