"""Status bar: speed of the computation, energy drift, frame rate, and the last message."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QStatusBar, QWidget

from polhode_app.messages import FrameData
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.help_window import help_button
from polhode_app.window.widgets.number_label import NumberLabel

FRAMES = 40  # number of frames over which the rate is averaged, at most one second
SHORTEST = 0.2  # [s] that a rate of frames is measured over


class StatusBar(QStatusBar, WindowPart):
    """Shows numbers of the run, and messages. A click requests the log."""

    log_requested = Signal()
    """The bar was clicked, to see all messages."""
    help_requested = Signal()
    """The user asks what the energy drift means."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._frames: deque[float] = deque(maxlen=FRAMES)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(0, 0, 6, 0)
        self._steps, self._drift, self._rate = NumberLabel(), NumberLabel(), NumberLabel()
        self._help_button = help_button()
        self._help_button.clicked.connect(self.help_requested)
        for widget in (self._steps, self._drift, self._help_button, self._rate):
            self.addPermanentWidget(widget)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language; a visible message is kept."""
        self.setToolTip(self.tr("Click for all messages"))
        self._steps.describe(self.tr("Steps per second"), self._steps_text("000.0 k"))
        self._drift.describe(
            self.tr(
                "Error of the total energy since the start, relative to the energy exchanged: the change "
                "that no friction, drive or field accounts for"
            ),
            self.energy_text(-1e-10),
            self.energy_text(-1e-2),
        )
        self._help_button.setToolTip(self.tr("What does this value mean?"))
        self._rate.describe(self.tr("Frames per second"), "000 fps")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Request the log."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.log_requested.emit()

    def show_text(self, text: str, seconds: float = 10.0) -> None:
        """Show a message for `seconds` [s]."""
        self.showMessage(text, int(1000 * seconds))

    def frame_drawn(self, wall: float) -> None:
        """Count a frame that was drawn at wall time `wall` [s]."""
        self._frames.append(wall)
        while len(self._frames) > 2 and wall - self._frames[1] > 1.0:  # what is left lasts a second at least
            self._frames.popleft()

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Show the numbers of a frame; speeds are shown only while the simulation runs."""
        self._drift.setText(self.energy_text(frame.drift))
        span = self._frames[-1] - self._frames[0] if len(self._frames) > 1 else 0.0
        paces = {
            self._steps: self._steps_text(_with_prefix(frame.steps_per_second)),
            self._rate: f"{(len(self._frames) - 1) / span:.0f} fps" if span > SHORTEST else "",
        }
        for field, text in paces.items():
            field.setText(text if frame.running else "")

    def _steps_text(self, count: str) -> str:
        """The number of steps per second with its unit."""
        return self.tr("{count} steps/s").format(count=count)

    def energy_text(self, drift: float) -> str:
        """Energy drift, relative to the exchanged energy: as a power of ten below 0.001, otherwise in percent."""
        if drift == 0:
            change = "0"
        elif abs(drift) < 1e-3:
            change = _with_minus_sign(drift, ".0e")
        else:
            change = _with_minus_sign(100 * drift, "+.2g" if abs(drift) < 0.1 else "+.0f") + " %"
        return self.tr("energy drift {change}").format(change=change)


def _with_minus_sign(number: float, form: str) -> str:
    """A number in a format, with the typographic minus sign."""
    return format(number, form).replace("-", "−")


def _with_prefix(number: float) -> str:
    """A number without decimals up to 9999, then with three digits and a prefix: 12345 is "12.3 k"."""
    for size, prefix in ((1e6, " M"), (1e3, " k")):
        if number >= max(size, 1e4):
            return f"{number / size:.3g}{prefix}"
    return f"{number:.0f}"
