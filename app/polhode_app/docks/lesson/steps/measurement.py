"""A measurement of the run: its curve, the button that measures it, and the value."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtWidgets import QWidget

from polhode_app.data.lessons.shown_values import shown_value
from polhode_app.docks.lesson.lesson_player import LessonPlayer
from polhode_app.docks.lesson.steps.curve_plot import CurvePlot
from polhode_app.docks.lesson.steps.step_input import StepInput
from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.i18n.field_names import quantity_with_unit
from polhode_app.i18n.lesson_texts import measure_name
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import NoteLabel, PlainLabel


class Measurement(StepInput):
    """Measures the run before the step."""

    def __init__(self, player: LessonPlayer, plot: CurvePlot):
        super().__init__()
        assert player.progress is not None
        self._player, self._step = player, player.progress.step
        self._unit = player.unit_of(self._step.of)
        name = quantity_with_unit(self._step.of, self._unit)
        made = player.progress.run_of(player.progress.current)
        plot.set_up(name, self._unit, float(made.run.times[-1]) if made else 1.0, can_draw=False)
        if made is not None:
            plot.show_run(made.run.times, made.run.columns[self._step.of])
            plot.fit()
        self.button, self.value, title = KeyButton(), NoteLabel(), PlainLabel(name)
        title.setWordWrap(True)
        self.button.setText(self.tr("Measure: {what}").format(what=measure_name(self._step)))
        column_of(title, plot, row_of(self.button, 1, margins=0), self.value, self.error, on=self, margins=0)
        self.button.clicked.connect(lambda _checked: self._measure())

    def first_control(self) -> QWidget:
        return self.button

    def result_widget(self) -> QWidget:
        return self.value

    def _measure(self) -> None:
        self.answered.emit(None)
        self.finished.emit()

    def show_answer(self, value: Any) -> None:
        text = shown_value(value, self._step, self._unit)
        if value is None:
            text = self.tr("The curve of this run does not have it.")
        name = measure_name(self._step)
        if self._step.relative:
            text = self.tr("{value} times the measurement before").format(value=text)
        self.value.show_text(f"{name}: {text}")


def finite(times: np.ndarray, values: np.ndarray) -> tuple[list[float], list[float]]:
    """The rows (n,) of a curve whose values are known, at increasing times."""
    good = np.isfinite(times) & np.isfinite(values)
    kept, rows = times[good], values[good]
    increases = np.concatenate(([True], np.diff(kept) > 0.0)) if len(kept) else good[good]
    return kept[increases].tolist(), rows[increases].tolist()
