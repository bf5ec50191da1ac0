"""Words over the view: a notice that goes by itself, and the bar of a film that is being recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QEvent, QObject, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QProgressBar, QPushButton, QWidget

from app.i18n.translation import capitalized, translate
from app.panels.widgets.plain_label import PlainLabel
from core.scene.problem import Problem

LONG_COMPILATION = 5.0  # [s] after which a physics that is not there yet is being compiled
MARGIN = 14  # [pixel] from the edge of the view
GAP = 10  # [pixel] between two things
LEGIBLE = 120  # [pixel] of a text of many lines, at least
ROW, COLUMN = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
ARRANGEMENTS = ((ROW, ROW, False), (ROW, ROW, True), (COLUMN, ROW, True), (COLUMN, COLUMN, True))
"""The text and what stands at its side, the things at its side, whether lines are broken: from wide to narrow."""
STYLE = """
QFrame#over { background: rgba(24, 28, 36, 225); border-radius: 8px; }
QFrame#over QLabel { color: #f1f4f8; }
"""
DOT = '<span style="color: #e5484d">●</span>'


class OverlayFrame(QFrame):
    """A text, and what stands at its side, in the middle of the upper or lower edge of its parent."""

    def __init__(self, parent: QWidget, at_top: bool):
        super().__init__(parent)
        self.setObjectName("over")
        self.setStyleSheet(STYLE)
        self.at_top = at_top
        self.label = PlainLabel()
        self.side = QBoxLayout(ROW)
        self._whole = QBoxLayout(ROW, self)
        self._whole.setContentsMargins(14, 8, 14, 8)
        self._whole.addWidget(self.label, 1)
        self._whole.addLayout(self.side)
        for layout in (self._whole, self.side):
            layout.setSpacing(GAP)
        parent.installEventFilter(self)
        self.hide()

    @property
    def text(self) -> str:
        return self.label.text()

    def place(self) -> None:
        """All at this edge take the size that they want, and a place beside those that were there before."""
        parent, far = self.parentWidget(), MARGIN
        room = parent.size()
        for each in parent.findChildren(OverlayFrame, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if each.at_top == self.at_top and not each.isHidden():
                size = each.size_for_width(room.width() - 2 * MARGIN).boundedTo(room)
                y = far if self.at_top else room.height() - size.height() - far
                each.setGeometry((room.width() - size.width()) // 2, y, size.width(), size.height())
                far += size.height() + GAP

    def size_for_width(self, width: int) -> QSize:
        """The size that the content wants, at most so wide."""
        for whole, side, broken in ARRANGEMENTS:
            self._whole.setDirection(whole)
            self.side.setDirection(side)
            self.label.setWordWrap(broken)
            self.label.setMinimumWidth(max(LEGIBLE, self.label.minimumSizeHint().width()) if broken else 0)
            if self._whole.totalMinimumSize().width() <= width:
                break
        if not broken:
            return self._whole.totalSizeHint().boundedTo(QSize(width, self.parentWidget().height()))
        return QSize(width, self._whole.totalHeightForWidth(width))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.raise_()  # among those of its parent it is the last now

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            QTimer.singleShot(0, self.place)
        return super().eventFilter(watched, event)


class Toast(OverlayFrame):
    """A line about what just happened, with buttons for what can be done about it."""

    message_shown = Signal(str)  # what stands there from now on

    def __init__(self, parent: QWidget):
        super().__init__(parent, at_top=False)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons: list[QPushButton] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        self._offered: tuple[str, Mapping[str, Callable[[], None]]] = "", {}
        self._offer_deadline = QDeadlineTimer()  # that it is offered
        self._compile_timer = QTimer(self)
        self._compile_timer.setSingleShot(True)
        self._compile_timer.timeout.connect(self._explain_delay)

    def show_message(
        self, text: str, seconds: float | None = 5.0, remedies: Mapping[str, Callable[[], None]] | None = None
    ) -> None:
        """Show a text, and a button for each remedy, for some seconds or until something else is said."""
        self._timer.stop()
        self._compile_timer.stop()
        self.label.setText(text)
        self.message_shown.emit(text)
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = [self._button(name, remedy) for name, remedy in (remedies or {}).items()]
        self.show()
        self.place()
        if seconds is not None:
            self._timer.start(int(seconds * 1000))

    def offer(self, text: str, seconds: float, remedies: Mapping[str, Callable[[], None]]) -> None:
        """The same, but it comes back when something else that is said meanwhile is over."""
        self._offered, self._offer_deadline = (text, remedies), QDeadlineTimer(int(seconds * 1000))
        self.dismiss()

    @property
    def offers(self) -> bool:
        """Whether something is still offered."""
        return self._offer_deadline.remainingTime() > 0

    def withdraw(self) -> None:
        """What is offered can't be had any more."""
        self._offer_deadline = QDeadlineTimer()
        if self.text == self._offered[0]:
            self.dismiss()

    def dismiss(self) -> None:
        """What was said is over."""
        text, remedies = self._offered
        left = self._offer_deadline.remainingTime()
        if left > 0:
            self.show_message(text, left / 1000, remedies)
        else:
            self.hide()

    def show_preparing(self) -> None:
        """The physics is on its way; where that takes long, say why."""
        self.show_message(self.tr("Preparing the physics..."), None)
        self._compile_timer.start(int(LONG_COMPILATION * 1000))

    def _explain_delay(self) -> None:
        if not self.isHidden():
            self.show_message(self.tr("Preparing the physics; the first time this takes some seconds more..."), None)

    def show_file_saved(self, text: str, path: Path, remedies: Mapping[str, Callable[[], None]] | None = None) -> None:
        """A file has been written, at the {path} of a text: say so, with a button for the folder that it is in."""
        folder = {self.tr("Open the folder"): lambda: self._open_folder(path.parent)}
        self.show_message(text.format(path=path), 10.0, {**(remedies or {}), **folder})

    def _open_folder(self, folder: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self.show_message(self.tr("No program is set up to open the folder {folder}").format(folder=folder))

    def show_warning(self, problem: Problem) -> None:
        """The run goes on, beyond what its model describes well: say so, and what to do about it."""
        rule, remedy = capitalized(translate(problem.rule)), capitalized(translate(problem.remedy))
        self.show_message(self.tr("{rule}.\n{remedy}.").format(rule=rule, remedy=remedy), 15.0)

    def _button(self, name: str, remedy: Callable[[], None]) -> QPushButton:
        button = QPushButton(name)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: remedy())
        self.side.addWidget(button)
        button.show()  # at once, for the place that it takes counts
        return button


