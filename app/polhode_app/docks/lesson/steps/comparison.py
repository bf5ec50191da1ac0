"""Prediction and run side by side: numbers in a table, or curves in one plot."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from polhode.lessons.measures import unit_of
from polhode_app.data.lessons.shown_values import DIGITS, OF_DIFFERENCE, shown_value
from polhode_app.docks.lesson.lesson_player import LessonPlayer
from polhode_app.docks.lesson.steps.curve_plot import MEASURED, PREDICTED, CurvePlot
from polhode_app.docks.lesson.steps.step_input import StepInput
from polhode_app.i18n.field_names import quantity_with_unit, unit_text
from polhode_app.i18n.lesson_texts import lesson_text
from polhode_app.window.widgets.layouts import column_of, grid_of, row_of
from polhode_app.window.widgets.plain_label import PlainLabel

SWATCH = "background: {color}; border-radius: 2px;"


class Comparison(StepInput):
    """Shows what the lesson compares; it needs no input."""

    def __init__(self, player: LessonPlayer, plot: CurvePlot):
        super().__init__()
        progress = player.progress
        assert progress is not None
        self._player, number = player, progress.evaluation.nearest(progress.current, "predict")
        assert number is not None
        self._of = progress.lesson.step[number]
        self._unit = self._unit_of_values()
        self.cells = {name: PlainLabel() for name in ("predicted", "measured", "difference")}
        rows: list[Any] = [self._curves(number, plot)] if self._of.predict == "curve" else []
        texts = (self.tr("Prediction"), self.tr("Run"), self.tr("Difference"))
        for cell in self.cells.values():
            cell.setWordWrap(True)
            cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        shown = [k for k in range(3) if self._of.predict == "number" or k != 2] if rows == [] else [2]
        lines = [(PlainLabel(texts[k]), list(self.cells.values())[k]) for k in shown]
        rows.append(grid_of(*lines, margins=0, spacing=(12, 4), stretched=(1,)))
        column_of(*rows, self.error, on=self, margins=0)

    def _unit_of_values(self) -> str:
        """Unit [SI] of the values that are compared."""
        progress = self._player.progress
        assert progress is not None
        if self._of.predict == "curve":
            return self._player.unit_of(self._of.of)
        number = progress.evaluation.nearest(progress.current, "measure")
        if number is None:
            return ""
        step = progress.lesson.step[number]
        return unit_of(step, self._player.unit_of(step.of))

    def _curves(self, number: int, plot: CurvePlot) -> Any:
        """The predicted curve over that of the run, with a legend."""
        progress = self._player.progress
        assert progress is not None
        made, drawn = progress.run_of(progress.current), progress.value_of(number)
        name = quantity_with_unit(self._of.of, self._unit)
        plot.set_up(name, self._unit, self._of.until, can_draw=False)
        if made is not None:
            plot.show_run(made.run.times, made.run.columns[self._of.of])
        if drawn is not None:
            plot.show_drawn(np.array(drawn["times"]), np.array(drawn["values"]))
        plot.fit()
        title = PlainLabel(name)
        title.setWordWrap(True)
        legend = row_of(
            *self._entry(self.tr("Prediction"), PREDICTED), *self._entry(self.tr("Run"), MEASURED), 1, margins=0
        )
        return column_of(title, plot, legend, margins=0)

    def _entry(self, text: str, color: str) -> tuple[Any, ...]:
        """A legend entry: a piece of the colour, and a text."""
        swatch = PlainLabel()
        swatch.setFixedSize(14, 4)
        swatch.setStyleSheet(SWATCH.format(color=color))
        return (swatch, PlainLabel(text))

    def result_widget(self) -> QWidget:
        return self.cells["difference" if self._of.predict == "curve" else "measured"]

    def show_answer(self, value: Any) -> None:
        for name, cell in self.cells.items():
            cell.setText(self._text(name, value[name]))

    def _text(self, name: str, value: float | int | None) -> str:
        """Text of a compared value."""
        of = self._of
        if of.predict == "choice":
            if name == "measured" and value is None:
                return self._measured_text()
            return lesson_text(of.choices[int(value)]) if value is not None and name != "difference" else ""
        text = shown_value(value, of, self._unit, OF_DIFFERENCE if name == "difference" else DIGITS)
        if of.predict == "curve" and name == "difference" and value is not None:
            return self.tr("{value} (root mean square)").format(value=text)
        return text

    def _measured_text(self) -> str:
        """The measured value, beside a choice without bounds."""
        progress = self._player.progress
        assert progress is not None
        value = progress.evaluation.measured_before(progress.current)
        return "" if value is None else f"{value:.6g} {unit_text(self._unit)}".rstrip()
