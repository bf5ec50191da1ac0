"""Tab of the data: the file, the clock, and a row for each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QWidget

from polhode.scene.gallery import seen_as
from polhode_app.data.measured.measured_layer import Assignment, MeasuredLayer, input_fields
from polhode_app.data.measured.measured_poses import has_positions
from polhode_app.data.measured.seen_quantities import by_unit
from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.docks.measured.rows.camera_row import CameraRow
from polhode_app.docks.measured.rows.column_row import ColumnRow
from polhode_app.docks.measured.rows.phone_row import PhoneRow
from polhode_app.docks.measured.rows.pose_row import PoseRow
from polhode_app.docks.measured.rows.sensor_row import SensorRow
from polhode_app.docks.measured.rows.times_row import TimesRow
from polhode_app.window.widgets.layouts import column_of, grid_of, row_of, scrolled
from polhode_app.window.widgets.plain_label import NoteLabel, PlainLabel
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.wheel import ComboBox

LONGEST = 1e9  # [s]
MOST_ROWS = 60  # columns that are shown


class DataTab(QWidget):
    """Shows a layer of measured data.

    Signals carry user actions: the column comes first where there is one.
    """

    open_wanted = Signal()
    table_chosen = Signal(str)
    assigned = Signal(str, str)
    calibrated = Signal(str, float, float)
    unit_chosen = Signal(str, str)
    clock_changed = Signal(float, float, float)  # offset [s], scale, smoothing [s]
    plot_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self, phone: PhoneRow, sensor: SensorRow, camera: CameraRow, pose: PoseRow):
        """The rows of live sources are made by the caller, who may spread that over several events."""
        super().__init__()
        self.phone, self.sensor, self.camera, self.pose = phone, sensor, camera, pose
        self._table = ""  # that was chosen
        self.open, self.plot, self.file, self.tables = KeyButton(), KeyButton(), PlainLabel(), ComboBox()
        self.from_phone, self.from_sensor, self.from_camera = KeyButton(), KeyButton(), KeyButton()
        self.reading, self.cancel, self.times = QProgressBar(), KeyButton(), TimesRow()
        self.hint, self.notes, self.error = NoteLabel(), NoteLabel(), NoteLabel(is_error=True)
        self.offset = SpinBox(-LONGEST, LONGEST, "s", decimals=9)
        self.scale = SpinBox(1e-6, 1e6, decimals=9)
        self.smoothing = SpinBox(0.0, LONGEST, "s", decimals=6)
        self.labels = {name: QLabel() for name in ("offset", "scale", "smoothing")}
        self.rows: dict[str, ColumnRow] = {}
        self._lay_out()
        self.open.clicked.connect(lambda _checked: self.open_wanted.emit())
        for button, row in self._live_rows():
            button.setCheckable(True)
            row.hide()
            button.toggled.connect(row.setVisible)
        self.plot.clicked.connect(lambda _checked: self.plot_wanted.emit())
        self.cancel.clicked.connect(lambda _checked: self.cancel_wanted.emit())
        self.tables.activated.connect(lambda _row: self.table_chosen.emit(self.tables.currentText()))
        for box in (self.offset, self.scale, self.smoothing):
            box.valueChanged.connect(lambda _value: self._on_clock())

    def _lay_out(self) -> None:
        self.clock, inside, boxes = QWidget(), QWidget(), self._clock_boxes()
        labels = [self.labels[name] for name in boxes]
        grid_of(labels, [*boxes.values()], on=self.clock, margins=0, stretched=range(len(boxes)))
        for box in boxes.values():
            box.setButtonSymbols(SpinBox.ButtonSymbols.NoButtons)
            box.setMinimumWidth(60)
        self._list = column_of(1, on=inside, margins=(0, 0, 6, 0), spacing=0)
        self._area = scrolled(inside)
        live = [row for _, row in self._live_rows()]
        head = *self._top(), *live, self._progress(), self.hint, self.notes, self.error, self.times
        column_of(*head, self.pose, self.clock, (self._area, 1), 0, on=self, margins=(8, 6, 8, 6), spacing=5)
        self.tables.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContentsOnFirstShow)
        self.tables.hide()
        self.times.hide()
        self.show_file("", (), ())

    def _top(self) -> tuple[QHBoxLayout, QHBoxLayout]:
        """Rows of the sources of data, and of the shown file."""
        self.file.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # a long name is cut off
        sources = row_of(self.open, *(button for button, _ in self._live_rows()), 0)
        return sources, row_of((self.file, 1), self.tables, self.plot)

    def _live_rows(self) -> tuple[tuple[KeyButton, QWidget], ...]:
        """Buttons of the live sources, and the rows that they show."""
        phone, sensor, camera = (self.from_phone, self.phone), (self.from_sensor, self.sensor), self.camera
        return phone, sensor, (self.from_camera, camera)

    def _progress(self) -> QHBoxLayout:
        """Progress of reading a file, and the button that cancels it; hidden unless it takes a while."""
        self.reading.setRange(0, 1000)
        self.show_reading(None)
        return row_of((self.reading, 1), self.cancel)

    def _clock_boxes(self) -> dict[str, SpinBox]:
        return {"offset": self.offset, "scale": self.scale, "smoothing": self.smoothing}

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.open.setText(self.tr("Open data..."))
        self.from_phone.setText(self.tr("Phone..."))
        self.from_phone.setToolTip(self.tr("Receive measurements of phyphox on a phone in the same network"))
        self.phone.retranslate()
        self.from_sensor.setText(self.tr("Sensor..."))
        self.from_sensor.setToolTip(self.tr("Record the distance sensor"))
        self.sensor.retranslate()
        self.from_camera.setText(self.tr("Film..."))
        self.from_camera.setToolTip(self.tr("Measure the pose of a printed tag in a film or with a camera"))
        self.camera.retranslate()
        self.pose.retranslate()
        self.times.retranslate()
        self.plot.setText(self.tr("Plot"))
        self.cancel.setText(self.tr("Cancel"))
        self.reading.setFormat(self.tr("Reading the file: %p %"))
        self.reading.setAccessibleName(self.tr("Part of the file that is read"))
        self.plot.setToolTip(self.tr("Plot the measured quantities beside the run"))
        self.hint.setText(
            self.tr(
                "Tables as text (CSV), exports of phyphox (zip, xlsx), projects of Tracker (.trk), films of a "
                "printed tag. A file can be dropped on the window too."
            )
        )
        texts = {
            "offset": (self.tr("Time offset"), self.tr("Time of the run at t = 0 of the data")),
            "scale": (self.tr("Time scale"), self.tr("Seconds of the run in one second of the data")),
            "smoothing": (
                self.tr("Smoothing"),
                self.tr("Width of the smoothing of the drawn data; residuals and fits use the original readings"),
            ),
        }
        for name, (text, tip) in texts.items():
            self.labels[name].setText(text)
            self._clock_boxes()[name].setToolTip(tip)
            self._clock_boxes()[name].setAccessibleName(text)
        for row in self.rows.values():
            row.retranslate()

    # Display

    def show_file(self, name: str, tables: Sequence[str], notes: Sequence[str], table: str = "") -> None:
        """Show the name of a file, the tables in it, the chosen one, and notes on it; "" for none."""
        self._table = table
        self.file.setText(name)
        self.file.setToolTip(name)
        self.hint.setVisible(not name)
        self.notes.show_text("\n".join(notes))
        for widget in (self.file, self.clock, self._area, self.plot):
            widget.setVisible(bool(name))
        self.pose.setVisible(bool(name) and self.pose.isEnabled())
        with QSignalBlocker(self.tables):
            self.tables.clear()
            self.tables.addItems(list(tables))
            self.tables.setCurrentIndex(max(0, self.tables.findText(table)))
        self.tables.setVisible(len(tables) > 1)

    def show_reading(self, part: float | None) -> None:
        """Show the part of a file that is read; None hides it."""
        self.reading.setValue(int(1000 * (part or 0.0)))
        self.reading.setVisible(part is not None)
        self.cancel.setVisible(part is not None)

    def show_problem(self, text: str) -> None:
        """Show a problem; "" for none."""
        self.error.show_text(text)

    def show_layer(self, layer: MeasuredLayer, units: Mapping[str, str]) -> None:
        """Show columns and their assignments; `units` are those of the quantities."""
        columns = {column.name: column for column in layer.data.columns[:MOST_ROWS]}
        shown = {name: (column.unit, column.stated) for name, column in columns.items()}
        if {name: (row.column.unit, row.column.stated) for name, row in self.rows.items()} != shown:
            self._make_rows(layer)
        self.pose.setEnabled(has_positions(columns))
        self.pose.setVisible(self.pose.isEnabled())
        source = layer.data.source if seen_as(Path.is_file, Path(layer.data.source)) else ""
        further = input_fields(layer, self._table, self.times.options)
        for name, row in self.rows.items():
            assignment = layer.assignments.get(name, Assignment())
            row.offer(by_unit(units, row.column.unit))
            row.name.unit = row.column.stated
            row.name.source, row.name.further = source, further
            row.show_assignment(assignment, units.get(assignment.quantity, ""))
        for box, value in zip(
            self._clock_boxes().values(), (layer.time_offset, layer.time_scale, layer.smoothing), strict=True
        ):
            box.show_value(value)

    def _make_rows(self, layer: MeasuredLayer) -> None:
        for row in self.rows.values():
            row.hide()
            row.deleteLater()
        self.rows = {}
        for number, column in enumerate(layer.data.columns[:MOST_ROWS]):
            row, name = ColumnRow(column), column.name
            row.assigned.connect(lambda quantity, name=name: self.assigned.emit(name, quantity))
            row.calibrated.connect(lambda scale, offset, name=name: self.calibrated.emit(name, scale, offset))
            row.unit_chosen.connect(lambda unit, name=name: self.unit_chosen.emit(name, unit))
            row.retranslate()
            self.rows[name] = row
            self._list.insertWidget(number, row)

    def _on_clock(self) -> None:
        self.clock_changed.emit(self.offset.value(), self.scale.value(), self.smoothing.value())
