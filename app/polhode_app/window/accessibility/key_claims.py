"""Keys that a control takes from the shortcuts of the window while it has the keyboard focus."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QComboBox,
    QScrollArea,
    QTabBar,
    QTabWidget,
    QWidget,
)

Key = Qt.Key
PRESS = frozenset({Key.Key_Space, Key.Key_Return, Key.Key_Enter})
SIDEWAYS = frozenset({Key.Key_Left, Key.Key_Right})
MOVES = SIDEWAYS | {Key.Key_Up, Key.Key_Down, Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown}
COMMAND = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
CLAIMS: tuple[tuple[type[QWidget], frozenset[Qt.Key]], ...] = (
    (QAbstractButton, PRESS),
    (QComboBox, MOVES | {Key.Key_Space}),
    (QTabBar, SIDEWAYS | {Key.Key_Home, Key.Key_End}),
    (QTabWidget, SIDEWAYS),
    (QAbstractSlider, MOVES),
    (QAbstractItemView, MOVES | PRESS),
    (QScrollArea, MOVES),
)
"""By class. Fields of text are left out: they take their keys themselves."""


def claims(widget: QWidget, event: QKeyEvent) -> bool:
    """Whether a widget with the keyboard focus takes a key; keys with Ctrl, Alt or Meta remain the window's.

    A class may have a smaller set of its own in the attribute `claimed_keys`.
    """
    if event.modifiers() & COMMAND:
        return False
    usual = next((keys for kind, keys in CLAIMS if isinstance(widget, kind)), frozenset())
    return event.key() in getattr(widget, "claimed_keys", usual)
