"""Editors of text, and of lists that are written as text: a line, several lines, values separated by commas."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit

from polhode.formulas.parser import FormulaError
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode_app.docks.inspector.number_editors import Editor
from polhode_app.edit.field_numbers import WIDE, text_of, typed_number
from polhode_app.window.widgets.layouts import row_of
from polhode_app.window.widgets.line_edit import CommitLineEdit

TEXT_HEIGHT = 60  # [pixel] height of a text of several lines


class ParsedEditor(Editor):
    """Shows a value as text; derived editors convert other values than texts by `_format` and `_parse`."""

    hint = Message("give values separated by commas, such as 0, 3, 7")

    def _format(self, value: Any) -> str:
        """Text of a value."""
        return value or ""

    def _parse(self, text: str) -> Any:
        """Value of a text. Raises FormulaError or ValueError."""
        return text

    def _emit(self, text: str) -> None:
        """Emit the parsed value, or the problem if the text is not valid."""
        try:
            self.changed.emit(self._parse(text), None)
        except FormulaError as error:
            self.failed.emit(error.problem)
        except ValueError:
            self.failed.emit(Problem("", Message("is not valid"), self.hint))


class TextEditor(ParsedEditor):
    """A line of text: a name, a formula, a title."""

    def __init__(self) -> None:
        super().__init__()
        self.field = CommitLineEdit()
        row_of((self.field, 1), on=self, margins=0, spacing=4)
        self.field.editingFinished.connect(self._commit)

    def show_value(self, value: Any, settle: bool = False) -> None:
        (self.field.set_committed_text if settle else self.field.update_text)(self._format(value))

    def mark(self, column: int | None) -> None:
        self.field.underline(column)

    def show_unit(self, unit: str) -> bool:
        self.field.set_unit(unit)
        return True

    def _commit(self) -> None:
        """Emit the value if the text has changed."""
        if self.field.has_uncommitted_text:
            self._emit(self.field.text().strip())


class ListEditor(TextEditor):
    """Numbers or names separated by commas.

    A tuple of tuples is shown and read as JSON.
    """

    def __init__(self, numbers: bool, blanks: bool = False):
        """blanks: whether a name may be empty"""
        super().__init__()
        self._numbers, self._blanks = numbers, blanks

    def _format(self, value: Any) -> str:
        if value and isinstance(value[0], tuple):
            return json.dumps(value)
        return ", ".join(text_of(item) if self._numbers else str(item) for item in value or ())

    def _parse(self, text: str) -> Any:
        if text.startswith("[["):
            return tuple(tuple(row) for row in json.loads(text))
        parts = [part.strip() for part in text.strip("[]").split(",")]
        if not self._blanks or not text.strip():
            parts = [part for part in parts if part]
        return tuple(typed_number(part, whole=True) for part in parts) if self._numbers else tuple(parts)


class ValuesEditor(TextEditor):
    """Values by paths of fields, as of buttons and sliders of a card, written as JSON."""

    hint = Message("give values by paths, such as {values}", values='{"body[0].friction": 0.1}')

    def _format(self, value: Any) -> str:
        return json.dumps(dict(value), ensure_ascii=False) if value else ""

    def _parse(self, text: str) -> Any:
        values = json.loads(text or "{}")
        if not isinstance(values, dict):
            raise ValueError(text)
        return values


class LinesEditor(ParsedEditor):
    """Text of several lines, committed when the editor loses the focus."""

    hint = Message("give a vector per line, three numbers separated by commas, such as 0, 0.1, 0.5")

    def __init__(self) -> None:
        super().__init__()
        self.box = _CommitTextEdit(self._commit)
        row_of((self.box, 1), on=self, margins=0, spacing=4)
        self._value: Any = ""
        self._text = ""

    def show_value(self, value: Any, settle: bool = False) -> None:
        """Show a value unless the user is typing; `settle` overwrites typed text."""
        if settle or not self.box.hasFocus():
            if value is not self._value:
                self._value, self._text = value, self._format(value)
            if self.box.toPlainText() != self._text:
                self.box.setPlainText(self._text)

    def _commit(self) -> None:
        """Emit the value if the text has changed."""
        if self.box.toPlainText() != self._text:
            self._emit(self.box.toPlainText())


class VectorsEditor(LinesEditor):
    """Any number of vectors, one per line, with components separated by commas."""

    def __init__(self) -> None:
        super().__init__()
        self.box.setPlaceholderText("x, y, z")

    def _format(self, value: Any) -> str:
        return "\n".join(", ".join(map(text_of, vector)) for vector in value or ())

    def _parse(self, text: str) -> tuple[tuple[float, ...], ...]:
        vectors = tuple(
            tuple(typed_number(part) for part in line.strip("[]( ),").split(","))
            for line in text.translate(WIDE).splitlines()
            if line.strip()
        )
        if any(len(vector) != 3 for vector in vectors):
            raise ValueError
        return vectors


class _CommitTextEdit(QPlainTextEdit):
    """Plain text edit of a fixed height that calls back when it loses the focus."""

    def __init__(self, on_focus_out: Callable[[], None]):
        super().__init__()
        self._on_focus_out = on_focus_out
        self.setFixedHeight(TEXT_HEIGHT)
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        self._on_focus_out()
