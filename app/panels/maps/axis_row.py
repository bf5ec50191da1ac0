"""Row of one axis of a sweep: what it varies, its range and its count."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QToolButton, QWidget

from app.i18n.field_names import unit_text
from app.maps.cell import axis_title
from app.panels.widgets.icons import icon
from app.panels.widgets.spin_box import SpinBox
from core.scene.scene import Scene
from core.scene.variants.sweep import MOST_VALUES, Axis

LARGEST = 1e12  # of the ends of a range [SI]
NAMES = ("x", "y", "z")
KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class KeyButton(QPushButton):
    """A button that Space and Return press while it has the focus; elsewhere Space starts and pauses the run."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def event(self, event: QEvent) -> bool:
        """Claim its keys before shortcuts do."""
        is_override = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_override and event.key() in KEYS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button."""
        if event.key() in KEYS:
            self.click()
        else:
            super().keyPressEvent(event)


class AxisRow(QWidget):
    """Shows an axis, or the place for one more.

    `changed` carries the axis with other values; `chosen` asks for a number that it is to vary, `removed` for its end.
    """

    changed = Signal(object)  # Axis
    chosen = Signal()
    removed = Signal()

    def __init__(self, number: int):
        super().__init__()
        self.number = number
        self._axis: Axis | None = None
        self.name, self.dash, self.times = QLabel(NAMES[number]), QLabel("…"), QLabel("×")
        self.parameter, self.remove = KeyButton(), QToolButton()
        self.first, self.last = SpinBox(-LARGEST, LARGEST, decimals=9), SpinBox(-LARGEST, LARGEST, decimals=9)
        self.count = SpinBox(2, MOST_VALUES, decimals=0)
        self.unit = QLabel()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(2)
        grid.addWidget(self.name, 0, 0)
        grid.addWidget(self.parameter, 0, 1, 1, 6)
        grid.addWidget(self.remove, 0, 7)
        for column, widget in enumerate((self.first, self.dash, self.last, self.unit, self.times, self.count), 1):
            grid.addWidget(widget, 1, column)
        for column in (1, 3, 6):
            grid.setColumnStretch(column, 1)
        for box in (self.first, self.last, self.count):
            box.setButtonSymbols(SpinBox.ButtonSymbols.NoButtons)
            box.setMinimumWidth(48)
            box.valueChanged.connect(lambda _value: self._on_edited())
        self.parameter.clicked.connect(lambda _checked: self.chosen.emit())
        self.remove.clicked.connect(lambda _checked: self.removed.emit())

    def show_axis(self, scene: Scene, axis: Axis | None, unit: str, can_be_removed: bool) -> None:
        """Show an axis and the unit of its values; None is the place for one more."""
        self._axis = axis
        for widget in (self.first, self.dash, self.last, self.unit, self.times, self.count):
            widget.setVisible(axis is not None and axis.draws is None)
        self.remove.setVisible(axis is not None and can_be_removed)
        if axis is None:
            self.parameter.setText(self.tr("Drag a field here, or choose one..."))
            return
        text = axis_title(scene, axis.parameter)
        if axis.draws is not None:
            text = self.tr("{name}: {count} random values").format(name=text, count=axis.draws.count)
        self.parameter.setText(text)
        self.parameter.setToolTip(axis.parameter)
        self.unit.setText(unit_text(unit))
        if axis.range is not None and axis.count is not None:
            for box, value in zip((self.first, self.last, self.count), (*axis.range, axis.count), strict=True):
                box.blockSignals(True)
                box.setValue(value)
                box.blockSignals(False)

    def retranslate(self) -> None:
        """Set the texts that do not depend on the axis."""
        self.remove.setToolTip(self.tr("Remove this axis"))
        self.count.setToolTip(self.tr("Number of values"))
        self.first.setToolTip(self.tr("First value"))
        self.last.setToolTip(self.tr("Last value"))

    def set_theme(self) -> None:
        """Draw the icon in the colours of the palette."""
        self.remove.setIcon(icon("delete", self.palette(), 16))

    def _on_edited(self) -> None:
        """Emit the axis with the entered values."""
        if self._axis is not None:
            ends = self.first.value(), self.last.value()
            changes = {"range": ends, "count": round(self.count.value())}
            self.changed.emit(self._axis.model_copy(update=changes))
