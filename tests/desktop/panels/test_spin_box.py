"""Spin boxes take numbers with another unit of the same quantity."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.panels.widgets.spin_box import SpinBox


@pytest.mark.parametrize(
    ("unit", "typed", "value"),
    [
        ("ms", "0.2 s", 200.0),
        ("ms", "0.2s", 200.0),
        ("ms", "0.25", 0.25),
        ("ms", "0.25 ms", 0.25),
        ("ms", "50 us", 0.05),
        ("ms", "50 µs", 0.05),
        ("mm", "1.5 cm", 15.0),
        ("s", "20 ms", 0.02),
        ("ms", "2000 s", 7.0),  # above the highest value: the old one stays
        ("ms", "3 cm", 7.0),  # not a time
        ("%", "5", 5.0),
    ],
)
def test_a_number_can_be_typed_with_another_unit(qtbot: QtBot, unit: str, typed: str, value: float) -> None:
    box = SpinBox(1e-6, 1e5, unit, 6)
    qtbot.addWidget(box)
    box.setValue(7.0)
    box.show()
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(box.lineEdit(), typed)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.value() == pytest.approx(value, rel=1e-9)
    assert box.text() == f"{value:.6g} {unit}"
