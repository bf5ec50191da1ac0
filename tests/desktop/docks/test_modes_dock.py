"""The dock of modes in the real window, with real events of mouse and keys, on a virtual screen."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from gui import LEFT, SOON, click
from meaning import Meaning
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode.physics.modal.mode_control import mode_energies
from polhode_app.docks.modes.mode_table import ENERGY, FREQUENCY, MUTED, SHARE_ROLE
from polhode_app.docks.modes.modes_dock import ModesDock
from polhode_app.main_window import MainWindow

SCENE = """
format = 1
title = "Two drums and a ball"
[world]
gravity = [0, 0, 0]
[[soft]]
name = "drum"
kind = "lattice"
counts = [9, 9, 1]
spacing = [0.1, 0.1, 0.1]
position = [0, 0, 0.5]
particle_mass = 0.01
stiffness = 50.0
natural_length = 0.9
fixed = [0, 1, 2, 3, 4, 5, 6, 7, 8, 72, 73, 74, 75, 76, 77, 78, 79, 80]
modes = 6
[[soft]]
name = "jelly"
kind = "lattice"
counts = [5, 5, 5]
spacing = [0.1, 0.1, 0.1]
position = [0, 0, 1.5]
particle_mass = 0.01
stiffness = 50.0
"""
BALL = '[[particle]]\nname = "ball"\nmass = 1.0\nvelocity = [0.1, 0, 0]\n'


def opened(window: MainWindow, qtbot: QtBot) -> ModesDock:
    qtbot.keyClick(window, Qt.Key.Key_M)
    dock = window.docks.docks["modes"]
    assert dock is not None
    assert dock.isVisible()
    return dock


def click_cell(dock: ModesDock, qtbot: QtBot, row: int, column: int) -> None:
    place = dock.table.visualItemRect(dock.table.item(row, column)).center()
    qtbot.mouseClick(dock.table.viewport(), LEFT, pos=place)


def now(window: MainWindow):
    assert window.session.frame is not None
    return window.session.frame.snapshot


def energies(window: MainWindow) -> np.ndarray:
    part, here = window.session.compiled.modal["drum"], window.session.compiled.points["drum"]
    points = now(window).points
    return mode_energies(part.net, part.modes, points.position[here], points.velocity[here])


def drawn(window: MainWindow) -> np.ndarray:
    """(p, 3) [m] where the view has all points."""
    return window.scene_view.views["points"].positions.copy()


def is_far(moved: np.ndarray) -> bool:
    """Whether some point has moved (p, 3) [m] by more than 5 cm."""
    return bool(np.linalg.norm(moved, axis=1).max() > 0.05)


def test_the_table_has_the_modes_of_the_chosen_body(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dock = opened(window, qtbot)
    assert [dock.body.itemText(row) for row in range(dock.body.count())] == ["drum", "jelly"]
    assert dock.table.rowCount() == 6
    assert Meaning("", "modes", modes=6, all=189).of(dock.caption.text())
    f = window.session.compiled.modal["drum"].modes.frequencies / (2 * np.pi)
    shown = [float(dock.table.item(row, FREQUENCY).text()) for row in range(6)]
    assert shown == pytest.approx(f, rel=1e-3)
    for column in range(5):  # nothing is cut off
        assert dock.table.sizeHintForColumn(column) <= dock.table.columnWidth(column)
    qtbot.keyClick(window, Qt.Key.Key_M)
    assert not dock.isVisible()
    assert not window.action_table["modes"].isChecked()
    window.action_table["modes"].trigger()
    dock.close()  # by its own button
    assert not window.action_table["modes"].isChecked()


@pytest.mark.nightly
def test_a_look_pauses_and_shows_the_shape_and_the_run_goes_on_after(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = lab()
    dock = opened(window, qtbot)
    click_cell(dock, qtbot, 2, FREQUENCY)
    click(qtbot, dock.preview_button)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    part, here = window.session.compiled.modal["drum"], window.session.compiled.points["drum"]
    shape = part.modes.shapes[2].T

    def moved() -> np.ndarray:
        return drawn(window)[here] - part.net.positions

    for side in (1, -1):  # it swings to both sides, exaggerated: nothing has moved in the run
        qtbot.waitUntil(lambda side=side: side * np.vdot(far := moved(), shape) > 0 and is_far(far), timeout=SOON)
        far = moved()
        assert side * far / np.linalg.norm(far) == pytest.approx(shape / np.linalg.norm(shape), abs=1e-5)  # float32
    assert now(window).points.position[here] == pytest.approx(part.net.positions, abs=1e-12)
    qtbot.keyClick(dock.table, Qt.Key.Key_Down)  # on to the next one
    assert dock.table.selected_mode == 3
    shapes = part.modes.shapes[[2, 3]].transpose(0, 2, 1)

    def is_next() -> bool:
        old, new = (abs(np.vdot(far := moved(), each)) / np.linalg.norm(far) / np.linalg.norm(each) for each in shapes)
        return old < 1e-4 and new > 0.99

    qtbot.waitUntil(is_next, timeout=SOON)
    click(qtbot, dock.preview_button)
    qtbot.waitUntil(lambda: window.session.frame.running, timeout=SOON)
    assert drawn(window)[here] == pytest.approx(part.net.positions, abs=1e-6)


def test_play_ends_a_look(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dock = opened(window, qtbot)
    click(qtbot, dock.preview_button)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not dock.preview_button.isChecked(), timeout=SOON)
    assert window.session.running
    click(qtbot, dock.preview_button)
    qtbot.waitUntil(lambda: dock.preview.paused_step is not None, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: not dock.preview.is_active, timeout=SOON)
    assert not window.session.running


def test_excite_sets_off_the_chosen_mode_alone_and_its_bar_says_so(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    """Cubic forces of the taut drum hand a little on to others later."""
    window = lab()
    dock = opened(window, qtbot)
    qtbot.wait(300)
    assert all(dock.table.item(row, ENERGY).data(SHARE_ROLE) == 0.0 for row in range(6))  # nothing swings yet
    click_cell(dock, qtbot, 1, FREQUENCY)
    click(qtbot, dock.excite_button)
    qtbot.waitUntil(lambda: energies(window).sum() > 1e-6, timeout=SOON)
    assert now(window).ledger.hand > 1e-6
    qtbot.waitUntil(lambda: dock.table.item(1, ENERGY).data(SHARE_ROLE) > 0.5, timeout=SOON)
    assert abs(window.session.frame.drift) < 1e-3
    shares = energies(window) / energies(window).sum()
    assert shares[1] > 0.5


def test_a_silent_mode_is_silent_until_it_may_sound_or_a_reset(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dock = opened(window, qtbot)
    for mode in (0, 1):
        click_cell(dock, qtbot, mode, FREQUENCY)
        click(qtbot, dock.excite_button)
    qtbot.waitUntil(lambda: energies(window)[:2].min() > 1e-7, timeout=SOON)
    click_cell(dock, qtbot, 1, MUTED)
    qtbot.waitUntil(lambda: window.session.frame.muted == {("drum", 1)}, timeout=SOON)
    qtbot.wait(300)
    assert energies(window)[1] < 1e-20
    assert energies(window)[0] > 1e-7
    assert dock.table.item(1, MUTED).checkState() == Qt.CheckState.Checked
    assert not dock.excite_button.isEnabled()
    assert "muted" in dock.excite_button.toolTip()
    click_cell(dock, qtbot, 0, FREQUENCY)
    qtbot.waitUntil(dock.excite_button.isEnabled, timeout=SOON)
    click_cell(dock, qtbot, 1, MUTED)
    qtbot.waitUntil(lambda: not window.session.frame.muted, timeout=SOON)
    click_cell(dock, qtbot, 1, MUTED)
    qtbot.waitUntil(lambda: bool(window.session.frame.muted), timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: not window.session.frame.muted, timeout=SOON)
    qtbot.waitUntil(lambda: dock.table.item(1, MUTED).checkState() == Qt.CheckState.Unchecked, timeout=SOON)


def test_a_body_of_points_has_its_lowest_modes_found_beside_the_window(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = lab()
    dock = opened(window, qtbot)
    dock.body.setCurrentIndex(1)
    dock.body.activated.emit(1)
    assert "Computing" in dock.caption.text() or dock.table.rowCount() == 20
    qtbot.waitUntil(lambda: dock.table.rowCount() == 20, timeout=SOON)
    assert Meaning("", "lowest", modes=20, all=369).of(dock.caption.text())
    assert not dock.table.item(0, MUTED).flags() & Qt.ItemFlag.ItemIsEnabled
    assert "modes = n" in dock.table.item(0, MUTED).toolTip()
    click_cell(dock, qtbot, 0, MUTED)
    click_cell(dock, qtbot, 0, FREQUENCY)
    click(qtbot, dock.excite_button)
    qtbot.waitUntil(lambda: now(window).ledger.hand > 1e-7, timeout=SOON)
    qtbot.waitUntil(lambda: dock.table.item(0, ENERGY).data(SHARE_ROLE) > 0.5, timeout=SOON)
    assert not window.session.frame.muted
    window.session.set_solver(time_step=5e-4)  # an edit that changes no mode keeps what was found
    qtbot.waitUntil(lambda: window.session.document.scene.solver.time_step == 5e-4, timeout=SOON)
    assert dock.table.rowCount() == 20
    assert dock.body.currentText() == "jelly"


@pytest.mark.nightly
def test_the_window_does_not_wait_for_the_modes_of_a_large_body(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """The search takes seconds here; the longest time between two turns of the window is a part of that."""
    window = lab(SCENE.replace("counts = [5, 5, 5]", "counts = [12, 12, 12]"))
    dock = opened(window, qtbot)
    dock.body.setCurrentIndex(1)
    gaps, begun = [], time.perf_counter()
    dock.body.activated.emit(1)
    last = begun
    while dock.table.rowCount() != 20 and time.perf_counter() - begun < 120:
        qtbot.wait(5)
        gaps.append(time.perf_counter() - last)
        last = time.perf_counter()
    took = last - begun
    assert dock.table.rowCount() == 20
    assert max(gaps) < max(0.5 * took, 0.3), (max(gaps), took)


def test_a_scene_without_soft_bodies_says_so(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(SCENE.split("[[soft]]")[0] + BALL)
    dock = opened(window, qtbot)
    assert Meaning("", "No", "soft").of(dock.caption.text())
    for widget in (dock.table, dock.preview_button, dock.excite_button, dock.body):
        assert not widget.isVisible()


@pytest.mark.new_window
def test_modes_that_buckle_are_marked(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    text = SCENE.replace("natural_length = 0.9", 'natural_length = 1.05\nunstable_modes = "clamp"')
    window = lab(text)
    dock = opened(window, qtbot)
    assert dock.table.item(0, FREQUENCY).text() == "buckles"
    assert "ω²" in dock.table.item(0, FREQUENCY).toolTip()
    click(qtbot, dock.excite_button)
    qtbot.waitUntil(lambda: now(window).ledger.hand > 0, timeout=SOON)
