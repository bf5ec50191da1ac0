"""Row of one unknown of a fit: its name, its value before, and its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isinf

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QToolButton, QWidget

from polhode.formulas.parser import FormulaError
from polhode_app.docks.maps.key_button import KeyCheckBox
from polhode_app.edit.field_numbers import typed_number
from polhode_app.i18n.field_names import value_text
from polhode_app.window.widgets.icons import icon
from polhode_app.window.widgets.layouts import column_of, row_of, silent
from polhode_app.window.widgets.line_edit import CommitLineEdit
from polhode_app.window.widgets.plain_label import PlainLabel

FIELD = 76  # [pixel] width of a bound


class UnknownRow(QWidget):
    """`bounded` carries lowest and highest value [SI], infinite without one; `removed` asks for its end."""

    bounded = Signal(float, float)
    removed = Signal()
    marked = Signal(str, bool)  # "without" or "own", and whether it is checked

    def __init__(self, name: str):
        super().__init__()
        self.name, self.value = PlainLabel(name), PlainLabel()
        self.low, self.high, self.remove = CommitLineEdit(), CommitLineEdit(), QToolButton()
        self.name.setToolTip(name)
        for field in (self.low, self.high):
            field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            field.setFixedWidth(FIELD)
            field.editingFinished.connect(self._on_edited)
        below = row_of((self.value, 1), self.low, self.high, self.remove, spacing=4)
        self.marks = {"without": KeyCheckBox(), "own": KeyCheckBox()}
        marks = row_of(*self.marks.values(), 1, spacing=8)
        for kind, box in self.marks.items():
            box.toggled.connect(lambda on, kind=kind: self.marked.emit(kind, on))
        column_of(self.name, below, marks, on=self, margins=(0, 2, 0, 4), spacing=2)
        self.remove.setAutoRaise(True)
        self.remove.clicked.connect(lambda _checked: self.removed.emit())
        self.set_theme()

    def show_value(self, title: str, value: float, unit: str) -> None:
        """Show the display name and the value [SI] that a fit begins with; nan: the scene leaves it out."""
        self.name.setText(title)
        self.value.setText(value_text(value, unit))

    def show_marks(self, checked: Mapping[str, bool], visible: Mapping[str, bool]) -> None:
        """Show by kind whether the marks are checked, and whether they are there."""
        for kind, box in self.marks.items():
            with silent(box):
                box.setChecked(checked[kind])
            box.setVisible(visible[kind])

    def show_bounds(self, low: float, high: float) -> None:
        """Show bounds; infinite ones are none."""
        for field, bound in ((self.low, low), (self.high, high)):
            field.update_text("" if isinf(bound) else f"{bound:.6g}")

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.low.setPlaceholderText(self.tr("lowest"))
        self.high.setPlaceholderText(self.tr("highest"))
        self.low.setToolTip(self.tr("Lowest value [SI]; empty: none"))
        self.high.setToolTip(self.tr("Highest value [SI]; empty: none"))
        self.marks["without"].setText(self.tr("compare with this value fixed"))
        self.marks["without"].setToolTip(self.tr("Also fits a model in which this number keeps its value, to compare"))
        self.marks["own"].setText(self.tr("separate value in each run"))
        self.marks["own"].setToolTip(self.tr("Each run has a value of its own, as starts have"))
        self.remove.setToolTip(self.tr("Keep this number as it is"))

    def set_theme(self) -> None:
        """Draw the icon in the colours of the palette."""
        self.remove.setIcon(icon("delete", self.palette()))

    def _on_edited(self) -> None:
        bounds = _number(self.low, -1.0), _number(self.high, 1.0)
        self.bounded.emit(*bounds)


def _number(field: QLineEdit, sign: float) -> float:
    """The number in a field; infinite with a sign for an empty one, and for text without one, which is cleared."""
    try:
        return typed_number(field.text())
    except FormulaError:
        field.clear()
        return sign * inf
