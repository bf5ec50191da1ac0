"""Calibration of a sensor: hold something at known distances, and take each."""

from __future__ import annotations

from statistics import median
from time import perf_counter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.i18n.translation import capitalized, translate
from app.panels.widgets.spin_box import SpinBox
from app.sensor.calibration import Calibration, calibrated
from app.sensor.hub import SensorHub
from core.scene.message import Message
from core.scene.problem import InvalidValue

LAST = 1.0  # [s] of measurements whose middle one counts
FEWEST = 5  # of them
EVERY = 100  # [ms] between two looks at the sensor


class CalibrationDialog(QDialog):
    """`made` has the calibration that a person has agreed to."""

    made = Signal(object)  # Calibration

    def __init__(self, hub: SensorHub, known: Calibration, parent: QWidget):
        super().__init__(parent)
        self.setWindowTitle(self.tr("Calibrate the sensor"))
        self._hub = hub
        self._pairs = list(known.pairs)
        self.now, self.said = QLabel(), QLabel()
        self.distance = SpinBox(0.0, 10_000.0, "mm", 2)
        self.take, self.remove = QPushButton(self.tr("Take")), QPushButton(self.tr("Remove"))
        self.table, self.kind = QTableWidget(0, 3), QComboBox()
        self.buttons = QDialogButtonBox()
        self._lay_out(known)
        self.take.clicked.connect(self._take)
        self.remove.clicked.connect(self._remove)
        self.kind.activated.connect(lambda _row: self._show())
        self.table.itemSelectionChanged.connect(
            lambda: self.remove.setEnabled(bool(self.table.selectionModel().selectedRows()))
        )
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(EVERY)
        self._look()
        self._show()

    def _lay_out(self, known: Calibration) -> None:
        help_text = QLabel(
            self.tr(
                "Hold a flat object at a distance from the sensor's face that you have measured with a "
                "ruler. Type the distance and press Take. Repeat at two or more distances, far apart."
            )
        )
        self.kind.addItem(self.tr("Straight line"), "line")
        self.kind.addItem(self.tr("Table with linear interpolation"), "table")
        self.kind.setCurrentIndex(self.kind.findData(known.kind))
        for label in (help_text, self.said):
            label.setWordWrap(True)
        self.distance.setValue(100.0)
        self.take.setAutoDefault(False)
        self.remove.setAutoDefault(False)
        self.remove.setEnabled(False)
        self.table.setHorizontalHeaderLabels([self.tr("Sensor [mm]"), self.tr("Ruler [mm]"), self.tr("Residual [mm]")])
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        roles = QDialogButtonBox.ButtonRole
        self.save = self.buttons.addButton(self.tr("Apply calibration"), roles.AcceptRole)
        self.forget = self.buttons.addButton(self.tr("Clear calibration"), roles.DestructiveRole)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self._use)
        self.buttons.rejected.connect(self.reject)
        self.forget.clicked.connect(lambda: self._end(Calibration()))
        self._arrange(help_text)

    def _arrange(self, help_text: QLabel) -> None:
        row = QHBoxLayout()
        row.addWidget(QLabel(self.tr("Ruler")))
        row.addWidget(self.distance, 1)
        row.addWidget(self.take)
        column = QVBoxLayout(self)
        column.addWidget(help_text)
        column.addWidget(self.now)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        below = QHBoxLayout()
        below.addWidget(self.kind, 1)
        below.addWidget(self.remove)
        column.addLayout(below)
        column.addWidget(self.said)
        column.addWidget(self.buttons)
        self.resize(460, 420)

    @property
    def _kind(self) -> str:
        return str(self.kind.currentData())

    def _recent(self) -> list[float]:
        """Raw distances [mm] of the last second."""
        now = perf_counter()
        return [seen.raw for seen in self._hub.seen() if seen.raw is not None and now - seen.arrived < LAST]

    def _look(self) -> None:
        raw = self._recent()
        self.take.setEnabled(len(raw) >= FEWEST)
        if len(raw) < FEWEST:
            self.now.setText(self.tr("The sensor measures nothing."))
        else:
            text = self.tr("The sensor reads {raw} mm, with a spread of {spread} mm within one second.")
            self.now.setText(text.format(raw=f"{median(raw):.1f}", spread=f"{max(raw) - min(raw):.1f}"))

    def _take(self) -> None:
        raw = self._recent()
        if raw:
            self._pairs.append((median(raw), self.distance.value()))
            self._show()

    def _remove(self) -> None:
        for index in sorted((index.row() for index in self.table.selectionModel().selectedRows()), reverse=True):
            del self._pairs[index]
        self._show()

    def _made(self) -> Calibration | str:
        """The calibration, or why there is none."""
        try:
            return calibrated(self._pairs, "table" if self._kind == "table" else "line")
        except InvalidValue as error:
            return self._why(error.problem.message)

    def _why(self, reason: Message) -> str:
        return self.tr("{words}.").format(words=capitalized(translate(reason)))

    def _show(self) -> None:
        made = self._made()
        found = made if isinstance(made, Calibration) else None
        self.table.setRowCount(len(self._pairs))
        for row, (raw, known) in enumerate(self._pairs):
            off = f"{found(raw) - known:+.1f}" if found else ""
            for place, text in enumerate((f"{raw:.1f}", f"{known:g}", off)):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, place, item)
        self.save.setEnabled(found is not None)
        fits = self.tr("The largest residual is {off} mm.")
        self.said.setText(fits.format(off=f"{found.residual:.1f}") if found else str(made))

    def _use(self) -> None:
        made = self._made()
        if isinstance(made, Calibration):
            self._end(made)

    def _end(self, calibration: Calibration) -> None:
        self.made.emit(calibration)
        self.accept()
