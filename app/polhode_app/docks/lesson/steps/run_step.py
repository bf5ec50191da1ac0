"""A run: the fields that may be changed for it, the button, and its progress."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QProgressBar, QWidget

from polhode.scene.fields import at
from polhode.scene.scene import Scene
from polhode.scene.variants.numbers import number_at
from polhode_app.docks.lesson.lesson_player import LessonPlayer
from polhode_app.docks.lesson.steps.field_row import FieldRow
from polhode_app.docks.lesson.steps.step_input import StepInput
from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import NoteLabel

PARTS = 1000  # of the progress


class RunStep(StepInput):
    """Rows of fields, and the run with their values."""

    def __init__(self, player: LessonPlayer):
        super().__init__()
        assert player.progress is not None
        self._player, step, scene = player, player.progress.step, player.progress.scene
        self._given: dict[str, float] = {}  # values [SI] before a change
        self.rows: dict[str, FieldRow] = {}
        for path in step.run or ():
            value, unit = _value_at(scene, path)
            self._given[path] = value
            self.rows[path] = FieldRow(parameter_name(scene, path), unit, value, step.range.get(path))
            self.rows[path].failed.connect(self.show_error)
            self.rows[path].changed.connect(lambda: self.show_error(""))
            self.rows[path].finished.connect(self._go_on)
        self.button, self.bar, self.note = KeyButton(), QProgressBar(), NoteLabel()
        self.bar.setRange(0, PARTS)
        self.bar.setAccessibleName(self.tr("Progress of the run"))
        buttons = row_of(self.button, (self.bar, 1), margins=0)
        column_of(*self.rows.values(), buttons, self.note, self.error, on=self, margins=0, spacing=8)
        self.button.clicked.connect(self._run_or_cancel)
        player.run_changed.connect(self._show_run)
        player.answered.connect(self._show_run)
        self._show_run()

    def first_control(self) -> QWidget:
        return next((row.field for row in self.rows.values()), self.button)

    def commit(self) -> None:
        for row in self.rows.values():
            row.field.commit()

    @property
    def values(self) -> dict[str, float]:
        """Changed values [SI] by the paths of the fields."""
        return {path: row.value for path, row in self.rows.items() if row.value != self._given[path]}

    def show_answer(self, value: Any) -> None:
        progress = self._player.progress
        assert progress is not None
        for path, each in progress.runs[value].values.items():
            if path in self.rows:
                self.rows[path].show_value(each)

    def _go_on(self) -> None:
        """Focus the next field, or the button behind the last one."""
        fields = [row.field for row in self.rows.values()]
        number = next((k for k, field in enumerate(fields) if field is self.sender()), len(fields) - 1)
        following: QWidget = fields[number + 1] if number + 1 < len(fields) else self.button
        self.focus_wanted.emit(following)

    def _run_or_cancel(self) -> None:
        """Start a run, or end the one that is computed."""
        if self._player.is_running:
            self._player.cancel()
            return
        self.show_error("")  # what was refused before may be possible now
        self.commit()
        if not self.error.text():
            self._player.run(self.values)

    def _show_run(self) -> None:
        """Show whether a run is computed, or what the last one was."""
        player, progress = self._player, self._player.progress
        if progress is None or progress.step.kind != "run":
            return
        running = player.is_running
        self.button.setText(self.tr("Cancel") if running else self.tr("Run"))
        self.bar.setVisible(running)
        self.bar.setValue(round(PARTS * player.fraction))
        for row in self.rows.values():
            row.setEnabled(not running)
        made = progress.run_of(progress.current)
        text = self.tr("The run of {time} s is done.").format(time=f"{made.run.times[-1]:.6g}") if made else ""
        if running:
            text = self.tr("Compiling once for this computer...") if player.is_compiling else ""
        self.note.show_text(text)


def _value_at(scene: Scene, path: str) -> tuple[float, str]:
    """Value [SI] and unit of a number of a scene; a tilt begins at 0."""
    at_path, unit = number_at(scene, path, suggests=False)
    return (0.0 if "tilt" in at_path else float(at(scene, at_path))), unit
