"""The command palette: type a few letters of anything that can be done, of a scene, of a thing that can be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

WIDTH = 560  # [pixel]
ROWS = 12  # that are seen at once
MARGIN = 10  # [pixel]
ROLE = Qt.ItemDataRole.UserRole


class Command(NamedTuple):
    text: str
    hint: str  # keys, or of what kind it is
    do: Callable[[], None]


class CommandPalette(QDialog):
    """A line to type in, and what fits, best first. Enter does it."""

    def __init__(self, action_table: Iterable[Command], parent: QWidget):
        super().__init__(parent, Qt.WindowType.Popup)
        self._action_table = list(action_table)
        self.line, self.list = QLineEdit(), QListWidget()
        self.line.setPlaceholderText(self.tr("Type what you want to do"))
        self.line.installEventFilter(self)
        self.line.textChanged.connect(lambda _text: self._fill())
        self.list.setItemDelegate(_Row(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(lambda _item: self._do())
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.line)
        column.addWidget(self.list)
        self._fill()
        self._place(parent)

    def _place(self, parent: QWidget) -> None:
        width = min(WIDTH, parent.width() - 2 * MARGIN)
        rows = min(ROWS, max(self.list.count(), 1))
        self.list.setMinimumHeight(rows * max(self.list.sizeHintForRow(0), 20) + 4)
        self.resize(width, self.sizeHint().height())
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - width) // 2, corner.y() + parent.height() // 8)

    def showEvent(self, event: QEvent) -> None:
        super().showEvent(event)
        self.line.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the list work in the line."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            pages = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -ROWS, Qt.Key.Key_PageDown: ROWS}
            if event.key() in pages:
                row = self.list.currentRow() + pages[Qt.Key(event.key())]
                self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._do()
                return True
        return super().eventFilter(watched, event)

    def _fill(self) -> None:
        wanted = self.line.text()
        ranked = [(rank, deed) for deed in self._action_table if (rank := fit(wanted, deed.text)) is not None]
        ranked.sort(key=lambda pair: pair[0])  # stable: what fits alike stays in the order of the menus
        self.list.clear()
        for _, deed in ranked:
            item = QListWidgetItem(deed.text)
            item.setData(ROLE, deed)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _do(self) -> None:
        item = self.list.currentItem()
        self.accept()
        if item is not None:
            item.data(ROLE).do()


def fit(wanted: str, text: str) -> tuple[int, int] | None:
    """How well some letters fit a text, less is better; None if they are not in it in this order.

    A piece as it stands comes first, at the beginning of a word before others, then letters that are scattered.
    """
    small, text = wanted.casefold().strip(), text.casefold()
    at = text.find(small)
    if at >= 0:
        starts = at == 0 or not text[at - 1].isalnum()
        return (0 if at == 0 else 1 if starts else 2), at
    place, gaps = -1, 0
    for letter in small.replace(" ", ""):
        found = text.find(letter, place + 1)
        if found < 0:
            return None
        gaps, place = gaps + found - place - 1, found
    return 3, gaps


class _Row(QStyledItemDelegate):
    """The text on the left, its hint on the right."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().paint(painter, option, index)
        deed = index.data(ROLE)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.PlaceholderText
        painter.save()
        painter.setPen(option.palette.color(role))
        room = QRect(option.rect).adjusted(0, 0, -8, 0)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), deed.hint)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), size.height() + 6)
