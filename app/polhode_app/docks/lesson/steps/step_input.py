"""Base of the controls of the steps of a lesson."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from polhode_app.window.widgets.plain_label import NoteLabel


class StepInput(QWidget):
    """Controls of one step. They are made again when the step, the language or the theme changes."""

    answered = Signal(object)
    """The answer of the student, as `Progress.answer` takes it."""
    finished = Signal()
    """The student has ended the step by a key: the focus moves on."""
    edited = Signal()
    """`has_news` may be another one."""
    focus_wanted = Signal(object)
    """A control of the step that is to get the focus."""

    def __init__(self) -> None:
        super().__init__()
        self.error = NoteLabel(is_error=True)

    def first_control(self) -> QWidget | None:
        """The control that gets the focus when the step is shown; None for a step that has none."""
        return None

    def result_widget(self) -> QWidget | None:
        """The widget that shows the result of the step; None for a step without one."""
        return None

    def commit(self) -> None:
        """Pass on what was entered and not answered yet; called before the step is left."""

    @property
    def has_news(self) -> bool:
        """Whether something was entered that `commit` passes on."""
        return False

    def lack(self) -> str:
        """Text of what is to be entered before the next step; "" if nothing is."""
        return ""

    def show_answer(self, value: Any) -> None:
        """Show an answer that was given before."""

    def show_error(self, text: str) -> None:
        """Show why something was refused; "" hides that."""
        self.error.show_text(text)


def weak(widget: QWidget) -> None:
    """Show the text of a widget in the colour of remarks."""
    widget.setForegroundRole(QPalette.ColorRole.PlaceholderText)
