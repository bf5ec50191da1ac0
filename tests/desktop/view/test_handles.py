"""Handles of the selection in the real window: in front, of one size, outside the item, and easy to hit."""

from __future__ import annotations

import numpy as np
import pytest
from gui import SOON, accepted, handles_of, next_frame, seen_at, send
from PySide6.QtCore import QEvent, QPointF
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow
from polhode_app.viewport.base.palette import AXES, rgb
from polhode_app.viewport.picking.selection_gizmo import REACH

SCENE = """
format = 1
title = "A box behind a plate"
world = { gravity = [0, 0, 0] }
[[body]]
name = "box"
support = "free"
shape = [{ kind = "cuboid", size = [0.3, 0.3, 0.3], density = 1000.0, color = "#808080" }]
[[body]]
name = "plate"
support = "fixed"
position = [0, -0.4, 0.2]
shape = [{ kind = "cuboid", size = [0.6, 0.02, 0.6], density = 1000.0, color = "#404040" }]
"""


@pytest.fixture
def shown(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The paused window with handles at the box."""
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    window.session.select(("body", 0))
    window.action_table["handles"].setChecked(True)
    next_frame(window.view, qtbot)
    return window


def length_of(window: MainWindow, axis: int) -> float:
    """Length [pixel] of the arrow in the direction of the picture: that of a vertical one is not foreshortened much."""
    shape = handles_of(window)
    along = seen_at(window, shape.on_arrow(axis, 1.0)) - seen_at(window, shape.on_arrow(axis, 0.0))
    return float(np.hypot(along.x(), along.y()))


def test_handles_are_seen_through_what_is_in_front(shown: MainWindow) -> None:
    """The plate hides the box from the camera, but not the arrows of the selected box."""
    pixels, where = shown.view.pixels(), seen_at(shown, handles_of(shown).on_arrow(2, 0.5))
    ratio = shown.view.surface.devicePixelRatioF()
    row, column = round(where.y() * ratio), round(where.x() * ratio)
    near = pixels[row - 2 : row + 3, column - 2 : column + 3].reshape(-1, 3) / 255.0
    color = np.array(rgb(AXES[2]))
    hue = near / np.maximum(near.max(axis=1, keepdims=True), 1e-9)
    assert np.abs(hue - color / color.max()).max(axis=1).min() < 0.15  # shaded, of the colour of the axis


def test_arrows_begin_outside_the_item_and_have_one_size_on_the_screen(shown: MainWindow, qtbot: QtBot) -> None:
    shape, camera = handles_of(shown), shown.view.plotter.renderer.GetActiveCamera()
    for axis in range(3):
        assert shape.on_arrow(axis, 0.0)[axis] > 0.15  # the face of the box
        assert shape.rings[axis] > 0.15 * np.sqrt(2)  # its edges
    before = length_of(shown, 2)
    assert before == pytest.approx(REACH, rel=0.2)  # seen from a little above
    camera.SetPosition(*(3.0 * np.array(camera.GetPosition())))
    next_frame(shown.view, qtbot)
    assert length_of(shown, 2) == pytest.approx(before, rel=0.1)  # by perspective alone


@pytest.mark.parametrize("beside", [0.0, 6.0, 11.0])
def test_a_drag_near_an_axis_moves_the_item_and_not_the_camera(shown: MainWindow, qtbot: QtBot, beside: float) -> None:
    camera = shown.view.plotter.renderer.GetActiveCamera().GetPosition()
    at = seen_at(shown, handles_of(shown).on_arrow(2, 0.6)) + QPointF(beside, 0.0)
    send(shown, QEvent.Type.MouseButtonPress, at)
    for step in range(1, 6):
        send(shown, QEvent.Type.MouseMove, at - QPointF(0.0, 8.0 * step))
        qtbot.wait(10)
    send(shown, QEvent.Type.MouseButtonRelease, at - QPointF(0.0, 40.0))
    moved = accepted(shown, qtbot).body[0].position
    assert moved[2] > 0.01
    assert moved[:2] == (0.0, 0.0)
    assert shown.view.plotter.renderer.GetActiveCamera().GetPosition() == pytest.approx(camera, abs=1e-9)
