"""Measured angles that count from elsewhere than the run does, in the real window, with real events."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gui import SOON, START, click
from made_data import PENDULUM, swing
from measured_window import compared, opened, type_quantity
from PySide6.QtGui import QPalette
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

SCENE = PENDULUM.format(gravity=9.81, friction=0.002, angle=0.5).replace('"pivot"', '"axle"\naxis = [0, 1, 0]')


def written(folder: Path, shift: float) -> Path:
    """A table of the angle of a pendulum from the vertical, plus a shift [rad]."""
    times = np.linspace(0.0, 4.0, 201)
    angle, _rate = swing(times, angle=0.5)
    path = folder / "swing.csv"
    np.savetxt(path, np.stack([times, angle + shift], axis=1), delimiter=",", header="t (s),a (rad)", comments="")
    return path


def warned(window: MainWindow) -> str:
    """The warning of the tab of the fit, "" for none; it is in the colour of errors."""
    error = window.docks.docks["measured"].fit_tab.error
    assert error.foregroundRole() == QPalette.ColorRole.BrightText
    return error.text()


def test_an_angle_from_the_vertical_is_recognised_on_an_axle(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """The angle of a body on an axle counts from its start, so such data are off by 0.5 rad: warned before a fit."""
    opened(window, qtbot, written(tmp_path, 0.0))
    dock = window.docks.docks["measured"]
    type_quantity(window, qtbot, "a", "bob: angle")
    assert dock.data.layer.mapping == {"a": "bob.angle"}
    compared(window, qtbot)
    row = dock.data_tab.rows["a"]
    qtbot.waitUntil(row.mend.isVisible, timeout=SOON)
    assert row.state.foregroundRole() == QPalette.ColorRole.BrightText
    assert "vertical" in warned(window)
    click(qtbot, row.mend)
    compared(window, qtbot)
    assert dock.data.layer.mapping == {"a": "bob.deflection"}
    assert np.abs(dock.data.comparison.residuals("a")).max() < 1e-4  # the method's error at 5 ms
    qtbot.waitUntil(lambda: not row.mend.isVisible() and not warned(window), timeout=SOON)
    assert row.state.foregroundRole() != QPalette.ColorRole.BrightText


def test_an_angle_from_elsewhere_gets_an_offset(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    opened(window, qtbot, written(tmp_path, 0.3))
    dock = window.docks.docks["measured"]
    type_quantity(window, qtbot, "a", "bob: deflection")
    compared(window, qtbot)
    row = dock.data_tab.rows["a"]
    qtbot.waitUntil(row.mend.isVisible, timeout=START)
    assert "0.3" in warned(window)
    click(qtbot, row.mend)
    compared(window, qtbot)
    assert dock.data.layer.assignments["a"].offset == pytest.approx(-0.3, abs=1e-4)
    qtbot.waitUntil(lambda: not row.mend.isVisible() and not warned(window), timeout=SOON)
