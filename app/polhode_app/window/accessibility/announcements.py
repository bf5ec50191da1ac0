"""Announcements of screen readers."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QStatusBar, QWidget

from polhode_app.session.session import Session
from polhode_app.window.widgets.toast import Toast

POLITE, ASSERTIVE = (
    QAccessible.AnnouncementPoliteness.Polite,
    QAccessible.AnnouncementPoliteness.Assertive,
)


def announce(widget: QWidget, text: str, interrupts: bool = False) -> None:
    """Let a screen reader say a text in the name of a widget."""
    event = QAccessibleAnnouncementEvent(widget, text)
    event.setPoliteness(ASSERTIVE if interrupts else POLITE)
    QAccessible.updateAccessibility(event)


class Announcer(QObject):
    """Announces pause and resume, all messages over the view, and those of the status bar.

    Errors that pause the run interrupt the current announcement; others wait. A message that both places show is
    announced once.
    """

    announced = Signal(str, bool)
    """Text, and whether it interrupts."""

    def __init__(self, window: QWidget, session: Session, toast: Toast, status: QStatusBar):
        """Announce in the name of `window`."""
        super().__init__(window)
        self._window, self._session = window, session
        self._running = session.running
        self._said = ""  # message of this turn of the event loop
        self._error = ""  # message about the error that has paused the run
        session.transport_changed.connect(self._on_transport_changed)
        toast.message_shown.connect(self._on_message)
        status.messageChanged.connect(self._on_message)

    def announce(self, text: str, interrupts: bool = False) -> None:
        """Let a screen reader say a text."""
        announce(self._window, text, interrupts)
        self.announced.emit(text, interrupts)

    def _on_transport_changed(self) -> None:
        """Announce that the run was paused or continues, and at what time."""
        if self._session.running == self._running:
            return
        self._running, self._error = self._session.running, ""
        frame = self._session.frame
        time = f"{frame.snapshot.time:.3g}" if frame is not None else "0"
        text = self.tr("Running from t = {time} s") if self._running else self.tr("Paused at t = {time} s")
        self.announce(text.format(time=time))

    def _on_message(self, text: str) -> None:
        """Announce a message; its copy in the other place, in the same turn, is left out.

        While the run is paused by an error that is not announced yet, the message is about that. It is shown again when
        more is known, and only what is new is said.
        """
        new = text.removeprefix(self._error or self._said).removeprefix(self._said).strip()
        if not new:
            return
        self._said = text
        QTimer.singleShot(0, self, self._forget)
        halted = self._running and not self._session.running  # no pause by the user: that is announced at once
        if halted:
            self._running, self._error = False, text
        self.announce(new, halted)

    def _forget(self) -> None:
        """Announce the next message in full, also if it is the same."""
        self._said = ""
