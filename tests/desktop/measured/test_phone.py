"""A phone with phyphox in the dock of measured data: by mouse and keys, with a server that speaks its interface."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from accessibility import controls, nameless, tab_chain
from gui import SOON, click, opened_row, type_in
from made_data import PENDULUM, write_swing
from meaning import Meaning
from phone import Phone, running_phone
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from polhode.data.reading import read_data
from polhode_app.data.measured.live import phone_link
from polhode_app.docks.measured.rows.phone_row import PhoneRow
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

SCENE = PENDULUM.format(gravity=9.4, friction=0.004, angle=1.2)
RATE = "bob.angular_velocity.y"


@pytest.fixture
def phone() -> Iterator[Phone]:
    with running_phone() as started:
        started.measure(200)
        yield started


def phone_row(window: MainWindow, qtbot: QtBot) -> PhoneRow:
    """Open the dock, and in it the row of the phone."""
    return opened_row(window, qtbot, "phone")


def connected(window: MainWindow, qtbot: QtBot, phone: Phone) -> PhoneRow:
    """Type the address, press Connect, and wait for the first rows on the run."""
    row = phone_row(window, qtbot)
    click(qtbot, row.address)
    row.address.selectAll()
    qtbot.keyClicks(row.address, phone.address)
    assert phone.paths == []  # nothing before the button
    click(qtbot, row.connect_button)
    qtbot.waitUntil(lambda: window.docks.docks["measured"].data.layer is not None, timeout=SOON)
    return row


@pytest.mark.nightly
def test_rows_grow_and_stay_when_the_phone_is_gone(
    window: MainWindow, qtbot: QtBot, phone: Phone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(phone_link, "AGAIN", 0.3)
    row = connected(window, qtbot, phone)
    data, tab = window.docks.docks["measured"].data, window.docks.docks["measured"].data_tab
    assert "Swing" in row.state.text()
    assert list(tab.rows) == ["Gyroscope y"]
    data.assign("Gyroscope y", RATE)
    widget = tab.rows["Gyroscope y"]
    phone.measure(100)
    qtbot.waitUntil(lambda: "300 rows" in row.state.text(), timeout=SOON)
    qtbot.waitUntil(lambda: len(data.layer.data.times) == 300, timeout=SOON)
    assert data.layer.mapping == {"Gyroscope y": RATE}
    assert tab.rows["Gyroscope y"] is widget  # nobody who types in it is interrupted
    qtbot.waitUntil(lambda: "rms" in widget.state.text(), timeout=10 * SOON)
    phone.shutdown()
    phone.server_close()
    qtbot.waitUntil(lambda: Meaning(phone.address, "phone", "answer").of(row.error.text()), timeout=SOON)
    qtbot.waitUntil(
        lambda: not window.docks.docks["measured"].phone.link.is_connected, timeout=SOON
    )  # after some further attempts
    assert row.connect_button.text() == "Connect"
    assert "300 rows" in row.state.text()
    values = data.layer.data.column("Gyroscope y").values
    assert values == pytest.approx(np.sin(0.01 * np.arange(300)))
    path = tmp_path / "received.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(path), ""))
    click(qtbot, row.save)
    qtbot.waitUntil(path.exists, timeout=SOON)
    assert np.array_equal(read_data(path).column("Gyroscope y").values, values)
    unit = widget.unit
    unit.setCurrentText("deg/s")
    unit.activated.emit(unit.currentIndex())  # converted without the phone
    assert data.layer.data.column("Gyroscope y").values == pytest.approx(np.deg2rad(values))


def test_the_phone_is_started_its_table_chosen_and_left(window: MainWindow, qtbot: QtBot, phone: Phone) -> None:
    row = connected(window, qtbot, phone)
    click(qtbot, row.measure)
    qtbot.waitUntil(lambda: row.measure.text() == "Pause the phone", timeout=SOON)
    assert phone.is_measuring
    click(qtbot, row.tables)
    view = row.tables.view()
    qtbot.waitUntil(view.isVisible, timeout=SOON)
    qtbot.keyClick(view, Qt.Key.Key_End)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    tab = window.docks.docks["measured"].data_tab
    qtbot.waitUntil(lambda: list(tab.rows) == ["Linear x"], timeout=SOON)
    click(qtbot, row.measure)
    qtbot.waitUntil(lambda: not phone.is_measuring, timeout=SOON)
    click(qtbot, row.connect_button)
    qtbot.waitUntil(lambda: row.connect_button.text() == "Connect", timeout=SOON)
    qtbot.waitUntil(lambda: not window.docks.docks["measured"].phone.link._job.is_running, timeout=SOON)
    asked = len(phone.paths)
    qtbot.wait(600)
    assert len(phone.paths) == asked
    assert list(tab.rows) == ["Linear x"]
    assert window.settings.phone == phone.address  # for the next time
    before = row.state.text()
    row.state.setText("as in another language")
    window.docks.docks["measured"].retranslate()
    qtbot.waitUntil(lambda: row.state.text() == before, timeout=SOON)


@pytest.mark.nightly
def test_a_file_takes_the_place_of_the_phone(window: MainWindow, qtbot: QtBot, phone: Phone, tmp_path: Path) -> None:
    connected(window, qtbot, phone)
    path = tmp_path / "swing.csv"
    write_swing(path)
    window.docks.docks["measured"].open(path)
    tab = window.docks.docks["measured"].data_tab
    qtbot.waitUntil(lambda: list(tab.rows) == ["w", "x", "z"], timeout=SOON)
    assert not window.docks.docks["measured"].phone.link.is_connected
    phone.measure(100)
    qtbot.wait(1500)
    assert list(tab.rows) == ["w", "x", "z"]


def test_a_text_that_is_no_address_is_told_and_nothing_is_sent(window: MainWindow, qtbot: QtBot) -> None:
    row = phone_row(window, qtbot)
    type_in(qtbot, row.address, "https://example.org")
    assert Meaning("", "http", "192.168.0.42:8080", scheme="https").of(row.error.text())
    assert not window.docks.docks["measured"].phone.link.is_connected


def test_a_silent_phone_neither_stops_the_window_nor_its_closing(
    window: MainWindow, qtbot: QtBot, phone: Phone
) -> None:
    phone.answer = "silence"
    row = phone_row(window, qtbot)
    type_in(qtbot, row.address, phone.address)
    qtbot.waitUntil(lambda: len(phone.paths) == 1, timeout=SOON)
    qtbot.waitUntil(lambda: row.state.text() == "Connecting...", timeout=SOON)  # by the next frame
    before = window.session.frame.snapshot.time
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > before, timeout=SOON)
    job = window.docks.docks["measured"].phone.link._job
    assert job.is_running
    window.close()
    assert not job.is_running


@pytest.mark.nightly
def test_each_control_of_the_phone_has_a_name_and_is_reached_by_tab(
    window: MainWindow, qtbot: QtBot, phone: Phone
) -> None:
    row = connected(window, qtbot, phone)
    click(qtbot, row.connect_button)
    qtbot.waitUntil(row.address.isEnabled, timeout=SOON)
    window.session.play(False)
    assert nameless(controls(row)) == []
    chain = tab_chain(window, row.connect_button)
    assert {row.address, row.connect_button, row.save} <= set(chain)
    assert [each for each in controls(row) if each not in chain] == []
