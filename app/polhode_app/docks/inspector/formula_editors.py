"""Editors of formulas of variables, and of measured data in their place: typed, or dropped as a column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from polhode.formulas.parser import FormulaError
from polhode.scene.fields import Form
from polhode_app.docks.inspector.number_editors import NumberEditor, NumbersEditor
from polhode_app.edit.field_numbers import typed_formula
from polhode_app.window.widgets.data_drag import dragged_input


class TakesColumns:
    """An editor on which columns of measured data are dropped; it comes before the class of the editor."""

    _form: Form
    setAcceptDrops: Callable[[bool], None]
    relative: Callable[[str], str] = staticmethod(str)
    """The name of a file as the scene states it."""

    def accept_columns(self, fields: Sequence[QWidget]) -> None:
        """Accept drops also where the fields are."""
        self.setAcceptDrops(True)
        for field in fields:
            field.setAcceptDrops(False)

    def take(self, source: dict[str, Any], event: QDropEvent) -> None:
        """Emit the value with measured data, which were dropped."""
        raise NotImplementedError

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._form.models and dragged_input(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the column in place of the formula."""
        event.acceptProposedAction()
        source = dragged_input(event.mimeData())
        self.take(source | {"data": self.relative(source["data"])}, event)


class FormulaEditor(TakesColumns, NumberEditor):
    """A number, a formula of variables, or measured data, of which a column can be dropped."""

    def __init__(self, form: Form, scale: float):
        super().__init__(form, scale)
        self.accept_columns([self.field])

    def show_in(self, name: str) -> None:
        """Formulas have the unit of the field."""

    def _parse(self, text: str) -> Any:
        try:
            return super()._parse(text)
        except FormulaError:
            return typed_formula(text)  # validated with the scene

    def take(self, source: dict[str, Any], event: QDropEvent) -> None:
        self.changed.emit(source, None)


class FormulasEditor(TakesColumns, NumbersEditor):
    """Several numbers, each of which may be a formula or measured data; these are neither stepped nor dragged."""

    def __init__(self, form: Form, scale: float):
        super().__init__(form, scale)
        self.accept_columns(self.fields)

    def show_in(self, name: str) -> None:
        """Formulas have the unit of the field."""

    def _parse(self, text: str) -> Any:
        try:
            return super()._parse(text)
        except FormulaError:
            return typed_formula(text)  # validated with the scene

    def take(self, source: dict[str, Any], event: QDropEvent) -> None:
        """Emit all components, that on which the column was dropped with its data."""
        at, values = event.position().x(), [*self._values]
        number = min(range(len(self.fields)), key=lambda k: abs(self.fields[k].geometry().center().x() - at))
        entered: list[Any] = [*values[:number], source, *values[number + 1 :]]
        self.changed.emit(tuple(entered), None)
