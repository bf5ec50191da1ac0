"""Row of the times of a file of data: their column, or the rate of a film, and rows whose times go back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QWidget

from polhode.data.times import TimeOptions
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.wheel import ComboBox

BY_NAME, FRAMES = 0, 1  # rows of the list before the names of columns
USUAL_RATE = 30.0  # [1/s]


class TimesRow(QWidget):
    """Shows and edits how the times of a file are found; `changed` carries TimeOptions."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.label, self.column, self.later = QLabel(), ComboBox(), QCheckBox()
        self.rate = SpinBox(1e-6, 1e9, "1/s", decimals=6)
        self._names: Sequence[str] = ()
        self.column.setEditable(True)  # a file that was refused has names that are not known here
        self.column.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.column.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.column.setMinimumContentsLength(12)
        self.rate.setButtonSymbols(SpinBox.ButtonSymbols.NoButtons)
        self.rate.setValue(USUAL_RATE)
        column_of(row_of(self.label, (self.column, 1), self.rate), self.later, on=self, margins=0, spacing=3)
        self.column.activated.connect(lambda _row: self._emit())
        self.column.lineEdit().returnPressed.connect(self._take_typed)
        self.rate.valueChanged.connect(lambda _rate: self._emit())
        self.later.toggled.connect(lambda _is_on: self._emit())
        self.show_options(TimeOptions(), ())

    @property
    def options(self) -> TimeOptions:
        """As chosen."""
        row = self.column.currentIndex()
        name = self.column.itemText(row) if row > FRAMES else None
        return TimeOptions(name, self.rate.value() if row == FRAMES else None, self.later.isChecked())

    def show_options(self, options: TimeOptions, names: Sequence[str]) -> None:
        """Show options; `names` are those of all columns of the file, () where they are not known."""
        self._names = names
        with QSignalBlocker(self.column), QSignalBlocker(self.later), QSignalBlocker(self.rate):
            self.column.clear()
            self.column.addItems([self.tr("column by its name or unit"), self.tr("frames of a film, per second:")])
            self.column.addItems(list(dict.fromkeys([*names, *([options.column] if options.column else [])])))
            row = FRAMES if options.rate is not None else BY_NAME
            if options.column:
                row = self.column.findText(options.column, Qt.MatchFlag.MatchExactly)
            self.column.setCurrentIndex(row)
            self.later.setChecked(options.drop_later)
            if options.rate is not None:
                self.rate.setValue(options.rate)
        self.rate.setVisible(row == FRAMES)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.label.setText(self.tr("Times"))
        self.column.setToolTip(self.tr("Column of the times: choose or type its name"))
        self.column.setAccessibleName(self.tr("Column of the times"))
        self.rate.setToolTip(self.tr("Frames per second of the film"))
        self.rate.setAccessibleName(self.rate.toolTip())
        self.later.setText(self.tr("Leave out later rows"))
        self.later.setToolTip(self.tr("Leaves out rows whose time is not after all before, and says how many"))
        self.show_options(self.options, self._names)

    def labels_of_arguments(self) -> dict[str, str]:
        """Labels in place of arguments of `read_data`, for messages."""
        times, frames = self.label.text(), self.column.itemText(FRAMES).rstrip(": ：")
        return {"drop_later": self.later.text(), "time": times, "rate": f"{times}: {frames}"}

    def _emit(self) -> None:
        self.rate.setVisible(self.column.currentIndex() == FRAMES)
        self.changed.emit(self.options)

    def _take_typed(self) -> None:
        """Take the name of a column that is not in the list."""
        text = self.column.currentText().strip()
        if text and self.column.findText(text, Qt.MatchFlag.MatchFixedString) < 0:
            self.changed.emit(TimeOptions(text, None, self.later.isChecked()))
