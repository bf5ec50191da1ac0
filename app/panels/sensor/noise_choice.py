"""What the simulated hand trembles by: chance, or what a real sensor was recorded to be off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QWidget

from app.i18n.translation import translate_error
from app.panels.widgets.spin_box import SpinBox
from app.panels.widgets.toast import Toast
from app.sensor.sources import tremor_of
from core.scene.problem import InputError


class NoiseChoice(QWidget):
    """A box for the size of chance, and a button that takes the tremor of a recording instead."""

    def __init__(self, box: SpinBox, toast: Toast, changed: Callable[[], None]):
        super().__init__()
        self._box, self._toast, self._changed = box, toast, changed
        self.tremor: tuple[float, ...] = ()  # [mm]
        self.recorded = QPushButton()
        self.recorded.setCheckable(True)
        self.recorded.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Space stays with play
        self.recorded.clicked.connect(self._toggle)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(box, 1)
        row.addWidget(self.recorded)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self._box.setToolTip(
            self.tr("Random noise: its standard deviation; one measurement in a hundred is an outlier of 50 times that")
        )
        self.recorded.setText(self.tr("Recorded..."))
        self.recorded.setToolTip(
            self.tr("The noise of a real sensor: record a target at rest, and choose that file here")
        )

    def take(self, path: Path | None) -> None:
        """The tremor of a recording from now on, or chance again."""
        try:
            self.tremor = tremor_of(path) if path is not None else ()
        except InputError as error:
            self._toast.show_message(translate_error(error), 10.0)
            self.tremor = ()
        self.recorded.setChecked(bool(self.tremor))
        self._box.setEnabled(not self.tremor)
        self._changed()

    def _toggle(self, on: bool) -> None:
        name = ""
        if on:
            kinds = self.tr("Recordings (*.csv)")
            name, _ = QFileDialog.getOpenFileName(self, self.tr("Noise from a recording"), str(Path.cwd()), kinds)
        self.take(Path(name) if name else None)
