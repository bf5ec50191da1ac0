"""Recordings in the window: begun and ended by their action, told of, and the strip over one that is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.i18n.translation import translate
from app.messages import FrameData, RecordingEnded, RecordingStatus
from app.panels.shell.window_context import WindowContext
from app.panels.widgets.toast import OverlayFrame
from app.session.new_file import new_file
from app.session.session import Session

LARGE = 2**30  # [bytes] an hour


class ReplayBar(OverlayFrame):
    """What recording is shown, and the way on from it."""

    def __init__(self, parent: QWidget, session: Session):
        super().__init__(parent, at_top=True)
        self._session = session
        self.go_on = QPushButton()
        self.go_on.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.go_on.clicked.connect(session.resume)
        self.side.addWidget(self.go_on)
        session.replay_changed.connect(self._show)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.go_on.setText(self.tr("Continue from here"))
        self.go_on.setToolTip(self.tr("Simulate on from this frame; the recording stays as it is"))
        self._show()

    def _show(self) -> None:
        recorded = self._session.replay
        if recorded is None:
            self.hide()
            return
        text = self.tr("Recording {name}: {moments} moments, {method}")
        name = recorded.path.name
        self.label.setText(text.format(name=name, moments=recorded.rows, method=recorded.about.method))
        self.show()
        self.place()


class RecordingActions(QObject):
    """Between the action, the session and what is said."""

    def __init__(self, context: WindowContext, open_file: Callable[[Path], None], version: Callable[[], str]):
        super().__init__(context.view)
        session, action = context.session, context.actions["tape"]
        self._session, self._action, self._toast = session, action, context.toast
        self._open, self._version = open_file, version
        self._told: Path | None = None  # the recording that was spoken of
        self.bar = ReplayBar(context.view, session)
        self.sign = QLabel()
        self.sign.setStyleSheet("color: #e5484d")
        self.sign.hide()
        context.status.addPermanentWidget(self.sign)
        action.triggered.connect(self._toggle)
        session.recording_ended.connect(self._ended)
        session.replay_changed.connect(lambda: action.setEnabled(session.replay is None))
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language; the time follows with the next frame."""
        self.sign.setToolTip(self.tr("The run is being recorded; Ctrl+R stops it"))
        self.bar.retranslate()

    def update(self, moment: FrameData) -> None:
        """Show how far the recording is."""
        taped = moment.recording
        self._action.setChecked(taped is not None)
        self.sign.setVisible(taped is not None)
        if taped is None:
            return
        self.sign.setText(self.tr("● recording {time} s").format(time=f"{taped.seconds:.1f}"))
        if taped.path != self._told:
            self._told = taped.path
            self._tell(taped)

    def _tell(self, taped: RecordingStatus) -> None:
        size = f"{taped.hourly / 2**30:.2g}"
        if taped.hourly > LARGE:
            text = self.tr("Recording to {path}. It is large: an hour at this pace takes about {size} GB")
            self._toast.show_message(text.format(path=taped.path, size=size), 12.0)
        else:
            text = self.tr("Recording to {path}; an hour takes about {size} GB")
            self._toast.show_message(text.format(path=taped.path, size=size))

    def _toggle(self, on: bool) -> None:
        if on:
            self._session.record(new_file("vtkhdf", self._session.document.path), self._version())
        else:
            self._session.stop_recording()

    def _ended(self, event: RecordingEnded) -> None:
        remedies = {self.tr("Open"): lambda: self._open(event.path)} if event.path.exists() else {}
        if event.next is not None:
            self._told = event.next
            text = self.tr("The recording continues in {next}; the part before this change is in {path}")
            self._toast.show_message(text.format(next=event.next.name, path=event.path), 10.0)
        elif event.failure:
            text = self.tr("The run can't be recorded: {reason}")
            if event.path.exists():
                text = self.tr("The recording has stopped: {reason}. All frames until then are in {path}")
            self._toast.show_message(text.format(reason=translate(event.failure), path=event.path), 20.0, remedies)
        else:
            self._toast.tell_file(self.tr("Run recorded: {path}"), event.path, remedies)
