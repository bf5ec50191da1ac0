"""The dock of the sensor: a hand over a distance sensor, what it says, and what it drives."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import cached_property
from math import log10
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QFont, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDockWidget,
    QFormLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSlider,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.i18n.translation import translate, translate_reason
from app.panels.sensor.calibration_dialog import CalibrationDialog
from app.panels.sensor.drive_panel import DrivePanel
from app.panels.sensor.noise_choice import NoiseChoice
from app.panels.sensor.source_panel import SourcePanel
from app.panels.sensor.trace_plot import HEIGHT, TracePlot
from app.panels.widgets.canvas import RedrawTimer
from app.panels.widgets.plain_label import wrapped
from app.panels.widgets.spin_box import SpinBox
from app.panels.widgets.toast import Toast
from app.sensor.calibration import Calibration
from app.sensor.followers import has_followers
from app.sensor.hub import LOST, METRE, FilteredReading
from app.sensor.setup import CUTOFFS, MEDIANS
from app.sensor.sources import Wave
from app.session.document import Document
from app.session.new_file import new_file
from app.session.session import Session
from app.session.settings import Settings

NUMBERS = 0.2  # [s] between two of the numbers: faster ones can't be read
WIDTH = 330  # [pixel]
FINE = 100  # steps of a slider per decade
NOTHING = "–"
MOST = 1000  # places of the scene's own hand


class SensorDock(QDockWidget):
    """Ports are looked at while it is seen; what is connected stays so while it is not."""

    closed = Signal()  # by its own button

    def __init__(self, session: Session, settings: Settings, toast: Toast, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("sensor")
        self._session, self._hub, self._toast = session, session.hub, toast
        self._told_at = 0.0
        self._own: deque[FilteredReading] = deque(maxlen=MOST)  # what the hand of the scene has done
        self.source = SourcePanel(session.hub, settings, toast, lambda: session.document.scene)
        self.drives, self._pace = DrivePanel(session), RedrawTimer()
        self._room = QWidget()  # for the trace
        QVBoxLayout(self._room).setContentsMargins(0, 0, 0, 0)
        self.distance, self.raw = QLabel(NOTHING), QLabel()
        self.numbers = {name: QLabel(NOTHING) for name in ("rate", "latency", "lost", "bad")}
        self.records, self.calibrate = QPushButton(), QPushButton()
        self.calibrated, self.lag = QLabel(), QLabel()
        self.kind, self.median = QComboBox(), QComboBox()
        self.cutoff, self.cutoff_said = QSlider(Qt.Orientation.Horizontal), QLabel()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.boxes = {
            "centre": SpinBox(0.0, 2000.0, "mm", 1),
            "amplitude": SpinBox(0.0, 1000.0, "mm", 1),
            "period": SpinBox(0.1, 100.0, "s", 2),
            "noise": SpinBox(0.0, 50.0, "mm", 2),
        }
        self.noise = NoiseChoice(self.boxes["noise"], toast, self._change_wave)
        names = ("outliers", "filter", "cutoff", "lag", "centre", "amplitude", "period", "noise", *self.numbers)
        self._labels = {name: QLabel() for name in names}
        self.tabs = QTabWidget()

    def begin(self) -> None:
        """Put together what was made. Both at once would hold the window for long."""
        self._lay_out()
        self.retranslate()
        self._connect()
        self._take_wave(self._session.document)

    # What it looks like

    def _lay_out(self) -> None:
        big = QFont(self.font())
        big.setPointSizeF(2.2 * big.pointSizeF())
        self.distance.setFont(big)
        self.distance.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.raw.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        top = QHBoxLayout()
        top.addWidget(self.distance, 1)
        top.addWidget(self.raw)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.tabs.setDocumentMode(True)
        for page in (self.drives, self._filter_page(), self._hand_page()):
            self.tabs.addTab(page, "")
        for button in (self.records, self.calibrate):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.records.setCheckable(True)
        self._room.setFixedHeight(HEIGHT)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(8, 6, 8, 8)
        column.addWidget(self.source)
        column.addLayout(top)
        column.addWidget(self._room)
        column.addLayout(self._number_grid())
        column.addWidget(self.tabs)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        area.setMinimumWidth(max(WIDTH, inside.minimumSizeHint().width() + area.verticalScrollBar().sizeHint().width()))
        self.setWidget(area)

    def _number_grid(self) -> QGridLayout:
        grid = QGridLayout()
        for place, (name, number) in enumerate(self.numbers.items()):
            grid.addWidget(self._labels[name], place // 2, 2 * (place % 2))
            grid.addWidget(number, place // 2, 2 * (place % 2) + 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        grid.addWidget(self.records, 0, 4, 2, 1)
        return grid

    def _filter_page(self) -> QWidget:
        for kind in ("one_euro", "exponential", "none"):
            self.kind.addItem("", kind)
        for count in MEDIANS:
            self.median.addItem("", count)
        for widget in (self.kind, self.median):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        low, high = (round(FINE * log10(end)) for end in CUTOFFS)
        self.cutoff.setRange(low, high)
        self.cutoff.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.calibrated.setWordWrap(True)
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(6, 8, 6, 4)
        form.addRow(self.calibrate, self.calibrated)
        form.addRow(self._labels["outliers"], self.median)
        form.addRow(self._labels["filter"], self.kind)
        row = QHBoxLayout()
        row.addWidget(self.cutoff, 1)
        row.addWidget(self.cutoff_said)
        form.addRow(self._labels["cutoff"], row)
        form.addRow(self._labels["lag"], self.lag)
        return page

    def _hand_page(self) -> QWidget:
        self.slider.setRange(0, 1000)
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(6, 8, 6, 4)
        form.addRow(self.slider)
        form.addRow(self._labels["centre"], self.boxes["centre"])
        form.addRow(self._labels["amplitude"], self.boxes["amplitude"])
        form.addRow(self._labels["period"], self.boxes["period"])
        form.addRow(self._labels["noise"], self.noise)
        return page

    def retranslate(self) -> None:
        """Set all texts in the current language; numbers and states follow with the next frame."""
        self.setWindowTitle(self.tr("Sensor"))
        for row, text in enumerate((self.tr("Drives"), self.tr("Calibration, filter"), self.tr("Simulated target"))):
            self.tabs.setTabText(row, text)
        names = {"outliers": self.tr("Outliers"), "filter": self.tr("Filter"), "cutoff": self.tr("Cut-off")}
        names |= {"lag": self.tr("Lag"), "centre": self.tr("Distance"), "amplitude": self.tr("Swing")}
        names |= {"period": self.tr("Period"), "noise": self.tr("Noise"), "rate": self.tr("Rate")}
        names |= {"latency": self.tr("Latency"), "lost": self.tr("Lost lines"), "bad": self.tr("Bad lines")}
        for name, text in names.items():
            self._labels[name].setText(text)
        tips = {
            "rate": self.tr("Measurements per second"),
            "latency": self.tr("From the serial line to the next batch of steps"),
            "lost": self.tr("Missing sequence numbers"),
            "bad": self.tr("Lines that could not be read"),
        }
        for name, tip in tips.items():
            for label in (self._labels[name], self.numbers[name]):
                label.setToolTip(tip)
        self._retranslate_filter()
        self.records.setToolTip(self.tr("Write the measurements to a CSV file, which can be played back"))
        self._say_record()
        for part in (self.source, self.drives, self.noise):
            part.retranslate()
        self._show_setup()

    def _retranslate_filter(self) -> None:
        kinds = self.tr("One-euro: smooth at rest, fast in motion"), self.tr("Exponential"), self.tr("None")
        for row, text in enumerate(kinds):
            self.kind.setItemText(row, text)
        for row, count in enumerate(MEDIANS):
            text = self.tr("median of {count}").format(count=count) if count > 1 else self.tr("off")
            self.median.setItemText(row, text)
        self.cutoff.setToolTip(self.tr("A lower cut-off is smoother but adds lag"))
        self.calibrate.setText(self.tr("Calibrate..."))

    @cached_property
    def trace(self) -> TracePlot:
        """Made with the first frame that it is seen in: the dock alone takes long enough to make."""
        trace = TracePlot()
        trace.set_theme(QGuiApplication.palette())
        self._room.layout().addWidget(trace)
        self._pace.count(trace)
        return trace

    def set_theme(self) -> None:
        """The colours of the window."""
        self.trace.set_theme(QGuiApplication.palette())

    def _connect(self) -> None:
        self._session.scene_changed.connect(self._take_wave)
        self.source.chosen.connect(self._show_setup)
        self.calibrate.clicked.connect(self._calibrate)
        self.kind.activated.connect(lambda _row: self._change_filter())
        self.median.activated.connect(lambda _row: self._change_filter())
        self.cutoff.valueChanged.connect(lambda _value: self._change_filter())
        self.slider.valueChanged.connect(lambda value: self.boxes["centre"].setValue(value))
        for box in self.boxes.values():
            box.valueChanged.connect(lambda _value: self._change_wave())
        self.records.clicked.connect(self._record)

    # A frame

    def tick(self, now: float) -> None:
        """A frame of the window at a wall time [s] of perf_counter."""
        if not self.isVisible():
            return
        own = self._hub.source is None and has_followers(self._session.document.scene)
        self._note(now, own)
        if self._pace.due(now):
            with self._pace.drawing(now):
                self.trace.draw(list(self._own) if own else self._hub.seen(), now)
        if now - self._told_at > NUMBERS:
            self._told_at = now
            self.source.tick()
            self._tell(now)

    def _note(self, now: float, own: bool) -> None:
        """Where there is no hand over the sensor, but one `own` of the scene: what that does."""
        moment = self._session.moment
        if not own:
            self._own.clear()
        elif moment is not None and moment.running:
            distance = 1000 * moment.snapshot.distance
            self._own.append(FilteredReading(now, distance, distance, distance, 0.0, 0.0, ""))

    def _tell(self, now: float) -> None:
        last, source = self._hub.last, self._hub.source
        fresh = last is not None and source is not None and now - last.arrived < LOST
        if last is not None and fresh and last.raw is not None:
            self.distance.setText(f"{last.filtered:.1f} mm")
            self.raw.setText(self.tr("sensor: {raw} mm").format(raw=f"{last.raw:.1f}"))
        elif source is None and has_followers(self._session.document.scene) and self._session.moment is not None:
            self.distance.setText(f"{1000 * self._session.moment.snapshot.distance:.1f} mm")
            self.raw.setText(self.tr("of the scene's simulated target"))
        else:
            reasons = {
                "far": self.tr("out of range: too far"),
                "near": self.tr("out of range: too near"),
                "fault": self.tr("no distance"),
            }
            self.distance.setText(NOTHING)
            self.raw.setText(reasons.get(last.status, "") if last is not None and fresh else "")
        latency = self._hub.latency
        counts = source.counts if source is not None else None
        texts = {
            "rate": f"{self._hub.rate(now):.0f} / s" if fresh else NOTHING,
            "latency": f"{1000 * latency:.0f} ms" if latency is not None and fresh else NOTHING,
            "lost": str(counts.lost) if counts is not None else NOTHING,
            "bad": str(counts.bad) if counts is not None else NOTHING,
        }
        for name, text in texts.items():
            self.numbers[name].setText(text)
        last_bad = counts.last_bad if counts is not None else b""
        self.numbers["bad"].setToolTip(wrapped(last_bad.decode("ascii", "replace")))
        self.lag.setText(f"{1000 * last.lag:.0f} ms" if last is not None and fresh else NOTHING)
        if self.records.isChecked() and not self._hub.records:
            self.records.setChecked(False)
            self._say_record()
            self._toast.show_message(
                self.tr("The recording has ended: {why}").format(why=translate(self._hub.trouble)), 10.0
            )

    # Calibration and filter

    def _show_setup(self) -> None:
        """What is remembered of the chosen sensor."""
        setup = self.source.setup
        filtering = setup.filtering
        for box, data in ((self.kind, filtering.kind), (self.median, filtering.median)):
            box.setCurrentIndex(box.findData(data))
        self.cutoff.blockSignals(True)
        self.cutoff.setValue(round(FINE * log10(filtering.cutoff)))
        self.cutoff.blockSignals(False)
        self._say_filter(filtering.cutoff)
        count = len(setup.calibration.pairs)
        text = self.tr("by {count} distances, residual at most {off} mm")
        off = f"{setup.calibration.residual:.1f}"
        self.calibrated.setText(
            text.format(count=count, off=off)
            if count
            else self.tr("Not calibrated: the sensor's values are used as they are.")
        )

    def _say_filter(self, cutoff: float) -> None:
        self.cutoff_said.setText(f"{cutoff:.2g} Hz")
        self.cutoff.setEnabled(self.kind.currentData() != "none")

    def _change_filter(self) -> None:
        cutoff = 10 ** (self.cutoff.value() / FINE)
        changes = {"kind": self.kind.currentData(), "median": self.median.currentData(), "cutoff": cutoff}
        self.source.keep(filtering=replace(self.source.setup.filtering, **changes))
        self._say_filter(cutoff)

    def _calibrate(self) -> None:
        dialog = CalibrationDialog(self._hub, self.source.setup.calibration, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.made.connect(self._take_calibration)
        dialog.open()

    def _take_calibration(self, calibration: Calibration) -> None:
        self.source.keep(calibration=calibration)
        self._show_setup()

    # The simulated hand

    def _take_wave(self, document: Document) -> None:
        """The simulated hand of a scene that is opened: who connects one goes on with that."""
        sensor = document.scene.sensor
        if self._hub.source is None and not self._session.diff.is_edit:
            here = METRE * sensor.centre, METRE * sensor.swing, sensor.period
            self.source.hand.wave = replace(self.source.hand.wave, centre=here[0], amplitude=here[1], period=here[2])
        self._show_wave()

    def _show_wave(self) -> None:
        wave = self.source.hand.wave
        for name, box in self.boxes.items():
            box.show_value(getattr(wave, name))
        self.slider.blockSignals(True)
        self.slider.setValue(round(wave.centre))
        self.slider.blockSignals(False)

    def _change_wave(self) -> None:
        wave = Wave(**{name: box.value() for name, box in self.boxes.items()}, tremor=self.noise.tremor)
        self.source.simulate(wave)
        self._show_wave()

    # Recording

    def _record(self, on: bool) -> None:
        if not on:
            self._hub.end_record()
        else:
            path = new_file("csv", self._session.document.path)
            try:
                self._hub.record(path)
                self._toast.show_message(self.tr("Recording to {path}").format(path=path))
            except OSError as error:
                self.records.setChecked(False)
                self._toast.show_message(
                    self.tr("{path} can't be written: {why}").format(path=path, why=translate_reason(error)), 10.0
                )
        self._say_record()

    def _say_record(self) -> None:
        self.records.setText(self.tr("Stop") if self.records.isChecked() else self.tr("Record"))

    def play(self, path: Path) -> None:
        """Connect a recording."""
        self.source.play(path)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.source.watch.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self.source.watch.stop()
        super().hideEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)
