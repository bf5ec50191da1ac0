"""Lists of numbers that distinguish attractors: features, or axes of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from polhode.scene.fields import forms
from polhode.scene.variants.outcome import MOST_CELLS_OF_AXIS, Feature, GridAxis
from polhode_app.docks.maps.key_button import ChoiceBox, KeyButton
from polhode_app.i18n.field_names import choice, quantity, tip
from polhode_app.window.widgets.icons import icon
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.spin_box import SpinBox

LARGEST = 1e12  # [SI]


class PartRow(QWidget):
    """One feature or one axis of a grid: `changed` carries it with other values, `removed` asks for its end."""

    changed = Signal(object)
    removed = Signal()

    def __init__(self, part: Feature | GridAxis, names: Sequence[str]):
        super().__init__()
        self.part = part
        self.quantity, self.of, self.remove = ChoiceBox(), ChoiceBox(), QToolButton()
        self.tolerance = SpinBox(1e-12, LARGEST, decimals=12)
        self.low, self.high = SpinBox(-LARGEST, LARGEST, decimals=9), SpinBox(-LARGEST, LARGEST, decimals=9)
        self.count = SpinBox(2, MOST_CELLS_OF_AXIS, decimals=0)
        numbers = (self.tolerance,) if isinstance(part, Feature) else (self.low, self.high, self.count)
        shown = (*([self.of] if isinstance(part, Feature) else []), *numbers)
        row_of((self.quantity, 2), *((each, 1) for each in shown), self.remove, on=self, margins=0, spacing=4)
        for box in numbers:
            box.setButtonSymbols(SpinBox.ButtonSymbols.NoButtons)
            box.setMinimumWidth(44)
            box.valueChanged.connect(lambda _value: self._on_edited())
        for choices in (self.quantity, self.of):
            choices.activated.connect(lambda _row: self._on_edited())
        self.remove.clicked.connect(lambda _checked: self.removed.emit())
        self.offer(names)
        self.show_part(part)
        self.remove.setIcon(icon("delete", self.palette()))

    def offer(self, names: Sequence[str]) -> None:
        """Set the columns of the table, and all texts."""
        self.quantity.offer([(quantity(name), name) for name in names])
        known = forms(type(self.part))
        self.remove.setToolTip(self.tr("Remove"))
        self.quantity.setToolTip(tip(known["quantity"], ""))
        if isinstance(self.part, Feature):
            self.of.offer([(choice(value), value) for value in known["of"].choices])
            self.of.setToolTip(tip(known["of"], ""))
            self.tolerance.setToolTip(tip(known["tolerance"], ""))
        else:
            for box in (self.low, self.high):
                box.setToolTip(tip(known["range"], ""))
            self.count.setToolTip(tip(known["count"], ""))

    def show_part(self, part: Feature | GridAxis) -> None:
        """Show its values."""
        self.part = part
        self.quantity.show_choice(part.quantity)
        if isinstance(part, Feature):
            self.of.show_choice(part.of)
            self.tolerance.show_value(part.tolerance)
        else:
            for box, value in zip((self.low, self.high, self.count), (*part.range, part.count), strict=True):
                box.show_value(value)

    def _on_edited(self) -> None:
        """Emit the part with the entered values."""
        changes: dict[str, object] = {"quantity": self.quantity.currentData()}
        if isinstance(self.part, Feature):
            changes |= {"of": self.of.currentData(), "tolerance": self.tolerance.value()}
        else:
            changes |= {"range": (self.low.value(), self.high.value()), "count": round(self.count.value())}
        self.changed.emit(self.part.model_copy(update=changes))


Kind = TypeVar("Kind", Feature, GridAxis)


class PartList(QWidget, Generic[Kind]):
    """Rows of parts, and a button for one more; `changed` carries all of them."""

    changed = Signal(object)  # tuple of parts

    def __init__(self, usual: Kind):
        """`usual`: template of a new part, besides its quantity."""
        super().__init__()
        self._usual, self._names = usual, list[str]()
        self.rows: list[PartRow] = []
        self.add = KeyButton()
        self._column = column_of(self.add, on=self, margins=0, spacing=2)
        self.add.clicked.connect(lambda _checked: self.changed.emit((*self.parts, self.usual())))

    @property
    def parts(self) -> tuple[Kind, ...]:
        """The shown parts."""
        return tuple(row.part for row in self.rows)  # type: ignore[misc]

    def usual(self) -> Kind:
        """A new part, of a column that has none yet."""
        taken = {part.quantity for part in self.parts}
        free = [name for name in self._names if name not in taken]
        return self._usual.model_copy(update={"quantity": (free or self._names or [self._usual.quantity])[0]})

    def offer(self, names: Sequence[str]) -> None:
        """Set the columns of the table, and all texts."""
        self._names = list(names)
        self.add.setText(self.tr("Add a quantity"))
        for row in self.rows:
            row.offer(names)

    def show_parts(self, parts: Sequence[Kind]) -> None:
        """Show these parts."""
        for row in self.rows[len(parts) :]:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        del self.rows[len(parts) :]
        for row, part in zip(self.rows, parts, strict=False):
            row.show_part(part)
        for number in range(len(self.rows), len(parts)):
            row = PartRow(parts[number], self._names)
            self.rows.append(row)
            self._column.insertWidget(number, row)
            row.changed.connect(lambda part, row=row: self._set(row, part))
            row.removed.connect(lambda row=row: self._set(row, None))

    def _set(self, row: PartRow, part: Kind | None) -> None:
        """Emit the parts with another one in a row, or without it."""
        number = self.rows.index(row)
        put = () if part is None else (part,)
        self.changed.emit((*self.parts[:number], *put, *self.parts[number + 1 :]))
