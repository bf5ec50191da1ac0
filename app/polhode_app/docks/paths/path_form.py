"""Form with the fields of a path; values are checked while they are typed."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from polhode.formulas.parser import FormulaError
from polhode.physics.paths.description import PathBase
from polhode.scene.field_docs import field_docs
from polhode.scene.problem import InputError, Problem
from polhode.scene.quantity import Quantity
from polhode_app.edit.field_numbers import text_of, typed_number
from polhode_app.i18n.field_names import label
from polhode_app.i18n.language import tr
from polhode_app.i18n.translation import translate
from polhode_app.window.widgets.layouts import grid_of
from polhode_app.window.widgets.line_edit import CommitLineEdit
from polhode_app.window.widgets.plain_label import PlainLabel

OTHER_FIELDS = ("kind", "points", "orientation")  # not in the form


class PathForm(QWidget):
    """Fields of one kind of path, except the points of a spline.

    `typed` is emitted at every change of a text, `entered` when a value is committed. The form holds no scene: `table`
    returns its values, and the owner reports errors by `show_problems`.
    """

    typed = Signal()  # the text of a field has changed
    entered = Signal()  # a value was committed

    def __init__(self) -> None:
        super().__init__()
        self._grid = grid_of(on=self, margins=0)
        for column in (1, 2, 3):
            self._grid.setColumnStretch(column, 1)
        self._kind = ""
        self._table: dict[str, Any] = {}
        self.fields: dict[str, list[CommitLineEdit]] = {}
        self.checks: dict[str, QCheckBox] = {}
        self.problem_labels: dict[str, QLabel] = {}

    def fill(self, path: PathBase) -> None:
        """Show a path. The rows are rebuilt if it is of another kind; text being typed is kept."""
        self._table = path.model_dump()
        if self._table["kind"] != self._kind:
            self._kind = self._table["kind"]
            self._build(path)
        for name, fields in self.fields.items():
            for field, part in zip(fields, _components(self._table[name], len(fields)), strict=True):
                field.update_text(part if isinstance(part, str) else text_of(part))
        for name, check in self.checks.items():
            check.setChecked(self._table[name])

    def retranslate(self) -> None:
        """Rebuild the labels in the current language at the next `fill`."""
        self._kind = ""

    @property
    def is_other(self) -> bool:
        """Whether a field has uncommitted text."""
        return any(field.has_uncommitted_text for fields in self.fields.values() for field in fields)

    def table(self) -> dict[str, Any]:
        """The entered path as the table of a scene file, not validated.

        Raises InputError, located at the fields whose text is neither a number nor a formula.
        """
        table, problems = dict(self._table), []
        for name, check in self.checks.items():
            table[name] = check.isChecked()
        for name, fields in self.fields.items():
            if not any(field.has_uncommitted_text for field in fields):
                continue
            old, texts = self._table[name], [field.text().strip() for field in fields]
            try:
                if isinstance(old, str):
                    table[name] = texts[0]
                elif name == "range" and not any(texts):
                    table[name] = None
                else:
                    parts = [
                        _entered_number(field, part)
                        for field, part in zip(fields, _components(old, len(fields)), strict=True)
                    ]
                    table[name] = parts if len(fields) > 1 else parts[0]
            except FormulaError as error:
                problems.append(error.problem.at(f"path.{name}"))
        if problems:
            raise InputError("", problems)
        return table

    def show_problems(self, problems: list[Problem]) -> list[Problem]:
        """Show the first problem of each field below it and return those of no field."""
        rest = []
        first: dict[str, Problem] = {}  # by field
        for problem in problems:
            found = re.match(r"path\.(\w+)", problem.place)
            if found and found[1] in self.problem_labels:
                first.setdefault(found[1], problem)
            else:
                rest.append(problem)
        for name, problem_label in self.problem_labels.items():
            shown = first.get(name)
            problem_label.setVisible(shown is not None)
            problem_label.setText(translate(shown.advice) if shown else "")
            column = shown.rule.values.get("column") if shown else None
            for field in self.fields[name]:
                field.underline(column if len(self.fields[name]) == 1 else None)
        return rest

    def _build(self, path: PathBase) -> None:
        """Create the rows for the kind of a path."""
        while (item := self._grid.takeAt(0)) is not None:
            item.widget().deleteLater()
        self.fields, self.checks, self.problem_labels = {}, {}, {}
        docs = field_docs(type(path))
        for name, field in type(path).model_fields.items():
            if name not in OTHER_FIELDS:
                unit = next((mark.unit for mark in field.metadata if isinstance(mark, Quantity)), "")
                self._add_row(name, self._table[name], unit, tr(docs.get(name, "")))

    def _add_row(self, name: str, value: object, unit: str, tip: str) -> None:
        """Add label, fields and problem label of one key; booleans get a check box."""
        row = self._grid.rowCount()
        if isinstance(value, bool):
            check = QCheckBox(label(name))
            check.setToolTip(tip)
            check.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            check.clicked.connect(lambda _on: self.entered.emit())
            self.checks[name] = check
            self._grid.addWidget(check, row, 1, 1, 3)
            return
        count = 2 if name == "range" else len(value) if isinstance(value, tuple | list) else 1
        fields = [CommitLineEdit("") for _ in range(count)]
        for column, field in enumerate(fields):
            field.setToolTip(tip)
            field.textEdited.connect(lambda _text: self.typed.emit())
            field.editingFinished.connect(
                lambda field=field: self.entered.emit() if field.has_uncommitted_text else None
            )
            self._grid.addWidget(field, row, 1 + column, 1, 1 if count > 1 else 3)
        name_label = QLabel(f"{label(name)} [{unit}]" if unit else label(name))
        name_label.setWordWrap(True)
        name_label.setToolTip(tip)
        self._grid.addWidget(name_label, row, 0)
        problem_label = PlainLabel()
        problem_label.setWordWrap(True)
        problem_label.setForegroundRole(QPalette.ColorRole.BrightText)
        problem_label.hide()
        self._grid.addWidget(problem_label, row + 1, 0, 1, 4)
        self.fields[name], self.problem_labels[name] = fields, problem_label


def _components(value: object, count: int) -> list[Any]:
    """Values of the `count` fields of a key; a single value is repeated."""
    return list(value) if isinstance(value, tuple | list) else [value] * count


def _entered_number(field: CommitLineEdit, old: float | None) -> float:
    """The number in a field; unchanged text is `old` with all its digits. Raises FormulaError."""
    if old is not None and not field.has_uncommitted_text:
        return old
    return typed_number(field.text(), whole=isinstance(old, int))
