"""How the times of a file are found can be set in the dock of measured data, also for a file that was refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gui import LEFT, SOON, click
from meaning import Meaning
from measured_window import compared
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox
from pytestqt.qtbot import QtBot

from polhode_app.docks.measured.measured_dock import MeasuredDock
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

BACKWARDS = "t (s),x\n0,1\n0.1,2\n0.1,3\n0.05,4\n0.2,5\n"
FILM = "frame,x\n0,1\n2,2\n5,3\n"
OTHER_NAME = "index,x\n0,1\n0.5,2\n1.5,3\n"


def refused(window: MainWindow, qtbot: QtBot, path: Path, text: str) -> MeasuredDock:
    """Open a file of this text, and wait until it is refused."""
    path.write_text(text)
    window.docks.open("measured", lambda measured: measured.open(path))
    qtbot.waitUntil(lambda: window.docks.dock("measured") is not None, timeout=SOON)
    dock = window.docks.docks["measured"]
    qtbot.waitUntil(lambda: f"{path.name}: " in dock.data_tab.error.text(), timeout=SOON)
    qtbot.waitUntil(dock.data_tab.times.isVisible, timeout=SOON)
    return dock


def times_of(dock: MeasuredDock, qtbot: QtBot) -> list[float]:
    """The times once the file is read."""
    qtbot.waitUntil(lambda: dock.data.layer is not None, timeout=SOON)
    assert not dock.data_tab.error.text()
    return [float(time) for time in dock.data.layer.data.times]


def tick(qtbot: QtBot, box: QCheckBox) -> None:
    """Click the mark of a box."""
    qtbot.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))


def choose(qtbot: QtBot, box: QComboBox, row: int) -> None:
    """Choose a row of a list by keys."""
    click(qtbot, box.lineEdit())
    for _ in range(row - box.currentIndex()):
        qtbot.keyClick(box, Qt.Key.Key_Down)


def test_later_rows_are_left_out_by_a_click(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dock = refused(window, qtbot, tmp_path / "back.csv", BACKWARDS)
    row = dock.data_tab.times
    assert row.later.text() in dock.data_tab.error.text()
    assert "drop_later" not in dock.data_tab.error.text()
    tick(qtbot, row.later)
    assert times_of(dock, qtbot) == [0.0, 0.1, 0.2]
    assert "2 " in dock.data_tab.notes.text()
    assert dock.data.path == tmp_path / "back.csv"
    tick(qtbot, row.later)
    qtbot.waitUntil(lambda: bool(dock.data_tab.error.text()), timeout=SOON)
    compared(window, qtbot)
    assert row.later.text() in dock.data_tab.error.text()  # also after the run was compared with what is shown
    assert len(dock.data.layer.data.times) == 3  # what was shown is kept


def test_the_rate_of_a_film_is_typed(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dock = refused(window, qtbot, tmp_path / "film.csv", FILM)
    row = dock.data_tab.times
    choose(qtbot, row.column, 1)
    qtbot.waitUntil(row.rate.isVisible, timeout=SOON)
    click(qtbot, row.rate.lineEdit())
    row.rate.lineEdit().selectAll()
    qtbot.keyClicks(row.rate.lineEdit(), "240")
    qtbot.keyClick(row.rate, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dock.data.layer is not None and dock.data.layer.data.times[1] < 0.01, timeout=SOON)
    assert times_of(dock, qtbot) == pytest.approx(np.array([0.0, 2.0, 5.0]) / 240.0)


def test_the_name_of_the_column_is_typed_and_later_chosen(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dock = refused(window, qtbot, tmp_path / "other.csv", OTHER_NAME)
    row = dock.data_tab.times
    assert "index, x" in dock.data_tab.error.text()
    click(qtbot, row.column.lineEdit())
    row.column.lineEdit().selectAll()
    qtbot.keyClicks(row.column.lineEdit(), "idnex")
    qtbot.keyClick(row.column.lineEdit(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: Meaning("", name="idnex").of(dock.data_tab.error.text()), timeout=SOON)
    row.column.lineEdit().selectAll()
    qtbot.keyClicks(row.column.lineEdit(), "index")
    qtbot.keyClick(row.column.lineEdit(), Qt.Key.Key_Return)
    assert times_of(dock, qtbot) == [0.0, 0.5, 1.5]
    assert row.column.currentText() == "index"
    choose(qtbot, row.column, row.column.findText("x"))
    qtbot.waitUntil(lambda: list(dock.data_tab.rows) == ["index"], timeout=SOON)
    assert times_of(dock, qtbot) == [1.0, 2.0, 3.0]
