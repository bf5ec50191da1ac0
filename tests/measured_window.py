"""The dock of measured data in the window, for GUI tests: files are dropped, quantities typed, runs compared."""

from __future__ import annotations

from pathlib import Path

from gui import SOON, START, click
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow


def drop(target: QWidget, data: QMimeData, where: QPoint | None = None) -> None:
    """Enter with a drag and drop it, as Qt's own drag does."""
    at = QPointF(where or QPoint(target.width() // 2, target.height() // 2))
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at.toPoint(), Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(target, enter)
    if enter.isAccepted():
        QApplication.sendEvent(target, QDropEvent(at, Qt.DropAction.CopyAction, data, buttons, keys))


def opened(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    """Drop a file on the window, and wait for its columns."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop(window, data)
    qtbot.waitUntil(
        lambda: window.docks.dock("measured") is not None and window.docks.docks["measured"].data.layer is not None,
        timeout=SOON,
    )
    qtbot.waitUntil(window.docks.docks["measured"].isVisible, timeout=SOON)


def typed_quantity(window: MainWindow, qtbot: QtBot, column: str, text: str) -> QLineEdit:
    """Type a text into the box of a column's quantity, and return its field."""
    edit = window.docks.docks["measured"].data_tab.rows[column].quantity.lineEdit()
    qtbot.waitUntil(edit.isVisible, timeout=SOON)
    click(qtbot, edit)
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    return edit


def type_quantity(window: MainWindow, qtbot: QtBot, column: str, text: str) -> None:
    """Search a quantity by keys in the box of a column."""
    typed_quantity(window, qtbot, column, text)
    popup = window.docks.docks["measured"].data_tab.rows[column].quantity.completer().popup()
    qtbot.waitUntil(popup.isVisible, timeout=SOON)
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)


def type_name(window: MainWindow, qtbot: QtBot, column: str, name: str) -> None:
    """Type the whole name of a quantity that the list need not have."""
    qtbot.keyClick(typed_quantity(window, qtbot, column, name), Qt.Key.Key_Return)


def compared(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the run was compared with the layer that is shown."""
    data = window.docks.docks["measured"].data
    qtbot.waitUntil(
        lambda: (
            data.comparison is not None
            and data.comparison.layer is data.layer
            and data.comparison.scene is window.session.document.scene
            and not data.is_busy
        ),
        timeout=START,
    )
