"""Spin boxes take numbers with another unit of the same quantity."""

from __future__ import annotations

import pytest
from gui import SOON
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout
from pytestqt.qtbot import QtBot

from polhode_app.window.widgets.spin_box import LimitSpinBox, SpinBox


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


@pytest.mark.parametrize("kind", [SpinBox, LimitSpinBox])
def test_escape_reverts_a_number_in_a_dialog_and_closes_the_dialog_where_there_is_nothing_to_revert(
    qtbot: QtBot, kind: type[SpinBox]
) -> None:
    dialog, box = QDialog(), kind(0.0, 10.0, "s")
    qtbot.addWidget(dialog)
    QVBoxLayout(dialog).addWidget(box)
    dialog.layout().addWidget(QLineEdit())
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow, timeout=SOON)
    box.setFocus()
    before = box.text()
    box.selectAll()
    qtbot.keyClicks(box.lineEdit(), "7")
    assert box.text() != before
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert (box.text(), box.value(), box.hasFocus(), dialog.isVisible()) == (before, 0.0, True, True)
    qtbot.keyClicks(box.lineEdit(), "7")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert (box.value(), box.hasFocus(), dialog.isVisible()) == (7.0, True, True)
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
