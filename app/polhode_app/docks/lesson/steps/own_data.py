"""A measurement of the student's own data: a file, and one of its columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from polhode.data.measured import Column, MeasuredData
from polhode.data.reading import read_data
from polhode.scene.problem import InputError
from polhode_app.data.lessons.shown_values import shown_value
from polhode_app.docks.lesson.lesson_player import LessonPlayer
from polhode_app.docks.lesson.steps.curve_plot import CurvePlot
from polhode_app.docks.lesson.steps.measurement import finite
from polhode_app.docks.lesson.steps.step_input import StepInput
from polhode_app.docks.maps.key_button import ChoiceBox, KeyButton
from polhode_app.i18n.lesson_texts import measure_name
from polhode_app.i18n.translation import translate_problem
from polhode_app.jobs import Job
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import NoteLabel, PlainLabel

POLL = 50  # [ms]


class OwnData(StepInput):
    """Opens a file, and measures the chosen column."""

    def __init__(self, player: LessonPlayer, plot: CurvePlot):
        super().__init__()
        assert player.progress is not None
        self._plot = plot
        self._step, self._job = player.progress.step, Job("own data of a lesson")
        self._data: MeasuredData | None = None
        self._file, self._unit = "", ""
        self.button, self.file, self.columns, self.value = KeyButton(), PlainLabel(), ChoiceBox(), NoteLabel()
        self.button.setText(self.tr("Open a file of data..."))
        self.file.setWordWrap(True)
        self.columns.setAccessibleName(self.tr("Column"))
        self.columns.hide()
        plot.hide()
        column_of(
            row_of(self.button, 1, margins=0),
            self.file,
            self.columns,
            plot,
            self.value,
            self.error,
            on=self,
            margins=0,
        )
        self._timer = QTimer(self, interval=POLL)
        self._timer.timeout.connect(self._poll)
        self.button.clicked.connect(lambda _checked: self._ask())
        self.columns.activated.connect(lambda _row: self._measure())
        self.destroyed.connect(self._job.cancel)

    def first_control(self) -> QWidget:
        return self.button

    def result_widget(self) -> QWidget:
        return self.value

    def _ask(self) -> None:
        """Ask for a file."""
        name, _ = QFileDialog.getOpenFileName(self.window(), self.tr("Open a file of data..."), str(Path.cwd()))
        if name:
            self.read(Path(name))

    def read(self, path: Path) -> None:
        """Read a file in the background."""
        self._file = path.name
        self._job.start(lambda check: read_data(path, progress=check.report))
        self._timer.start()

    def _poll(self) -> None:
        """Take what was read."""
        found = self._job.poll()
        if isinstance(found, InputError):
            self.show_error("\n".join(map(translate_problem, found.problems)))
        elif found is not None:
            self.show_error("")
            self._data = found
            names = [f"{each.name} [{each.unit}]" if each.unit else each.name for each in found.columns]
            self.columns.clear()
            self.columns.offer(zip(names, range(len(names)), strict=True))
            self.columns.setCurrentIndex(0)
            self.columns.show()
            self._measure()
            self.focus_wanted.emit(self.columns if len(names) > 1 else self.button)
        if not self._job.is_running:
            self._timer.stop()

    def _measure(self) -> None:
        """Measure the chosen column."""
        if self._data is None:
            return
        column: Column = self._data.columns[self.columns.currentData()]
        times, values = finite(self._data.times - self._data.times[0], column.values)
        self._unit = column.unit
        self.answered.emit({"times": times, "values": values, "file": self._file})

    def show_answer(self, value: Any) -> None:
        self.file.setText(value["file"])
        times, values = np.array(value["times"]), np.array(value["values"])
        name = self.columns.currentText() or value["file"]
        self._plot.set_up(name, self._unit, float(times[-1]), can_draw=False)
        self._plot.show_run(times, values)
        self._plot.fit()
        text = shown_value(value["value"], self._step, self._unit)
        if value["value"] is None:
            text = self.tr("These data do not have it.")
        self.value.show_text(f"{measure_name(self._step)}: {text}")
