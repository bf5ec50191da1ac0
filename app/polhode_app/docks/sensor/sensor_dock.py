"""Dock of the distance sensor: source, measurements, recording, calibration, filter, and what the sensor drives."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf, log10
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from polhode.analysis.followers import has_followers
from polhode_app.docks.sensor.calibration_dialog import CalibrationDialog
from polhode_app.docks.sensor.drive_panel import DrivePanel
from polhode_app.docks.sensor.hand_panel import HandPanel
from polhode_app.docks.sensor.source_panel import SourcePanel
from polhode_app.docks.sensor.target_panel import TargetPanel
from polhode_app.docks.sensor.trace_plot import HEIGHT, TracePlot
from polhode_app.i18n.translation import translate, translate_reason
from polhode_app.messages import FrameData
from polhode_app.sensor.calibration import Calibration
from polhode_app.sensor.hub import LOST, FilteredReading
from polhode_app.sensor.setup import CUTOFFS, MEDIANS
from polhode_app.session.new_file import new_file
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.canvas import RedrawTimer
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, grid_of, row_of, scrolled, silent
from polhode_app.window.widgets.plain_label import wrapped
from polhode_app.window.widgets.wheel import ComboBox, Slider

NUMBERS_INTERVAL = 0.2  # [s] between two updates of the numbers: faster changes are illegible
WIDTH = 330  # [pixel] least width
BESIDE = 480  # [pixel] of the window that the dock leaves to the view, if it can
STEPS_PER_DECADE = 100  # of the slider of the cut-off frequency
NO_VALUE = "–"
TRACE_LENGTH = 1000  # distances of the simulated target kept for the trace


class SensorDock(Dock):
    """Shows and sets up the distance sensor.

    Without a connected source the dock shows the simulated target of the scene. Serial ports are listed only while the
    dock is visible; a connection persists while it is hidden.
    """

    def __init__(self, context: WindowContext):
        """Create the small widgets; `build` must be called before they are used."""
        super().__init__(context.window)
        self._session, self._toast = session, toast = context.session, context.toast
        self._hub = session.hub
        self._numbers_updated_at = 0.0
        self._simulated: deque[FilteredReading] = deque(maxlen=TRACE_LENGTH)  # of the simulated target
        self.source = SourcePanel(session.hub, context.settings, toast, lambda: session.document.scene)
        self._redraw_timer = RedrawTimer()
        self._trace_area = QWidget()  # holds the trace
        QVBoxLayout(self._trace_area).setContentsMargins(0, 0, 0, 0)
        self.distance, self.raw = QLabel(NO_VALUE), QLabel()
        self.numbers = {name: QLabel(NO_VALUE) for name in ("rate", "latency", "lost", "bad")}
        self.record_button, self.calibrate_button = QPushButton(), QPushButton()
        self.calibration_label, self.lag_label = QLabel(), QLabel()
        self.kind, self.median = ComboBox(), ComboBox()
        self.cutoff, self.cutoff_label = Slider(), QLabel()
        names = ("outliers", "filter", "cutoff", "lag", *self.numbers)
        self._labels = {name: QLabel() for name in names}
        self.tabs = QTabWidget()

    def build(self) -> Iterator[None]:
        """Create the panels; place and connect all widgets. In parts, between which the window can work."""
        self.target = TargetPanel(self._session, self.source, self._toast)
        self.hand = HandPanel(self._session, self.target)
        yield
        self.drives = DrivePanel(self._session)
        yield
        inside = QWidget()
        column = self._lay_out(inside)
        yield
        for page in (self.drives, self._filter_page(), self.target):
            self.tabs.addTab(page, "")
        column.addWidget(self.tabs)
        column.addStretch(1)
        yield
        self.retranslate()
        self._connect()
        yield
        self.trace.show()
        yield
        self._scroll(inside)
        yield  # the dock is shown in an event of its own

    # Layout and texts

    def _lay_out(self, inside: QWidget) -> QVBoxLayout:
        """Place the widgets above the tabs; returns the column, to which the tabs are added."""
        big = QFont(self.font())
        big.setPointSizeF(2.2 * big.pointSizeF())
        self.distance.setFont(big)
        self.distance.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.raw.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        focus_by_tab(self.tabs, self.record_button, self.calibrate_button)
        self.tabs.setDocumentMode(True)
        self.record_button.setCheckable(True)
        self._trace_area.setFixedHeight(scaled(HEIGHT))
        top = row_of((self.distance, 1), self.raw)
        rows = self.hand, self.source, top, self._trace_area, self._number_grid()
        return column_of(*rows, on=inside, margins=(8, 6, 8, 8))

    def _scroll(self, inside: QWidget) -> None:
        """Put the contents into a scroll area."""
        area = scrolled(inside, is_narrow=False)
        needed = inside.minimumSizeHint().width() + area.verticalScrollBar().sizeHint().width()
        area.setMinimumWidth(max(WIDTH, min(needed, self.parentWidget().width() - BESIDE)))
        self.setWidget(area)

    def _number_grid(self) -> QGridLayout:
        """The statistics in two columns, and the button that records."""
        cells = [each for name, number in self.numbers.items() for each in (self._labels[name], number)]
        grid = grid_of(cells[:4], cells[4:], stretched=(1, 3))
        grid.addWidget(self.record_button, 0, 4, 2, 1)
        return grid

    def _filter_page(self) -> QWidget:
        """The page with calibration and filter."""
        for kind in ("one_euro", "exponential", "none"):
            self.kind.addItem("", kind)
        for count in MEDIANS:
            self.median.addItem("", count)
        focus_by_tab(self.kind, self.median, self.cutoff)
        for widget in (self.kind, self.median):
            widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        low, high = (round(STEPS_PER_DECADE * log10(end)) for end in CUTOFFS)
        self.cutoff.setRange(low, high)
        self.calibration_label.setWordWrap(True)
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(6, 8, 6, 4)
        form.addRow(self.calibrate_button, self.calibration_label)
        form.addRow(self._labels["outliers"], self.median)
        form.addRow(self._labels["filter"], self.kind)
        form.addRow(self._labels["cutoff"], row_of((self.cutoff, 1), self.cutoff_label))
        form.addRow(self._labels["lag"], self.lag_label)
        return page

    def retranslate(self) -> None:
        """Set all texts in the current language; numbers and states follow with the next frame."""
        self.setWindowTitle(self.tr("Sensor"))
        for row, text in enumerate((self.tr("Drives"), self.tr("Calibration, filter"), self.tr("Simulated target"))):
            self.tabs.setTabText(row, text)
        names = {"outliers": self.tr("Outliers"), "filter": self.tr("Filter"), "cutoff": self.tr("Cut-off")}
        names |= {"lag": self.tr("Lag"), "rate": self.tr("Rate")}
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
        self.record_button.setToolTip(self.tr("Write the measurements to a CSV file, which can be played back"))
        self._update_record_text()
        for part in (self.hand, self.source, self.drives, self.target):
            part.retranslate()
        self._update_setup()

    def _retranslate_filter(self) -> None:
        """Set the texts of the page with calibration and filter."""
        kinds = self.tr("One-euro: smooth at rest, fast in motion"), self.tr("Exponential"), self.tr("None")
        for row, text in enumerate(kinds):
            self.kind.setItemText(row, text)
        for row, count in enumerate(MEDIANS):
            text = self.tr("median of {count}").format(count=count) if count > 1 else self.tr("off")
            self.median.setItemText(row, text)
        self.cutoff.setToolTip(self.tr("A lower cut-off is smoother but adds lag"))
        self.calibrate_button.setText(self.tr("Calibrate..."))

    @cached_property
    def trace(self) -> TracePlot:
        """The plot of the measurements, created when it is first needed."""
        trace = TracePlot()
        trace.set_theme(QGuiApplication.palette())
        self._trace_area.layout().addWidget(trace)
        self._redraw_timer.add(trace)
        return trace

    def set_theme(self) -> None:
        """Adopt the colours of the window."""
        self.trace.set_theme(QGuiApplication.palette())

    def _connect(self) -> None:
        """Connect the signals of the widgets."""
        self.source.chosen.connect(self._update_setup)
        self.calibrate_button.clicked.connect(self._open_calibration)
        self.kind.activated.connect(lambda _row: self._change_filter())
        self.median.activated.connect(lambda _row: self._change_filter())
        self.cutoff.valueChanged.connect(lambda _value: self._change_filter())
        self.record_button.clicked.connect(self._toggle_log)

    # Frames

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Update plot and numbers, if the dock is visible."""
        if not self.isVisible():
            return False
        self.hand.tick()
        simulated = self._hub.source is None and has_followers(self._session.document.scene)
        self._append_simulated(wall, simulated)
        if self._redraw_timer.due(wall):
            with self._redraw_timer.drawing(wall):
                if simulated:  # it is sampled by frames, however slow they are
                    self.trace.draw(list(self._simulated), wall, longest=inf)
                else:
                    self.trace.draw(self._hub.readings(), wall)
        if wall - self._numbers_updated_at > NUMBERS_INTERVAL:
            self._numbers_updated_at = wall
            self.source.tick()
            self._update_numbers(wall)
        return False

    def _append_simulated(self, now: float, simulated: bool) -> None:
        """Append the distance of the simulated target to the trace, if the scene has one and no source is connected."""
        frame = self._session.frame
        if not simulated:
            self._simulated.clear()
        elif frame is not None and (frame.running or (self._simulated and self._simulated[-1].raw is not None)):
            distance = 1000 * frame.snapshot.distance
            raw = distance if frame.running else None  # a pause is a gap of the trace
            self._simulated.append(FilteredReading(now, raw, distance, distance, 0.0, 0.0, ""))

    def _update_numbers(self, now: float) -> None:
        """Show distance, raw value and statistics, and report a log that ended early."""
        last, source = self._hub.last, self._hub.source
        fresh = last is not None and source is not None and now - last.arrived < LOST
        if last is not None and fresh and last.raw is not None:
            self.distance.setText(f"{last.filtered:.1f} mm")
            self.raw.setText(self.tr("sensor: {raw} mm").format(raw=f"{last.raw:.1f}"))
        elif source is None and has_followers(self._session.document.scene) and self._session.frame is not None:
            self.distance.setText(f"{1000 * self._session.frame.snapshot.distance:.1f} mm")
            self.raw.setText(self.tr("of the scene's simulated target"))
        else:
            reasons = {
                "far": self.tr("out of range: too far"),
                "near": self.tr("out of range: too near"),
                "fault": self.tr("no distance"),
            }
            self.distance.setText(NO_VALUE)
            self.raw.setText(reasons.get(last.status, "") if last is not None and fresh else "")
        latency = self._hub.latency
        counts = source.counts if source is not None else None
        texts = {
            "rate": f"{self._hub.rate(now):.0f} / s" if fresh else NO_VALUE,
            "latency": f"{1000 * latency:.0f} ms" if latency is not None and fresh else NO_VALUE,
            "lost": str(counts.lost) if counts is not None else NO_VALUE,
            "bad": str(counts.bad) if counts is not None else NO_VALUE,
        }
        for name, text in texts.items():
            self.numbers[name].setText(text)
        last_bad = counts.last_bad if counts is not None else b""
        self.numbers["bad"].setToolTip(wrapped(last_bad.decode("ascii", "replace")))
        self.lag_label.setText(f"{1000 * last.lag:.0f} ms" if last is not None and fresh else NO_VALUE)
        if self.record_button.isChecked() and not self._hub.is_logging:
            self.record_button.setChecked(False)
            self._update_record_text()
            self._toast.show_message(
                self.tr("The recording has ended: {why}").format(why=translate(self._hub.log_error)), 10.0
            )

    # Calibration and filter

    def _update_setup(self) -> None:
        """Show filter and calibration of the selected source."""
        setup = self.source.setup
        filtering = setup.filtering
        for box, data in ((self.kind, filtering.kind), (self.median, filtering.median)):
            box.setCurrentIndex(box.findData(data))
        with silent(self.cutoff):
            self.cutoff.setValue(round(STEPS_PER_DECADE * log10(filtering.cutoff)))
        self._update_filter_widgets(filtering.cutoff)
        count = len(setup.calibration.pairs)
        text = self.tr("by {count} distances, residual at most {off} mm")
        off = f"{setup.calibration.residual:.1f}"
        self.calibration_label.setText(
            text.format(count=count, off=off)
            if count
            else self.tr("Not calibrated: the sensor's values are used as they are.")
        )

    def _update_filter_widgets(self, cutoff: float) -> None:
        """Show the cut-off frequency [Hz]; without a filter it is disabled."""
        self.cutoff_label.setText(f"{cutoff:.2g} Hz")
        self.cutoff.setEnabled(self.kind.currentData() != "none")

    def _change_filter(self) -> None:
        """Store the entered filter settings for the source, and use them."""
        cutoff = 10 ** (self.cutoff.value() / STEPS_PER_DECADE)
        changes = {"kind": self.kind.currentData(), "median": self.median.currentData(), "cutoff": cutoff}
        self.source.store_setup(filtering=replace(self.source.setup.filtering, **changes))
        self._update_filter_widgets(cutoff)

    def _open_calibration(self) -> None:
        """Open the calibration dialog."""
        dialog = CalibrationDialog(self._hub, self.source.setup.calibration, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.calibration_changed.connect(self._set_calibration)
        dialog.open()

    def _set_calibration(self, calibration: Calibration) -> None:
        """Store a calibration for the source, and use it."""
        self.source.store_setup(calibration=calibration)
        self._update_setup()

    # Recording

    def _toggle_log(self, on: bool) -> None:
        """Start to record the measurements to a new CSV file, or stop."""
        if not on:
            self._hub.stop_log()
        else:
            path = new_file("csv", self._session.document.path)
            try:
                self._hub.start_log(path)
                self._toast.show_message(self.tr("Recording to {path}").format(path=path))
            except OSError as error:
                self.record_button.setChecked(False)
                self._toast.show_message(
                    self.tr("{path} can't be written: {why}").format(path=path, why=translate_reason(error)), 10.0
                )
        self._update_record_text()

    def _update_record_text(self) -> None:
        """Set the text of the record button by its state."""
        self.record_button.setText(self.tr("Stop") if self.record_button.isChecked() else self.tr("Record"))

    def stop(self) -> None:
        """End the thread that lists the serial ports."""
        self.source.watch.stop()

    def play(self, path: Path) -> None:
        """Connect the playback of a recording."""
        self.source.play(path)

    def showEvent(self, event: QShowEvent) -> None:
        """Start listing the serial ports."""
        super().showEvent(event)
        self.source.watch.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop listing the serial ports."""
        self.source.watch.stop()
        super().hideEvent(event)
