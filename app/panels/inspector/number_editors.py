"""Editors of numbers: typed or as formulas, by a slider with fine steps, or by dragging a letter."""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import Any

from PySide6.QtCore import QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSlider, QWidget

from app.panels.widgets.line_edit import CommitLineEdit
from core.formulas.parser import FormulaError, parse
from core.scene.fields import Form

TICKS = 1000  # of a slider to each side
STROKE = 1200  # [ms] a pause this long ends a run of steps, which is undone as one
PIXELS = 250.0  # of a drag over the whole span
DECADE = 10.0  # by which a slider changes what is larger than zero, at its ends


class Editor(QWidget):
    """Shows the value of a field and says what somebody wants instead."""

    changed = Signal(object, object)  # value, and the stroke that the change is part of, or None
    failed = Signal(object)  # Problem: what was typed is no value

    def show_value(self, value: Any, settle: bool = False) -> None:
        """Show what is so now; what is being typed stays, unless that is to `settle`."""
        raise NotImplementedError  # Qt's metaclass knows no abstract methods

    def mark(self, column: int | None) -> None:
        """Mark what is wrong from a column of the text on."""


def number_in(text: str, whole: bool = False) -> float:
    """A number, or a formula of numbers such as 2*pi. Raises FormulaError."""
    number = float(parse(text, ())({}))
    return int(number) if whole and number == int(number) else number


def text_of(number: float | str | None) -> str:
    """A number as it is shown; a formula as it is."""
    return "" if number is None else number if isinstance(number, str) else f"{number:.10g}"


def span_of(value: float, form: Form, scale: float) -> float:
    """How far a drag over the whole span changes a number, in something of a size `scale`."""
    if isfinite(form.low) and isfinite(form.high):
        return form.high - form.low
    return max(2 * abs(value), scale)


def clipped(value: float, form: Form, start: float) -> float:
    """The nearest number that the field takes, on the way from `start`."""
    if form.beyond and value <= form.low:
        return (start + form.low) / 2
    return min(max(value, form.low), form.high)


def rounded(value: float, span: float) -> float:
    """A number to a thousandth of a span."""
    if span <= 0:
        return value
    return round(value, 3 - floor(log10(span))) + 0.0


def stepped(value: float, steps: float, form: Form, scale: float) -> float:
    """A number some steps farther; a step is a power of ten, about a hundredth of what it can be changed by."""
    if form.kind in ("whole", "wholes"):
        return int(clipped(value + (round(steps) or (1 if steps > 0 else -1)), form, value))
    span = span_of(value, form, scale)
    step = 10.0 ** floor(log10(span / 40))
    return clipped(round(value + steps * step, 2 - floor(log10(step))) + 0.0, form, value)


