"""A check against the student's own run, with as many attempts as wanted."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from polhode.lessons.measures import shown_unit, unit_step
from polhode_app.data.lessons.shown_values import OF_DIFFERENCE, shown_value
from polhode_app.docks.lesson.lesson_player import LessonPlayer
from polhode_app.docks.lesson.steps.number_field import NumberField
from polhode_app.docks.lesson.steps.simple_steps import question
from polhode_app.docks.lesson.steps.step_input import StepInput
from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.i18n.lesson_texts import lesson_text
from polhode_app.window.shell.theme import state_style
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import NoteLabel


class CheckStep(StepInput):
    """A number if the step asks for one, a button, and the result."""

    def __init__(self, player: LessonPlayer):
        super().__init__()
        assert player.progress is not None
        self._player, self._step = player, player.progress.step
        self.button, self.result = KeyButton(), NoteLabel()
        self.button.setText(self.tr("Check"))
        lesson, number = player.progress.lesson, player.progress.current
        unit = shown_unit(lesson, number, player.unit_of)
        self._of = unit_step(lesson, number)
        self.field = NumberField(lesson_text(self._step.ask), unit) if self._step.ask else None
        rows: list[QWidget] = [question(self._step.ask), self.field] if self.field is not None else []
        column_of(*rows, row_of(self.button, 1, margins=0), self.result, self.error, on=self, margins=0)
        self.button.clicked.connect(lambda _checked: self._check())
        if self.field is not None:
            self.field.failed.connect(self.show_error)
            self.field.entered.connect(lambda _number: self.show_error(""))
            self.field.finished.connect(lambda: self.focus_wanted.emit(self.button))

    def first_control(self) -> QWidget:
        return self.field if self.field is not None else self.button

    def result_widget(self) -> QWidget:
        return self.result

    def _check(self) -> None:
        """Check the number, or the prediction."""
        if self.field is not None:
            self.field.commit()
            if self.field.number is None:
                if not self.error.text():
                    self.show_error(self.tr("Enter a number first."))
                return
        self.answered.emit(None if self.field is None else self.field.number)

    def show_answer(self, value: Any) -> None:
        if self.field is not None:
            self.field.show_number(value["number"])
        passed, difference = value["passed"], value["difference"]
        text = self.tr("Passed: it agrees with the run.") if passed else self.tr("Not within the tolerance.")
        if difference is not None and self._shows_difference and self._of is not None:
            shown = shown_value(difference, self._of, self._player.unit_of(self._of.of), OF_DIFFERENCE)
            text += " " + self.tr("Difference: {value}.").format(value=shown)
        if not passed:
            text += "\n" + self.tr("Try again, or continue.")
        self.result.setStyleSheet(state_style("good" if passed else "inaccurate"))
        self.result.show_text(text)

    @property
    def _shows_difference(self) -> bool:
        """Whether the difference is that of numbers."""
        progress = self._player.progress
        assert progress is not None
        number = progress.evaluation.nearest(progress.current, "predict")
        return self.field is not None or number is None or progress.lesson.step[number].predict != "choice"
