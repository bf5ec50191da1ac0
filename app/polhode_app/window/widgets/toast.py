"""Frames over the view: messages with buttons, and the bar of a film that is being recorded or rendered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QProgressBar, QPushButton, QSizePolicy, QWidget

from polhode.scene.message import printable
from polhode.scene.problem import Problem
from polhode_app.i18n.translation import capitalized, translate, translate_reason
from polhode_app.window.widgets.plain_label import PlainLabel

LONG_COMPILATION = 5.0  # [s] of preparation after which the reason is shown
MARGIN = 14  # [pixel] from the edge of the view
GAP = 10  # [pixel] between widgets and between frames
LEGIBLE = 120  # [pixel] least width of a wrapped text
FEW_LINES = 3  # of a text beside buttons, about; a longer one stands above them
ROW, COLUMN = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
ARRANGEMENTS = ((ROW, ROW, False), (ROW, ROW, True), (COLUMN, ROW, True), (COLUMN, COLUMN, True))
"""Direction of text and widgets, direction of the widgets, whether the text is wrapped; from wide to narrow."""
STYLE = """
QFrame#over { background: rgba(24, 28, 36, 225); border-radius: 8px; }
QFrame#over QLabel { color: #f1f4f8; }
"""
CARD = "story"  # object name of the card of a scene
RED = "color: #e5484d"  # of the dot of a recording


class OverlayFrame(QFrame):
    """A text with widgets beside it, centred at the upper or lower edge of the parent.

    Several frames at one edge are stacked. The arrangement adapts to the width: the text is wrapped, and the widgets
    move below it. Frames are placed beside a card at the upper left corner (CARD) that they would cover, if they fit
    beside it; otherwise the card leaves space for them.
    """

    def __init__(self, parent: QWidget, at_top: bool):
        """Create a hidden frame at the upper or lower edge of `parent`."""
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

    def lead(self, widget: QWidget) -> None:
        """Place a widget before the text."""
        self._whole.insertWidget(0, widget)

    @property
    def text(self) -> str:
        """The shown text."""
        return self.label.text()

    def place(self) -> None:
        """Place all visible frames at this edge, the oldest nearest to it."""
        parent, offset = self.parentWidget(), MARGIN
        card = parent.findChild(QFrame, CARD, Qt.FindChildOption.FindDirectChildrenOnly)
        for each in parent.findChildren(OverlayFrame, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if each.at_top == self.at_top and not each.isHidden():
                area = each.area_within(0, offset)
                if card is not None and not card.isHidden():
                    is_met = area.adjusted(-GAP, -GAP, GAP, 0).intersects(card.geometry())
                    is_left = self.at_top and area.left() < card.geometry().right() + GAP
                    if (is_met or is_left) and each.fits_beside(card.geometry()):
                        area = each.area_within(card.geometry().right() + GAP - MARGIN, offset)
                each.setGeometry(area)
                offset += area.height() + GAP

    def fits_beside(self, card: QRect) -> bool:
        """Whether the frame, in its narrowest arrangement, fits at the right of a card."""
        self.size_for_width(0)
        least = self._whole.totalMinimumSize().width()
        self.size_for_width(self.width())
        return least <= self.parentWidget().width() - card.right() - GAP - MARGIN

    def area_within(self, left: int, offset: int) -> QRect:
        """Place of the frame, centred at the right of `left`, and `offset` [pixel] from its edge."""
        available = self.parentWidget().size() - QSize(left, 0)
        size = self.size_for_width(available.width() - 2 * MARGIN).boundedTo(available)
        y = offset if self.at_top else available.height() - size.height() - offset
        return QRect(QPoint(left + (available.width() - size.width()) // 2, y), size)

    def size_for_width(self, width: int) -> QSize:
        """Preferred size [pixel] for at most this width; sets the arrangement accordingly."""
        for whole, side, broken in ARRANGEMENTS:
            self._whole.setDirection(whole)
            self.side.setDirection(side)
            self.label.setWordWrap(broken)
            self.label.setMinimumWidth(self._least_width(whole == ROW) if broken else 0)
            if self._whole.totalMinimumSize().width() <= width:
                break
        if self._whole.totalMinimumSize().width() > width:
            self.label.setMinimumWidth(LEGIBLE)  # the least width of a label with line breaks is a guess of Qt
        if not broken:
            return self._whole.totalSizeHint().boundedTo(QSize(width, self.parentWidget().height()))
        return QSize(width, self._whole.totalHeightForWidth(width))

    def _least_width(self, is_beside: bool) -> int:
        """Least width [pixel] of the text where it is wrapped, beside the widgets or above them."""
        least = max(LEGIBLE, self.label.minimumSizeHint().width())
        whole = sum(self.label.fontMetrics().horizontalAdvance(line) for line in self.text.splitlines())
        return max(least, whole // FEW_LINES) if is_beside else least

    def showEvent(self, event: QShowEvent) -> None:
        """Raise the frame, which makes it the last of the stack."""
        super().showEvent(event)
        self.raise_()

    def hideEvent(self, event: QHideEvent) -> None:
        """Close the gap in the stack."""
        super().hideEvent(event)
        self.place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Place the frames again after the parent was resized."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            QTimer.singleShot(0, self, self.place)
        return super().eventFilter(watched, event)


class Toast(OverlayFrame):
    """A message about what just happened, with buttons for remedies."""

    message_shown = Signal(str)
    """Text of a message."""

    def __init__(self, parent: QWidget):
        """Create the hidden message frame of a view."""
        super().__init__(parent, at_top=False)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons: list[QPushButton] = []
        self._in_progress: tuple[str, Callable[[], None]] | None = None  # button of `show_progress`, while it is shown
        self._is_preparing = False  # the message of `show_preparing` is shown
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        self._offered: tuple[str, Mapping[str, Callable[[], None]]] = "", {}
        self._offer_deadline = QDeadlineTimer()  # until which `offer` is valid
        self._compile_timer = QTimer(self)
        self._compile_timer.setSingleShot(True)
        self._compile_timer.timeout.connect(self._explain_delay)

    def show_message(
        self, text: str, seconds: float | None = 5.0, remedies: Mapping[str, Callable[[], None]] | None = None
    ) -> None:
        """Show a message for `seconds` [s], or until the next one if None.

        `remedies` maps the texts of buttons to functions.
        """
        self._timer.stop()
        self._compile_timer.stop()
        self._in_progress, self._is_preparing = None, False
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

    def show_progress(self, text: str, name: str, cancel: Callable[[], None]) -> None:
        """Show how far something has come, until the next message, with a button that cancels it.

        The first text of a series is announced and logged; the button stays while the others follow.
        """
        if self._in_progress == (name, cancel) and self.isVisible():
            self.label.setText(text)
            self.place()
        else:
            self.show_message(text, None, {name: cancel})
            self._in_progress = name, cancel

    def offer(self, text: str, seconds: float, remedies: Mapping[str, Callable[[], None]]) -> None:
        """Show a message that returns after other messages, until it is closed or `seconds` [s] have passed."""
        self._offered, self._offer_deadline = (text, remedies), QDeadlineTimer(int(seconds * 1000))
        self.dismiss()

    def reword_offer(self, text: str, remedies: Mapping[str, Callable[[], None]]) -> None:
        """Replace the texts of the message of `offer`, which is shown only if it was; it remains valid as long."""
        visible = self.isVisible() and self.text == self._offered[0]
        self._offered = text, remedies
        if visible:
            self.dismiss()

    @property
    def offers(self) -> bool:
        """Whether a message of `offer` is still valid."""
        return self._offer_deadline.remainingTime() > 0

    @property
    def is_free(self) -> bool:
        """Whether no message is shown but that of `offer`, which comes back after another one."""
        return not self.isVisible() or self.text == self._offered[0]

    def withdraw(self) -> None:
        """End the validity of the message of `offer`, and hide it."""
        self._offer_deadline = QDeadlineTimer()
        if self.text == self._offered[0]:
            self.dismiss()

    def dismiss(self) -> None:
        """Hide the message, or show the message of `offer` that is still valid."""
        text, remedies = self._offered
        left = self._offer_deadline.remainingTime()
        if left > 0:
            self.show_message(text, left / 1000, {**remedies, self.tr("Close"): self.withdraw})
        else:
            self.hide()

    def show_preparing(self) -> None:
        """Show that the simulation is being prepared; after LONG_COMPILATION also why it takes long."""
        self.show_message(self.tr("Preparing the physics..."), None)
        self._is_preparing = True
        self._compile_timer.start(int(LONG_COMPILATION * 1000))

    def end_preparing(self) -> None:
        """Hide the message of `show_preparing`, if it is shown."""
        if self._is_preparing:
            self.dismiss()

    def _explain_delay(self) -> None:
        """Explain the delay of the first compilation."""
        if not self.isHidden():
            self.show_message(self.tr("Preparing the physics; the first time this takes some seconds more..."), None)
            self._is_preparing = True

    def show_file_saved(self, text: str, path: Path, remedies: Mapping[str, Callable[[], None]] | None = None) -> None:
        """Show that a file was written, with a button that opens its folder.

        `text` contains "{path}"; `remedies` are further buttons.
        """
        folder = {self.tr("Open the folder"): lambda: self._open_folder(path.parent)}
        self.show_message(text.format(path=printable(str(path))), 10.0, {**(remedies or {}), **folder})

    def show_name(self, typed: str, name: str) -> None:
        """Show that an item got another name than the typed one, which has spaces; nothing if they are equal."""
        if typed != name:
            text = self.tr("'{typed}' is named {name}, without spaces, so that formulas and columns can refer to it.")
            self.show_message(text.format(typed=printable(typed), name=printable(name)), 6.0)

    def save(self, path: Path, write: Callable[[], object], text: str) -> None:
        """Write a file by `write()`, and show `text`, which contains "{path}", or why it was not written."""
        try:
            write()
        except OSError as error:
            self.show_not_written(path, error)
        else:
            self.show_file_saved(text, path)

    def show_not_written(self, path: Path, error: OSError) -> None:
        """Show why a file was not written."""
        text = self.tr("{path} can't be written: {reason}")
        self.show_message(text.format(path=printable(str(path)), reason=translate_reason(error)), 20.0)

    def _open_folder(self, folder: Path) -> None:
        """Open a folder in the file manager of the system."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self.show_message(self.tr("No program is set up to open the folder {folder}").format(folder=folder))

    def show_warning(self, problem: Problem, remedies: Mapping[str, Callable[[], None]] | None = None) -> None:
        """Show a warning of the run, such as that it has left the range of validity of its model."""
        rule, remedy = capitalized(translate(problem.rule)), capitalized(translate(problem.remedy))
        self.show_message(self.tr("{rule}.\n{remedy}.").format(rule=rule, remedy=remedy), 15.0, remedies)

    def _button(self, name: str, remedy: Callable[[], None]) -> QPushButton:
        """Add a button for a remedy."""
        button = QPushButton(name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: remedy())
        self.side.addWidget(button)
        button.show()  # at once, because `place` measures it
        return button


