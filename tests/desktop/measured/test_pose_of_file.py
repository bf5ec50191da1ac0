"""Poses of a file at bodies and particles, in the real window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import LEFT, SOON, START, accepted
from measured_window import compared, drop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow
from polhode_app.window.widgets.data_drag import pose_data

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

SCENE = """
title = "A card and a ball"
world = { gravity = [0, 0, 0] }
[[body]]
name = "card"
support = "fixed"
position = [0, 1, 0]
shape = [{ kind = "cuboid", size = [0.3, 0.3, 0.1], mass = 0.1 }]
[[particle]]
name = "ball"
mass = 0.1
radius = 0.1
position = [0, -1, 0]
"""
AXES = [f"u{row}.{axis}" for row in (1, 2, 3) for axis in "xyz"]


@pytest.fixture
def poses(tmp_path: Path) -> Path:
    """Positions in mm without a unit, of a pose that does not turn; one time goes back."""
    path, k = tmp_path / "pose.csv", np.arange(41)
    rows = np.column_stack([0.05 * k, 9990 + 10 * k, 0 * k, -5 * k, np.tile(np.eye(3).ravel(), (len(k), 1))])
    rows[7, 0] = 0.1
    np.savetxt(path, rows, delimiter=",", header=",".join(["t (s)", "x", "y", "z", *AXES]), comments="")
    return path


def test_a_file_drives_a_body_as_it_is_read(lab: Callable[..., MainWindow], qtbot: QtBot, poses: Path) -> None:
    """Units, times and the clock are those of the dock; a particle has a position alone."""
    window = lab(SCENE)
    window.docks.open("measured", lambda measured: measured.open(poses))
    qtbot.waitUntil(lambda: window.docks.dock("measured") is not None, timeout=SOON)
    dock = window.docks.docks["measured"]
    tab, later = dock.data_tab, dock.data_tab.times.later
    qtbot.waitUntil(later.isVisible, timeout=SOON)
    qtbot.mouseClick(later, LEFT, pos=QPoint(8, later.height() // 2))
    qtbot.waitUntil(lambda: dock.data.layer is not None, timeout=SOON)
    for axis in "xyz":
        tab.rows[axis].unit_chosen.emit("mm")
    qtbot.waitUntil(tab.pose.isVisible, timeout=SOON)
    tab.offset.setValue(0.25)
    tab.pose.menu.aboutToShow.emit()
    over_card, drive, over_ball = tab.pose.menu.actions()
    over_ball.trigger()
    assert dock.data.layer.mapping == {axis: f"ball.position.{axis}" for axis in "xyz"}
    compared(window, qtbot)
    assert dock.data.comparison.residuals("x")[0] == pytest.approx(-9.99)
    over_card.trigger()
    assert len(dock.data.layer.mapping) == 12
    drive.trigger()
    motion = accepted(window, qtbot).body[0].motion
    assert (motion.x.unit, motion.x.drop_later, motion.x.delay) == ("mm", True, 0.25)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 0.5, timeout=START)
    now = window.session.frame.snapshot
    assert now.bodies.position[0] == pytest.approx([0.2 * (now.time - 0.25), 1.0, -0.1 * (now.time - 0.25)], abs=1e-6)


def test_a_pose_is_dropped_on_the_tree(lab: Callable[..., MainWindow], qtbot: QtBot, poses: Path) -> None:
    """On the world it is refused; on a body a menu opens, from which keys choose what to do."""
    window = lab(SCENE)
    window.docks.open("measured", lambda measured: measured.open(poses))
    qtbot.waitUntil(lambda: window.docks.dock("measured") is not None, timeout=SOON)
    dock = window.docks.docks["measured"]
    qtbot.waitUntil(dock.data_tab.times.later.isVisible, timeout=SOON)
    qtbot.mouseClick(dock.data_tab.times.later, LEFT, pos=QPoint(8, dock.data_tab.times.later.height() // 2))
    qtbot.waitUntil(lambda: dock.data.layer is not None, timeout=SOON)
    tree = window.docks.docks["tree"]
    for path in (("world",), ("body", 0)):
        item = tree.items[path]
        tree.tree.scrollToItem(item)
        drop(tree.tree.viewport(), pose_data(), tree.tree.visualItemRect(item).center())
        if path == ("world",):
            assert QApplication.activePopupWidget() is None
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None, timeout=SOON)
    menu = QApplication.activePopupWidget()
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert dock.data.layer.mapping["x"] == "card.position.x"
    assert dock.data.layer.mapping["u3.z"] == "card.u3.z"