class FilmBar(OverlayFrame):
    """How long the film is, how far it is written, and the ways to end it."""

    stop = Signal()
    cancel = Signal()

    def __init__(self, parent: QWidget):
        super().__init__(parent, at_top=True)
        self._progress = QProgressBar()
        self._progress.setRange(0, 100)
        self._progress.setMinimumWidth(60)
        self._stop_button, self._cancel_button = QPushButton(), QPushButton()
        self._stop_button.clicked.connect(self.stop)
        self._cancel_button.clicked.connect(self.cancel)
        for widget in (self._progress, self._stop_button, self._cancel_button):
            self.side.addWidget(widget)
        for button in (self._stop_button, self._cancel_button):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts of the buttons in the current language; the time follows with its next change."""
        self._stop_button.setText(self.tr("Stop and keep"))
        self._cancel_button.setText(self.tr("Cancel"))

    def show_recording(self, seconds: float) -> None:
        self._show(self.tr("Recording {time}").format(time=_minutes_and_seconds(seconds)), recording=True)

    def show_writing(self, seconds: float, progress: float, left: float | None = None) -> None:
        """So many seconds of film are written, a part of it; `left` [s] of wall time are to come."""
        self._progress.setValue(int(100 * progress))
        time = _minutes_and_seconds(seconds)
        text = self.tr("Writing {time}").format(time=time)
        if left is not None:
            text = self.tr("Writing {time}, {left} left").format(time=time, left=_minutes_and_seconds(left))
        self._show(text, recording=False)

    def _show(self, text: str, recording: bool) -> None:
        text = f"{DOT} {text}"
        if self.text == text and self.isVisible():
            return
        self.label.setText(text)
        self._stop_button.setVisible(recording)
        self._progress.setVisible(not recording)
        self.show()
        self.place()


def _minutes_and_seconds(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
