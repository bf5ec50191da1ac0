"""Rows of a tree with an eye at the right end, which shows and hides the item of the row."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from polhode_app.window.accessibility.letters import scaled

EYE_WIDTH = 26  # [pixel] at letters of 100 %
SHOWN_ROLE = Qt.ItemDataRole.UserRole + 1
"""Whether an item is shown; None: it can't be hidden, and its row has no eye."""
EYE_ROLE = SHOWN_ROLE + 1
"""The icon of the eye."""
LABEL_ROLE = EYE_ROLE + 1
"""Shown text of an item in place of its name, which is edited; "": the name."""


class EyeDelegate(QStyledItemDelegate):
    """Draws an eye at the right end of the row of an item that can be hidden, and reports clicks on it.

    No second column: the model of a QTreeWidget lets all columns of a row have its children, and the tree expands the
    first one alone, so screen readers would say "expanded" and "collapsed" of the same row.
    """

    clicked = Signal(QModelIndex)

    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        """With space for the eye."""
        return super().sizeHint(option, index) + QSize(scaled(EYE_WIDTH), 0)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Any) -> None:
        """Show the label of an item, if it has one."""
        super().initStyleOption(option, index)
        if label := index.data(LABEL_ROLE):
            option.text = label  # type: ignore[attr-defined]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        """Draw the row with its text cut before the eye."""
        row = QStyleOptionViewItem(option)
        self.initStyleOption(row, index)
        style, tree = QApplication.style(), row.widget  # type: ignore[attr-defined]
        width = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, row, tree).width() - scaled(EYE_WIDTH)
        row.text = row.fontMetrics.elidedText(row.text, Qt.TextElideMode.ElideRight, width)  # type: ignore[attr-defined]
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, row, painter, tree)
        if (eye := index.data(EYE_ROLE)) is not None:
            chosen = bool(row.state & QStyle.StateFlag.State_Selected)  # type: ignore[attr-defined]
            area = QRect(QPoint(), row.decorationSize)  # type: ignore[attr-defined]
            area.moveCenter(eye_rect(row.rect).center())  # type: ignore[attr-defined]
            eye.paint(painter, area, mode=QIcon.Mode.Selected if chosen else QIcon.Mode.Normal)

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Any) -> bool:
        """Emit `clicked` for a click on the eye; a double click there edits nothing."""
        if (
            not isinstance(event, QMouseEvent)
            or index.data(SHOWN_ROLE) is None
            or not eye_rect(option.rect).contains(event.position().toPoint())  # type: ignore[attr-defined]
        ):
            return super().editorEvent(event, model, option, index)
        if event.type() == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(index)
        return True


def eye_rect(row: QRect) -> QRect:
    """Where in the rectangle of a row its eye is."""
    return row.adjusted(row.width() - scaled(EYE_WIDTH), 0, 0, 0)
