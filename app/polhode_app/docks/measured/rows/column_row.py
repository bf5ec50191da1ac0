"""Row of one column of measured data: its quantity, unit, scale and offset, and the residuals of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPalette
from PySide6.QtWidgets import QComboBox, QCompleter, QLabel, QWidget

from polhode.data.measured import Column
from polhode_app.data.measured.measured_layer import Assignment
from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.i18n.field_names import quantity, unit_text
from polhode_app.window.widgets.data_drag import DataLabel
from polhode_app.window.widgets.layouts import Cell, grid_of
from polhode_app.window.widgets.plain_label import PlainLabel
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.wheel import ComboBox

LARGEST = 1e12  # of scales and offsets
NONE = ""  # in place of a quantity
USUAL_UNITS = ("m", "cm", "mm", "s", "ms", "rad", "deg", "rad/s", "deg/s", "m/s", "cm/s", "m/s^2", "T", "mT", "uT", "N")


class ColumnRow(QWidget):
    """Shows a column. Quantities that are dragged from the inspector can be dropped on it.

    `assigned` carries a quantity or "", `calibrated` scale and offset, `unit_chosen` a unit in place of the file's.
    """

    assigned = Signal(str)
    calibrated = Signal(float, float)
    unit_chosen = Signal(str)

    def __init__(self, column: Column):
        super().__init__()
        self.column = column
        self._known: Sequence[str] = ()
        self.name, self.unit, self.quantity = DataLabel(column.name), ComboBox(), ComboBox()
        self.scale, self.offset = SpinBox(-LARGEST, LARGEST, decimals=9), SpinBox(-LARGEST, LARGEST, decimals=9)
        self.labels = {name: QLabel() for name in ("measures", "scale", "offset")}
        self.state, self.mend = PlainLabel(), KeyButton()
        self._mended: Callable[[], None] | None = None  # what the button does
        self._lay_out()
        self.mend.clicked.connect(lambda _checked: self._mended and self._mended())
        self.quantity.activated.connect(lambda _row: self.assigned.emit(self.quantity.currentData() or NONE))
        self.unit.activated.connect(lambda _row: self.unit_chosen.emit(self.unit.currentText()))
        self.quantity.lineEdit().returnPressed.connect(self._take_typed)
        for box in (self.scale, self.offset):
            box.valueChanged.connect(lambda _value: self.calibrated.emit(self.scale.value(), self.offset.value()))

    def _lay_out(self) -> None:
        self.setAcceptDrops(True)
        labels = self.labels
        rows: tuple[tuple[Cell, ...], ...] = (
            ((self.name, 3), self.unit),
            (labels["measures"], (self.quantity, 3)),
            (labels["scale"], self.scale, labels["offset"], self.offset),
            ((self.state, 4),),
        )
        grid = grid_of(*rows, on=self, margins=(0, 2, 0, 6), spacing=(6, 3), stretched=(1, 3))
        grid.addWidget(self.mend, len(rows), 0, 1, 4, Qt.AlignmentFlag.AlignLeft)
        self.mend.hide()
        font = self.name.font()
        font.setBold(True)
        self.name.setFont(font)
        self.state.setWordWrap(True)
        for box in (self.scale, self.offset):
            box.setButtonSymbols(SpinBox.ButtonSymbols.NoButtons)
            box.setMinimumWidth(60)
        for box in (self.unit, self.quantity):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(6)
            box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        stated = self.column.stated or self.column.unit
        self.unit.addItems(list(dict.fromkeys([stated, *USUAL_UNITS])))
        self.unit.setItemText(0, unit_text(stated))
        self.quantity.setEditable(True)
        self.quantity.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = self.quantity.completer()
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.quantity.setMaxVisibleItems(20)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.name.setToolTip(
            self.tr("Drag it onto a quantity in the list of the plots, or onto a field that takes formulas")
        )
        self.labels["measures"].setText(self.tr("Measures"))
        self.labels["scale"].setText(self.tr("Scale"))
        self.labels["offset"].setText(self.tr("Offset"))
        self.unit.setToolTip(self.tr("Unit of the numbers in the file"))
        self.unit.setAccessibleName(f"{self.column.name}: {self.unit.toolTip()}")
        for name, box in (("measures", self.quantity), ("scale", self.scale), ("offset", self.offset)):
            box.setAccessibleName(f"{self.column.name}: {self.labels[name].text()}")
        self.quantity.setToolTip(
            self.tr("Quantity of the run that this column measures: choose, type, or drag a live value here")
        )
        self.quantity.lineEdit().setPlaceholderText(self.tr("nothing yet"))
        self.scale.setToolTip(self.tr("The quantity is scale times reading plus offset"))
        self.offset.setToolTip(self.scale.toolTip())
        known, self._known = self._known, ()
        self.offer(known)

    def offer(self, names: Sequence[str]) -> None:
        """Set the quantities that the scene has."""
        if list(names) == list(self._known):
            return
        self._known = list(names)
        now = self.quantity.currentData()
        with QSignalBlocker(self.quantity):
            self.quantity.clear()
            self.quantity.addItem(self.tr("nothing"), NONE)
            for name in names:
                self.quantity.addItem(quantity(name), name)
        self._choose(now or NONE)

    def show_assignment(self, assignment: Assignment, unit: str) -> None:
        """Show the quantity that the column measures, with its `unit`."""
        self._choose(assignment.quantity)
        is_used = bool(assignment.quantity)
        for widget in (self.scale, self.offset, self.labels["scale"], self.labels["offset"], self.state):
            widget.setVisible(is_used)
        self.scale.show_value(assignment.scale)
        self.offset.show_value(assignment.offset)
        self.offset.setSuffix(f" {unit_text(unit)}" if unit else "")

    def show_state(self, text: str, is_doubtful: bool = False) -> None:
        """Show the residuals of the run, in the colour of warnings if they are doubtful."""
        role = QPalette.ColorRole.BrightText if is_doubtful else QPalette.ColorRole.WindowText
        if self.state.foregroundRole() != role:
            self.state.setForegroundRole(role)
        if text != self.state.text():
            self.state.setText(text)

    def suggest_nothing(self) -> None:
        """Hide the button."""
        self._suggest(None, "")

    def suggest_unit(self, unit: str, factor: float) -> None:
        """Offer a correction of a wrong unit: a unit, or "" for a factor of the scale."""
        if unit:
            text = self.tr("Read it in {unit}").format(unit=unit_text(unit))
            self._suggest(lambda: self.unit_chosen.emit(unit), text)
        else:
            text = self.tr("Scale {scale}").format(scale=f"{self.scale.value() * factor:.6g}")
            scaled = lambda: self.calibrated.emit(self.scale.value() * factor, self.offset.value() * factor)  # noqa: E731
            self._suggest(scaled, text)

    def suggest_quantity(self, name: str) -> None:
        """Offer another quantity."""
        self._suggest(lambda: self.assigned.emit(name), self.tr("Measures {quantity}").format(quantity=quantity(name)))

    def suggest_offset(self, offset: float, unit: str) -> None:
        """Offer another offset, in SI."""
        text = self.tr("Offset {offset}").format(offset=f"{offset:.4g} {unit_text(unit)}".rstrip())
        self._suggest(lambda: self.calibrated.emit(self.scale.value(), offset), text)

    def _suggest(self, mended: Callable[[], None] | None, text: str) -> None:
        """Show the button with a text, or hide it."""
        self._mended = mended
        self.mend.setVisible(mended is not None)
        self.mend.setText(text)

    def _choose(self, name: str) -> None:
        """Select a quantity; one that the scene has not is added."""
        with QSignalBlocker(self.quantity):
            row = self.quantity.findData(name)
            if row < 0:
                self.quantity.addItem(quantity(name), name)
                row = self.quantity.count() - 1
            self.quantity.setCurrentIndex(row)
            if name == NONE:
                self.quantity.setEditText("")

    def _take_typed(self) -> None:
        """Assign a name that was typed and is not in the list, such as that of a point of a body."""
        text = self.quantity.currentText().strip()
        if text and self.quantity.findText(text, Qt.MatchFlag.MatchFixedString) < 0:
            self.assigned.emit(text)

    # Quantities that are dragged here

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept text that names a quantity, as dragged from the live values of the inspector."""
        if self._dropped(event.mimeData().text()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Assign the first quantity of that text."""
        name = self._dropped(event.mimeData().text())
        if name:
            event.acceptProposedAction()
            self.assigned.emit(name)

    def _dropped(self, text: str) -> str:
        return next((name for name in text.split("\n") if name in self._known), "")
