"""The pivot of a body is put elsewhere from its context menu, in the real window, with real events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from brackets import HOLE, bracket
from gui import RIGHT, SOON, accepted, is_at_rest, next_frame, seen_at, send
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from polhode.simulation.simulation import Simulation
from polhode_app.main_window import MainWindow

SCENE = """
format = 1
title = "A bracket"
[view.camera]
position = [0, -0.3, 0.1]
target = [0, 0, 0.03]
[[body]]
name = "bracket"
support = "pivot"
position = [0, 0, 0.06]
shape = [{ kind = "mesh", file = "bracket.stl", scale = 0.001, density = 7800.0, position = [0, 0, -0.06] }]
[[body]]
name = "weight"
support = "free"
position = [0.08, 0, 0.03]
shape = [{ kind = "sphere", radius = 0.005, mass = 0.01 }]
[[spring]]
from = { body = "bracket", point = [0.02, 0, -0.03] }
to = "weight"
stiffness = 5.0
[[joint]]
name = "string"
kind = "distance"
first = "weight"
second = "bracket"
anchor_second = [0.02, 0, -0.03]
pull_only = true
"""


def choose_pivot(window: MainWindow, place: np.ndarray) -> None:
    """Right-click a place and choose the entry of the menu."""
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        send(window, kind, seen_at(window, place), RIGHT)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    next(each for each in menu.actions() if "pivot" in each.text()).trigger()
    menu.close()


@pytest.fixture
def still(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """The paused window at the start."""
    bracket().export(tmp_path / "bracket.stl")
    window = lab(SCENE)
    window.session.play(False)
    window.session.reset()
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time == 0.0, timeout=SOON)
    next_frame(window.view, qtbot)
    qtbot.waitUntil(lambda: is_at_rest(window.view), timeout=SOON)
    return window


@pytest.mark.parametrize("beside", [0.0, 0.005])
def test_the_pivot_goes_into_the_hole_and_everything_stays(still: MainWindow, qtbot: QtBot, beside: float) -> None:
    """Clicked through the hole and 2 mm beside its rim; spring and string keep their ends in the bracket."""
    before = still.session.scene
    choose_pivot(still, HOLE / 1000 + [beside, -0.002, 0.0])
    qtbot.waitUntil(lambda: still.session.scene is not before, timeout=SOON)
    scene = accepted(still, qtbot)
    body = scene.body[0]
    assert body.position == pytest.approx(HOLE / 1000, abs=1e-6)
    assert np.add(body.position, body.shape[0].position) == pytest.approx(np.zeros(3), abs=1e-8)
    old, new = (Simulation(each, still.session.meshes) for each in (before, scene))
    assert new.snapshot().energy.total == pytest.approx(old.snapshot().energy.total, abs=1e-9)
    for end in (scene.spring[0].from_.point, scene.joint[0].anchor_second):
        assert np.add(body.position, end) == pytest.approx((0.02, 0.0, 0.03), abs=1e-8)
    assert new.snapshot().joints.force == pytest.approx(old.snapshot().joints.force, abs=1e-9)


def test_another_point_of_the_material_is_taken_as_it_is(still: MainWindow, qtbot: QtBot) -> None:
    before = still.session.scene
    choose_pivot(still, np.array([-0.012, -0.002, 0.03]))
    qtbot.waitUntil(lambda: still.session.scene is not before, timeout=SOON)
    assert accepted(still, qtbot).body[0].position == pytest.approx((-0.012, -0.002, 0.03), abs=1e-3)
    qtbot.keyClick(still, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert accepted(still, qtbot).body[0].position == (0, 0, 0.06)
