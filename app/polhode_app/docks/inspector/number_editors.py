"""Editors of numbers: typed as a number or a formula, changed by a slider, by arrow keys or by dragging a letter."""

from __future__ import annotations

from math import isfinite
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QWidget

from polhode.formulas.parser import FormulaError
from polhode.scene.fields import Form
from polhode.scene.measured_input import MeasuredInput
from polhode_app.docks.inspector.value_slider import DragLabel, ValueSlider
from polhode_app.edit.field_numbers import (
    clipped,
    in_ascii,
    in_shown_unit,
    is_uncertain,
    rounded,
    size_of,
    span_of,
    stepped,
    text_of,
    typed_unit,
    typed_value,
    with_uncertainty_of,
)
from polhode_app.i18n.field_names import unit_text
from polhode_app.window.widgets.layouts import grid_of, row_of, silent
from polhode_app.window.widgets.line_edit import CommitLineEdit

SLIDER_TICKS = 1000  # slider positions on each side of the middle
WHOLE, FRAME = "-0.0036", 12  # text that always fits into a field in a row; [pixel] around a text
STROKE_PAUSE = 1200  # [ms] pause that ends a stroke of single steps
DRAG_PIXELS = 250.0  # [pixel] drag of a letter that covers the whole span
SLIDER_FACTOR = 10.0  # factor between the middle and an end of the slider, for positive quantities


class Editor(QWidget):
    """Base class of the editors of a field.

    `changed` carries the new value and its stroke: edits with the same stroke object, such as those of one drag, are
    undone in one step; None means an edit of its own. `failed` carries the Problem of a text that cannot be parsed.
    """

    changed = Signal(object, object)  # value, stroke
    failed = Signal(object)  # Problem
    unit_chosen = Signal(str)  # name of the unit that was typed, if the editor shows another one

    def show_value(self, value: Any, settle: bool = False) -> None:
        """Show a value. Text that is being typed is kept unless `settle` is set."""
        raise NotImplementedError  # QWidget's metaclass excludes abc

    def mark(self, column: int | None) -> None:
        """Underline the text from a column (counted from 1) on; None removes the mark."""

    def show_unit(self, unit: str) -> bool:
        """Show the unit of the value; False if the editor has no place for it."""
        return False

    def show_in(self, name: str) -> None:
        """Show numbers in another unit of the same quantity than that of the field; formulas stay as they are."""


