"""Form of a sweep: axes, what is asked of each run, and how long the runs are."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QPalette
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QMenu, QVBoxLayout, QWidget

from app.edit.sweeps import varied_by, with_axis, without_axis
from app.i18n.field_names import choice, quantity
from app.maps.cell import axis_title
from app.panels.inspector.field_drag import dragged_field
from app.panels.maps.axis_row import AxisRow
from app.panels.widgets.plain_label import PlainLabel
from app.panels.widgets.spin_box import SpinBox
from core.scene.fields import forms
from core.scene.problem import InputError
from core.scene.scene import Scene
from core.scene.variants.sweep import MOST_AXES, Axis, Outcome, SweepSettings

WITH_QUANTITY = ("final", "extreme", "mean", "period", "section")
LONGEST = 1e9  # [s]


class SweepForm(QWidget):
    """Edits the settings of a sweep.

    `edited` carries other settings. Fields of the inspector can be dropped anywhere on it: on an axis they replace what
    that varies. `wanted` carries the path of a number for a sweep that is not there yet, `chooser_wanted` the index of
    the axis for which the list of all numbers is to be opened.
    """

    edited = Signal(object)  # SweepSettings
    wanted = Signal(str)
    chooser_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._scene, self.settings = Scene(), None
        self.rows = [AxisRow(number) for number in range(MOST_AXES)]
        self.kind, self.quantity, self.extreme, self.check = (QComboBox() for _ in range(4))
        self.until = SpinBox(1e-6, LONGEST, "s", decimals=6)
        self.labels = {name: QLabel() for name in ("outcome", "quantity", "until", "check")}
        self.error = PlainLabel()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        """Axes above the outcome."""
        self.setAcceptDrops(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 2, 6, 2)
        column.setSpacing(4)
        for row in self.rows:
            column.addWidget(row)
        grid = QGridLayout()
        grid.setContentsMargins(0, 2, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        grid.addWidget(self.labels["outcome"], 0, 0)
        grid.addWidget(self.kind, 0, 1)
        grid.addWidget(self.extreme, 0, 2, 1, 2)
        grid.addWidget(self.labels["quantity"], 1, 0)
        grid.addWidget(self.quantity, 1, 1, 1, 3)
        grid.addWidget(self.labels["until"], 2, 0)
        grid.addWidget(self.until, 2, 1)
        grid.addWidget(self.labels["check"], 2, 2)
        grid.addWidget(self.check, 2, 3)
        for place in (1, 3):
            grid.setColumnStretch(place, 1)
        column.addLayout(grid)
        column.addStretch(1)
        self.error.setWordWrap(True)
        self.error.setForegroundRole(QPalette.ColorRole.BrightText)
        self.error.hide()
        column.addWidget(self.error)
        for box in (self.kind, self.quantity, self.extreme, self.check):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(8)
            box.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _connect(self) -> None:
        """Connect the widgets to edits."""
        for number, row in enumerate(self.rows):
            row.changed.connect(lambda axis, number=number: self._set_axis(number, axis))
            row.chosen.connect(lambda number=number: self.chooser_wanted.emit(number))
            row.removed.connect(lambda number=number: self._edit(without_axis(self._stated, number)))
        for box in (self.kind, self.quantity, self.extreme):
            box.activated.connect(lambda _row: self._set_outcome())
        self.check.activated.connect(lambda _row: self._change(check=self.check.currentData()))
        self.until.valueChanged.connect(lambda value: self._change(until=value))

    # What it shows

    @property
    def _stated(self) -> SweepSettings:
        assert self.settings is not None
        return self.settings

    def show_sweep(self, scene: Scene, settings: SweepSettings | None, units: Mapping[str, str]) -> None:
        """Show the settings of a sweep of a scene, or that there is none; `units` are by parameter."""
        self._scene, self.settings = scene, settings
        axes = settings.axes if settings is not None else ()
        for number, row in enumerate(self.rows):
            axis = axes[number] if number < len(axes) else None
            row.setVisible(number <= len(axes))
            row.show_axis(scene, axis, units.get(axis.parameter, "") if axis else "", len(axes) > 1)
        for box in (self.kind, self.quantity, self.extreme, self.until, self.check, *self.labels.values()):
            box.setVisible(settings is not None)
        if settings is None:
            return
        outcome = settings.outcome
        needs_quantity = outcome.kind in WITH_QUANTITY
        self.quantity.setVisible(needs_quantity)
        self.labels["quantity"].setVisible(needs_quantity)
        self.extreme.setVisible(outcome.kind == "extreme")
        for box, value in ((self.kind, outcome.kind), (self.extreme, outcome.extreme), (self.check, settings.check)):
            box.setCurrentIndex(box.findData(value))
        self._show_quantity(outcome.quantity)
        self.until.show_value(settings.until)

    def _show_quantity(self, name: str) -> None:
        if name and self.quantity.findData(name) < 0:
            self.quantity.addItem(quantity(name), name)
        self.quantity.setCurrentIndex(self.quantity.findData(name))

    def offer_quantities(self, names: list[str]) -> None:
        """Set the columns of the table that an outcome can be taken of."""
        if names != [self.quantity.itemData(row) for row in range(self.quantity.count())]:
            self.quantity.clear()
            for name in names:
                self.quantity.addItem(quantity(name), name)
            if self.settings is not None:
                self._show_quantity(self.settings.outcome.quantity)

    def show_problem(self, text: str) -> None:
        """Show what is wrong with an edit; "" for nothing."""
        self.error.setText(text)
        self.error.setVisible(bool(text))

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.labels["outcome"].setText(self.tr("Asked for"))
        self.labels["quantity"].setText(self.tr("Quantity"))
        self.labels["until"].setText(self.tr("Runs last"))
        self.labels["check"].setText(self.tr("Check"))
        for box, model, key in (
            (self.kind, Outcome, "kind"),
            (self.extreme, Outcome, "extreme"),
            (self.check, SweepSettings, "check"),
        ):
            now = box.currentData()
            box.clear()
            for value in forms(model)[key].choices:
                box.addItem(choice(value), value)
            box.setCurrentIndex(box.findData(now))
        names = [self.quantity.itemData(row) for row in range(self.quantity.count())]
        self.quantity.clear()
        self.offer_quantities(names)
        for row in self.rows:
            row.retranslate()

    # Edits

    def _edit(self, settings: SweepSettings) -> None:
        self.show_problem("")
        self.edited.emit(settings)

    def _change(self, **changes: object) -> None:
        """Emit the settings with other values of some fields."""
        if self.settings is not None:
            self._edit(self.settings.model_copy(update=changes))

    def _set_axis(self, number: int, axis: Axis) -> None:
        axes = self._stated.axes
        self._change(axes=(*axes[:number], axis, *axes[number + 1 :]))

    def _set_outcome(self) -> None:
        """Emit the settings with the chosen outcome; one that needs a quantity gets the first without one."""
        if self.settings is None:
            return
        kind, name = self.kind.currentData(), self.quantity.currentData() or ""
        if kind in WITH_QUANTITY and not name and self.quantity.count():
            name = self.quantity.itemData(0)
        changes = {"kind": kind, "extreme": self.extreme.currentData(), "quantity": name}
        if kind != "attractor":
            changes |= {"near": (), "features": (), "grid": ()}
        self._change(outcome=self.settings.outcome.model_copy(update=changes))

    def vary(self, parameter: str, number: int | None) -> None:
        """Let axis `number`, or one more, vary the number at a path; without a sweep that begins one."""
        if self.settings is None:
            self.wanted.emit(parameter)
            return
        try:
            settings = with_axis(self._scene, self.settings, parameter, number)
        except InputError as error:
            self.show_problem("\n".join(str(problem) for problem in error.problems))
            return
        self._edit(settings)

    # Fields that are dragged here

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._consider(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._consider(event)

    def _consider(self, event: QDragMoveEvent) -> None:
        """Accept fields that have numbers."""
        place = dragged_field(event.mimeData())
        if place is not None and varied_by(self._scene, place):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """Vary the field that was dropped; of a vector, a menu asks for the component."""
        place = dragged_field(event.mimeData())
        if place is None:
            return
        event.acceptProposedAction()
        self.take_field(varied_by(self._scene, place), self._row_at(event.position().toPoint()))

    def _row_at(self, where: QPoint) -> int | None:
        """Index of the axis at a position; None beside them."""
        return next((row.number for row in self.rows if row.isVisible() and row.geometry().contains(where)), None)

    def take_field(self, parameters: tuple[str, ...], number: int | None) -> None:
        """Vary the one number of a field, or the component that a menu asks for."""
        if len(parameters) == 1:
            self.vary(parameters[0], number)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for parameter in parameters:
            action = menu.addAction(axis_title(self._scene, parameter))
            action.triggered.connect(lambda _checked, parameter=parameter: self.vary(parameter, number))
        row = self.rows[number] if number is not None else self
        menu.popup(row.mapToGlobal(QPoint(0, row.height())))
