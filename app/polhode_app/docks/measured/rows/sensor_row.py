"""Controls that record the distance sensor: start and stop, received data, and saving them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.window.widgets.layouts import grid_of
from polhode_app.window.widgets.plain_label import NoteLabel


class SensorRow(QWidget):
    """`record_wanted` carries whether the sensor shall be recorded."""

    record_wanted = Signal(bool)
    save_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.record, self.save = KeyButton(), KeyButton()
        self.state, self.error = NoteLabel(), NoteLabel(is_error=True)
        self._is_recording = False
        rows = (self.record, self.state, self.save), ((self.error, 3),)
        grid_of(*rows, on=self, margins=(0, 0, 0, 4), spacing=(5, 5), stretched=[1])
        self.record.clicked.connect(lambda _checked: self.record_wanted.emit(not self._is_recording))
        self.save.clicked.connect(lambda _checked: self.save_wanted.emit())
        self.show_recording(False, False, False)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.record.setToolTip(self.tr("Record the distances that the connected sensor measures, from time 0"))
        self.save.setText(self.tr("Save..."))
        self.save.setToolTip(self.tr("Save the received rows as a table (CSV) that can be opened as data"))
        self._name_button()

    def show_recording(self, is_recording: bool, is_possible: bool, has_rows: bool) -> None:
        """Show whether the sensor is recorded, whether that can begin, and whether there is anything to save."""
        self._is_recording = is_recording
        self.record.setEnabled(is_recording or is_possible)
        self.save.setVisible(has_rows)
        self._name_button()

    def show_texts(self, state: str, error: str) -> None:
        """Show the received data and a problem; "" for none."""
        self.state.show_text(state)
        self.error.show_text(error)

    def _name_button(self) -> None:
        self.record.setText(self.tr("Stop recording") if self._is_recording else self.tr("Start recording"))
