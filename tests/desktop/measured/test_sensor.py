"""The distance sensor as a live source of measured data, in the real window."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import SOON, START, click, opened_row
from made_data import write_swing
from meaning import Meaning
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from serial_ports import Cable

from polhode.data.reading import read_data
from polhode_app.docks.measured.rows.sensor_row import SensorRow
from polhode_app.main_window import MainWindow
from polhode_app.sensor.port import Address, SerialPort
from polhode_app.sensor.protocol import line
from polhode_app.sensor.sources import SimulatedSensor, Wave

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

PLACE = "weight.position.z"
SCENE = """
title = "A weight on a spring"
world = { gravity = [0, 0, 0] }
solver = { time_step = 0.002 }
[[particle]]
name = "weight"
mass = 1.0
radius = 0.02
position = [0, 0, 0.3]
"""


def sensor_row(window: MainWindow, qtbot: QtBot) -> SensorRow:
    """Open the dock, and in it the row of the sensor."""
    return opened_row(window, qtbot, "sensor")


@pytest.mark.nightly
def test_a_simulated_sensor_is_recorded_assigned_and_saved(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = lab(SCENE)
    row, data = sensor_row(window, qtbot), window.docks.docks["measured"].data
    qtbot.waitUntil(lambda: Meaning("", "No", "sensor").of(row.state.text()), timeout=SOON)
    assert not row.record.isEnabled()
    window.session.hub.connect(SimulatedSensor(Wave(300.0, 50.0, 1.0)))
    qtbot.waitUntil(row.record.isEnabled, timeout=SOON)
    assert data.layer is None
    click(qtbot, row.record)
    qtbot.waitUntil(lambda: data.layer is not None, timeout=SOON)
    assert list(window.docks.docks["measured"].data_tab.rows) == ["distance"]
    data.assign("distance", PLACE)
    count = len(data.layer.data.times)
    qtbot.waitUntil(lambda: len(data.layer.data.times) > count + 50, timeout=START)
    assert data.layer.mapping == {"distance": PLACE}  # while it grows
    qtbot.waitUntil(
        lambda: "rms" in window.docks.docks["measured"].data_tab.rows["distance"].state.text(), timeout=START
    )
    assert row.record.text() == "Stop recording"
    path = tmp_path / "saved.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(path), ""))
    click(qtbot, row.record)
    click(qtbot, row.save)  # at once: the last rows are in the file, too
    recorder = window.docks.docks["measured"].sensor.recorder

    def is_all_shown() -> bool:
        return recorder.is_collected and len(data.layer.data.times) == recorder.table.seen and not data.is_busy

    qtbot.waitUntil(is_all_shown, timeout=START)
    values = data.layer.data.column("distance").values
    assert values.min() >= 0.2499
    assert values.max() <= 0.3501
    qtbot.waitUntil(path.exists, timeout=SOON)
    assert read_data(path).column("distance").values == pytest.approx(values, abs=1e-12)
    unit = window.docks.docks["measured"].data_tab.rows["distance"].unit
    unit.setCurrentText("cm")
    unit.activated.emit(unit.currentIndex())
    qtbot.waitUntil(lambda: data.layer.data.column("distance").values.min() > 2.0, timeout=START)
    window.session.hub.stop()
    qtbot.waitUntil(lambda: Meaning("", "No", "sensor").of(row.state.text()), timeout=SOON)
    assert f"{len(values)} rows kept" in row.state.text()


@pytest.mark.nightly
@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no ptys on this system")
def test_a_board_on_a_port_is_recorded(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    """By a real pty, with failed measurements, which become gaps."""
    window, number = lab(SCENE), 0
    row, data = sensor_row(window, qtbot), window.docks.docks["measured"].data
    with Cable(tmp_path / "ttyACM0") as board:
        window.session.hub.connect(SerialPort(Address(str(board.path))))

        def speaking() -> int:
            nonlocal number
            said = (
                f"D,{number},{10 * number},{300 + number % 10},ok" if number % 5 else f"D,{number},{10 * number},,far"
            )
            board.say(line("H,1,hc-sr04,1.0,10") if number == 0 else line(said))
            number += 1
            return len(data.layer.data.times) if data.layer is not None else 0

        qtbot.waitUntil(lambda: speaking() >= 0 and window.session.hub.last is not None, timeout=SOON)
        click(qtbot, row.record)
        qtbot.waitUntil(lambda: speaking() > 30, timeout=START)
        click(qtbot, row.record)
        window.session.hub.stop()
    column = data.layer.data.column("distance")
    there = np.isfinite(column.values)
    assert column.gaps > 0
    assert column.values[there].min() >= 0.3
    assert column.values[there].max() <= 0.3091
    assert (np.diff(data.layer.data.times) > 0.0).all()


@pytest.mark.nightly
def test_opening_a_file_ends_the_recording_and_keeps_its_rows(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab(SCENE)
    row, data = sensor_row(window, qtbot), window.docks.docks["measured"].data
    window.session.hub.connect(SimulatedSensor(Wave(300.0, 50.0, 1.0)))
    qtbot.waitUntil(row.record.isEnabled, timeout=SOON)
    click(qtbot, row.record)
    qtbot.waitUntil(lambda: data.layer is not None, timeout=SOON)
    write_swing(tmp_path / "swing.csv")
    data.open(tmp_path / "swing.csv")
    qtbot.waitUntil(lambda: data.name == "swing.csv", timeout=SOON)
    assert not window.docks.docks["measured"].sensor.recorder.is_recording
    qtbot.wait(1500)
    assert data.name == "swing.csv"
    assert row.save.isVisible()
    window.session.hub.stop()
