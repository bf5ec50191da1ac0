"""Selects the noise of the simulated sensor: random, or the recorded errors of a real sensor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from polhode.scene.problem import InputError
from polhode_app.i18n.translation import translate_error
from polhode_app.sensor.sources import read_noise
from polhode_app.window.widgets.layouts import focus_by_tab, row_of
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.toast import Toast


class NoiseChoice(QWidget):
    """A box for the standard deviation of random noise, and a button that replaces it by recorded noise."""

    def __init__(self, box: SpinBox, toast: Toast, changed: Callable[[], None]):
        """Create the row; `box` is the box of the standard deviation.

        `changed` is called when recorded noise was selected or removed.
        """
        super().__init__()
        self._box, self._toast, self._changed = box, toast, changed
        self.recorded_noise: tuple[float, ...] = ()  # [mm] errors of measurements; empty for random noise
        self.recorded_button = QPushButton()
        self.recorded_button.setCheckable(True)
        focus_by_tab(self.recorded_button)
        self.recorded_button.clicked.connect(self._toggle)
        row_of((box, 1), self.recorded_button, on=self, margins=0)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self._box.setToolTip(
            self.tr("Random noise: its standard deviation; one measurement in a hundred is an outlier of 50 times that")
        )
        self.recorded_button.setText(self.tr("Recorded..."))
        self.recorded_button.setToolTip(
            self.tr("The noise of a real sensor: record a target at rest, and choose that file here")
        )

    def load(self, path: Path | None) -> None:
        """Use the noise in a recording of a target at rest; None selects random noise.

        An invalid file is reported as a message.
        """
        try:
            self.recorded_noise = read_noise(path) if path is not None else ()
        except InputError as error:
            self._toast.show_message(translate_error(error), 10.0)
            self.recorded_noise = ()
        self.recorded_button.setChecked(bool(self.recorded_noise))
        self._box.setEnabled(not self.recorded_noise)
        self._changed()

    def _toggle(self, on: bool) -> None:
        """Ask for a recording, or return to random noise."""
        name = ""
        if on:
            kinds = self.tr("Recordings (*.csv)")
            name, _ = QFileDialog.getOpenFileName(self, self.tr("Noise from a recording"), str(Path.cwd()), kinds)
        self.load(Path(name) if name else None)
