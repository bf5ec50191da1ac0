"""Words over the view: a notice that goes by itself, and the bar of a film that is being recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from app.panels.plain import PlainLabel
from app.sentences import capital, told
from core.problem import Problem

LONG = 5.0  # [s] after which a physics that is not there yet is being compiled
MARGIN = 14  # [pixel] from the edge of the view
STYLE = """
QFrame#over { background: rgba(24, 28, 36, 225); border-radius: 8px; }
QFrame#over QLabel { color: #f1f4f8; }
"""


class Over(QFrame):
    """A strip that stays in the middle of the upper or lower edge of its parent."""

    def __init__(self, parent: QWidget, at_top: bool):
        super().__init__(parent)
        self.setObjectName("over")
        self.setStyleSheet(STYLE)
        self._at_top = at_top
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(14, 8, 14, 8)
        self.row.setSpacing(10)
        parent.installEventFilter(self)
        self.hide()

    def place(self) -> None:
        """Take the place and size that the content wants."""
        room = self.parentWidget().size()
        size = self.wanted(room.width() - 2 * MARGIN).boundedTo(room)
        y = MARGIN if self._at_top else room.height() - size.height() - MARGIN
        self.setGeometry((room.width() - size.width()) // 2, y, size.width(), size.height())
        self.raise_()

    def wanted(self, width: int) -> QSize:
        """The size that the content wants, at most so wide."""
        return self.sizeHint().boundedTo(QSize(width, self.sizeHint().height()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            QTimer.singleShot(0, self.place)
        return super().eventFilter(watched, event)


class Notice(Over):
    """A line about what just happened, with buttons for what can be done about it."""

    said = Signal(str)  # what stands there from now on

    def __init__(self, parent: QWidget):
        super().__init__(parent, at_top=False)
        self._label = PlainLabel()
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.row.addWidget(self._label, 1)
        self._buttons: list[QPushButton] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        self._waits = QTimer(self)
        self._waits.setSingleShot(True)
        self._waits.timeout.connect(self._excuse)

    @property
    def text(self) -> str:
        return self._label.text()

    def wanted(self, width: int) -> QSize:
        """Lines as they are written; where they are too long for the view they are broken."""
        self._label.setWordWrap(False)
        size = self.row.totalSizeHint()
        if size.width() <= width:
            return size
        self._label.setWordWrap(True)
        return QSize(width, self.row.totalHeightForWidth(width))

    def say(
        self, text: str, seconds: float | None = 5.0, remedies: Mapping[str, Callable[[], None]] | None = None
    ) -> None:
        """Show a text, and a button for each remedy, for some seconds or until something else is said."""
        self._timer.stop()
        self._waits.stop()
        self._label.setText(text)
        self.said.emit(text)
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = [self._button(name, remedy) for name, remedy in (remedies or {}).items()]
        self.show()
        self.place()
        if seconds is not None:
            self._timer.start(int(seconds * 1000))

    def prepare(self) -> None:
        """The physics is on its way; where that takes long, say why."""
        self.say(self.tr("Preparing the physics..."), None)
        self._waits.start(int(LONG * 1000))

    def _excuse(self) -> None:
        if not self.isHidden():
            self.say(self.tr("Preparing the physics; the very first time this takes a minute..."), None)

    def tell_file(self, text: str, path: Path, remedies: Mapping[str, Callable[[], None]] | None = None) -> None:
        """A file has been written, at the {path} of a text: say so, with a button for the folder that it is in."""
        folder = {self.tr("Open the folder"): lambda: self._open_folder(path.parent)}
        self.say(text.format(path=path), 10.0, {**(remedies or {}), **folder})

    def _open_folder(self, folder: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self.say(self.tr("No program here opens the folder {folder}").format(folder=folder))

    def warn(self, problem: Problem) -> None:
        """The run goes on, beyond what its model describes well: say so, and what to do about it."""
        rule, remedy = capital(told(problem.rule)), capital(told(problem.remedy))
        self.say(self.tr("{rule}.\n{remedy}.").format(rule=rule, remedy=remedy), 15.0)

    def _button(self, name: str, remedy: Callable[[], None]) -> QPushButton:
        button = QPushButton(name)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: remedy())
        self.row.addWidget(button)
        button.show()  # at once, for the place that it takes counts
        return button


class FilmBar(Over):
    """How long the film is, how far it is written, and the ways to end it."""

    stop = Signal()
    cancel = Signal()

    def __init__(self, parent: QWidget):
        super().__init__(parent, at_top=True)
        dot = QLabel("●")
        dot.setStyleSheet("color: #e5484d")
        self._time = QLabel()
        self._progress = QProgressBar()
        self._progress.setRange(0, 100)
        self._progress.setFixedWidth(140)
        self._stop = QPushButton(self.tr("Stop and keep"))
        cancel = QPushButton(self.tr("Cancel"))
        self._stop.clicked.connect(self.stop)
        cancel.clicked.connect(self.cancel)
        for widget in (dot, self._time, self._progress, self._stop, cancel):
            self.row.addWidget(widget)
        for button in (self._stop, cancel):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_recording(self, seconds: float) -> None:
        self._show(self.tr("Recording {time}").format(time=_clock(seconds)), recording=True)

    def show_writing(self, seconds: float, progress: float, left: float | None = None) -> None:
        """So many seconds of film are written, a part of it; `left` [s] of wall time are to come."""
        self._progress.setValue(int(100 * progress))
        text = self.tr("Writing {time}").format(time=_clock(seconds))
        if left is not None:
            text = self.tr("Writing {time}, {left} left").format(time=_clock(seconds), left=_clock(left))
        self._show(text, recording=False)

    def _show(self, text: str, recording: bool) -> None:
        if self._time.text() == text and self.isVisible():
            return
        self._time.setText(text)
        self._stop.setVisible(recording)
        self._progress.setVisible(not recording)
        self.show()
        self.place()


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
