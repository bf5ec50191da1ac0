"""Command palette: searches actions, scenes and views by words, and runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.layouts import column_of
from polhode_app.window.widgets.search import Searched, found

WIDTH = 560  # [pixel]
VISIBLE_ROWS = 12  # rows without scrolling
MARGIN = 10  # [pixel]
KEYS = Qt.Key
ROW_STEPS = {KEYS.Key_Up: -1, KEYS.Key_Down: 1, KEYS.Key_PageUp: -VISIBLE_ROWS, KEYS.Key_PageDown: VISIBLE_ROWS}
ROLE = Qt.ItemDataRole.UserRole


class Command(NamedTuple):
    """An entry of the palette."""

    text: str
    hint: str  # shortcut, or the kind of command
    trigger: Callable[[], None]  # runs the command
    words: str = ""  # other names, which are searched too
    description: str = ""  # of a scene
    replaces: bool = False  # it opens another scene in place of the current one
    is_featured: bool = False
    unavailable: str = ""  # why it can't be run now, or ""

    @property
    def searched(self) -> Searched:
        """The texts that are searched."""
        return Searched(self.text, self.words, self.description, not self.replaces, self.is_featured)


class CommandPalette(QDialog):
    """A search line and the list of matching commands, best match first. Return runs the selected command.

    It closes when another window becomes the active one. A popup would do that by itself, but Qt leaves popups out of
    the tree that screen readers have.

    The arrow and page keys move the selection while the search line has the focus. A command that can't be run now is
    listed in grey with the reason.
    """

    def __init__(self, commands: Iterable[Command], parent: QWidget):
        """Create the palette for `commands`, centred in the upper part of `parent`."""
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setWindowTitle(self.tr("Command palette"))
        self._command_list = list(commands)
        self.line, self.list = QLineEdit(), QListWidget()
        self.line.setPlaceholderText(self.tr("Type what you want to do"))
        self.line.setAccessibleName(self.tr("Type what you want to do"))
        self.list.setAccessibleName(self.tr("Commands"))
        self.line.installEventFilter(self)
        self.line.textChanged.connect(lambda _text: self._fill())
        self.list.setItemDelegate(_CommandDelegate(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(lambda _item: self._run_selected())
        column_of(self.line, self.list, on=self, margins=8)
        self._fill()
        self._move_over(parent)

    def _move_over(self, parent: QWidget) -> None:
        """Set the size, and centre the palette over the parent."""
        width = min(scaled(WIDTH), parent.width() - 2 * MARGIN)
        rows = min(VISIBLE_ROWS, max(self.list.count(), 1))
        self.list.setMinimumHeight(rows * max(self.list.sizeHintForRow(0), 20) + 4)
        self.resize(width, self.sizeHint().height())
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - width) // 2, corner.y() + parent.height() // 8)

    def showEvent(self, event: QEvent) -> None:
        """Give the search line the focus."""
        super().showEvent(event)
        self.activateWindow()
        self.line.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        """Close when another window becomes the active one."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move the selection, or run it, by keys typed in the search line."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in ROW_STEPS:
                self._step(ROW_STEPS[Qt.Key(event.key())])
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run_selected()
                return True
        return super().eventFilter(watched, event)

    def _fill(self) -> None:
        """List the commands that match the search line."""
        self.list.clear()
        for command in found(self.line.text(), ((command.searched, command) for command in self._command_list)):
            item = QListWidgetItem(command.text)
            item.setData(ROLE, command)
            if command.unavailable:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
            self.list.addItem(item)
        self.list.setCurrentRow(min(self._available_rows(), default=-1))
        self.list.scrollToTop()

    def _available_rows(self) -> list[int]:
        """Rows of the commands that can be run."""
        return [row for row in range(self.list.count()) if not self.list.item(row).data(ROLE).unavailable]

    def _step(self, rows: int) -> None:
        """Move the selection by a number of rows, past commands that can't be run."""
        wanted, now = self.list.currentRow() + rows, self.list.currentRow()
        ahead = [row for row in self._available_rows() if (row - now) * rows > 0]
        beyond = [row for row in ahead if (row - wanted) * rows >= 0]
        if ahead:
            self.list.setCurrentRow(min(beyond or ahead, key=lambda row: abs(row - wanted)))
            self._say_selected()

    def _say_selected(self) -> None:
        """Let a screen reader say the selected command, while the keyboard stays in the search line."""
        event = QAccessibleEvent(self.list, QAccessible.Event.Focus)
        event.setChild(self.list.currentRow())
        QAccessible.updateAccessibility(event)

    def _run_selected(self) -> None:
        """Close the palette and run the selected command."""
        item = self.list.currentItem()
        command = None if item is None else item.data(ROLE)
        if command is not None and command.unavailable:
            return
        self.accept()
        if command is not None:
            command.trigger()


class _CommandDelegate(QStyledItemDelegate):
    """Draws the text of a command on the left; on the right its hint, or why it can't be run."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Paint the row, and the hint over it."""
        super().paint(painter, option, index)
        command = index.data(ROLE)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.PlaceholderText
        painter.save()
        painter.setPen(option.palette.color(role))
        area = QRect(option.rect).adjusted(0, 0, -8, 0)
        hint = command.unavailable or command.hint
        painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), hint)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        """Size of the row, slightly higher than the default."""
        size = super().sizeHint(option, index)
        return QSize(size.width(), size.height() + 6)
