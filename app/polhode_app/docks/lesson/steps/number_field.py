"""Field of a number with its unit, in steps of lessons."""

from __future__ import annotations

from math import isfinite

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from polhode.formulas.parser import FormulaError
from polhode.scene.message import Message
from polhode_app.edit.field_numbers import typed_number
from polhode_app.i18n.field_names import unit_text
from polhode_app.i18n.translation import translate, translate_problem
from polhode_app.window.widgets.line_edit import CommitLineEdit

DIGITS = 6  # of shown numbers
RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NumberField(CommitLineEdit):
    """A number in a unit; another unit of the same quantity may be typed.

    `entered` carries the number, `failed` the text of why there is none; `finished` follows Return with a number.
    """

    entered = Signal(float)
    failed = Signal(str)
    finished = Signal()

    def __init__(self, name: str, unit: str = ""):
        """`name` is what a screen reader says."""
        super().__init__()
        self._own_unit = unit
        self.number: float | None = None
        self.setAccessibleName(name)
        self.set_unit(unit_text(unit))
        self.editingFinished.connect(self.commit)

    def show_number(self, number: float | None) -> None:
        """Show a number in the unit of the field; None empties it."""
        self.number = number
        self.set_committed_text("" if number is None else f"{number:.{DIGITS}g}")
        self.underline(None)

    def commit(self) -> None:
        """Emit the typed number, or why it is none."""
        if not self.has_uncommitted_text:
            return
        try:
            number = typed_number(self.text().strip(), self._own_unit)
        except FormulaError as error:
            self.underline(error.column)
            self.failed.emit(translate_problem(error.problem))
            return
        if not isfinite(number):
            self.failed.emit(translate(Message("this is no finite number")))
            return
        self.show_number(number)
        self.entered.emit(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move on after Return, if the field has a number."""
        super().keyPressEvent(event)
        if event.key() in RETURN and not self.has_uncommitted_text and self.number is not None:
            self.finished.emit()
