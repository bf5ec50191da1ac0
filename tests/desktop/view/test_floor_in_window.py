"""An endless floor in the real window: a ball that an edit makes fast rolls on it, however far."""

from __future__ import annotations

from gui import SOON, accepted, inspect, next_frame, row_of, type_in
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow
from polhode_app.viewport.things.walls import FADE, corners_of

SCENE = """
format = 1
title = "A ball beside a box"
[[wall]]
name = "floor"
kinetic_friction = 0.3
[[sphere]]
name = "ball"
mass = 0.5
radius = 0.05
position = [0, 0, 0.05]
contact = {}
[[body]]
name = "box"
support = "free"
position = [0.3, 0.2, 0.05]
contact = {}
shape = [{ kind = "cuboid", size = [0.1, 0.1, 0.1], density = 1000.0 }]
"""


def test_a_ball_of_3_m_per_s_rolls_on_a_floor_that_is_not_blown_up(window: MainWindow, qtbot: QtBot) -> None:
    window.session.play(False)
    inspect(window, "sphere", 0)
    before = window.scene_view.stage.radius
    type_in(qtbot, row_of(window, "sphere[0].velocity").editor.fields[0], "3")
    accepted(window, qtbot)
    next_frame(window.view, qtbot)
    stage = window.scene_view.stage
    assert stage.radius < 4 * before  # it rolls 3.6 m in the first 1.2 s
    qtbot.keyClick(window, Qt.Key.Key_Space)

    def ball() -> float:
        return float(window.session.frame.snapshot.bodies.position[1, 0])

    qtbot.waitUntil(lambda: ball() > 4.0, timeout=SOON)
    next_frame(window.view, qtbot)
    corners = corners_of(stage.scene.wall[0], stage)
    assert corners[:, 0].max() + FADE * stage.radius / 2 > ball()  # where the floor is still well seen
    assert window.scene_view.stage is stage  # and the picture keeps its scale
