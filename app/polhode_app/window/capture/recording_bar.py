"""Recording of runs: its action and messages, and the bar over the view during a replay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from polhode_app.i18n.field_names import choice
from polhode_app.i18n.translation import translate
from polhode_app.messages import FrameData, RecordingEnded, RecordingStatus, StartRecording, StopRecording
from polhode_app.session.new_file import new_file
from polhode_app.session.session import Session
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.toast import OverlayFrame

LARGE = 2**30  # [bytes/h] rate above which the size is pointed out


class ReplayBar(OverlayFrame):
    """Names the recording that is replayed, with a button to continue the simulation from the shown frame."""

    def __init__(self, parent: QWidget, session: Session):
        """Create the bar over a view, for the replays of a session."""
        super().__init__(parent, at_top=True)
        self._session = session
        self.resume_button = QPushButton()
        self.resume_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.resume_button.clicked.connect(session.resume)
        self.side.addWidget(self.resume_button)
        session.replay_changed.connect(self._update_text)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.resume_button.setText(self.tr("Continue from here"))
        self.resume_button.setToolTip(self.tr("Continue the simulation from this frame; the recording is not changed"))
        self._update_text()

    def _update_text(self) -> None:
        """Show name, length and method of the recording; hide the bar without a replay."""
        recorded = self._session.replay
        if recorded is None:
            self.hide()
            return
        text = self.tr("Recording {name}: {count} frames, {method}")
        name = recorded.path.name
        self.label.setText(text.format(name=name, count=recorded.rows, method=choice(recorded.about.method)))
        self.show()
        self.place()


class RecordingActions(QObject, WindowPart):
    """Connects the action that records the run with the session, and reports the written files.

    While a recording is written, `indicator` in the status bar shows its length.
    """

    def __init__(self, context: WindowContext, open_file: Callable[[Path], None], version: Callable[[], str]):
        """Create bar and indicator; `open_file` opens a recording, `version` returns the program version."""
        super().__init__(context.view)
        session, action = context.session, context.actions["tape"]
        self._session, self._action, self._toast = session, action, context.toast
        self._open, self._version = open_file, version
        self._is_recording = False  # in the last frame
        self._announced: Path | None = None  # recording that was announced last
        self.bar = ReplayBar(context.view, session)
        self.indicator = QLabel()
        self.indicator.setStyleSheet("color: #e5484d")
        self.indicator.hide()
        context.status.addPermanentWidget(self.indicator)
        session.recording_ended.connect(self._on_recording_ended)
        session.replay_changed.connect(lambda: action.setEnabled(session.replay is None))
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language; the time follows with the next frame."""
        self.indicator.setToolTip(self.tr("The run is being recorded; Ctrl+R stops it"))
        self.bar.retranslate()

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Show the state of the recording in a frame, and announce a new file."""
        recording = frame.recording
        self._is_recording = recording is not None
        self._action.setChecked(self._is_recording)
        self.indicator.setVisible(recording is not None)
        if recording is None:
            return
        self.indicator.setText(self.tr("● recording {time} s").format(time=f"{recording.seconds:.1f}"))
        if recording.path != self._announced:
            self._announced = recording.path
            self._announce(recording)

    def _announce(self, recording: RecordingStatus) -> None:
        """Show file and expected size of a recording that has started."""
        size = f"{recording.hourly / 2**30:.2g}"
        if recording.hourly > LARGE:
            text = self.tr("Recording to {path}. It is large: an hour at this pace takes about {size} GB")
            self._toast.show_message(text.format(path=recording.path, size=size), 12.0)
        else:
            text = self.tr("Recording to {path}; an hour takes about {size} GB")
            self._toast.show_message(text.format(path=recording.path, size=size))

    def set_recording(self, on: bool) -> None:
        """Start to record the run to a new file beside the scene, or stop; no effect if it is recorded as stated."""
        if on == self._is_recording:
            return
        if on:
            path = new_file("vtkhdf", self._session.document.path)
            self._session.send(StartRecording(path, self._version()))
        else:
            self._session.send(StopRecording())

    def _on_recording_ended(self, event: RecordingEnded) -> None:
        """Report why a recording has ended: stopped, continued in another file, or failed."""
        remedies = {self.tr("Open"): lambda: self._open(event.path)} if event.path.exists() else {}
        if event.next is not None:
            self._announced = event.next
            text = self.tr("The recording continues in {next}; the part before this change is in {path}")
            self._toast.show_message(text.format(next=event.next.name, path=event.path), 10.0)
        elif event.failure:
            text = self.tr("The run can't be recorded: {reason}")
            if event.path.exists():
                text = self.tr("The recording has stopped: {reason}. All frames until then are in {path}")
            self._toast.show_message(text.format(reason=translate(event.failure), path=event.path), 20.0, remedies)
        else:
            self._toast.show_file_saved(self.tr("Run recorded: {path}"), event.path, remedies)
