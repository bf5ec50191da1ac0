"""Fields show the unit that a person has typed, for all numbers of that quantity, and in later sessions."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import pytest
from gui import SOON, accepted, inspect, row_of, type_in
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # its settings are kept for the next one

SCENE = """
[[body]]
name = "bob"
support = "free"
position = [0, 0, 0.6]
orientation = { axis = [0, 1, 0], angle = 0.25 }
shape = [{ kind = "sphere", radius = 0.05, mass = 1 }]
"""
Lab = Callable[..., MainWindow]


@pytest.fixture
def window(lab: Lab, qtbot: QtBot) -> MainWindow:
    made = lab(SCENE)
    made.session.play(False)
    inspect(made, "body", 0)
    qtbot.waitUntil(lambda: not made.session.is_pending, timeout=SOON)
    return made


def shown(window: MainWindow, path: str) -> list[str]:
    """Texts of the fields of a row, and its unit."""
    editor = row_of(window, path).editor
    if hasattr(editor, "fields"):
        return [*(field.text() for field in editor.fields), editor._unit.text()]
    return [editor.field.text(), editor.field._unit.text()]


def test_a_typed_unit_is_shown_from_then_on(window: MainWindow, lab: Lab, qtbot: QtBot) -> None:
    assert shown(window, "body[0].position") == ["0", "0", "0.6", "m"]
    type_in(qtbot, row_of(window, "body[0].position").editor.fields[2], "70 cm")
    assert accepted(window, qtbot).body[0].position == (0.0, 0.0, 0.7)
    assert shown(window, "body[0].position") == ["0", "0", "70", "cm"]
    assert shown(window, "body[0].shape[0].radius") == ["5", "cm"]
    type_in(qtbot, row_of(window, "body[0].shape[0].radius").editor.field, "4")  # in the unit that is shown
    assert accepted(window, qtbot).body[0].shape[0].radius == 0.04
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot).body[0].shape[0].radius == 0.05
    assert shown(window, "body[0].shape[0].radius") == ["5", "cm"]
    window.session.select(("world",))
    window.session.select(("body", 0))
    assert shown(window, "body[0].position") == ["0", "0", "70", "cm"]
    window.close()
    again = lab(SCENE)
    inspect(again, "body", 0)
    assert shown(again, "body[0].position") == ["0", "0", "60", "cm"]
    type_in(qtbot, row_of(again, "body[0].position").editor.fields[2], "0.5 m")
    assert shown(again, "body[0].position") == ["0", "0", "0.5", "m"]
    assert again.settings.units == {}


def test_angles_can_be_degrees(window: MainWindow, qtbot: QtBot) -> None:
    field = row_of(window, "body[0].orientation.angle").editor.field
    type_in(qtbot, field, "12 deg")
    assert accepted(window, qtbot).body[0].orientation.angle == pytest.approx(12 * pi / 180, rel=1e-14)
    assert shown(window, "body[0].orientation.angle") == ["12", "deg"]
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: float(field.text()) > 12.0, timeout=SOON)
    assert float(field.text()) in (12.1, 13.0)  # steps are round in the unit that is shown
    angle = accepted(window, qtbot).body[0].orientation.angle
    assert float(field.text()) == pytest.approx(angle * 180 / pi, rel=1e-9)
    type_in(qtbot, field, "pi/2 rad")
    assert accepted(window, qtbot).body[0].orientation.angle == pytest.approx(pi / 2)
    assert shown(window, "body[0].orientation.angle")[1] == "rad"
