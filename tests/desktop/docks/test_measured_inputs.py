"""Measured data in place of a formula, in the window: a column is dropped on a field, a table is typed."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from gui import SOON, accepted, buttons, click, inspect, row_of, type_in
from meaning import Meaning
from measured_window import drop, opened
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from polhode.data.times import TimeOptions
from polhode.scene.measured_input import MeasuredInput
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

Lab = Callable[..., MainWindow]
SCENE = """
format = 2
[[body]]
name = "arm"
support = "axle"
axis = [0, 1, 0]
[[body.shape]]
kind = "sphere"
radius = 0.05
mass = 0.5
position = [0, 0, -0.4]
[[force]]
on = "arm"
torque = [0, 0.1, 0]
"""
TABLE = "t (s),torque (N m)\n-1,0\n0,0\n1,2\n2,2\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "rig.csv"
    path.write_text(TABLE)
    return path


def source_of(window: MainWindow, qtbot: QtBot) -> object:
    return accepted(window, qtbot).force[0].torque[1]


def test_a_dropped_column_drives_a_body_and_is_undone(lab: Lab, qtbot: QtBot, table: Path) -> None:
    window = lab(SCENE)
    opened(window, qtbot, table)
    label = window.docks.docks["measured"].data_tab.rows["torque"].name
    inspect(window, "force", 0)
    row = row_of(window, "force[0].torque")
    middle = row.editor.fields[1].geometry().center()
    drop(row.editor, label.data(), middle)
    found = source_of(window, qtbot)
    assert isinstance(found, MeasuredInput)
    assert (window.session.scene.folder / found.data).resolve() == table.resolve()
    assert (found.column, found.unit) == ("torque", "N m")
    assert "rig.csv" in row.editor.fields[1].text()
    assert row.editor.fields[0].text() == "0"
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.scene.force[0].torque[1] == 0.1, timeout=SOON)


def test_a_table_is_typed_and_a_fault_is_shown_at_the_field(lab: Lab, qtbot: QtBot, table: Path) -> None:
    window = lab(SCENE)
    inspect(window, "force", 0)
    row = row_of(window, "force[0].torque")
    field = row.editor.fields[1]
    type_in(qtbot, field, f'{{data = "{table.as_posix()}", column = "torque", gain = 2, outside = "hold"}}')
    found = source_of(window, qtbot)
    assert isinstance(found, MeasuredInput)
    assert (found.gain, found.outside) == (2.0, "hold")
    text = field.text()
    type_in(qtbot, field, text.replace('"torque"', '"force"'))
    qtbot.waitUntil(lambda: "force" in row.error_label.text(), timeout=SOON)
    assert window.session.document.scene.force[0].torque[1] == found
    type_in(qtbot, field, "{data")
    qtbot.waitUntil(lambda: "column" in row.error_label.text(), timeout=SOON)
    type_in(qtbot, field, text.replace("gain = 2.0", "gain = 3"))
    assert source_of(window, qtbot).gain == 3.0
    qtbot.waitUntil(lambda: not row.error_label.text(), timeout=SOON)


def test_columns_without_a_file_are_not_taken(lab: Lab, qtbot: QtBot, table: Path) -> None:
    window = lab(SCENE)
    opened(window, qtbot, table)
    label = window.docks.docks["measured"].data_tab.rows["torque"].name
    label.source = ""
    inspect(window, "force", 0)
    row = row_of(window, "force[0].torque")
    drop(row.editor, label.data(), QPoint(5, 5))
    assert source_of(window, qtbot) == 0.1


def test_the_end_of_the_data_pauses_and_their_last_value_can_be_held(lab: Lab, qtbot: QtBot, table: Path) -> None:
    window = lab(SCENE)
    inspect(window, "force", 0)
    field = row_of(window, "force[0].torque").editor.fields[1]
    type_in(qtbot, field, f'{{data = "{table.as_posix()}", column = "torque"}}')
    source_of(window, qtbot)
    window.session.set_speed(2.0)
    qtbot.waitUntil(lambda: not window.session.running and window.toast.isVisible(), timeout=SOON)
    assert window.session.frame.snapshot.time == pytest.approx(2.0, abs=2e-3)
    assert Meaning("", place="force[0].torque[1]", time=2.0).of(window.toast.text)
    click(qtbot, buttons(window)[0])
    assert source_of(window, qtbot).outside == "hold"
    qtbot.waitUntil(lambda: window.session.running and window.session.frame.snapshot.time > 2.2, timeout=SOON)


def test_a_dropped_column_brings_table_times_and_clock(lab: Lab, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("one.csv", "t (s),torque (N m)\n0,0\n9,0\n")
        file.writestr("two.csv", "t (s),clock (s),torque (N m)\n5,-1,0\n6,2,2\n7,1,5\n8,4,2\n")
    window = lab(SCENE)
    opened(window, qtbot, path)
    dock = window.docks.docks["measured"]
    dock.data_tab.tables.setFocus()
    qtbot.keyClick(dock.data_tab.tables, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "clock" in dock.data_tab.rows, timeout=SOON)
    assert dock.data_tab.tables.currentText() == "two"
    dock.data._set_times(TimeOptions("clock", None, True))
    qtbot.waitUntil(lambda: dock.data.layer.data.times.tolist() == [-1.0, 2.0, 4.0], timeout=SOON)
    dock.data._set_clock(0.25, 2.0, 0.0)
    label = dock.data_tab.rows["torque"].name
    inspect(window, "force", 0)
    row = row_of(window, "force[0].torque")
    drop(row.editor, label.data(), row.editor.fields[1].geometry().center())
    found = source_of(window, qtbot)
    assert isinstance(found, MeasuredInput)
    read = (found.column, found.table, found.time, found.rate, found.drop_later)
    assert read == ("torque", "two", "clock", 0.0, True)
    assert (found.delay, found.time_scale) == (0.25, 2.0)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.scene.force[0].torque[1] == 0.1, timeout=SOON)
