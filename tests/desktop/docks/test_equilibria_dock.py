"""The dock of equilibria in the real window, with real events of mouse and keys, on a virtual screen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gui import LEFT, SOON, START, choose, click
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode.equilibria.landscape import Landscape
from polhode_app.docks.equilibria.equilibria_dock import EquilibriaDock
from polhode_app.docks.equilibria.equilibrium_table import STABILITY
from polhode_app.interactors.landscape_maker import contour_lines, shown_range
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

SCENE = """
format = 1
title = "Two needles"
[world]
gravity = [0, 0, 0]
"""
for name, x, angle in (("left", -0.035, 1.2), ("right", 0.035, -0.6)):
    SCENE += f"""
[[body]]
name = "{name}"
support = "axle"
axis = [0, 0, 1]
position = [{x}, 0, 0.03]
orientation = {{ axis = [0, 0, 1], angle = {angle} }}
[[body.shape]]
kind = "cuboid"
size = [0.024, 0.005, 0.005]
mass = 0.005
[[body.dipole]]
moment = [0.2, 0, 0]
"""


@pytest.fixture(autouse=True)
def _few_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for all eight equilibria; a search gives way to the window, so that the usual ones take seconds."""
    monkeypatch.setattr("polhode_app.docks.equilibria.equilibria_list.USUAL_STARTS", 24)


def opened(window: MainWindow, qtbot: QtBot) -> EquilibriaDock:
    """The dock with the equilibria, opened by its key."""
    qtbot.keyClick(window, Qt.Key.Key_F8)
    qtbot.waitUntil(
        lambda: window.docks.dock("equilibria") is not None and window.docks.docks["equilibria"].isVisible(),
        timeout=SOON,
    )
    dock = window.docks.docks["equilibria"]
    assert dock is not None
    qtbot.waitUntil(lambda: dock.list.valid is not None and dock.list.bar.isHidden(), timeout=START)
    return dock


@pytest.mark.nightly
def test_rows_appear_while_the_search_goes_on_and_stay_when_it_is_cancelled(window: MainWindow, qtbot: QtBot) -> None:
    rows = opened(window, qtbot).list
    rows.starts.setValue(10_000)
    click(qtbot, rows.find_button)
    qtbot.waitUntil(lambda: rows.valid is not None and rows.table.rowCount() > 0, timeout=START)
    assert rows.search.is_running
    assert "found so far" in rows.caption.text()
    click(qtbot, rows.find_button)  # which cancels by now
    qtbot.waitUntil(lambda: not rows.search.is_running, timeout=SOON)
    assert rows.table.rowCount() == len(rows.valid.equilibria) > 0
    assert "equilibria" in rows.caption.text()
    assert rows.bar.isHidden()


def click_row(dock: EquilibriaDock, qtbot: QtBot, row: int) -> None:
    table = dock.list.table
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualItemRect(table.item(row, STABILITY)).center())


def angles(window: MainWindow) -> np.ndarray:
    """Angles of both needles in the newest moment."""
    basis = window.session.frame.snapshot.bodies.basis
    return np.arctan2(basis[:, 0, 1], basis[:, 0, 0])


def settled(window: MainWindow, qtbot: QtBot, expected: np.ndarray) -> None:
    """Wait until both needles are seen at these angles, up to whole turns."""

    def is_there() -> bool:
        moment = window.session.frame
        return moment is not None and bool(np.abs(np.cos(angles(window) - expected) - 1).max() < 1e-9)

    qtbot.waitUntil(is_there, timeout=SOON)


def test_equilibria_are_listed_and_a_click_goes_there_by_one_edit(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    texts = [dock.list.table.item(row, STABILITY).text() for row in range(dock.list.table.rowCount())]
    assert texts == ["stable"] * 2 + ["unstable (1)"] * 4 + ["unstable (2)"] * 2
    before, undos = window.session.document.scene, len(window.session.document.undo)
    click_row(dock, qtbot, 0)
    qtbot.waitUntil(lambda: not window.session.is_pending and window.session.document.scene != before, timeout=SOON)
    assert len(window.session.document.undo) == undos + 1
    settled(window, qtbot, np.zeros(2))
    assert np.abs(window.session.frame.snapshot.bodies.angular_velocity).max() < 1e-9
    assert dock.list.valid is not None  # the list is still that of the scene
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.scene == before, timeout=SOON)
    assert dock.list.valid is not None


