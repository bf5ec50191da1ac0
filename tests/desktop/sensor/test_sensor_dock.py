"""The dock of the sensor in the real window, with real events of mouse and keys, on a virtual screen."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import boards
import numpy as np
import pytest
from gui import LEFT, SOON, choose, click, type_in
from meaning import Meaning
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo
from serial_ports import Cable

from polhode.scene.scene_file import scene_of
from polhode_app.docks.inspector.parameter_chooser import ParameterChooser
from polhode_app.docks.sensor.calibration_dialog import CalibrationDialog
from polhode_app.docks.sensor.sensor_dock import SensorDock
from polhode_app.docks.sensor.source_panel import OTHER, SIMULATED
from polhode_app.docks.sensor.trace_plot import TracePlot
from polhode_app.main_window import MainWindow
from polhode_app.sensor.hub import FilteredReading
from polhode_app.sensor.protocol import line
from polhode_app.sensor.setup import read_address

SCENE = """
format = 1
title = "A ball on a floor that a hand moves"
[sensor]
amplitude = 0.0
[[particle]]
name = "ball"
mass = 1.0
radius = 0.05
position = [0, 0, 0.35]
[[wall]]
name = "floor"
stiffness = 2000.0
damping = 20.0
motion = { kind = "sensor" }
[[wall]]
name = "side"
point = [0.5, 0, 0]
normal = [-1, 0, 0]
stiffness = 2000.0
"""

pytestmark = [pytest.mark.timeout(400), pytest.mark.new_window]


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cable]:
    """A cable that is listed as an Arduino while it is plugged in."""
    cable = Cable(tmp_path / "ttyACM0")

    def listed() -> list[ListPortInfo]:
        if not cable.path.is_symlink():
            return []
        info = ListPortInfo(str(cable.path))
        info.description, info.hwid = "Arduino Uno", "USB VID:PID=2341:0043"
        info.vid, info.pid, info.serial_number = 0x2341, 0x0043, "55736303"
        return [info]

    monkeypatch.setattr(list_ports, "comports", listed)
    yield cable
    cable.unplug()


def is_shown(widget: QWidget | None) -> bool:
    return widget is not None and widget.isVisible()


def opened(window: MainWindow, qtbot: QtBot) -> SensorDock:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=SOON)
    if not window.action_table["sensor"].isChecked():  # a window restores docks that were open
        qtbot.keyClick(window, Qt.Key.Key_F6)
    dock = window.docks.docks["sensor"]
    assert dock is not None
    qtbot.waitUntil(lambda: dock.isVisible() and is_shown(dock.tabs.currentWidget()), timeout=SOON)
    return dock


def show_tab(qtbot: QtBot, dock: SensorDock, number: int) -> None:
    bar = dock.tabs.tabBar()
    qtbot.mouseClick(bar, LEFT, pos=bar.tabRect(number).center())


def floor(window: MainWindow) -> float:
    moment = window.session.frame
    return float(moment.snapshot.walls[0]) if moment is not None else -1.0


def settles(qtbot: QtBot, window: MainWindow, reached: Callable[[], bool], span: float = 0.5) -> None:
    """Waits until `reached` has held for `span` seconds of simulated time: the filter of a hand's jump overshoots."""
    since: float | None = None

    def held() -> bool:
        nonlocal since
        moment = window.session.frame
        if moment is None or not reached():
            since = None
            return False
        since = moment.snapshot.time if since is None else since
        return moment.snapshot.time - since >= span

    qtbot.waitUntil(held, timeout=SOON)


def follows(qtbot: QtBot, window: MainWindow, place: float, off: float = 1e-3) -> None:
    qtbot.waitUntil(lambda: floor(window) == pytest.approx(place, abs=off), timeout=SOON)


