"""Controls of steps without a run: a number or a choice that is predicted, and an explanation."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from polhode.scene.display.lesson import LessonStep
from polhode_app.docks.lesson.steps.choices import Choices
from polhode_app.docks.lesson.steps.number_field import NumberField
from polhode_app.docks.lesson.steps.step_input import StepInput
from polhode_app.i18n.lesson_texts import lesson_text
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.layouts import column_of
from polhode_app.window.widgets.plain_label import PlainLabel

HEIGHT = 110  # [pixel] of a text field


def question(text: str) -> PlainLabel:
    """A label with a question of a lesson."""
    label = PlainLabel(lesson_text(text))
    label.setWordWrap(True)
    return label


class NumberPrediction(StepInput):
    """A predicted number with its unit."""

    def __init__(self, step: LessonStep):
        super().__init__()
        name = lesson_text(step.ask) or self.tr("Your prediction")
        self.field = NumberField(name, step.unit)
        column_of(question(name), self.field, self.error, on=self, margins=0)
        self.field.entered.connect(self._on_entered)
        self.field.failed.connect(self.show_error)
        self.field.finished.connect(self.finished)

    def _on_entered(self, number: float) -> None:
        self.show_error("")
        self.answered.emit(number)

    def first_control(self) -> QWidget:
        return self.field

    def commit(self) -> None:
        self.field.commit()

    def show_answer(self, value: Any) -> None:
        self.field.show_number(value)


class ChoicePrediction(StepInput):
    """One of some choices."""

    def __init__(self, step: LessonStep):
        super().__init__()
        self.choices = Choices([lesson_text(choice) for choice in step.choices])
        rows = [question(step.ask)] if step.ask else []
        column_of(*rows, self.choices, self.error, on=self, margins=0)
        self.choices.chosen.connect(self.answered.emit)
        self.choices.finished.connect(self.finished)

    def first_control(self) -> QWidget:
        return self.choices.first_control()

    def show_answer(self, value: Any) -> None:
        self.choices.show_number(value)


class _Answer(QPlainTextEdit):
    """A text of several lines, which Tab leaves; a pasted text is cut at the longest one."""

    def __init__(self, name: str, most: int):
        super().__init__()
        self._most = most
        self.setTabChangesFocus(True)
        self.setMinimumHeight(scaled(HEIGHT))
        self.setAccessibleName(name)
        self.textChanged.connect(self._cut)

    def _cut(self) -> None:
        text = self.toPlainText()
        if len(text) > self._most:
            self.setPlainText(text[: self._most])


class Explanation(StepInput):
    """A question that is answered in free text."""

    def __init__(self, step: LessonStep, most: int):
        """`most` is the largest number of characters of an answer."""
        super().__init__()
        self._given = ""
        asked = lesson_text(step.explain or "")
        self.text = _Answer(asked, most)
        column_of(question(step.explain or ""), self.text, self.error, on=self, margins=0)

    def first_control(self) -> QWidget:
        return self.text

    @property
    def has_news(self) -> bool:
        return True  # its text is taken when the step is left

    def lack(self) -> str:
        return "" if self.text.toPlainText().strip() else self.tr("Write an answer first.")

    def commit(self) -> None:
        text = self.text.toPlainText().strip()
        if text and text != self._given:
            self._given = text
            self.answered.emit(text)

    def show_answer(self, value: Any) -> None:
        self._given = value
        self.text.setPlainText(value)