class NumberEditor(Editor):
    """A box, and a slider for what is continuous."""

    def __init__(self, form: Form, scale: float):
        super().__init__()
        self._form, self._scale = form, scale
        self._value: float = 0.0
        self._from = 0.0  # where a slide began
        self._stroke: object = None
        self.field = CommitLineEdit()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(-TICKS, TICKS)
        self.slider.setPageStep(TICKS // 10)
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Space stays with play
        self.slider.setVisible(form.kind == "number")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.field, 3)
        row.addWidget(self.slider, 2)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._end_stroke)
        self.field.editingFinished.connect(self._enter)
        self.field.stepped.connect(self._step)
        self.slider.sliderPressed.connect(self._press)
        self.slider.valueChanged.connect(self._slide)
        self.slider.sliderReleased.connect(self._end_stroke)

    def show_value(self, value: float | None, settle: bool = False) -> None:
        if value is not None:
            self._value = value
        (self.field.settle if settle else self.field.put)(text_of(value))
        if self._stroke is None:
            self._center()

    def mark(self, column: int | None) -> None:
        self.field.underline(column)

    def _enter(self) -> None:
        if not self.field.has_uncommitted_text:
            return
        try:
            value = number_in(self.field.text().strip(), self._form.kind == "whole")
        except FormulaError as error:
            self.failed.emit(error.problem)
            return
        self.changed.emit(value, None)

    def _step(self, steps: float) -> None:
        self._stroke = self._stroke or object()
        self._rest.start(STROKE)
        self._take(stepped(self._value, steps, self._form, self._scale))

    def _take(self, value: float) -> None:
        self._value = value
        self.field.set_committed_text(text_of(value))
        self.changed.emit(value, self._stroke)

    def _press(self) -> None:
        self._stroke, self._from = object(), self._value
        self._rest.stop()

    def _slide(self, tick: int) -> None:
        """A new place of the slider."""
        if not self.slider.isSliderDown():  # a click beside it
            self._press()
            self._rest.start(STROKE // 4)
        value = self._at(tick / TICKS)
        if value != self._value:
            self._take(value)

    def _at(self, share: float) -> float:
        """The number at a place between -1 and 1."""
        form, start = self._form, self._from
        if isfinite(form.low) and isfinite(form.high):
            span = form.high - form.low
            return clipped(rounded(form.low + (share + 1) / 2 * span, span), form, start)
        if form.low >= 0 and start > 0:  # such numbers count in parts
            return clipped(float(f"{start * DECADE**share:.4g}"), form, start)
        span = span_of(start, form, self._scale)
        return clipped(rounded(start + share * span / 2, span), form, start)

    def _end_stroke(self) -> None:
        self._stroke = None
        self._rest.stop()
        self._center()

    def _center(self) -> None:
        """Where the slider rests: in the middle, or where the number is between its bounds."""
        form = self._form
        bounded = isfinite(form.low) and isfinite(form.high)
        share = 2 * (self._value - form.low) / (form.high - form.low) - 1 if bounded else 0.0
        self.slider.blockSignals(True)
        self.slider.setValue(round(TICKS * share))
        self.slider.blockSignals(False)


class DragLabel(QLabel):
    """A name before a number that changes it when it is dragged to the right or left."""

    pressed = Signal()
    dragged = Signal(float)  # [pixel] since the press, a tenth with Shift
    released = Signal()

    def __init__(self, text: str):
        super().__init__(text)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setMinimumWidth(12)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._press: QPointF | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._press = event.position()
            self.pressed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._press is not None:
            fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.dragged.emit((event.position().x() - self._press.x()) * (0.1 if fine else 1.0))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._press = None
        self.released.emit()


class NumbersEditor(Editor):
    """Several numbers, as of a vector: typed, stepped, or dragged at their letters."""

    def __init__(self, form: Form, scale: float, rows: int = 1, letters: str = "xyz"):
        super().__init__()
        self._form, self._scale, self._rows = form, scale, rows
        self._values: list[float] = [0.0] * (form.count * rows)
        self._from = 0.0
        self._stroke: object = None
        self.fields = [CommitLineEdit() for _ in self._values]
        self.letters: list[DragLabel] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(3)
        grid.setVerticalSpacing(3)
        for number, field in enumerate(self.fields):
            row, column = divmod(number, form.count)
            if rows == 1 and form.count == len(letters):
                grid.addWidget(self._letter(letters[column], number), row, 2 * column)
            grid.addWidget(field, row, 2 * column + 1)
            grid.setColumnStretch(2 * column + 1, 1)
            field.editingFinished.connect(self._enter)
            field.stepped.connect(lambda steps, number=number: self._step(number, steps))
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._end_stroke)

    def _letter(self, text: str, number: int) -> DragLabel:
        letter = DragLabel(text)
        letter.setToolTip(self.tr("Drag to change the value; hold Shift for fine steps"))
        letter.pressed.connect(lambda: self._press(number))
        letter.dragged.connect(lambda pixels: self._drag(number, pixels))
        letter.released.connect(self._end_stroke)
        self.letters.append(letter)
        return letter

    def show_value(self, value: Any, settle: bool = False) -> None:
        flat = [None] * len(self.fields) if value is None else list(value)
        if self._rows > 1 and value is not None:
            flat = [number for row in value for number in row]
        for number, (field, each) in enumerate(zip(self.fields, flat, strict=True)):
            if each is not None:
                self._values[number] = each
            (field.settle if settle else field.put)(text_of(each))

    def _value(self) -> tuple[Any, ...]:
        if self._rows == 1:
            return tuple(self._values)
        count = self._form.count
        return tuple(tuple(self._values[row * count : (row + 1) * count]) for row in range(self._rows))

    def _enter(self) -> None:
        if not any(field.has_uncommitted_text for field in self.fields):
            return
        whole = self._form.kind == "wholes"
        values = list(self._values)
        for number, field in enumerate(self.fields):
            if field.has_uncommitted_text:
                try:
                    values[number] = self._read(field.text().strip(), whole)
                except FormulaError as error:
                    self.failed.emit(error.problem)
                    return
        old, self._values = self._values, values
        entered = self._value()
        self._values = old  # until that is so
        self.changed.emit(entered, None)

    def _read(self, text: str, whole: bool) -> Any:
        return number_in(text, whole)

    def _step(self, number: int, steps: float) -> None:
        if isinstance(self._values[number], str):
            return
        self._stroke = self._stroke or object()
        self._rest.start(STROKE)
        self._take(number, stepped(self._values[number], steps, self._form, self._scale))

    def _press(self, number: int) -> None:
        self._stroke, self._from = object(), self._values[number]

    def _drag(self, number: int, pixels: float) -> None:
        if isinstance(self._values[number], str):
            return
        span = span_of(self._from, self._form, self._scale)
        value = self._from + pixels / PIXELS * span
        whole = self._form.kind == "wholes"
        value = clipped(round(value) if whole else rounded(value, span), self._form, self._from)
        if value != self._values[number]:
            self._take(number, int(value) if whole else value)

    def _take(self, number: int, value: float) -> None:
        self._values[number] = value
        self.fields[number].set_committed_text(text_of(value))
        self.changed.emit(self._value(), self._stroke)

    def _end_stroke(self) -> None:
        self._stroke = None
        self._rest.stop()


class FormulasEditor(NumbersEditor):
    """Several numbers, each of which may be a formula instead: that is neither stepped nor dragged."""

    def _read(self, text: str, whole: bool) -> Any:
        try:
            return super()._read(text, whole)
        except FormulaError:
            return text  # the scene says what is wrong with it, if anything is