class NumberEditor(Editor):
    """A text field with a slider, but for whole numbers without limits; formulas and lists have no slider and no steps.

    The slider covers the range between the limits. Without limits a positive quantity rests in the middle and changes
    by a factor up to SLIDER_FACTOR, down to zero at the left end; other numbers have zero in the middle.
    """

    def __init__(self, form: Form, scale: float):
        """`scale` is the typical magnitude of the number in its own unit, see `span_of`."""
        super().__init__()
        self._form, self._scale = form, scale
        self._value: float = 0.0
        self._is_number = True
        self._unit, self._size = form.unit, 1.0  # that is shown, and its size in that of the field
        self._start_value = 0.0  # at the start of a drag
        self._stroke: object = None
        self.field = CommitLineEdit()
        self.slider = ValueSlider(SLIDER_TICKS)
        row_of((self.field, 3), (self.slider, 2), on=self, margins=0, spacing=6)
        self._stroke_timer = QTimer(self)
        self._stroke_timer.setSingleShot(True)
        self._stroke_timer.timeout.connect(self._end_stroke)
        self.field.editingFinished.connect(self._commit)
        self.field.stepped.connect(self._step)
        self.slider.sliderPressed.connect(self._begin_stroke)
        self.slider.valueChanged.connect(self._on_slider_moved)
        self.slider.sliderReleased.connect(self._end_stroke)

    def show_value(self, value: float | str | tuple[float, ...] | MeasuredInput | None, settle: bool = False) -> None:
        self._is_number = value is None or isinstance(value, int | float)
        self.slider.setVisible(self._is_number and (self._form.kind != "whole" or isfinite(self._form.high)))
        if isinstance(value, int | float):
            self._value = value
        (self.field.set_committed_text if settle else self.field.update_text)(self._text(value))
        if self._stroke is None and self._is_number:
            self._reset_slider()

    def mark(self, column: int | None) -> None:
        self.field.underline(column)

    def show_unit(self, unit: str) -> bool:
        self.field.set_unit(unit)
        return True

    def show_in(self, name: str) -> None:
        self._unit, self._size = name, size_of(name, self._form.unit)
        self.field.set_unit(unit_text(name))
        if self._is_number:
            self.field.update_text(self._text(self._value))

    def _text(self, value: float | str | tuple[float, ...] | MeasuredInput | None) -> str:
        """Text of a value in the unit that is shown."""
        return text_of(in_shown_unit(value, self._size))

    def _commit(self) -> None:
        """Emit the entered number, or the problem of the formula."""
        if not self.field.has_uncommitted_text:
            return
        text = self.field.text().strip()
        try:
            value = self._parse(text)
        except FormulaError as error:
            self.failed.emit(error.problem)
            return
        self.changed.emit(value, None)
        if (name := typed_unit(text, self._form.unit)) not in ("", self._unit):
            self.unit_chosen.emit(name)

    def _parse(self, text: str) -> Any:
        """Value of the entered text. Raises FormulaError."""
        return typed_value(text, self._form, self._unit, self._size)

    def _step(self, steps: float) -> None:
        """Change the number by arrow keys or wheel; steps without a longer pause are one stroke."""
        if not self._is_number:
            return
        self._stroke = self._stroke or object()
        self._stroke_timer.start(STROKE_PAUSE)
        self._set_value(stepped(self._value, steps, self._form, self._scale, self._size))

    def _set_value(self, value: float) -> None:
        """Show a number and emit it as part of the current stroke; its uncertainty stays."""
        self._value = value = with_uncertainty_of(self._value, value)
        self.field.set_committed_text(self._text(value))
        self.changed.emit(value, self._stroke)

    def _begin_stroke(self) -> None:
        """Begin a drag of the slider at the current number."""
        self._stroke, self._start_value = object(), self._value
        self._stroke_timer.stop()

    def _on_slider_moved(self, tick: int) -> None:
        """Emit the number at the new position of the slider."""
        if not self.slider.isSliderDown():  # a click beside the handle
            self._begin_stroke()
            self._stroke_timer.start(STROKE_PAUSE // 4)
        value = self._value_at(tick / SLIDER_TICKS)
        if value != self._value:
            self._set_value(value)

    def _value_at(self, fraction: float) -> float:
        """The number at a slider position between -1 and 1."""
        form, start = self._form, self._start_value
        if isfinite(form.low) and isfinite(form.high):
            span = form.high - form.low
            value = rounded(form.low + (fraction + 1) / 2 * span, span)
            return clipped(round(value) if form.kind == "whole" else value, form, start)
        if form.low >= 0 and start > 0:  # positive quantities change by a factor
            if fraction == -1:
                return clipped(form.low, form, start)
            return clipped(float(f"{start * SLIDER_FACTOR**fraction:.4g}"), form, start)
        span = span_of(start, form, self._scale)
        share = (fraction + 1) / 2 if form.low >= 0 else fraction
        return clipped(rounded(share * span, span), form, start)

    def _end_stroke(self) -> None:
        """End the stroke; later changes are undone separately."""
        self._stroke = None
        self._stroke_timer.stop()
        self._reset_slider()

    def _reset_slider(self) -> None:
        """Move the handle to where the number lies on the slider."""
        form, value = self._form, self._value
        if isfinite(form.low) and isfinite(form.high):
            fraction = 2 * (value - form.low) / (form.high - form.low) - 1
            zero = 2 * max(-form.low, 0.0) / (form.high - form.low) - 1
        elif form.low >= 0:
            fraction, zero = (0.0 if value > 0 else -1.0), -1.0
        else:
            fraction, zero = value / span_of(value, form, self._scale) if isfinite(value) else 1.0, 0.0
        self.slider.origin = round(SLIDER_TICKS * zero)
        self.slider.update()
        with silent(self.slider):
            self.slider.setValue(round(SLIDER_TICKS * fraction))


class NumberOrListEditor(NumberEditor):
    """A number, or several numbers separated by commas."""

    def show_in(self, name: str) -> None:
        """Lists have the unit of the field."""

    def _parse(self, text: str) -> Any:
        text = in_ascii(text)
        if ("," not in text and not text.startswith("[")) or (is_uncertain(text) and ", " not in text):
            return super()._parse(text)
        parts = text.replace("[", " ").replace("]", " ").rstrip(" ,").split(",")
        starts = [sum(len(part) + 1 for part in parts[:number]) for number in range(len(parts))]
        return tuple(
            typed_value(" " * start + part, self._form, self._form.unit, 1.0)
            for start, part in zip(starts, parts, strict=True)
        )


class NumbersEditor(Editor):
    """Several numbers, such as the components of a vector or the rows of a matrix.

    Each is typed, stepped by keys or, for vectors, dragged at its letter. `changed` always carries all of them.
    """

    def __init__(self, form: Form, scale: float, rows: int = 1, letters: str = "xyz"):
        """`rows` > 1 makes a matrix of `form.count` columns; `letters` name the components of a vector."""
        super().__init__()
        self._form, self._scale, self._rows = form, scale, rows
        self._values: list[float] = [0.0] * (form.count * rows)
        self._unit_name, self._size = form.unit, 1.0  # that is shown, and its size in that of the field
        self._start_value = 0.0
        self._stroke: object = None
        self.fields = [CommitLineEdit() for _ in self._values]
        self.letters: list[DragLabel] = []
        grid = grid_of(on=self, margins=0, spacing=(3, 3))
        for number, field in enumerate(self.fields):
            row, column = divmod(number, form.count)
            if rows == 1 and form.count == len(letters):
                grid.addWidget(self._create_letter(letters[column], number), row, 2 * column)
            grid.addWidget(field, row, 2 * column + 1)
            grid.setColumnStretch(2 * column + 1, 1)
            field.setMinimumWidth(max(field.minimumWidth(), field.fontMetrics().horizontalAdvance(WHOLE) + FRAME))
            field.editingFinished.connect(self._commit)
            field.stepped.connect(lambda steps, number=number: self._step(number, steps))
        self._unit = QLabel()
        self._unit.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        grid.addWidget(self._unit, rows - 1, 2 * form.count)
        self._stroke_timer = QTimer(self)
        self._stroke_timer.setSingleShot(True)
        self._stroke_timer.timeout.connect(self._end_stroke)

    def show_unit(self, unit: str) -> bool:
        self._unit.setText(unit)
        return True

    def show_in(self, name: str) -> None:
        self._unit_name, self._size = name, size_of(name, self._form.unit)
        self._unit.setText(unit_text(name))
        for number, field in enumerate(self.fields):
            if field.text():
                field.update_text(self._text(self._values[number]))

    def _text(self, value: Any) -> str:
        """Text of a component in the unit that is shown."""
        return text_of(in_shown_unit(value, self._size))

    def _create_letter(self, text: str, number: int) -> DragLabel:
        """Create the letter of a component."""
        letter = DragLabel(text)
        letter.setToolTip(self.tr("Drag to change the value; hold Shift for fine steps"))
        letter.pressed.connect(lambda: self._begin_stroke(number))
        letter.dragged.connect(lambda pixels: self._drag(number, pixels))
        letter.released.connect(self._end_stroke)
        self.letters.append(letter)
        return letter

    def show_value(self, value: Any, settle: bool = False) -> None:
        """Show a vector, or a matrix as a tuple of rows; None clears all fields."""
        flat = [None] * len(self.fields) if value is None else list(value)
        if self._rows > 1 and value is not None:
            flat = [number for row in value for number in row]
        for number, (field, each) in enumerate(zip(self.fields, flat, strict=True)):
            if each is not None:
                self._values[number] = each
            (field.set_committed_text if settle else field.update_text)(self._text(each))

    def _nested_values(self) -> tuple[Any, ...]:
        """Current values as a tuple, or as a tuple of rows."""
        if self._rows == 1:
            return tuple(self._values)
        count = self._form.count
        return tuple(tuple(self._values[row * count : (row + 1) * count]) for row in range(self._rows))

    def _commit(self) -> None:
        """Emit all numbers, or the problem of the first field that cannot be parsed."""
        if not any(field.has_uncommitted_text for field in self.fields):
            return
        chosen = ""
        values = list(self._values)
        for number, field in enumerate(self.fields):
            if field.has_uncommitted_text:
                try:
                    values[number] = self._parse(field.text().strip())
                    chosen = typed_unit(field.text(), self._form.unit) or chosen
                except FormulaError as error:
                    self.failed.emit(error.problem)
                    return
        old, self._values = self._values, values
        entered = self._nested_values()
        self._values = old  # until the edit is accepted
        self.changed.emit(entered, None)
        if chosen not in ("", self._unit_name):
            self.unit_chosen.emit(chosen)

    def _parse(self, text: str) -> Any:
        """Value of the text of one field. Raises FormulaError."""
        return typed_value(text, self._form, self._unit_name, self._size)

    def _step(self, number: int, steps: float) -> None:
        """Change a component by arrow keys or wheel; formulas are not stepped."""
        if not isinstance(self._values[number], int | float):
            return
        self._stroke = self._stroke or object()
        self._stroke_timer.start(STROKE_PAUSE)
        self._set_value(number, stepped(self._values[number], steps, self._form, self._scale, self._size))

    def _begin_stroke(self, number: int) -> None:
        """Begin a drag at the current value of a component."""
        self._stroke, self._start_value = object(), self._values[number]

    def _drag(self, number: int, pixels: float) -> None:
        """Set a component according to the distance of the drag [pixel]."""
        if not isinstance(self._values[number], int | float):
            return
        span = span_of(self._start_value, self._form, self._scale)
        value = self._start_value + pixels / DRAG_PIXELS * span
        whole = self._form.kind == "wholes"
        value = clipped(round(value) if whole else rounded(value, span), self._form, self._start_value)
        if value != self._values[number]:
            self._set_value(number, int(value) if whole else value)

    def _set_value(self, number: int, value: float) -> None:
        """Show a component and emit all of them as part of the current stroke; its uncertainty stays."""
        self._values[number] = value = with_uncertainty_of(self._values[number], value)
        self.fields[number].set_committed_text(self._text(value))
        self.changed.emit(self._nested_values(), self._stroke)

    def _end_stroke(self) -> None:
        """End the stroke; later changes are undone separately."""
        self._stroke = None
        self._stroke_timer.stop()