class FilmBar(OverlayFrame):
    """Bar of a film: its length, the progress of writing, and buttons to stop or cancel."""

    stop = Signal()
    cancel = Signal()

    def __init__(self, parent: QWidget):
        """Create the hidden bar of a view."""
        super().__init__(parent, at_top=True)
        self._dot, self._progress = QLabel("●"), QProgressBar()
        self._dot.setStyleSheet(f"QLabel {{ {RED}; }}")
        self._progress.setRange(0, 100)
        self._progress.setMinimumWidth(60)
        self._stop_button, self._cancel_button = QPushButton(), QPushButton()
        self._stop_button.clicked.connect(self.stop)
        self._cancel_button.clicked.connect(self.cancel)
        self._dot.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.lead(self._dot)
        for widget in (self._progress, self._stop_button, self._cancel_button):
            self.side.addWidget(widget)
        for button in (self._stop_button, self._cancel_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts of the buttons in the current language; the time follows with its next change."""
        self._stop_button.setText(self.tr("Stop and keep"))
        self._cancel_button.setText(self.tr("Cancel"))

    def show_recording(self, seconds: float) -> None:
        """Show that `seconds` [s] are recorded."""
        self._show(self.tr("Recording {time}").format(time=_minutes_and_seconds(seconds)), recording=True)

    def show_writing(
        self,
        seconds: float,
        progress: float,
        left: float | None = None,
        later: Sequence[str] = (),
        is_paused: bool = False,
    ) -> None:
        """Show that `seconds` [s] of the film are written, the fraction `progress` of it.

        `left` is the estimated remaining wall time [s], `later` are the names of the films that follow; `is_paused`
        says that the run pauses for it.
        """
        self._progress.setValue(int(100 * progress))
        time = _minutes_and_seconds(seconds)
        text = self.tr("Writing {time}").format(time=time)
        if left is not None:
            text = self.tr("Writing {time}, {left} left").format(time=time, left=_minutes_and_seconds(left))
        if later:
            text += "\n" + self.tr("Then: {names}").format(names=", ".join(later))
        if is_paused:
            text += "\n" + self.tr("The run pauses until then.")
        self._show(text, recording=False)

    def _show(self, text: str, recording: bool) -> None:
        """Show a text, with the button to stop or with the progress."""
        if self.text == text and self.isVisible():
            return
        self.label.setText(text)
        self._stop_button.setVisible(recording)
        self._progress.setVisible(not recording)
        self.show()
        self.place()


def _minutes_and_seconds(seconds: float) -> str:
    """A time [s] as minutes and seconds: 75 is "1:15"."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
