"""The wheel of the mouse over controls of the window: forms scroll, and no number or choice changes by it."""

from __future__ import annotations

import pytest
from gui import PLAIN, SOON, inspect
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollArea,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from polhode_app.docks.inspector.value_slider import ValueSlider
from polhode_app.main_window import MainWindow

SCENE = """
[[body]]
name = "stone"
[[body.shape]]
kind = "sphere"
radius = 0.02
density = 1000
[[wall]]
name = "floor"
point = [0, 0, -1]
"""
NOTCH = 120  # [1/8 degree]


def turned(control: QWidget, notches: int) -> None:
    """Turn the wheel over the middle of a control: a notch up or down, sent on to what it is in while it is ignored."""
    middle = control.rect().center()
    target: QWidget | None = control
    while target is not None and not target.isWindow():
        local = target.mapFrom(control.window(), control.mapTo(control.window(), middle))
        at, turn = QPointF(control.mapToGlobal(middle)), QPoint(0, NOTCH * notches)
        phase, none = Qt.ScrollPhase.NoScrollPhase, Qt.MouseButton.NoButton
        event = QWheelEvent(QPointF(local), at, QPoint(), turn, none, PLAIN, phase, False)
        event.ignore()
        if target.isEnabled() and QApplication.sendEvent(target, event) and event.isAccepted():
            return
        target = target.parentWidget()


def state_of(control: QWidget) -> object:
    if isinstance(control, QComboBox):
        return control.currentText()
    return control.text() if isinstance(control, QAbstractSpinBox) else control.value()


@pytest.mark.parametrize("dock", ["inspector", "maps", "sensor", "plots", "tones"])
def test_the_wheel_changes_no_control_without_the_focus(window: MainWindow, qtbot: QtBot, dock: str) -> None:
    inspect(window, "body", 0)
    window.action_table[dock].setChecked(True)
    qtbot.waitUntil(lambda: window.docks.dock(dock) is not None and window.docks.docks[dock].isVisible(), timeout=SOON)
    window.view.surface.setFocus()
    kinds = (QComboBox, QAbstractSpinBox, QAbstractSlider)
    controls = [each for kind in kinds for each in window.findChildren(kind) if each.isVisibleTo(window)]
    controls = [each for each in controls if not isinstance(each, QScrollBar) and not each.hasFocus()]
    assert any(window.docks.docks[dock].isAncestorOf(each) for each in controls)
    before, changed = [state_of(each) for each in controls], []
    for control, state in zip(controls, before, strict=True):
        for notches in (-1, 1, 1):
            turned(control, notches)
            if state_of(control) != state:
                changed.append(f"{type(control).__name__} '{control.accessibleName()}'")
    assert changed == []


def test_the_wheel_scrolls_the_form_from_a_slider(window: MainWindow, qtbot: QtBot) -> None:
    inspect(window, "body", 0)
    inspector = window.docks.docks["inspector"]
    qtbot.waitUntil(inspector.isVisible, timeout=SOON)
    inspector.setFloating(True)
    inspector.resize(400, 300)
    slider = next(each for each in inspector.findChildren(ValueSlider) if not each.visibleRegion().isEmpty())
    area = next(each for each in inspector.findChildren(QScrollArea) if each.isAncestorOf(slider))
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=SOON)
    scene = window.session.scene
    turned(slider, -1)
    assert bar.value() > 0
    QApplication.processEvents()
    assert window.session.scene is scene
    inspector.setFloating(False)
