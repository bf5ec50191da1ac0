"""Recording of the distance sensor: rows of a real source, failed ones, another start, thinning."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from polhode.data import growing_table
from polhode.data.reading import read_data
from polhode_app.data.measured.live.sensor_recorder import SensorRecorder
from polhode_app.sensor.calibration import Calibration
from polhode_app.sensor.hub import SensorHub
from polhode_app.sensor.sources import LogPlayback, SimulatedSensor, Wave


def waited(recorder: SensorRecorder, rows: int) -> None:
    """Wait for rows."""
    end = time.monotonic() + 60.0
    while len(recorder.table.rows) < rows:
        assert time.monotonic() < end
        time.sleep(0.02)
        recorder.gather({})


@pytest.mark.nightly
def test_the_simulated_sensor_becomes_a_table(tmp_path: Path) -> None:
    """A distance of 300 + 50 sin(2 pi t) mm, calibrated by -10 mm; the saved table reads the same."""
    hub = SensorHub()
    hub.calibration = Calibration(((100.0, 90.0), (200.0, 190.0)))
    recorder = SensorRecorder(hub, "sensor")
    hub.connect(SimulatedSensor(Wave(300.0, 50.0, 1.0)))
    try:
        recorder.start()
        waited(recorder, 60)
    finally:
        recorder.stop()
        hub.stop()
    data = recorder.gather({})
    assert data is not None
    (column,) = data.columns
    assert (column.name, column.unit, column.stated) == ("distance", "m", "mm")
    assert (np.diff(data.times) > 0.0).all()
    assert data.times[0] < 1.0
    assert column.values.min() >= 0.2399
    assert column.values.max() <= 0.3401
    assert np.ptp(column.values) > 0.01
    count = len(data.times)
    time.sleep(0.1)
    assert len(recorder.gather({}).times) == count
    path = tmp_path / "sensor.csv"
    path.write_text(recorder.table.text())
    assert read_data(path).column("distance").values == pytest.approx(column.values, abs=1e-15)
    assert recorder.gather({"distance": "cm"}).column("distance").values == pytest.approx(10 * column.values)


def test_failed_measurements_are_gaps_and_another_start_is_another_table(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("time,raw\n0,100\n0.01,\n0.02,120\n0.03,130\n")
    hub = SensorHub()
    recorder = SensorRecorder(hub, "sensor")
    recorder.start()
    hub.connect(LogPlayback(log))
    try:
        waited(recorder, 4)
        assert np.array_equal(recorder.table.rows[:4, 1], [100.0, np.nan, 120.0, 130.0], equal_nan=True)
        assert recorder.gather({}).column("distance").gaps >= 1
        recorder.start()
        assert len(recorder.table.rows) == 0
        waited(recorder, 2)
        assert recorder.table.rows[0, 0] < 2.0
    finally:
        recorder.stop()
        hub.stop()


def test_a_long_recording_is_thinned_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    table = growing_table.GrowingTable(
        "sensor", growing_table.Headings(("time (s)", "distance (mm)")), np.empty((0, 2))
    )
    for start in range(0, 1000, 10):
        times = 0.01 * np.arange(start, start + 10)
        table = table.with_rows(np.stack([times, 300 + times], axis=1), most=100)
    assert table.rows.size <= 100
    assert table.seen == 1000
    assert np.diff(table.rows[:, 0]) == pytest.approx(0.01 * table.every)
    assert any(str(table.every) in note for note in table.data().notes)
