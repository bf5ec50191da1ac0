"""A number of the scene that the student may change for a run: typed, or by a slider within its range."""

from __future__ import annotations

from math import pi

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from polhode_app.docks.lesson.steps.number_field import NumberField
from polhode_app.docks.maps.key_button import KeySlider
from polhode_app.i18n.language import tr
from polhode_app.window.widgets.layouts import column_of, silent
from polhode_app.window.widgets.plain_label import PlainLabel

TICKS = 200  # positions of a slider
DIGITS = 4  # of the values of its positions


class FieldRow(QWidget):
    """Label, field and slider of a number; angles are shown in degrees."""

    changed = Signal()
    failed = Signal(str)
    finished = Signal()

    def __init__(self, name: str, unit: str, value: float, ends: tuple[float, float] | None):
        """value: in SI, with its `unit`; ends: smallest and largest value [SI], None without limits."""
        super().__init__()
        self._size, shown = (pi / 180.0, "deg") if unit == "rad" else (1.0, unit)
        self._ends, self.value = ends, value
        self.field = NumberField(name, shown)
        self.field.show_number(value / self._size)
        self.field.entered.connect(self._on_entered)
        self.field.failed.connect(self.failed)
        self.field.finished.connect(self.finished)
        self.field.stepped.connect(self._step)
        rows: list[QWidget] = [PlainLabel(name), self.field]
        rows[0].setWordWrap(True)
        self.slider = KeySlider()
        if ends is not None:
            self.slider.setRange(0, TICKS)
            self.slider.setPageStep(TICKS // 10)
            self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.slider.setAccessibleName(name)
            self.slider.valueChanged.connect(self._on_moved)
            rows.append(self.slider)
            self._show_position()
        column_of(*rows, on=self, margins=0, spacing=2)

    def show_value(self, value: float) -> None:
        """Show a value [SI]."""
        self.value = value
        self.field.show_number(value / self._size)
        self._show_position()

    def _show_position(self) -> None:
        if self._ends is not None:
            low, high = self._ends
            with silent(self.slider):
                self.slider.setValue(round(TICKS * (self.value - low) / (high - low)))
            self.slider.setAccessibleDescription(f"{self.field.text()} {self.field.accessibleDescription()}".strip())

    def _on_entered(self, number: float) -> None:
        """Take a typed number, if it is within the range; else it stays in the field, to be corrected."""
        value = number * self._size
        if self._ends is not None:
            low, high = (float(f"{end / self._size:.{DIGITS}g}") for end in self._ends)
            if not low <= float(f"{number:.{DIGITS}g}") <= high:
                self._refuse(number)
                return
            value = min(max(value, self._ends[0]), self._ends[1])  # an end that is typed as it is shown is that end
        self.value = value
        self.field.show_number(value / self._size)
        self._show_position()
        self.changed.emit()

    def _refuse(self, number: float) -> None:
        """Say that a typed number is out of the range."""
        assert self._ends is not None
        text, typed = tr("{number} is not between {low} and {high}"), self.field.text()
        low, high = (f"{end / self._size:.{DIGITS}g}" for end in self._ends)
        self.field.show_number(self.value / self._size)
        self.field.setText(typed)
        self.failed.emit(text.format(number=f"{number:.6g}", low=low, high=high))

    def _on_moved(self, tick: int) -> None:
        """Take the value of a position of the slider, rounded."""
        assert self._ends is not None
        low, high = self._ends
        exact = (low + tick / TICKS * (high - low)) / self._size
        number = float(f"{exact:.{DIGITS}g}") * self._size
        self.value = min(max(number, low), high)
        self.field.show_number(self.value / self._size)
        self._show_position()
        self.changed.emit()

    def _step(self, steps: float) -> None:
        """Move by arrow keys in the field."""
        if self._ends is not None:
            self.slider.setValue(self.slider.value() + round(steps))
