"""Tab of the fit: unknowns with bounds, their identifiability, the fit, and its result."""

from __future__ import annotations

from collections.abc import Container, Mapping

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QProgressBar, QWidget

from polhode.fitting.fit import LOSSES
from polhode.scene.scene import Scene
from polhode_app.docks.inspector.field_drag import FieldTarget
from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.docks.measured.models_box import ModelsBox
from polhode_app.docks.measured.profile_box import ProfileBox
from polhode_app.docks.measured.result_table import ResultTable
from polhode_app.docks.measured.rows.unknown_row import UnknownRow
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, grid_of, row_of, scrolled
from polhode_app.window.widgets.plain_label import NoteLabel
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.wheel import ComboBox

MOST_SEGMENTS = 1000.0
MOST_HELD_OUT = 90.0  # [%]


class FitTab(FieldTarget):
    """Fields of the inspector can be dropped anywhere on it.

    `freed` carries the path of a number that is to be unknown, `kept` of one that is not any more.
    """

    freed = Signal(str)
    kept = Signal(str)
    bounded = Signal(str, float, float)
    options_changed = Signal()
    marked = Signal(str, str, bool)  # "without" or "own", an unknown, and whether it is so

    def __init__(self, table: ResultTable, profile: ProfileBox, models: ModelsBox):
        """The parts of the result are made by the caller, who may spread that over several events."""
        super().__init__()
        self.table, self.profile, self.models = table, profile, models
        self.rows: dict[str, UnknownRow] = {}
        self.choose, self.fit, self.cancel = KeyButton(), KeyButton(), KeyButton()
        self.apply, self.report, self.ghost = KeyButton(), KeyButton(), QCheckBox()
        self.loss, self.hold_out = ComboBox(), SpinBox(0.0, MOST_HELD_OUT, "%", decimals=1)
        self.segments = SpinBox(1.0, MOST_SEGMENTS, "", decimals=0)
        self.labels = {name: QLabel() for name in ("loss", "hold_out", "segments")}
        self.determination, self.state, self.tests = NoteLabel(), NoteLabel(), NoteLabel()
        self.error, self.outdated = NoteLabel(is_error=True), NoteLabel(is_error=True)
        self.progress = QProgressBar()
        self._lay_out()
        self.loss.activated.connect(lambda _row: self.options_changed.emit())
        for number in (self.hold_out, self.segments):
            number.valueChanged.connect(lambda _value: self.options_changed.emit())

    def _lay_out(self) -> None:
        self._list, inside = column_of(spacing=0), QWidget()
        buttons = row_of((self.fit, 1), self.cancel)  # above texts that come and go, so that no press meets another
        state = self.progress, self.state, self.error, self.determination
        result = (
            self.outdated,
            self.table,
            self.tests,
            self.models.table,
            self.models.problems,
            self.profile,
            self.ghost,
        )
        last = row_of((self.apply, 1), (self.report, 1))
        rows = self._list, self.choose, self._options(), self.models, buttons, *state, *result, last
        column_of(*rows, 1, on=inside, margins=(8, 6, 8, 6), spacing=5)
        self.progress.setTextVisible(False)
        self.progress.setMaximumHeight(8)
        self.progress.setRange(0, 0)  # busy: how many runs a fit takes is not known
        self.ghost.setChecked(True)
        focus_by_tab(self.ghost)
        column_of(scrolled(inside), on=self, margins=0)

    def _options(self) -> QGridLayout:
        """Loss and the part that is held out."""
        for loss in LOSSES:
            self.loss.addItem("", loss)
        focus_by_tab(self.loss)
        self.loss.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.loss.setMinimumContentsLength(8)
        for number in (self.hold_out, self.segments):
            number.setButtonSymbols(SpinBox.ButtonSymbols.NoButtons)
            number.setMinimumWidth(60)
        cells = self.labels["loss"], self.loss, self.labels["hold_out"], self.hold_out
        further = None, None, self.labels["segments"], self.segments
        return grid_of(cells, further, spacing=(6, -1), stretched=(1, 3))

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.choose.setText(self.tr("Drag a field here, or choose an unknown..."))
        self.labels["loss"].setText(self.tr("Outliers"))
        self.labels["hold_out"].setText(self.tr("Test share"))
        losses = self.tr("count fully"), self.tr("count less"), self.tr("count linearly"), self.tr("hardly count")
        for row, text in enumerate(losses):
            self.loss.setItemText(row, text)
        self.loss.setToolTip(self.tr("Loss function of scipy: linear, soft_l1, huber, cauchy"))
        self.loss.setAccessibleName(self.labels["loss"].text())
        self.hold_out.setToolTip(self.tr("Fraction of the rows, at the end, that is predicted but not fitted"))
        self.hold_out.setAccessibleName(self.labels["hold_out"].text())
        self.labels["segments"].setText(self.tr("Segments"))
        tip = self.tr("Parts of the data with starts of their own, for data that no single run follows")
        self.segments.setToolTip(tip)
        self.segments.setAccessibleName(self.labels["segments"].text())
        self.fit.setText(self.tr("Fit"))
        self.cancel.setText(self.tr("Cancel"))
        self.apply.setText(self.tr("Apply"))
        self.apply.setToolTip(self.tr("Sets these values in the scene and restarts it. Undo reverts this."))
        self.report.setText(self.tr("Report..."))
        self.report.setToolTip(self.tr("Writes pictures, values and method as HTML or PDF"))
        self.ghost.setText(self.tr("Show the previous scene as a ghost"))
        self.table.retranslate()
        self.models.retranslate()
        self.profile.retranslate()
        for row in self.rows.values():
            row.retranslate()

    def set_theme(self) -> None:
        """Adopt the colours of the window."""
        for row in self.rows.values():
            row.set_theme()

    # Display

    def show_unknowns(self, scene: Scene, unknowns: Mapping[str, tuple[str, float, str, tuple[float, float]]]) -> None:
        """Show unknowns of a scene: title, value, unit and bounds by path."""
        self._scene = scene
        if list(self.rows) != list(unknowns):
            for row in self.rows.values():
                row.hide()
                row.deleteLater()
            self.rows = {}
            for name in unknowns:
                row = self.rows[name] = UnknownRow(name)
                row.bounded.connect(lambda low, high, name=name: self.bounded.emit(name, low, high))
                row.removed.connect(lambda name=name: self.kept.emit(name))
                row.marked.connect(lambda kind, on, name=name: self.marked.emit(kind, name, on))
                row.retranslate()
                self._list.addWidget(row)
        for name, (title, value, unit, bounds) in unknowns.items():
            self.rows[name].show_value(title, value, unit)
            self.rows[name].show_bounds(*bounds)

    def show_marks(self, own: Container[str], without: Container[str], has_runs: bool) -> None:
        """Show which unknowns have values of their own in each run, and which another model holds."""
        visible = {"own": has_runs, "without": len(self.rows) > 1}
        for name, row in self.rows.items():
            row.show_marks({"own": name in own, "without": name in without}, visible)

    # Fields that are dragged here

    def take(self, parameter: str, _target: QWidget) -> None:
        """Free a number that was dropped."""
        self.freed.emit(parameter)

    def target_at(self, _where: QPoint) -> QWidget:
        """The button that chooses an unknown."""
        return self.choose
