"""The mouse in the 3-D view of a window, by events as Qt sends them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from app.main_window import LabWindow

LEFT, RIGHT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.NoButton
PLAIN = Qt.KeyboardModifier.NoModifier


def seen_at(window: LabWindow, place: Sequence[float]) -> QPointF:
    """Where a place (3,) [m] is seen, in the view's own coordinates."""
    renderer, surface = window.view.plotter.renderer, window.view.surface
    renderer.SetWorldPoint(*place, 1.0)
    renderer.WorldToDisplay()
    x, y, _ = renderer.GetDisplayPoint()
    ratio = surface.devicePixelRatioF()
    return QPointF(x / ratio, surface.height() - 1 - y / ratio)


def send(
    window: LabWindow, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = PLAIN
) -> None:
    """A press, a move with the button held, or a release."""
    held = NONE if kind == QEvent.Type.MouseButtonRelease else button
    cause = NONE if kind == QEvent.Type.MouseMove else button
    surface = window.view.surface
    to = QPointF(surface.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(surface, QMouseEvent(kind, at, to, cause, held, keys))