def test_a_simulated_hand_is_connected_moved_and_disconnected(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dock = opened(window, qtbot)
    assert floor(window) == pytest.approx(0.3)
    qtbot.waitUntil(lambda: "simulated" in dock.raw.text(), timeout=SOON)
    assert Meaning("", "connected", "rests", place="300 mm").of(dock.source.state.text())
    assert dock.distance.text() == "300.0 mm"
    click(qtbot, dock.source.connect_button)
    qtbot.waitUntil(lambda: dock.source.state.text() == "Connected.", timeout=SOON)
    show_tab(qtbot, dock, 2)
    type_in(qtbot, dock.target.boxes["centre"], "380")
    follows(qtbot, window, 0.38)
    qtbot.waitUntil(lambda: dock.distance.text() == "380.0 mm", timeout=SOON)
    start = QPoint(round(dock.target.slider.width() * 0.38), dock.target.slider.height() // 2)
    qtbot.mousePress(dock.target.slider, LEFT, pos=start)
    qtbot.mouseMove(dock.target.slider, QPoint(round(dock.target.slider.width() * 0.25), start.y()))
    qtbot.mouseRelease(dock.target.slider, LEFT, pos=QPoint(round(dock.target.slider.width() * 0.25), start.y()))
    assert dock.target.boxes["centre"].value() == pytest.approx(250, abs=30)
    follows(qtbot, window, dock.target.boxes["centre"].value() / 1000)
    click(qtbot, dock.source.connect_button)
    qtbot.waitUntil(lambda: Meaning("", "last", "measured").of(dock.source.state.text()), timeout=SOON)
    assert window.session.hub.source is None
    follows(qtbot, window, dock.target.boxes["centre"].value() / 1000)
    assert abs(window.session.frame.drift) < 1e-2


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no ptys on this system")
def test_a_port_that_the_system_does_not_list_is_typed(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    """By a real pty: cancelled first, then typed, read, and offered again."""
    window = lab()
    dock = opened(window, qtbot)

    def asked() -> QInputDialog:
        assert dock.source.choice.itemData(dock.source.choice.count() - 1) == OTHER
        click(qtbot, dock.source.choice)
        qtbot.waitUntil(dock.source.choice.view().isVisible, timeout=SOON)
        qtbot.keyClick(dock.source.choice.view(), Qt.Key.Key_End)
        qtbot.keyClick(dock.source.choice.view(), Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), QInputDialog), timeout=SOON)
        return QApplication.activeModalWidget()

    qtbot.keyClick(asked(), Qt.Key.Key_Escape)
    assert dock.source.choice.currentData() == SIMULATED
    with Cable(tmp_path / "radio") as board:
        dialog = asked()
        qtbot.keyClicks(dialog.findChild(QLineEdit), str(board.path))
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
        assert dock.source.choice.currentText() == str(board.path)
        click(qtbot, dock.source.connect_button)
        number = 0

        def speaking() -> bool:
            nonlocal number
            board.say(line("H,1,hc-sr04,1.0,10") if number == 0 else line(f"D,{number},{10 * number},350.0,ok"))
            number += 1
            return bool(abs(floor(window) - 0.35) < 1e-3)

        qtbot.waitUntil(speaking, timeout=SOON)
        window.session.hub.stop()
    assert window.settings.other_port == str(board.path)
    dialog = asked()
    assert dialog.textValue() == str(board.path)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no ptys on this system")
def test_a_port_appears_is_connected_unplugged_and_goes_on(
    lab: Callable[..., MainWindow], board: Cable, qtbot: QtBot
) -> None:
    window = lab()
    dock = opened(window, qtbot)
    number = 0

    def speaking(place: float, distance: float) -> bool:
        nonlocal number
        board.say(line("H,1,hc-sr04,1.0,10") if number == 0 else line(f"D,{number},{10 * number},{distance},ok"))
        number += 1
        return bool(abs(floor(window) - place) < 1e-3)

    assert dock.source.choice.count() == 3
    board.plug()
    qtbot.waitUntil(lambda: dock.source.choice.count() == 4, timeout=SOON)
    assert dock.source.choice.itemText(0) == f"{board.path}  Arduino Uno"
    assert not dock.source.baud.isVisible()
    edge = dock.source.connect_button.x()
    choose(qtbot, dock.source.choice, dock.source.choice.itemData(0))
    click(qtbot, dock.source.connect_button)
    qtbot.waitUntil(lambda: Meaning("", "board", "restarts").of(dock.source.state.text()), timeout=SOON)
    assert dock.source.baud.isVisible()
    assert dock.source.connect_button.x() == edge
    qtbot.waitUntil(lambda: board.hear() != b"" and speaking(0.0, 350.0) is False, timeout=SOON)  # it was asked
    qtbot.waitUntil(lambda: speaking(0.35, 350.0), timeout=SOON)
    qtbot.waitUntil(
        lambda: (
            not speaking(9.0, 350.0)
            and Meaning("", sensor="hc-sr04", sketch="1.0", period="10 ms").of(dock.source.state.text())
            and dock.distance.text() == "350.0 mm"
        ),
        timeout=SOON,
    )
    assert dock.numbers["bad"].text() == "0"

    board.unplug()
    qtbot.waitUntil(lambda: "Sensor disconnected" in dock.source.state.text(), timeout=SOON)
    qtbot.waitUntil(lambda: Meaning("", "plugged").of(dock.source.choice.currentText()), timeout=SOON)
    follows(qtbot, window, 0.35)
    board.plug()
    qtbot.waitUntil(lambda: speaking(0.29, 290.0), timeout=SOON)


@pytest.mark.firmware
@pytest.mark.nightly
def test_the_real_firmware_is_read_by_the_dock(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the echo of a simulated sensor through the built sketch and its serial port to the floor."""
    lacking = boards.missing()
    if lacking:
        pytest.skip("no " + ", ".join(lacking))
    boards.build(tmp_path / "build")
    window = lab()
    with boards.running(tmp_path / "build", "hc_sr04") as board:
        board.put(350.0)
        info = ListPortInfo(board.port)
        info.hwid = "a simulated board"
        monkeypatch.setattr(list_ports, "comports", lambda: [info])
        dock = opened(window, qtbot)
        qtbot.waitUntil(lambda: dock.source.choice.count() == 4, timeout=SOON)  # and those without a board
        choose(qtbot, dock.source.choice, dock.source.choice.itemData(0))
        click(qtbot, dock.source.connect_button)
        for distance in (350.0, 250.0):
            board.put(distance)
            follows(qtbot, window, distance / 1000, 0.01 * distance / 1000)  # as accurate as the sketch
        qtbot.waitUntil(lambda: Meaning("", sensor="hc-sr04", sketch="1.0").of(dock.source.state.text()), timeout=SOON)
        assert dock.numbers["bad"].text() == "0"
        board.put(-1.0)
        qtbot.waitUntil(lambda: Meaning("", "range", "far").of(dock.raw.text()), timeout=SOON)
    qtbot.waitUntil(lambda: "Sensor disconnected" in dock.source.state.text(), timeout=SOON)


@pytest.mark.nightly
def test_a_calibration_is_made_used_and_remembered(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dock = opened(window, qtbot)
    click(qtbot, dock.source.connect_button)
    show_tab(qtbot, dock, 1)
    click(qtbot, dock.calibrate_button)
    dialog = window.findChild(CalibrationDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible, timeout=SOON)
    assert not dialog.apply_button.isEnabled()
    for raw, ruler in ((300.0, "310"), (100.0, "120"), (200.0, "999"), (200.0, "215")):
        dock.source.simulated.wave = type(dock.source.simulated.wave)(raw)
        qtbot.waitUntil(
            lambda raw=raw: Meaning("", raw=f"{raw:.1f} mm", spread="0.0").of(dialog.reading_label.text()), timeout=SOON
        )
        type_in(qtbot, dialog.distance, ruler)
        click(qtbot, dialog.take_button)
    assert dialog.table.rowCount() == 4
    assert not dialog.apply_button.isEnabled()  # twice the same place
    table = dialog.table
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualItemRect(table.item(2, 0)).center())
    click(qtbot, dialog.remove_button)
    assert Meaning("", "residual", residual="0.0 mm").of(dialog.residual_label.text())
    click(qtbot, dialog.apply_button)
    assert Meaning("", "distances", count=3, residual="0.0 mm").of(dock.calibration_label.text())
    follows(qtbot, window, 0.215)
    window.close()
    again = lab()
    dock = opened(again, qtbot)
    assert dock.source.setup.calibration(200.0) == pytest.approx(215.0)
    click(qtbot, dock.source.connect_button)
    follows(qtbot, again, dock.source.setup.calibration(300.0) / 1000)


@pytest.mark.nightly
def test_a_wall_is_driven_from_where_it_stands_and_let_stand(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dock = opened(window, qtbot)
    click(qtbot, dock.source.connect_button)
    follows(qtbot, window, 0.3)
    drives = dock.drives
    type_in(qtbot, drives.boxes["scale"], "0")
    assert drives.boxes["scale"].value() == 1.0
    choose(qtbot, drives.item_box, "side")
    assert not drives.boxes["scale"].isEnabled()
    click(qtbot, drives.toggle_button)
    qtbot.waitUntil(lambda: drives.boxes["scale"].isEnabled(), timeout=SOON)
    assert window.session.frame is None or window.session.frame.snapshot.walls[1] == pytest.approx(0.0, abs=1e-3)
    type_in(qtbot, drives.boxes["scale"], "-1")
    type_in(qtbot, drives.boxes["offset"], "0.3")
    show_tab(qtbot, dock, 2)
    type_in(qtbot, dock.target.boxes["centre"], "250")
    settles(
        qtbot,
        window,
        lambda: (
            window.session.frame is not None
            and window.session.frame.snapshot.walls == pytest.approx([0.25, 0.05], abs=1e-3)
        ),
    )
    show_tab(qtbot, dock, 0)
    click(qtbot, drives.toggle_button)
    qtbot.waitUntil(lambda: window.session.document.scene.wall[1].motion.kind == "still", timeout=SOON)
    assert window.session.document.scene.wall[1].point == pytest.approx((0.45, 0.0, 0.0), abs=1e-3)
    assert len(window.session.document.undo) == 4


def test_a_recording_is_written_and_played(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    window = lab()
    dock = opened(window, qtbot)
    click(qtbot, dock.source.connect_button)
    click(qtbot, dock.record_button)
    assert dock.record_button.text() == "Stop"
    qtbot.wait(500)
    click(qtbot, dock.record_button)
    (path,) = tmp_path.rglob("polhode-*.csv")
    click(qtbot, dock.source.connect_button)
    dock.play(path)
    assert dock.source.choice.currentData() == "recording"
    qtbot.waitUntil(lambda: dock.distance.text() == "300.0 mm", timeout=SOON)


def test_without_anything_to_drive_the_dock_says_so(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab('format = 1\n[[particle]]\nname = "ball"\nmass = 1.0\n')
    dock = opened(window, qtbot)
    assert Meaning("", "no", "wall", "body", "path").of(dock.drives.description.text())
    assert not dock.drives.toggle_button.isEnabled()
    assert dock.drives.parameter_button.isEnabled()


@pytest.mark.nightly
def test_a_number_is_searched_driven_limited_and_let_stand(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """Gravity driven by the mouse starts at its current value; every step can be undone like any other edit."""
    window = lab()
    dock = opened(window, qtbot)
    drives = dock.drives

    def gravity() -> float:
        moment = window.session.frame
        return moment.driven_scene.world.gravity[2] if moment is not None else 0.0

    click(qtbot, drives.parameter_button)
    dialog = drives.findChild(ParameterChooser)
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible, timeout=SOON)
    assert dialog.nothing_found.isHidden()
    click(qtbot, dialog.search)
    qtbot.keyClicks(dialog.search, "no such number")
    assert dialog.nothing_found.isVisible()
    assert not dialog.accept_button.isEnabled()
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "gravity[2]")
    assert dialog.nothing_found.isHidden()
    assert dialog.proxy.rowCount() == 1
    assert dialog.proxy.index(0, 0).data() == "World: gravity z = -9.80665 m/s²"
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "gravity z")  # by its name too
    assert dialog.proxy.rowCount() == 1
    click(qtbot, dialog.accept_button)
    qtbot.waitUntil(lambda: len(window.session.document.scene.sensor.drive) == 1, timeout=SOON)
    assert drives.item_box.currentText() == "World: gravity z"
    assert drives.boxes["scale"].value() == pytest.approx(98.0665)
    assert drives.boxes["offset"].text() == "-39.2266 m/s²"
    assert drives.boxes["lowest"].text() == "no limit"
    qtbot.waitUntil(lambda: gravity() == pytest.approx(-9.80665), timeout=SOON)
    click(qtbot, dock.source.connect_button)
    show_tab(qtbot, dock, 2)
    type_in(qtbot, dock.target.boxes["centre"], "350")
    settles(qtbot, window, lambda: gravity() == pytest.approx(-9.80665 + 4.903325, abs=0.1))
    show_tab(qtbot, dock, 0)
    type_in(qtbot, drives.boxes["highest"], "-6")
    qtbot.waitUntil(lambda: gravity() == pytest.approx(-6.0), timeout=SOON)
    assert window.session.frame is not None
    assert abs(window.session.frame.drift) < 1e-2
    type_in(qtbot, drives.boxes["highest"], "\b")  # deletes what is selected: an empty box
    qtbot.waitUntil(lambda: window.session.document.scene.sensor.drive[0].highest is None, timeout=SOON)
    click(qtbot, drives.toggle_button)
    qtbot.waitUntil(lambda: window.session.document.scene.sensor.drive == (), timeout=SOON)
    assert window.session.document.scene.world.gravity[2] == pytest.approx(-9.80665 + 4.903325, abs=0.1)
    assert len(window.session.document.undo) == 4
    for _ in range(4):
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(window.session.document.redo) == 4, timeout=SOON)
    assert window.session.document.scene.world.gravity[2] == -9.80665


def test_a_wall_whose_place_is_driven_is_drawn_where_it_is(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    driven = '[[sensor.drive]]\nparameter = "wall[1].point[0]"\nscale = -1.0\noffset = 0.9\n[[particle]]'
    window = lab(SCENE.replace("[[particle]]", driven, 1))
    qtbot.waitUntil(
        lambda: (
            window.scene_view.stage is not None and window.scene_view.stage.scene.wall[1].point[0] == pytest.approx(0.6)
        ),
        timeout=SOON,
    )


def test_a_scene_plays_its_recording(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    rows = "".join(f"{0.02 * k:.2f},350.0\n" for k in range(50))
    (tmp_path / "waved.csv").write_text("time,raw\n" + rows)
    window = lab(SCENE.replace("[sensor]", '[sensor]\nsource = "recording"\nfile = "waved.csv"'))
    follows(qtbot, window, 0.35)
    dock = opened(window, qtbot)
    qtbot.waitUntil(lambda: dock.source.choice.currentData() == "recording", timeout=SOON)
    assert dock.source.state.text() == "Connected."


@pytest.mark.nightly
def test_the_dock_says_that_the_hand_of_the_scene_moves(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """Also after another scene, whose hand was a connected one."""
    window = lab()
    dock = opened(window, qtbot)
    click(qtbot, dock.source.connect_button)
    qtbot.waitUntil(lambda: dock.source.state.text() == "Connected.", timeout=SOON)
    click(qtbot, dock.source.connect_button)
    swinging = scene_of(tomllib.loads(SCENE.replace("amplitude = 0.0", "amplitude = 0.05")), "")
    window.session.open_scene(swinging)
    qtbot.waitUntil(
        lambda: Meaning("", "connected", "moves", wave="300 ± 50 mm", period="2 s").of(dock.source.state.text()),
        timeout=SOON,
    )
    seen = set()
    qtbot.waitUntil(lambda: seen.add(dock.distance.text()) or len(seen) > 5, timeout=SOON)  # type: ignore[func-returns-value]
    qtbot.waitUntil(lambda: len(dock.trace.filtered_curve.getData()[1]) > 5, timeout=SOON)
    traced = dock.trace.filtered_curve.getData()[1]
    assert np.ptp(traced) > 1.0
    assert ((traced > 249) & (traced < 351)).all()  # [mm]
    assert 0.24 < floor(window) < 0.36


def test_a_hand_that_was_taken_over_and_given_back_moves_by_itself_again(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = lab(SCENE.replace("amplitude = 0.0", "amplitude = 0.05"))
    hand = opened(window, qtbot).hand
    moves, taken = Meaning("", "Simulated", "moving"), Meaning("", "Your", "mouse")
    qtbot.waitUntil(lambda: moves.of(hand.text.text()), timeout=SOON)
    middle = hand.picture.rect().center()
    qtbot.mousePress(hand.picture, LEFT, pos=middle)
    qtbot.mouseMove(hand.picture, middle + QPoint(0, 20))
    qtbot.mouseRelease(hand.picture, LEFT, pos=middle + QPoint(0, 20))
    qtbot.waitUntil(lambda: taken.of(hand.text.text()), timeout=SOON)
    click(qtbot, hand.release_button)
    qtbot.waitUntil(lambda: moves.of(hand.text.text()), timeout=SOON)
    assert not hand.release_button.isVisible()


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no ptys on this system")
def test_a_scene_connects_the_only_board_and_remembers_it(
    lab: Callable[..., MainWindow], board: Cable, qtbot: QtBot
) -> None:
    number = 0

    def speaking(distance: float) -> bool:
        nonlocal number
        board.say(line(f"D,{number},{10 * number},{distance},ok"))
        number += 1
        return bool(abs(floor(window) - distance / 1000) < 1e-3)

    serial = SCENE.replace("[sensor]", '[sensor]\nsource = "serial"')
    window = lab(serial)
    qtbot.waitUntil(lambda: Meaning("", "No", "board").of(window.toast.text), timeout=SOON)
    board.plug()
    qtbot.waitUntil(lambda: speaking(350.0), timeout=SOON)
    dock = opened(window, qtbot)
    qtbot.waitUntil(lambda: "Arduino Uno" in dock.source.choice.currentText(), timeout=SOON)
    assert dock.source.connect_button.text() == "Disconnect"
    assert "0043" not in dock.source.state.text()
    known = read_address(window.settings.port)
    assert known is not None
    assert known.serial_number == "55736303"


BEAD = """
[[bead]]
name = "bead"
parameter = 0.1
path = { kind = "parabola", coefficient = 1.0 }
"""


def test_a_path_is_driven_from_where_it_stands_and_left_where_it_is(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = lab(BEAD)
    dock = opened(window, qtbot)
    drives = dock.drives
    assert drives.item_box.currentData() == "bead"
    qtbot.mouseClick(drives.toggle_button, LEFT)
    qtbot.waitUntil(lambda: window.session.document.scene.bead[0].path_motion.kind == "sensor", timeout=SOON)
    motion = window.session.document.scene.bead[0].path_motion
    assert motion.offset == pytest.approx(-window.session.document.scene.sensor.centre, abs=0.11)
    drives.boxes["scale"].setValue(2.0)
    qtbot.waitUntil(lambda: window.session.document.scene.bead[0].path_motion.scale == 2.0, timeout=SOON)
    drives.boxes["offset"].setValue(0.25)
    qtbot.waitUntil(lambda: window.session.document.scene.bead[0].path_motion.offset == 0.25, timeout=SOON)
    qtbot.mouseClick(drives.toggle_button, LEFT)
    qtbot.waitUntil(lambda: window.session.document.scene.bead[0].path_motion.kind == "still", timeout=SOON)
    x, y, z = window.session.document.scene.bead[0].path.position
    assert x == pytest.approx(0.25 + 2 * 0.3, abs=0.21)  # where the scene's own hand had led it
    assert (y, z) == (0, 0)


def segments(plot: TracePlot) -> np.ndarray:
    """Lengths of time (n,) [s] of the line segments that the curve of a trace is painted with."""
    path = plot.filtered_curve.curve.getPath()
    parts = [path.elementAt(k) for k in range(path.elementCount())]
    ends = [(one.x, other.x) for one, other in pairwise(parts) if other.isLineTo()]
    return np.diff(ends, axis=1).ravel()


def test_the_trace_breaks_where_nothing_was_measured(qtbot: QtBot) -> None:
    """A failed measurement, and the time in which no sensor is connected, are not bridged by the line."""
    plot = TracePlot()
    qtbot.addWidget(plot)
    plot.show()
    times = np.concatenate([np.arange(1.0, 3.0, 0.05), np.arange(6.0, 8.0, 0.05)])
    raw = [None if k == 50 else 200.0 for k in range(len(times))]
    plot.draw([FilteredReading(t, r, 200.0, 200.0, 0.0, 0.0, "") for t, r in zip(times, raw, strict=True)], 8.0)
    drawn = segments(plot)
    assert drawn.max() < 0.06
    assert np.count_nonzero(drawn > 0.04) == len(times) - 1 - 1 - 2  # one gap of time, two beside what has failed


def test_the_trace_breaks_where_the_run_was_paused(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(SCENE.replace("amplitude = 0.0", "amplitude = 0.05"))
    dock = opened(window, qtbot)
    curve = dock.trace.filtered_curve
    qtbot.waitUntil(lambda: curve.getData()[1] is not None and len(curve.getData()[1]) > 5, timeout=SOON)
    assert np.isfinite(curve.getData()[1]).all()
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: np.isnan(curve.getData()[1]).any(), timeout=SOON)
    seen = len(curve.getData()[1])
    qtbot.wait(300)  # [ms] a gap is one point
    assert len(curve.getData()[1]) <= seen
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: np.isfinite(curve.getData()[1][-5:]).all(), timeout=SOON)
    distances = curve.getData()[1]
    assert np.isnan(distances).sum() == 1
    assert np.count_nonzero(segments(dock.trace)) == len(distances) - 3
