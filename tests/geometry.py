"""Geometry of what a window shows: nothing is squeezed, cut or covered."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from accessibility import CONTROLS, NEVER, described, is_piece
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QWidget,
)

SHRINKING = (QLineEdit, QPlainTextEdit, QAbstractScrollArea, QSlider, QTabBar)
"""Controls that show a part of their content in any width, which they scroll."""


def faults(window: QMainWindow) -> list[str]:
    """Controls that are squeezed, cut by the window or their parents, or covered by others."""
    seen = list(_seen(window))
    return [*squeezed(seen), *cut(window, seen), *covered(window, seen)]


def _seen(window: QWidget) -> Iterator[QWidget]:
    """The controls and texts of which any part is on the screen, or should be: those that are not scrolled away."""
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, (*CONTROLS, QLabel)) or is_piece(widget) or not widget.isVisible():
            continue
        if isinstance(widget, QLabel) and (not widget.text() or isinstance(widget.parentWidget(), QLineEdit)):
            continue
        hidden = widget.visibleRegion().isEmpty()
        if not hidden or (_area(widget) is None and not _behind_a_tab(widget)):
            yield widget


def _behind_a_tab(widget: QWidget) -> bool:
    """Whether a widget is in a dock that lies behind another one that is seen."""
    above: QWidget | None = widget
    while above is not None and not isinstance(above, QDockWidget):
        above = above.parentWidget()
    window = above.parentWidget() if above is not None else None
    if above is None or not isinstance(window, QMainWindow) or not above.visibleRegion().isEmpty():
        return False
    return any(not each.visibleRegion().isEmpty() for each in window.tabifiedDockWidgets(above))


def _area(widget: QWidget) -> QAbstractScrollArea | None:
    """The innermost scroll area around a widget."""
    above = widget.parentWidget()
    while above is not None and not above.isWindow():
        if isinstance(above, QAbstractScrollArea):
            return above
        above = above.parentWidget()
    return None


def squeezed(seen: list[QWidget]) -> list[str]:
    """Controls that are smaller than their least size."""
    found = []
    for widget in seen:
        least, size = widget.minimumSizeHint().expandedTo(widget.minimumSize()), widget.size()
        if isinstance(widget, SHRINKING):
            least.setWidth(widget.minimumWidth())
        least = least.boundedTo(widget.maximumSize())
        if isinstance(widget, QLabel) and widget.wordWrap():
            least.setHeight(max(widget.heightForWidth(size.width()), 0))
            least.setWidth(0)
        if size.width() < least.width() or size.height() < least.height():
            found.append(f"{described(widget)} is {size.toTuple()}, less than {least.toTuple()}")
    return found


def cut(window: QMainWindow, seen: list[QWidget]) -> list[str]:
    """Controls that reach beyond a parent; in a scroll area those that reach beyond its side."""
    found = []
    for widget in seen:
        above, inside = widget, QRect(QPoint(), widget.size())
        while above is not window and not above.isWindow():
            inside.translate(above.pos())
            above = above.parentWidget()
            room = above.rect()
            is_scrolled = isinstance(above.parentWidget(), QAbstractScrollArea)  # a viewport
            if is_scrolled:
                across = above.parentWidget().horizontalScrollBarPolicy() == NEVER
                inside = QRect(inside.left() if across else 0, room.top(), inside.width() if across else 1, 1)
            if not room.contains(inside):
                found.append(
                    f"{described(widget)} at {inside.getRect()} beyond {type(above).__name__} {room.getRect()}"
                )
                break
            if is_scrolled:
                break
    return found


def shortened(window: QMainWindow) -> list[str]:
    """Lists whose current text is wider than what they show of it."""
    found = []
    for box in window.findChildren(QComboBox):
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()
        text = box.fontMetrics().horizontalAdvance(box.currentText())
        if box.isVisible() and not box.isEditable() and text > room:
            found.append(f"{described(box)} shows {room} of {text} pixels of {box.currentText()!r}")
    return found


def covered(window: QMainWindow, seen: list[QWidget]) -> list[str]:
    """Pairs of controls of one parent that overlap, and of docks that overlap each other or the view."""
    found = []
    docks = [each for each in window.findChildren(QDockWidget) if not each.visibleRegion().isEmpty()]
    groups = [[window.centralWidget(), *(each for each in docks if not each.isFloating())]]
    by_parent: dict[QWidget, list[QWidget]] = {}
    for widget in seen:
        by_parent.setdefault(widget.parentWidget(), []).append(widget)
    for group in [*groups, *by_parent.values()]:
        for one, other in itertools.combinations(group, 2):
            common = one.geometry() & other.geometry()
            if not common.isEmpty():
                found.append(f"{described(one)} and {described(other)} share {common.size().toTuple()}")
    return found
