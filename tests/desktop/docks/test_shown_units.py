"""Fields show a unit that fits their value, or the one that a person has typed in them, also in later sessions."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import pytest
from gui import SOON, accepted, inspect, row_of, type_in
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode_app.edit.field_numbers import fitting_unit
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


def test_a_typed_unit_is_shown_in_that_field_from_then_on(window: MainWindow, lab: Lab, qtbot: QtBot) -> None:
    assert shown(window, "body[0].position") == ["0", "0", "0.6", "m"]
    assert shown(window, "body[0].shape[0].radius") == ["50", "mm"]
    type_in(qtbot, row_of(window, "body[0].position").editor.fields[2], "70 cm")
    assert accepted(window, qtbot).body[0].position == (0.0, 0.0, 0.7)
    assert shown(window, "body[0].position") == ["0", "0", "70", "cm"]
    assert shown(window, "body[0].shape[0].radius") == ["50", "mm"]  # another field
    type_in(qtbot, row_of(window, "body[0].shape[0].radius").editor.field, "4")  # in the unit that is shown
    assert accepted(window, qtbot).body[0].shape[0].radius == 0.004
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot).body[0].shape[0].radius == 0.05
    assert shown(window, "body[0].shape[0].radius") == ["50", "mm"]
    window.session.select(("world",))
    window.session.select(("body", 0))
    assert shown(window, "body[0].position") == ["0", "0", "70", "cm"]
    window.close()
    again = lab(SCENE)
    inspect(again, "body", 0)
    assert shown(again, "body[0].position") == ["0", "0", "60", "cm"]
    type_in(qtbot, row_of(again, "body[0].position").editor.fields[2], "0.005 m")
    assert shown(again, "body[0].position") == ["0", "0", "0.005", "m"]
    again.session.select(("world",))
    again.session.select(("body", 0))
    assert shown(again, "body[0].position") == ["0", "0", "0.005", "m"]  # as typed, though mm would fit
    assert again.settings.units == {"position": "m"}


def test_the_unit_that_fits_is_chosen_when_the_item_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    """It stays while numbers are typed and stepped, however large or small they become."""
    path = "body[0].shape[0].radius"
    field = row_of(window, path).editor.field
    type_in(qtbot, field, "700")
    assert accepted(window, qtbot).body[0].shape[0].radius == 0.7
    assert shown(window, path) == ["700", "mm"]
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: float(field.text()) > 700, timeout=SOON)
    assert shown(window, path)[1] == "mm"
    type_in(qtbot, field, "700")
    accepted(window, qtbot)
    window.session.select(("world",))
    window.session.select(("body", 0))
    assert shown(window, path) == ["0.7", "m"]
    assert window.settings.units == {}


def test_the_mass_of_a_light_body_is_in_grams(lab: Lab, qtbot: QtBot) -> None:
    made = lab(SCENE.replace("mass = 1 ", "mass = 0.02 "))
    form = inspect(made, "body", 0).form
    assert form.mass_row.editor.field.text() == "20"
    assert form.mass_row.editor.field._unit.text() == "g"
    type_in(qtbot, form.mass_row.editor.field, "25")
    assert accepted(made, qtbot).body[0].shape[0].mass == pytest.approx(0.025, rel=1e-12)


@pytest.mark.parametrize(
    ("value", "unit", "fits"),
    [
        (0.004, "m", "mm"),
        (0.6, "m", "m"),
        (0.0, "m", "m"),
        ((0.0, 0.0, 0.6), "m", "m"),
        ((0.004, -0.02, 0.0), "m", "mm"),
        (2.5e-5, "m", "µm"),
        (1e-3, "s", "ms"),
        (0.05, "kg", "g"),
        (2.5e4, "N", "kN"),
        (2e5, "Pa", "kPa"),
        (2.1e11, "Pa", "Pa"),  # 210 000 MPa would not be shorter
        (pi / 6, "rad", "deg"),
        (0.25, "rad", "rad"),
        (1e-6, "kg m^2", "kg m^2"),
        ("0.001*t", "m", "m"),
        (None, "m", "m"),
    ],
)
def test_a_unit_fits(value: object, unit: str, fits: str) -> None:
    assert fitting_unit(unit, value) == fits


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
