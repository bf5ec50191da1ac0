"""A predicted curve, drawn in a plot."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtWidgets import QWidget

from polhode.scene.display.lesson import LessonStep
from polhode_app.docks.lesson.lesson_player import LessonPlayer
from polhode_app.docks.lesson.steps.curve_plot import CurvePlot
from polhode_app.docks.lesson.steps.number_field import NumberField
from polhode_app.docks.lesson.steps.simple_steps import question
from polhode_app.docks.lesson.steps.step_input import StepInput, weak
from polhode_app.i18n.field_names import quantity_with_unit
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import PlainLabel

BESIDE = 1.25  # shown range, relative to the value at the start


class CurvePrediction(StepInput):
    """A plot in which the student draws, with the range of its values."""

    def __init__(self, step: LessonStep, player: LessonPlayer, plot: CurvePlot):
        super().__init__()
        unit = player.unit_of(step.of)
        name = quantity_with_unit(step.of, unit)
        self.plot = plot
        plot.set_up(name, unit, step.until, can_draw=True)
        start = player.value_now(step.of) or 0.0
        size = BESIDE * abs(start) or 1.0
        self.plot.set_range(-size, size)
        self.plot.begin_at(start)
        self.low, self.high = NumberField(self.tr("Lowest value"), unit), NumberField(self.tr("Highest value"), unit)
        title, hint = PlainLabel(name), PlainLabel(self.tr("Draw with the mouse, or with the arrow keys."))
        hint.setWordWrap(True)
        weak(hint)
        title.setWordWrap(True)
        ends = row_of(PlainLabel(self.tr("from")), (self.low, 1), PlainLabel(self.tr("to")), (self.high, 1), margins=0)
        rows = [question(step.ask)] if step.ask else []
        column_of(*rows, title, self.plot, ends, hint, self.error, on=self, margins=0)
        plot.changed.connect(self._on_changed)
        plot.rested.connect(self.commit)
        plot.finished.connect(self.finished)
        for field in (self.low, self.high):
            field.entered.connect(lambda _number: self._set_range())
            field.failed.connect(self.show_error)
        self._is_new = False
        self._show_range()

    def _show_range(self) -> None:
        low, high = self.plot.value_range
        self.low.show_number(low)
        self.high.show_number(high)

    def _set_range(self) -> None:
        """Show the values between the entered ones."""
        low, high = self.low.number, self.high.number
        if low is not None and high is not None and low < high:
            self.plot.set_range(low, high)
            self.show_error("")
        else:
            self.show_error(self.tr("The lowest value must be below the highest one."))

    def _on_changed(self) -> None:
        """Take a changed curve as an answer once the hand rests."""
        self._is_new = True
        self._show_range()
        self.edited.emit()

    @property
    def has_news(self) -> bool:
        return self._is_new

    def first_control(self) -> QWidget:
        return self.plot

    def commit(self) -> None:
        if self._is_new:
            self._is_new = False
            self.answered.emit({"times": self.plot.times.tolist(), "values": self.plot.values.tolist()})

    def show_answer(self, value: Any) -> None:
        self.plot.show_drawn(np.array(value["times"]), np.array(value["values"]))
        self._show_range()
