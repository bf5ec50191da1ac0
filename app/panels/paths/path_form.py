"""The fields of a path as a form: what is typed is seen at once, and what is wrong with it stands below its field."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from app.i18n.field_names import label
from app.i18n.language import tr
from app.i18n.translation import translate
from app.panels.inspector.number_editors import number_in, text_of
from app.panels.widgets.line_edit import WRONG, CommitLineEdit
from app.panels.widgets.plain_label import PlainLabel
from core.formulas.parser import FormulaError
from core.physics.paths.description import PathBase
from core.scene.field_docs import field_docs
from core.scene.problem import InputError, Problem
from core.scene.quantity import Quantity

ELSEWHERE = ("kind", "points", "orientation")  # fields that are shown in another way, or only kept


class PathForm(QWidget):
    """All fields of one kind of path but the points of a spline."""

    typed = Signal()  # a text changes
    entered = Signal()  # it is meant

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        for column in (1, 2, 3):
            self._grid.setColumnStretch(column, 1)
        self._kind = ""
        self._table: dict[str, Any] = {}
        self.fields: dict[str, list[CommitLineEdit]] = {}
        self.checks: dict[str, QCheckBox] = {}
        self._said: dict[str, QLabel] = {}

    def fill(self, path: PathBase) -> None:
        """Show a path."""
        self._table = path.model_dump()
        if self._table["kind"] != self._kind:
            self._kind = self._table["kind"]
            self._build(path)
        for name, fields in self.fields.items():
            for field, part in zip(fields, _parts(self._table[name], len(fields)), strict=True):
                field.update_text(part if isinstance(part, str) else text_of(part))
        for name, check in self.checks.items():
            check.setChecked(self._table[name])

    def retranslate(self) -> None:
        """Make the labels in the current language with the next `fill`."""
        self._kind = ""

    @property
    def is_other(self) -> bool:
        """Something was typed that is not entered."""
        return any(field.has_uncommitted_text for fields in self.fields.values() for field in fields)

    def table(self) -> dict[str, Any]:
        """The path that is typed, not checked yet. Raises InputError where a number is none."""
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
                    parts = [_typed(field, part) for field, part in zip(fields, _parts(old, len(fields)), strict=True)]
                    table[name] = parts if len(fields) > 1 else parts[0]
            except FormulaError as error:
                problems.append(error.problem.at(f"path.{name}"))
        if problems:
            raise InputError("", problems)
        return table

    def say(self, problems: list[Problem]) -> list[Problem]:
        """Write what is wrong below its fields; those that belong to none are given back."""
        rest = []
        wrong: dict[str, Problem] = {}
        for problem in problems:
            found = re.match(r"path\.(\w+)", problem.place)
            if found and found[1] in self._said:
                wrong.setdefault(found[1], problem)
            else:
                rest.append(problem)
        for name, words in self._said.items():
            fault = wrong.get(name)
            words.setVisible(fault is not None)
            words.setText(translate(fault.advice) if fault else "")
            column = fault.rule.values.get("column") if fault else None
            for field in self.fields[name]:
                field.underline(column if len(self.fields[name]) == 1 else None)
        return rest

    def _build(self, path: PathBase) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            item.widget().deleteLater()
        self.fields, self.checks, self._said = {}, {}, {}
        docs = field_docs(type(path))
        for name, field in type(path).model_fields.items():
            if name not in ELSEWHERE:
                unit = next((mark.unit for mark in field.metadata if isinstance(mark, Quantity)), "")
                self._row(name, self._table[name], unit, tr(docs.get(name, "")))

    def _row(self, name: str, value: object, unit: str, tip: str) -> None:
        row = self._grid.rowCount()
        if isinstance(value, bool):
            check = QCheckBox(label(name))
            check.setToolTip(tip)
            check.setFocusPolicy(Qt.FocusPolicy.NoFocus)
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
        what = QLabel(f"{label(name)} [{unit}]" if unit else label(name))
        what.setToolTip(tip)
        self._grid.addWidget(what, row, 0)
        wrong = PlainLabel()
        wrong.setWordWrap(True)
        wrong.setStyleSheet(f"color: {WRONG}")
        wrong.hide()
        self._grid.addWidget(wrong, row + 1, 0, 1, 4)
        self.fields[name], self._said[name] = fields, wrong


def _parts(value: object, count: int) -> list[Any]:
    """What each of the fields of a value shows."""
    return list(value) if isinstance(value, tuple | list) else [value] * count


def _typed(field: CommitLineEdit, old: float | None) -> float:
    """What a field holds: the old number with all its digits unless the user has typed. Raises FormulaError."""
    if old is not None and not field.has_uncommitted_text:
        return old
    return number_in(field.text().strip(), whole=isinstance(old, int))