@pytest.mark.nightly
def test_keys_choose_an_equilibrium_and_return_goes_there(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    dock.list.table.setFocus()
    qtbot.keyClick(dock.list.table, Qt.Key.Key_Down)
    assert dock.list.table.row == 1
    before = window.session.document.scene
    assert window.session.newest.scene == before  # only selected
    qtbot.keyClick(dock.list.table, Qt.Key.Key_Return)
    settled(window, qtbot, np.full(2, np.pi))


@pytest.mark.nightly
def test_a_preview_moves_the_needles_while_the_run_is_paused(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    click(qtbot, dock.list.preview_button)
    assert dock.list.preview.is_active
    qtbot.waitUntil(lambda: not window.session.running, timeout=SOON)
    click(qtbot, dock.list.preview_button)
    assert not dock.list.preview.is_active
    assert window.session.running


@pytest.mark.nightly
def test_an_edit_of_the_scene_makes_the_list_outdated(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    world = window.session.scene.world.model_copy(update={"gravity": (0.0, 0.0, -1.0)})
    window.session.edit(window.session.scene.model_copy(update={"world": world}))
    qtbot.waitUntil(lambda: dock.list.valid is None, timeout=SOON)
    assert "changed" in dock.list.caption.text()
    assert not dock.list.go_button.isEnabled()
    click(qtbot, dock.list.find_button)
    qtbot.waitUntil(lambda: dock.list.valid is not None, timeout=START)


@pytest.mark.nightly
def test_a_search_is_cancelled_by_its_button(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    dock.list.starts.setValue(10_000)
    click(qtbot, dock.list.find_button)
    assert dock.list.bar.isVisible()
    click(qtbot, dock.list.find_button)
    assert not dock.list.bar.isVisible()
    qtbot.waitUntil(lambda: not dock.list.search.is_running, timeout=SOON)
    assert dock.list.search.poll() is None


@pytest.mark.nightly
def test_the_landscape_is_drawn_with_marks_and_follows_the_state(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    dock = opened(window, qtbot)
    dock.tabs.setCurrentIndex(1)
    plot = dock.landscape.plot
    qtbot.waitUntil(lambda: plot.drawn is not None and len(plot.drawn.marks) == 8, timeout=START)
    assert plot.drawn.wanted.axes == ("left.angle", "right.angle")
    assert not any(mark.beside for mark in plot.drawn.marks)
    window.action_table["play"].trigger()
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)

    def is_at_the_state() -> bool:
        shown = np.stack(plot.state.getData(), axis=1)
        return len(shown) > 0 and bool(np.abs(shown - angles(window)).max(axis=1).min() < 1e-6)

    qtbot.waitUntil(is_at_the_state, timeout=SOON)
    dock.landscape.export("csv")
    dock.landscape.export("png")
    (table,) = tmp_path.glob("polhode-*.csv")
    assert len(table.read_text().splitlines()) == plot.drawn.landscape.energy.size + 1
    assert list(tmp_path.glob("polhode-*.png"))


@pytest.mark.nightly
def test_one_coordinate_is_a_curve(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    dock.tabs.setCurrentIndex(1)
    plot = dock.landscape.plot
    qtbot.waitUntil(lambda: plot.drawn is not None, timeout=START)
    choose(qtbot, dock.landscape.second, "")
    qtbot.waitUntil(lambda: plot.drawn.wanted.axes == ("left.angle",), timeout=SOON)
    assert plot.curve.isVisible()
    assert not plot.image.isVisible()
    angle, energy = plot.curve.getData()
    k = 1.25663706127e-6 * 0.2**2 / (4 * np.pi * 0.07**3)
    expected = k * (np.cos(angle + 0.6) - 3 * np.cos(angle) * np.cos(0.6))  # the other needle is held at its start
    assert energy == pytest.approx(expected, abs=1e-9 * k)


def test_contour_lines_of_a_bowl_are_circles() -> None:
    x = np.linspace(-1.0, 1.0, 81)
    bowl = Landscape((), (x, x), x[:, None] ** 2 + x[None] ** 2)
    ends = contour_lines(bowl, 0.0, 0.9)
    rings = np.hypot(*ends.T) * 15 / np.sqrt(0.9)  # 14 lines at equal distances
    assert np.unique(np.round(rings)).tolist() == list(range(1, 15))
    # linear interpolation on a grid of step h is off by at most h^2/8 times the curvature 2: h^2/4 of r^2
    allowed = 0.025**2 / 4 * 225 / 0.9 * 1.01
    assert np.abs(rings**2 - np.round(rings) ** 2).max() < allowed


def test_colours_leave_out_peaks() -> None:
    energy = np.linspace(-1.0, 1.0, 1000)
    energy[-3:] = 1e9, np.inf, np.nan
    low, high = shown_range(energy)
    assert low == -1.0
    assert 1.0 < high < 50.0
