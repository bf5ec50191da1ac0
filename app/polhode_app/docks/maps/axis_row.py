"""Row of one axis of a sweep: the varied number, and its range with a count or its random draws."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton, QWidget

from polhode.scene.fields import forms
from polhode.scene.scene import Scene
from polhode.scene.variants.sweep import MOST_VALUES, Axis, Draws
from polhode_app.docks.maps.key_button import ChoiceBox, KeyButton
from polhode_app.edit.sweeps import stated_draws, with_draws
from polhode_app.i18n.field_names import choice, label, tip, unit_text
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.window.widgets.icons import icon
from polhode_app.window.widgets.layouts import grid_of, row_of, silent
from polhode_app.window.widgets.plain_label import wrapped
from polhode_app.window.widgets.spin_box import SpinBox

LARGEST = 1e12  # of the ends of a range [SI]
UNKNOWN = 1e-12  # shown for a deviation that neither the axis nor the scene states
MOST_SEED = 2**32 - 1
NAMES = ("x", "y", "z")
RANGE = "range"
DISTRIBUTIONS = (RANGE, "normal", "uniform")  # of the values: a range, or the distribution of draws


class AxisRow(QWidget):
    """Shows an axis, or the place for one more.

    `changed` carries the axis with other values; `chosen` asks for a number that it is to vary, `removed` for its end.
    """

    changed = Signal(object)  # Axis
    chosen = Signal()
    removed = Signal()

    def __init__(self, number: int):
        super().__init__()
        self.number = number
        self._scene, self._axis = Scene(), None
        self.name, self.dash, self.times, self.around = QLabel(NAMES[number]), QLabel("…"), QLabel("×"), QLabel("±")
        self.parameter, self.remove, self.distribution = KeyButton(), QToolButton(), ChoiceBox()
        self.first, self.last = SpinBox(-LARGEST, LARGEST, decimals=9), SpinBox(-LARGEST, LARGEST, decimals=9)
        self.deviation, self.seed = SpinBox(UNKNOWN, LARGEST, decimals=12), SpinBox(0, MOST_SEED, decimals=0)
        self.count = SpinBox(1, MOST_VALUES, decimals=0)
        self.unit, self.seed_label = QLabel(), QLabel()
        self._lay_out()
        for box in (self.first, self.last, self.count, self.deviation, self.seed):
            box.setButtonSymbols(SpinBox.ButtonSymbols.NoButtons)
            box.setMinimumWidth(44)
            box.valueChanged.connect(lambda _value: self._on_edited())
        self.distribution.activated.connect(lambda _row: self._on_distribution())
        self.parameter.clicked.connect(lambda _checked: self.chosen.emit())
        self.remove.clicked.connect(lambda _checked: self.removed.emit())

    def _lay_out(self) -> None:
        """The varied number above its values."""
        self._of_range = (self.first, self.dash, self.last)
        self._of_draws = (self.around, self.deviation)
        self._of_seed = (self.seed_label, self.seed)
        shown = (*self._of_range, *self._of_draws, self.unit, self.times, self.count, *self._of_seed)
        values = row_of(*((each, 0 if isinstance(each, QLabel) else 1) for each in shown), spacing=4)
        rows = (self.name, self.parameter, self.distribution, self.remove), (None, (values, 3))
        grid_of(*rows, on=self, margins=0, spacing=(4, 2), stretched=[1])
        self.distribution.setMinimumContentsLength(6)
        self.parameter.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # names may be long

    def show_axis(self, scene: Scene, axis: Axis | None, unit: str, can_be_removed: bool) -> None:
        """Show an axis and the unit of its values; None is the place for one more."""
        axis = stated_draws(scene, axis) if axis is not None else None
        self._scene, self._axis = scene, axis
        draws = axis.draws if axis is not None else None
        for widget in self._of_range:
            widget.setVisible(axis is not None and draws is None)
        for widget in (*self._of_draws, *self._of_seed):
            widget.setVisible(draws is not None)
        for widget in (self.unit, self.times, self.count, self.distribution):
            widget.setVisible(axis is not None)
        self.remove.setVisible(axis is not None and can_be_removed)
        if axis is None:
            self.parameter.setText(self.tr("Choose a field..."))
            self.parameter.setToolTip(self.tr("Drag a field here, or choose one..."))
            return
        name = parameter_name(scene, axis.parameter)
        self.parameter.setText(name)
        self.parameter.setToolTip(wrapped(f"{name}\n{axis.parameter}"))
        self.unit.setText(unit_text(unit))
        self.distribution.show_choice(RANGE if draws is None else draws.distribution)
        self.count.setMinimum(1 if draws is not None else 2)
        if draws is not None:
            deviation = UNKNOWN if draws.deviation is None else draws.deviation  # of a number that has become certain
            shown = ((self.deviation, deviation), (self.count, draws.count), (self.seed, draws.seed))
        else:
            assert axis.range is not None
            shown = ((self.first, axis.range[0]), (self.last, axis.range[1]), (self.count, axis.count))
        for box, value in shown:
            with silent(box):
                box.setValue(value)

    def retranslate(self) -> None:
        """Set the texts that do not depend on the axis."""
        self.remove.setToolTip(self.tr("Remove this axis"))
        self.count.setToolTip(self.tr("Number of values"))
        self.first.setToolTip(self.tr("First value"))
        self.last.setToolTip(self.tr("Last value"))
        self.distribution.setToolTip(self.tr("A range of values, or random values around the stated one"))
        self.distribution.offer([(label(RANGE).lower(), RANGE), *((choice(name), name) for name in DISTRIBUTIONS[1:])])
        self.deviation.setToolTip(tip(forms(Draws)["deviation"], ""))
        self.seed.setToolTip(tip(forms(Draws)["seed"], ""))
        self.seed_label.setText(label("seed").lower())

    def set_theme(self) -> None:
        """Draw the icon in the colours of the palette."""
        self.remove.setIcon(icon("delete", self.palette()))

    def _on_distribution(self) -> None:
        """Emit the axis with values of another kind."""
        if self._axis is None:
            return
        distribution = self.distribution.currentData()
        axis = with_draws(self._scene, self._axis, distribution != RANGE)
        if axis.draws is not None:
            axis = axis.model_copy(update={"draws": axis.draws.model_copy(update={"distribution": distribution})})
        if axis != self._axis:
            self.changed.emit(axis)

    def _on_edited(self) -> None:
        """Emit the axis with the entered values."""
        if self._axis is None:
            return
        count = round(self.count.value())
        if self._axis.draws is not None:
            deviation = self.deviation.value()
            stated = None if deviation == UNKNOWN else deviation
            entered = {"deviation": stated, "count": count, "seed": round(self.seed.value())}
            changes: dict[str, object] = {"draws": self._axis.draws.model_copy(update=entered)}
        else:
            changes = {"range": (self.first.value(), self.last.value()), "count": count}
        self.changed.emit(self._axis.model_copy(update=changes))
