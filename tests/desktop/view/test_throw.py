"""A throw by the mouse in the real window: the clock of the hand is that of the wall, so nothing else may run."""

from __future__ import annotations

import time

import numpy as np
import pytest
from gui import SOON, seen_at, send
from PySide6.QtCore import QEvent, QPointF, Qt
from pytestqt.qtbot import QtBot

from polhode.simulation.snapshot import Snapshot
from polhode_app.main_window import MainWindow
from scenes import JELLY

SCENE = JELLY


def now(window: MainWindow) -> Snapshot:
    assert window.session.frame is not None
    return window.session.frame.snapshot


def thrown(window: MainWindow, qtbot: QtBot) -> tuple[np.ndarray, np.ndarray, QPointF]:
    """A point led at a steady speed by the clock: its last velocity and the mean one of the way [m/s], and where to."""
    at = start_at = seen_at(window, now(window).points.position[15])
    send(window, QEvent.Type.MouseButtonPress, at)
    qtbot.waitUntil(lambda: now(window).interaction_marker is not None, timeout=SOON)
    velocity, places = np.zeros(3), []
    begun = time.perf_counter()
    for _ in range(25):
        at = start_at + QPointF(200.0 * (time.perf_counter() - begun), 0.0)
        send(window, QEvent.Type.MouseMove, at)
        qtbot.wait(15)
        velocity = now(window).points.velocity[15]
        places.append((now(window).time, now(window).points.position[15]))
    (first, start), (last, end) = places[len(places) // 2], places[-1]
    send(window, QEvent.Type.MouseButtonRelease, at)
    qtbot.waitUntil(lambda: now(window).interaction_marker is None, timeout=SOON)
    return velocity, (end - start) / (last - first), at


def test_a_point_that_is_thrown_has_the_velocity_of_the_pointer(window: MainWindow, qtbot: QtBot) -> None:
    """Frames see the pointer up to one of them late: the velocity of the last 60 ms is the mean one to a third.

    Where others work on the machine, the pointer itself stands and jumps: the best of some throws counts.
    """
    window.action_table["hand"].trigger()
    off = []
    while len(off) < 8 and min(off, default=1.0) >= 0.35:
        velocity, mean, at = thrown(window, qtbot)
        error = np.linalg.norm(velocity - mean) / np.linalg.norm(mean)
        off.append(float(error) if np.isfinite(error) else np.inf)  # no frame came meanwhile
        qtbot.keyClick(window, Qt.Key.Key_Backspace)
        qtbot.waitUntil(lambda: now(window).time < 0.5, timeout=SOON)
    assert min(off) < 0.35, off
    assert mean @ window.view.ray_at(at).ahead == pytest.approx(0, abs=0.02 * np.linalg.norm(mean))
