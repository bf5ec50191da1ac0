"""Items that are placed by clicks in the real window: on the floor, in sizes of the scene, with a camera that stays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gui import SOON, accepted, click, is_at_rest, next_frame, send
from PySide6.QtCore import QEvent, QPointF, Qt
from pytestqt.qtbot import QtBot

from polhode.simulation.simulation import Simulation
from polhode_app.main_window import MainWindow
from polhode_app.viewport.picking.extents import boxes_of

EMPTY = """
format = 1
[[wall]]
name = "floor"
"""
SCENE = EMPTY
Lab = Callable[..., MainWindow]


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the scene is drawn and the camera is at rest."""
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: window.session.frame is not None and window.scene_view.is_built, timeout=SOON)
    next_frame(window.view, qtbot)
    qtbot.waitUntil(lambda: is_at_rest(window.view), timeout=SOON)


def place(window: MainWindow, qtbot: QtBot, name: str, x: float, y: float) -> None:
    """Choose an item in the bar and click at shares of width and height of the view."""
    click(qtbot, window.build_bar.buttons[name])
    at = QPointF(round(x * window.view.surface.width()), round(y * window.view.surface.height()))
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        send(window, kind, at)
    settle(window, qtbot)


@pytest.fixture
def still(lab: Lab, qtbot: QtBot) -> MainWindow:
    """A paused window on an empty scene, without docks beside the view."""
    window = lab(EMPTY)
    window.session.play(False)
    window.action_table["tree"].setChecked(False)
    window.action_table["inspector"].setChecked(False)
    settle(window, qtbot)
    return window


def low_ends(window: MainWindow) -> np.ndarray:
    """(n,) [m] lower ends of all items at the start."""
    stage = window.scene_view.stage
    assert stage is not None
    return boxes_of(stage, stage.start)[:, 0, 2]


@pytest.mark.parametrize("name", ["body", "sphere", "soft", "magnet"])
def test_a_click_on_the_floor_lands_on_the_floor(still: MainWindow, qtbot: QtBot, name: str) -> None:
    """Wherever the pointer is on it, also far behind the middle of the picture: nothing floats or sinks."""
    for x, y in ((0.5, 0.6), (0.3, 0.5)):
        place(still, qtbot, name, x, y)
        window_low = low_ends(still)
        size = float(np.ptp(boxes_of(still.scene_view.stage, still.scene_view.stage.start)[-1], axis=0).max())
        assert window_low == pytest.approx(np.zeros(len(window_low)), abs=0.005 * size)


def test_a_pendulum_that_is_placed_on_the_floor_swings(still: MainWindow, qtbot: QtBot) -> None:
    place(still, qtbot, "pendulum", 0.5, 0.6)
    simulation = Simulation(accepted(still, qtbot))
    heights, drift = [], []
    start = simulation.snapshot().energy.total
    for _ in range(100):
        simulation.advance(0.01)
        now = simulation.snapshot()
        heights.append(now.bodies.basis[0, 2, 2])
        drift.append(now.energy.total - start)
    assert max(heights) > 0.999  # cosine of its deflection: it goes through the vertical
    assert min(heights) < heights[0] + 0.01
    assert np.abs(drift).max() < 1e-3 * abs(start)  # and touches nothing


def test_sizes_follow_the_scene_and_the_camera_stays(still: MainWindow, qtbot: QtBot) -> None:
    """Three boxes from a near and a far camera have one size, and no part that is seen moves the camera."""
    camera = still.view.plotter.renderer.GetActiveCamera()
    place(still, qtbot, "body", 0.45, 0.55)
    before = camera.GetPosition()
    place(still, qtbot, "body", 0.6, 0.6)
    assert camera.GetPosition() == pytest.approx(before, abs=1e-9)
    camera.SetPosition(*(2.0 * np.array(before) - np.array(camera.GetFocalPoint())))
    next_frame(still.view, qtbot)
    far = camera.GetPosition()
    place(still, qtbot, "body", 0.5, 0.6)
    assert camera.GetPosition() == pytest.approx(far, abs=1e-9)
    bodies = accepted(still, qtbot).body
    sizes = [body.shape[0].size for body in bodies]
    assert sizes == [sizes[0]] * 3


def test_a_drag_still_draws_the_size(still: MainWindow, qtbot: QtBot) -> None:
    click(qtbot, still.build_bar.buttons["sphere"])
    surface = still.view.surface
    start, end = (
        QPointF(0.5 * surface.width(), 0.6 * surface.height()),
        QPointF(0.56 * surface.width(), 0.6 * surface.height()),
    )
    send(still, QEvent.Type.MouseButtonPress, start)
    send(still, QEvent.Type.MouseMove, end, Qt.MouseButton.LeftButton)
    send(still, QEvent.Type.MouseButtonRelease, end)
    settle(still, qtbot)
    radius = accepted(still, qtbot).body[0].shape[0].radius
    ray = still.view.ray_at(start)
    depth = float(np.linalg.norm(ray.origin))
    assert radius == pytest.approx(0.06 * surface.width() * (ray.pixel + ray.spread * depth), rel=0.15)
    assert low_ends(still)[0] == pytest.approx(0.0, abs=0.005 * radius)
