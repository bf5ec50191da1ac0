"""Dock of the tones: quantity, range of the pitch, volume, and a file of the played tones."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QWidget,
)

from polhode_app.i18n.field_names import quantity_with_unit
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.spin_box import LimitSpinBox

LARGEST = 1e12  # of the ends of a range
SHOWN = 18  # letters of a quantity that are read whole, such as those of an energy in Japanese


class TonesDock(Dock):
    """Controls of the tones. The owner fills and reads them; the dock plays nothing itself."""

    changed = Signal()
    """The user has changed quantity, range or volume."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._units: tuple[tuple[str, str], ...] = ()  # names and units of the listed quantities
        self.plays = QCheckBox()
        self.quantity, self.volume = QComboBox(), QSlider(Qt.Orientation.Horizontal)
        self.low, self.high = (LimitSpinBox(-LARGEST, LARGEST, "", 12, self.tr("learned")) for _ in range(2))
        self.value = QLabel()
        self.forget_button, self.save_button = QPushButton(), QPushButton()
        self._labels = {name: QLabel() for name in ("quantity", "low", "high", "volume", "value")}
        self._lay_out()
        self.quantity.activated.connect(lambda _row: self.changed.emit())
        for box in (self.low, self.high):
            box.setValue(box.minimum())
            box.valueChanged.connect(lambda _value: self.changed.emit())
        self.volume.valueChanged.connect(lambda _value: self.changed.emit())
        self.retranslate()

    def _lay_out(self) -> None:
        """Arrange the controls in a form."""
        self.volume.setRange(0, 100)
        self.volume.setPageStep(10)
        self.quantity.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.quantity.setMinimumContentsLength(SHOWN)
        for widget in (self.plays, self.quantity, self.volume, self.forget_button, self.save_button):
            widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Space starts and pauses the run
        inside = QWidget()
        form = QFormLayout(inside)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow(self.plays)
        rows = {"quantity": self.quantity, "value": self.value, "low": self.low, "high": self.high}
        for name, widget in (rows | {"volume": self.volume}).items():
            form.addRow(self._labels[name], widget)
        buttons = QHBoxLayout()
        buttons.addWidget(self.forget_button)
        buttons.addWidget(self.save_button)
        form.addRow(buttons)
        self.setWidget(inside)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Tones"))
        units, self._units = self._units, ()
        self.offer(units, self.quantity.currentData() or "")
        self.plays.setText(self.tr("Play tones"))
        self.plays.setToolTip(self.tr("The pitch follows the quantity: low for small values, high for large ones"))
        texts = {"quantity": self.tr("Quantity"), "value": self.tr("Current value"), "volume": self.tr("Loudness")}
        texts |= {"low": self.tr("Lowest tone at"), "high": self.tr("Highest tone at")}
        for name, text in texts.items():
            self._labels[name].setText(text)
        for box in (self.low, self.high):
            box.setSpecialValueText(self.tr("learned"))
            box.setToolTip(self.tr("Empty: the range of the values so far"))
        self.forget_button.setText(self.tr("Learn the range again"))
        self.save_button.setText(self.tr("Save as sound..."))
        self.save_button.setToolTip(self.tr("The tones played since the scene was opened, as a WAV file"))

    def offer(self, units: tuple[tuple[str, str], ...], chosen: str) -> None:
        """List quantities, names with units, and show which one is chosen."""
        with QSignalBlocker(self.quantity):
            if units != self._units:  # an edit of the scene seldom changes them
                self._units = units
                self.quantity.clear()
                for name, unit in units:
                    self.quantity.addItem(quantity_with_unit(name, unit), name)
            self.quantity.setCurrentIndex(self.quantity.findData(chosen))

    def end_of(self, box: LimitSpinBox) -> float | None:
        """The stated end of the range; None if it is learned."""
        return None if box.value() == box.minimum() else box.value()
