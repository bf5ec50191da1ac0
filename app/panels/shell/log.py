"""What was said since the start, with its time: every notice, every refusal, and what libraries have warned of."""

from __future__ import annotations

import logging
from collections import deque
from datetime import datetime
from typing import NamedTuple

from PySide6.QtCore import QT_TRANSLATE_NOOP, QObject, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from app.i18n.language import tr
from app.i18n.translation import translate
from core.scene.message import Message

LINES = 2000  # that are remembered
LEVELS = {
    "WARNING": QT_TRANSLATE_NOOP("Log", "warning"),
    "ERROR": QT_TRANSLATE_NOOP("Log", "error"),
    "CRITICAL": QT_TRANSLATE_NOOP("Log", "critical"),
}


class LogLine(NamedTuple):
    when: datetime
    text: str


class Log(QObject):
    """Keeps the newest lines. Threads may write: `added` is queued to the window's."""

    added = Signal(str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.lines: deque[LogLine] = deque(maxlen=LINES)
        self.added.connect(self._append)
        self._handler = _Handler(self)
        logging.getLogger().addHandler(self._handler)

    def write(self, text: str) -> None:
        """From any thread."""
        self.added.emit(text)

    def close(self) -> None:
        logging.getLogger().removeHandler(self._handler)

    def _append(self, text: str) -> None:
        if text and (not self.lines or self.lines[-1].text != text):
            self.lines.append(LogLine(datetime.now(), text))

    def text(self) -> str:
        return "\n".join(f"{line.when:%H:%M:%S}  {line.text}" for line in self.lines)


class _Handler(logging.Handler):
    def __init__(self, log: Log):
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        level = LEVELS.get(record.levelname, record.levelname)
        text = record.msg if isinstance(record.msg, Message) else record.getMessage()
        self._log.write(f"{tr(level)}: {translate(text)}")


class LogDialog(QDialog):
    """The log as a text to read, search and copy."""

    def __init__(self, log: Log, parent: QWidget):
        super().__init__(parent)
        self.setWindowTitle(self.tr("Messages"))
        self._log = log
        self.page = QPlainTextEdit(log.text() or self.tr("No messages yet."))
        self.page.setReadOnly(True)
        self.page.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy all"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.page.toPlainText()))
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.page)
        column.addWidget(buttons)
        self.resize(680, 360)
        self.page.moveCursor(self.page.textCursor().MoveOperation.End)
        log.added.connect(self._refresh)

    def _refresh(self, _text: str) -> None:
        self.page.setPlainText(self._log.text())
        self.page.moveCursor(self.page.textCursor().MoveOperation.End)
