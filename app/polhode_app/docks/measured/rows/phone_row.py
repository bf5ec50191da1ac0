"""Controls that connect a phone with phyphox: its address, its table, its state, and the received data."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget

from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.window.widgets.layouts import Cell, grid_of, row_of
from polhode_app.window.widgets.plain_label import NoteLabel
from polhode_app.window.widgets.wheel import ComboBox

LONGEST = 300  # characters of an address


class PhoneRow(QWidget):
    """Shows a phone. `connect_wanted` carries the address, `measure_wanted` whether the phone shall measure."""

    connect_wanted = Signal(str)
    disconnect_wanted = Signal()
    table_chosen = Signal(str)
    measure_wanted = Signal(bool)
    save_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.label, self.address, self.tables = QLabel(), QLineEdit(), ComboBox()
        self.connect_button, self.measure, self.save = KeyButton(), KeyButton(), KeyButton()
        self.state, self.error = NoteLabel(), NoteLabel(is_error=True)
        self._is_connected = self._is_measuring = False
        self._lay_out()
        self.connect_button.clicked.connect(lambda _checked: self._toggle())
        self.address.returnPressed.connect(lambda: self.connect_wanted.emit(self.address.text()))
        self.tables.activated.connect(lambda _row: self.table_chosen.emit(self.tables.currentText()))
        self.measure.clicked.connect(lambda _checked: self.measure_wanted.emit(not self._is_measuring))
        self.save.clicked.connect(lambda _checked: self.save_wanted.emit())
        self.show_phone(False, (), "", False)
        self.show_texts("", "", False)

    def _lay_out(self) -> None:
        rows: tuple[tuple[Cell, ...], ...] = (
            (self.label, self.address, self.connect_button),
            ((row_of((self.tables, 1), self.measure), 3),),
            ((row_of((self.state, 1), self.save), 3),),
            ((self.error, 3),),
        )
        grid_of(*rows, on=self, margins=(0, 0, 0, 4), spacing=(5, 5), stretched=[1])
        self.label.setBuddy(self.address)
        self.address.setMaxLength(LONGEST)
        self.tables.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.tables.setMinimumContentsLength(8)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.label.setText(self.tr("Address"))
        self.address.setPlaceholderText("192.168.0.42:8080")
        self.address.setToolTip(
            self.tr("The address that phyphox shows below its experiment when 'Allow remote access' is on")
        )
        self.address.setAccessibleName(self.tr("Address of the phone"))
        self.tables.setToolTip(self.tr("Table of the phone's experiment that is received"))
        self.tables.setAccessibleName(self.tables.toolTip())
        self.measure.setToolTip(self.tr("Start or pause the measurement on the phone"))
        self.save.setText(self.tr("Save..."))
        self.save.setToolTip(self.tr("Save the received rows as a table (CSV) that can be opened as data"))
        self._show_buttons()

    def show_phone(self, is_connected: bool, tables: Sequence[str], table: str, is_measuring: bool) -> None:
        """Show whether a phone is asked, what tables it has, and whether it measures."""
        self._is_connected, self._is_measuring = is_connected, is_measuring
        if list(tables) != [self.tables.itemText(row) for row in range(self.tables.count())]:
            with QSignalBlocker(self.tables):
                self.tables.clear()
                self.tables.addItems(list(tables))
        if not self.tables.view().isVisible():
            with QSignalBlocker(self.tables):
                self.tables.setCurrentText(table)
        answers = is_connected and bool(tables)
        self.tables.setVisible(answers)
        self.measure.setVisible(answers)
        self._show_buttons()

    def show_texts(self, state: str, error: str, has_rows: bool) -> None:
        """Show the received data, whether they can be saved, and a problem; "" for none."""
        self.save.setVisible(has_rows)
        self.state.show_text(state)
        self.error.show_text(error)

    def _show_buttons(self) -> None:
        self.address.setEnabled(not self._is_connected)
        self.connect_button.setText(self.tr("Disconnect") if self._is_connected else self.tr("Connect"))
        self.measure.setText(self.tr("Pause the phone") if self._is_measuring else self.tr("Start the phone"))

    def _toggle(self) -> None:
        if self._is_connected:
            self.disconnect_wanted.emit()
        else:
            self.connect_wanted.emit(self.address.text())
