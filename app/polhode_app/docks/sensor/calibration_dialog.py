"""Calibration of the sensor: measures known distances and fits a line or a table to them."""

from __future__ import annotations

from statistics import median
from time import perf_counter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue
from polhode_app.i18n.translation import capitalized, translate
from polhode_app.sensor.calibration import Calibration, calibrated
from polhode_app.sensor.hub import SensorHub
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.wheel import ComboBox

AVERAGING_TIME = 1.0  # [s] window of the median
MIN_SAMPLES = 5  # least number of measurements in the window
POLL_INTERVAL = 100  # [ms] interval of updates


class CalibrationDialog(QDialog):
    """Collects pairs of a raw sensor value and a distance measured with a ruler.

    The raw value is the median of the measurements of the last AVERAGING_TIME. The table shows the residual of each
    pair for the selected kind of calibration, which can be applied as soon as it is valid.
    """

    calibration_changed = Signal(object)
    """The new Calibration, when the user applies or clears it."""

    def __init__(self, hub: SensorHub, known: Calibration, parent: QWidget):
        """Create the dialog with the pairs of the `known` calibration; `hub` provides the measurements."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Calibrate the sensor"))
        self._hub = hub
        self._pairs = list(known.pairs)
        self.reading_label, self.residual_label = QLabel(), QLabel()
        self.distance = SpinBox(0.0, 10_000.0, "mm", 2)
        self.take_button, self.remove_button = QPushButton(self.tr("Measure")), QPushButton(self.tr("Remove"))
        self.table, self.kind = QTableWidget(0, 3), ComboBox()
        self.buttons = QDialogButtonBox()
        self._lay_out(known)
        self.take_button.clicked.connect(self._add_pair)
        self.remove_button.clicked.connect(self._remove_pairs)
        self.kind.activated.connect(lambda _row: self._update_table())
        self.table.itemSelectionChanged.connect(
            lambda: self.remove_button.setEnabled(bool(self.table.selectionModel().selectedRows()))
        )
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._update_reading)
        self._timer.start(POLL_INTERVAL)
        self._update_reading()
        self._update_table()

    def _lay_out(self, known: Calibration) -> None:
        """Set up the widgets."""
        help_text = QLabel(
            self.tr(
                "Hold a flat object at a distance from the sensor's face that you have measured with a "
                "ruler. Type the distance and press Measure. Repeat at two or more distances, far apart."
            )
        )
        self.kind.addItem(self.tr("Straight line"), "line")
        self.kind.addItem(self.tr("Table with linear interpolation"), "table")
        self.kind.setCurrentIndex(self.kind.findData(known.kind))
        for label in (help_text, self.residual_label):
            label.setWordWrap(True)
        self.distance.setValue(100.0)
        self.take_button.setAutoDefault(False)
        self.remove_button.setAutoDefault(False)
        self.remove_button.setEnabled(False)
        self.table.setHorizontalHeaderLabels([self.tr("Sensor [mm]"), self.tr("Ruler [mm]"), self.tr("Residual [mm]")])
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().hide()
        self.table.setTabKeyNavigation(False)  # Tab leaves the table; arrow keys move from cell to cell
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        roles = QDialogButtonBox.ButtonRole
        self.apply_button = self.buttons.addButton(self.tr("Apply calibration"), roles.AcceptRole)
        self.clear_button = self.buttons.addButton(self.tr("Clear calibration"), roles.DestructiveRole)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self._apply)
        self.buttons.rejected.connect(self.reject)
        self.clear_button.clicked.connect(lambda: self._finish(Calibration()))
        self._lay_out_rows(help_text)

    def _lay_out_rows(self, help_text: QLabel) -> None:
        """Place the widgets."""
        ruler = row_of(QLabel(self.tr("Ruler")), (self.distance, 1), self.take_button)
        below = row_of((self.kind, 1), self.remove_button), self.residual_label, self.buttons
        column_of(help_text, self.reading_label, ruler, (self.table, 1), *below, on=self)
        self.resize(scaled(460), scaled(420))

    @property
    def _kind(self) -> str:
        """Kind of the calibration: "line" or "table"."""
        return str(self.kind.currentData())

    def _recent_raw(self) -> list[float]:
        """Raw values [mm] of the last AVERAGING_TIME, without failed measurements."""
        now = perf_counter()
        return [
            seen.raw for seen in self._hub.readings() if seen.raw is not None and now - seen.arrived < AVERAGING_TIME
        ]

    def _update_reading(self) -> None:
        """Show the current raw value and its spread. Called by a timer."""
        raw = self._recent_raw()
        self.take_button.setEnabled(len(raw) >= MIN_SAMPLES)
        if len(raw) < MIN_SAMPLES:
            self.reading_label.setText(self.tr("The sensor measures nothing."))
        else:
            text = self.tr("The sensor reads {raw} mm, with a spread of {spread} mm within one second.")
            self.reading_label.setText(text.format(raw=f"{median(raw):.1f}", spread=f"{max(raw) - min(raw):.1f}"))

    def _add_pair(self) -> None:
        """Add a pair of the current raw value and the entered distance."""
        raw = self._recent_raw()
        if raw:
            self._pairs.append((median(raw), self.distance.value()))
            self._update_table()

    def _remove_pairs(self) -> None:
        """Remove the selected pairs."""
        for index in sorted((index.row() for index in self.table.selectionModel().selectedRows()), reverse=True):
            del self._pairs[index]
        self._update_table()

    def _result(self) -> Calibration | str:
        """The calibration by the current pairs, or the reason why they give none."""
        try:
            return calibrated(self._pairs, "table" if self._kind == "table" else "line")
        except InvalidValue as error:
            return self._reason_text(error.problem.message)

    def _reason_text(self, reason: Message) -> str:
        """A reason as a translated sentence."""
        return self.tr("{words}.").format(words=capitalized(translate(reason)))

    def _update_table(self) -> None:
        """Show all pairs with their residuals, and the largest residual."""
        result = self._result()
        calibration = result if isinstance(result, Calibration) else None
        self.table.setRowCount(len(self._pairs))
        for row, (raw, known) in enumerate(self._pairs):
            residual = f"{calibration(raw) - known:+.1f}" if calibration else ""
            for column, text in enumerate((f"{raw:.1f}", f"{known:g}", residual)):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, column, item)
        self.apply_button.setEnabled(calibration is not None)
        fits = self.tr("The largest residual is {off} mm.")
        self.residual_label.setText(fits.format(off=f"{calibration.residual:.1f}") if calibration else str(result))

    def _apply(self) -> None:
        """Finish with the current calibration, if it is valid."""
        result = self._result()
        if isinstance(result, Calibration):
            self._finish(result)

    def _finish(self, calibration: Calibration) -> None:
        """Emit the calibration and close."""
        self.calibration_changed.emit(calibration)
        self.accept()
