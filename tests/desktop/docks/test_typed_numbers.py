"""Numbers are typed with a point or a comma, in wide digits and with units, in any language of the system."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import pi
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QLocale, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

import polhode_app
from polhode.formulas.parser import FormulaError
from polhode.scene.fields import Form
from polhode_app.docks.inspector.number_editors import NumberEditor, NumberOrListEditor, NumbersEditor
from polhode_app.edit.field_numbers import typed_number
from polhode_app.window.widgets import spin_box
from polhode_app.window.widgets.spin_box import SpinBox

TYPED = [
    ("m", "0.5", 0.5),
    ("m", "0,5", 0.5),
    ("m", "-,5", -0.5),
    ("m", "０．５", 0.5),
    ("m", "０，５", 0.5),
    ("m", "１２　ｃｍ", 0.12),
    ("m", "40 cm", 0.4),
    ("m", "3mm", 0.003),
    ("m", "1,5 mm", 0.0015),
    ("m", "2*0,5", 1.0),
    ("rad", "12 deg", 12 * pi / 180),
    ("rad", "90°", pi / 2),
    ("rad", "pi/2", pi / 2),
    ("rad/s", "60 rpm", 2 * pi),
    ("s", "20 ms", 0.02),
    ("kg", "250 g", 0.25),
    ("N/m", "40 N/m", 40.0),
    ("", "１２", 12.0),
]


@pytest.fixture(params=["de_DE", "ja_JP", "en_US"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """The language of the system, for widgets made in the test."""
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield request.param
    QLocale.setDefault(before)


def press(field: QWidget, text: str) -> None:
    """Type a text; the key clicks of QTest end the program for characters beyond Latin 1."""
    for letter in text:
        QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, letter))


@pytest.mark.parametrize(("unit", "typed", "value"), TYPED)
def test_the_parser_takes_what_people_type(unit: str, typed: str, value: float) -> None:
    assert typed_number(typed, unit) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(("unit", "typed"), [("m", "3 s"), ("m", "cm"), ("", "40 cm"), ("m", "1,2,3"), ("rad", "1 2")])
def test_other_texts_are_refused(unit: str, typed: str) -> None:
    with pytest.raises(FormulaError):
        typed_number(typed, unit)


def test_fields_of_the_inspector_take_them_by_keys(qtbot: QtBot, language: str) -> None:
    for unit, typed, value in TYPED:
        form = Form("number", unit)
        for editor in (NumberEditor(form, 1.0), NumberOrListEditor(Form("number_or_list", unit), 1.0)):
            qtbot.addWidget(editor)
            editor.show_value(7.0)
            editor.field.setFocus()
            editor.field.selectAll()
            with qtbot.waitSignal(editor.changed) as emitted:
                press(editor.field, typed)
                qtbot.keyClick(editor.field, Qt.Key.Key_Return)
            assert emitted.args[0] == pytest.approx(value, rel=1e-12), (language, typed)
    vector = NumbersEditor(Form("numbers", "m", count=3), 1.0)
    qtbot.addWidget(vector)
    vector.show_value((1.0, 2.0, 3.0))
    vector.fields[1].selectAll()
    with qtbot.waitSignal(vector.changed) as emitted:
        press(vector.fields[1], "0,5 cm")
        qtbot.keyClick(vector.fields[1], Qt.Key.Key_Return)
    assert emitted.args[0] == pytest.approx((1.0, 0.005, 3.0))


@pytest.mark.parametrize(("unit", "typed", "value"), [each for each in TYPED if each[0] in ("m", "s", "")])
def test_spin_boxes_take_them_by_keys(qtbot: QtBot, language: str, unit: str, typed: str, value: float) -> None:
    box = SpinBox(-100.0, 100.0, unit, 9)
    qtbot.addWidget(box)
    box.setValue(7.0)
    box.lineEdit().selectAll()
    press(box.lineEdit(), typed)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.value() == pytest.approx(value, rel=1e-9)
    assert "," not in box.text()


@pytest.mark.parametrize(
    ("unit", "typed", "value"), [("", "１２", 12.0), ("", "2*16", 32.0), ("MB", "６４ MB", 64.0), ("", "1e3", 1000.0)]
)
def test_boxes_of_whole_numbers_take_them_too(qtbot: QtBot, language: str, unit: str, typed: str, value: float) -> None:
    box = SpinBox(1, 10_000, unit, decimals=0)
    qtbot.addWidget(box)
    box.setValue(7)
    box.lineEdit().selectAll()
    press(box.lineEdit(), typed)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.value() == value
    assert box.text() == f"{value:.0f}{' ' if unit else ''}{unit}"


def test_the_window_has_no_box_without_this_parser() -> None:
    """Qt's own boxes take no wide digits, commas, units and formulas."""
    sources = Path(polhode_app.__file__).parent.rglob("*.py")
    own = Path(spin_box.__file__)
    assert [
        path.name for path in sources if path != own and re.search(r"\bQ(Double)?SpinBox\b", path.read_text())
    ] == []
