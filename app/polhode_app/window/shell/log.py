"""Log of the window: all messages since the start, and warnings of libraries."""

from __future__ import annotations

import logging
from collections import deque
from datetime import datetime
from typing import NamedTuple

from PySide6.QtCore import QT_TRANSLATE_NOOP, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QWidget

from polhode.scene.message import Message
from polhode_app.i18n.language import tr
from polhode_app.i18n.translation import translate
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.layouts import column_of

LINES = 2000  # number of messages kept
LEVELS = {
    "WARNING": QT_TRANSLATE_NOOP("Log", "warning"),
    "ERROR": QT_TRANSLATE_NOOP("Log", "error"),
    "CRITICAL": QT_TRANSLATE_NOOP("Log", "critical"),
}


class LogLine(NamedTuple):
    """A message with its time."""

    when: datetime
    text: str


class Log(QObject):
    """Keeps the newest LINES messages.

    It installs a handler for warnings and errors at the root logger. `write` and the handler may be called from any
    thread; lines are appended in the GUI thread.
    """

    added = Signal(str)
    """Text of a new message; delivered in the GUI thread."""

    def __init__(self, parent: QObject | None = None):
        """Start to collect messages."""
        super().__init__(parent)
        self.lines: deque[LogLine] = deque(maxlen=LINES)
        self.added.connect(self._append)
        self._handler = _Handler(self)
        logging.getLogger().addHandler(self._handler)

    def write(self, text: str) -> None:
        """Append a message. May be called from any thread."""
        self.added.emit(text)

    def close(self) -> None:
        """Stop handling records of the root logger."""
        logging.getLogger().removeHandler(self._handler)

    def _append(self, text: str) -> None:
        """Append a line, unless it repeats the last one."""
        if text and (not self.lines or self.lines[-1].text != text):
            self.lines.append(LogLine(datetime.now(), text))

    def text(self) -> str:
        """All lines with their times, one per line."""
        return "\n".join(f"{line.when:%H:%M:%S}  {line.text}" for line in self.lines)


class _Handler(logging.Handler):
    """Passes records of the root logger to the log, translated."""

    def __init__(self, log: Log):
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record with its level; called in the thread that has logged it."""
        level = LEVELS.get(record.levelname, record.levelname)
        text = record.msg if isinstance(record.msg, Message) else record.getMessage()
        self._log.write(f"{tr(level)}: {translate(text)}")


class LogDialog(QDialog):
    """Shows the log as text that can be searched and copied; it follows new messages."""

    def __init__(self, log: Log, parent: QWidget):
        """Create the dialog at the end of the log."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Log"))
        self._log = log
        self.page = QPlainTextEdit(log.text() or self.tr("No messages yet."))
        self.page.setReadOnly(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy all"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.page.toPlainText()))
        buttons.rejected.connect(self.reject)
        column_of(self.page, buttons, on=self)
        self.resize(scaled(680), scaled(360))
        self.page.moveCursor(self.page.textCursor().MoveOperation.End)
        log.added.connect(self._refresh)

    def _refresh(self, _text: str) -> None:
        """Show the lines up to a new message."""
        self.page.setPlainText(self._log.text())
        self.page.moveCursor(self.page.textCursor().MoveOperation.End)
