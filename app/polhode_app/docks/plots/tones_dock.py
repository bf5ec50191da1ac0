"""Dock of the tones: a quantity of the run as a pitch, its range and volume, and a file of what was heard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QPushButton, QWidget

from polhode.scene.problem import InputError
from polhode_app.data.plots.frame_quantities import Reading, plottable, reading_of
from polhode_app.data.plots.tone_player import TonePlayer
from polhode_app.i18n.field_names import quantity_with_unit
from polhode_app.messages import FrameData
from polhode_app.session.new_file import new_file
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.layouts import focus_by_tab
from polhode_app.window.widgets.spin_box import LimitSpinBox
from polhode_app.window.widgets.wheel import ComboBox, Slider

USUAL = "energy.kinetic"  # of every scene
LARGEST = 1e12  # of the ends of a range
SHOWN = 18  # letters of a quantity that are read whole, such as those of an energy in Japanese


class TonesDock(Dock):
    """Plays a quantity while its check box is on, also when the dock is closed."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context, self.player = context, TonePlayer()
        self._listed: object = None  # the compiled scene whose quantities are listed
        self._units: dict[str, str] = {}  # of the listed quantities
        self._name = ""  # of the quantity that is played
        self._reading: Reading  # of that quantity; set with `_listed`
        self.plays, self.value = QCheckBox(), QLabel()
        self.quantity, self.volume = ComboBox(), Slider(maximum=100)
        self.low, self.high = (LimitSpinBox(-LARGEST, LARGEST, decimals=12) for _ in range(2))
        self.forget_button, self.save_button = QPushButton(), QPushButton()
        self.setWidget(inside := QWidget())
        self._form = QFormLayout(inside)
        self._lay_out()
        self.retranslate()
        self._apply()
        self.plays.setChecked(context.settings.tones)

    def _lay_out(self) -> None:
        """Arrange the controls in a form, and connect them."""
        self.volume.setValue(self._context.settings.volume)
        self.quantity.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.quantity.setMinimumContentsLength(SHOWN)
        focus_by_tab(self.plays, self.quantity, self.volume, self.forget_button, self.save_button)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._form.addRow(self.plays)
        for widget in (self.quantity, self.value, self.low, self.high, self.volume):
            self._form.addRow(" ", widget)
        self._form.addRow(self.forget_button, self.save_button)
        self.save_button.setEnabled(False)
        for box in (self.low, self.high):
            box.valueChanged.connect(self._apply)
        self.plays.toggled.connect(self._switch)
        self.quantity.activated.connect(self._choose)
        self.volume.valueChanged.connect(self._apply)
        self.forget_button.clicked.connect(self.player.forget)
        self.save_button.clicked.connect(self._save)

    def retranslate(self) -> None:
        """Set all texts in the current language; the quantities follow with the next frame."""
        self._listed, self._units = None, {}
        self.setWindowTitle(self.tr("Tones"))
        self.plays.setText(self.tr("Play tones"))
        self.plays.setToolTip(self.tr("The pitch follows the quantity: low for small values, high for large ones"))
        texts = {self.quantity: self.tr("Quantity"), self.value: self.tr("Current value")}
        texts |= {self.low: self.tr("Lowest tone at"), self.high: self.tr("Highest tone at")}
        for widget, text in (texts | {self.volume: self.tr("Loudness")}).items():
            self._form.labelForField(widget).setText(text)
        for box in (self.low, self.high):
            box.setSpecialValueText(self.tr("learned"))
            box.setToolTip(self.tr("Empty: the range of the values so far"))
        self.forget_button.setText(self.tr("Learn the range again"))
        self.save_button.setText(self.tr("Save as sound..."))
        self.save_button.setToolTip(self.tr("The tones played since the scene was opened, as a WAV file"))

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Play and show the newest frame."""
        frame, compiled = self._context.session.frame, self._context.session.compiled
        if frame is None or compiled is None:
            return False
        if compiled is not self._listed:
            self._list_quantities()
        value, tone = self._reading(frame), ""
        if self.plays.isChecked():
            self.player.see(frame.snapshot.time, value, frame.running, wall)
            tone = self.tr(", {frequency} Hz").format(frequency=f"{self.player.frequency_of(value):.0f}")
        if self.isVisible():
            self.value.setText(f"{value:.4g}{tone}")
            self.save_button.setEnabled(len(self.player.tone.heard) > 0)
        return False

    def stop(self) -> None:
        """Close the sound device."""
        self.player.close()

    def _list_quantities(self) -> None:
        """List the quantities of the scene; the chosen one stays where the scene has it."""
        compiled = self._listed = self._context.session.compiled
        units, _readings = plottable(compiled)
        if units != self._units:  # an edit of the scene seldom changes them
            self._units = units
            self.quantity.clear()
            for name, unit in units.items():
                self.quantity.addItem(quantity_with_unit(name, unit), name)
        name = next(name for name in (self._context.settings.tone_quantity, USUAL) if name in units)
        self.quantity.setCurrentIndex(self.quantity.findData(name))
        if name != self._name:
            self.player.forget()
            self.player.tone.heard.clear()
        self._name, self._reading = name, reading_of(compiled, name)

    def _switch(self, on: bool) -> None:
        """Switch the tones on or off, and remember it; without a sound device, say why and switch them off."""
        try:
            if on:
                self.player.open()
        except InputError as error:
            self._context.toast.show_warning(error.problems[0])
            self.plays.setChecked(False)
        else:
            self._context.settings.tones = on
            self.player.tone.target_amplitude = 0.0

    def _choose(self) -> None:
        """Play the chosen quantity from the next frame on, and remember it."""
        self._context.settings.tone_quantity = self.quantity.currentData()
        self._listed = None

    def _apply(self) -> None:
        """Adopt range and volume, and remember the volume."""
        self._context.settings.volume = self.volume.value()
        self.player.volume = self.volume.value() / 100
        low, high = (None if box.value() == box.minimum() else box.value() for box in (self.low, self.high))
        self.player.ends = low, high

    def _save(self) -> None:
        """Write what was heard to a new file beside the scene."""
        path, tone = new_file("wav", self._context.session.document.path), self.player.tone
        self._context.toast.save(path, lambda: tone.save(path), self.tr("Sound saved: {path}"))
