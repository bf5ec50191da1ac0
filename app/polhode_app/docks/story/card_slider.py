"""Sliders of the card of a scene: a number of the scene each, with its value."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, log10, pi

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from polhode_app.docks.inspector.value_slider import ValueSlider
from polhode_app.viewport.base.slider_text import value_text
from polhode_app.window.widgets.layouts import column_of, row_of, silent
from polhode_app.window.widgets.plain_label import PlainLabel

TICKS = 500  # positions on each side of the middle
KEY_TICKS = 10  # moved by an arrow key
STEPS = 200  # of the range, at least, into which values are rounded
STROKE_PAUSE = 1200  # [ms] without a key that ends a stroke


class CardSliderRow(QWidget):
    """Label, value and slider; `moved` is called with a value [SI] and its stroke, which is undone as one."""

    def __init__(
        self, label: str, ends: tuple[float, float], unit: str, is_live: bool, moved: Callable[[float, object], None]
    ):
        """Create the row of a number between two ends [SI]; angles are shown in degrees.

        is_live: `moved` is called at every move, else at the end of a stroke
        """
        super().__init__()
        (low, high), self._is_live, self._unit, self._moved = ends, is_live, unit, moved
        self._low, self._high = low, high
        self._stroke: object = None
        self._value: float | None = None  # [SI] of the stroke
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(STROKE_PAUSE)
        self.label, self.value = PlainLabel(label), PlainLabel()
        self.slider = ValueSlider(TICKS)
        self.slider.origin = round(TICKS * (2 * max(-low, 0.0) / (high - low) - 1)) if low < 0 < high else -TICKS
        self.slider.setSingleStep(KEY_TICKS)
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.setAccessibleName(label)
        head = row_of((self.label, 1), self.value, margins=0)
        column_of(head, self.slider, on=self, margins=0, spacing=0)
        self.slider.sliderPressed.connect(self._begin)
        self.slider.sliderReleased.connect(self._end)
        self.slider.valueChanged.connect(self._on_moved)
        self._pause.timeout.connect(self._end)

    @property
    def is_moving(self) -> bool:
        """Whether the user is moving it."""
        return self._stroke is not None

    def show_value(self, value: float) -> None:
        """Show a value [SI] of the scene, unless the user is moving the slider."""
        if not self.is_moving:
            share = 2 * (value - self._low) / (self._high - self._low) - 1
            with silent(self.slider):
                self.slider.setValue(round(TICKS * min(max(share, -1.0), 1.0)))
            self.slider.update()
            self._show_text(value)

    def _begin(self) -> None:
        self._stroke = object()
        self._pause.stop()

    def _end(self) -> None:
        stroke, self._stroke = self._stroke, None
        if stroke is not None and not self._is_live and self._value is not None:
            self._moved(self._value, stroke)
        self._value = None

    def _on_moved(self, tick: int) -> None:
        """Pass the value of a position on; moves by keys and clicks beside the handle are a stroke until a pause."""
        if not self.slider.isSliderDown():
            self._stroke = self._stroke or object()
            self._pause.start()
        ends = {-TICKS: self._low, TICKS: self._high}
        value = ends.get(tick, self._rounded(self._low + (tick / TICKS + 1) / 2 * (self._high - self._low)))
        self._show_text(value)
        self._value = value
        if self._is_live:
            self._moved(value, self._stroke)

    def _rounded(self, value: float) -> float:
        """A value rounded to a power of ten, in degrees for angles; never beyond the range."""
        factor = 180.0 / pi if self._unit == "rad" else 1.0
        step = 10.0 ** floor(log10(factor * (self._high - self._low) / STEPS))
        return min(max(round(factor * value / step) * step / factor, self._low), self._high)

    def _show_text(self, value: float) -> None:
        self.value.setText(value_text(value, self._unit))
        self.slider.setAccessibleDescription(self.value.text())
