"""Connects the row of the distance sensor with its recorder, and lays what arrives over the run."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject

from polhode.data.growing_table import LEAST_ROWS
from polhode.data.measured import MeasuredData
from polhode.scene.problem import InputError
from polhode_app.data.measured.live.sensor_recorder import SensorRecorder
from polhode_app.docks.measured.data_controller import DataController
from polhode_app.docks.measured.live.live_table import LiveTable
from polhode_app.docks.measured.rows.sensor_row import SensorRow
from polhode_app.i18n.translation import translate_problem
from polhode_app.jobs import Job
from polhode_app.window.shell.window_context import WindowContext


class SensorController(QObject):
    """The sensor itself is connected in its own dock. Recorded data are kept when it is disconnected."""

    def __init__(self, context: WindowContext, row: SensorRow, data: DataController):
        super().__init__(row)
        self._hub, self._row, self._data = context.session.hub, row, data
        self.recorder = SensorRecorder(self._hub, self.tr("distance sensor"))
        self._maker = Job("table of the sensor")
        self.live = LiveTable(context, data, "sensor.csv", self)
        self._made: MeasuredData | None = None
        self._units: Mapping[str, str] = {}
        self._error: InputError | None = None
        self._shown: tuple[object, ...] = ()
        self._is_last = True  # what came before the end of the recording was gathered
        row.record_wanted.connect(self.record)
        row.save_wanted.connect(self._save)
        self.live.left.connect(self._stop_recording)
        self.live.failed.connect(self._show_error)
        data.units_changed.connect(self._change_units)

    def stop(self) -> None:
        """End the recording and the threads."""
        self.recorder.stop()
        self._maker.close()
        self.live.stop()

    def record(self, on: bool) -> None:
        """Begin another table, or end this one."""
        if not on:
            self._stop_recording()
            return
        self._maker.cancel()
        self.recorder.start()
        self._made, self._units, self._error, self._is_last = None, {}, None, False
        self.live.begin()

    def _stop_recording(self) -> None:
        if self.recorder.is_recording:
            self.recorder.stop()
            self._is_last = False

    def _save(self) -> None:
        """Ask for a file, and write all that was recorded until now."""
        self.recorder.collect()
        self.live.ask_save(self.recorder.table)

    def _change_units(self) -> None:
        """Convert the recorded data to the chosen units."""
        if self.live.is_laid:
            self._units, self._is_last = dict(self._data.units), False

    def refresh(self) -> None:
        """Show the sensor again in the next frame, as in another language."""
        self._shown = ()

    def tick(self, is_busy: bool) -> None:
        """Take recorded data, once per frame; they wait while the previous data are evaluated."""
        self.live.tick()
        made = self._maker.poll()
        if isinstance(made, InputError):
            self._error = made
        elif made is not None:
            self._made, self._error = made, None
        if not self._maker.is_running and not self._is_last and not is_busy:
            self._is_last = not self.recorder.is_recording
            units = self._units
            self._maker.start(lambda _check: self.recorder.gather(units))
        self.live.offer(self._made, is_busy)
        self._show()

    def _show(self) -> None:
        """Show whether there is a sensor, the recorded data, and a problem."""
        recorder, has_source = self.recorder, self._hub.source is not None
        last = self._hub.last
        distance = f"{last.distance:.1f}" if last is not None and last.raw is not None else "-"
        state = recorder.is_recording, has_source, len(recorder.table.rows), distance, self._error
        if state == self._shown:
            return
        self._shown = state
        count = len(recorder.table.rows)
        self._row.show_recording(recorder.is_recording, has_source, count >= LEAST_ROWS)
        if not has_source:
            text = self.tr("No distance sensor is connected: connect one in its dock.")
            text += "\n" + self.tr("{count} rows kept").format(count=count) if count else ""
        elif recorder.is_recording:
            text = self.tr("Recording: {count} rows, now {distance} mm").format(count=count, distance=distance)
        else:
            text = self.tr("{count} rows; now {distance} mm").format(count=count, distance=distance)
        problems = self._error.problems if self._error is not None else ()
        self._row.show_texts(text, "\n".join(map(translate_problem, problems)))

    def _show_error(self, error: InputError) -> None:
        self._error = error
