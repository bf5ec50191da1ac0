"""A scene with a map that takes a moment, and its dock in the window, for GUI tests."""

from __future__ import annotations

from gui import SOON, START, click
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode_app.docks.maps.map_controller import MapController
from polhode_app.main_window import MainWindow

SCENE = """
title = "needle"
solver = { time_step = 0.004 }
world = { gravity = [0, 0, 0] }
[[body]]
name = "needle"
support = "axle"
axis = [0, 0, 1]
orientation = { axis = [0, 0, 1], angle = 1.4 }
friction = 2e-3
shape = [{ kind = "sphere", radius = 0.02, mass = 0.2, position = [0.1, 0, 0] }]
dipole = [{ position = [0.1, 0, 0], moment = [0, 0, 1] }]
[[body]]
name = "east"
support = "fixed"
position = [0.16, 0, 0]
shape = [{ kind = "sphere", radius = 0.01, mass = 0.1 }]
dipole = [{ moment = [0, 0, -3] }]
[[body]]
name = "west"
support = "fixed"
position = [-0.16, 0, 0]
shape = [{ kind = "sphere", radius = 0.01, mass = 0.1 }]
dipole = [{ moment = [0, 0, -3] }]
[[sweep]]
name = "ends"
until = 6.0
axes = [
    { parameter = "body[0].tilt[2]", range = [-3, 3], count = 12 },
    { parameter = "body[0].angular_velocity[2]", range = [-6, 6], count = 10 },
]
outcome = { kind = "attractor", near = ["east", "west"] }
"""


def controller_of(window: MainWindow, qtbot: QtBot) -> MapController:
    """Controller of the dock, after it has opened."""
    qtbot.keyClick(window, Qt.Key.Key_F7)
    qtbot.waitUntil(
        lambda: window.docks.dock("maps") is not None and window.docks.docks["maps"].isVisible(), timeout=SOON
    )
    return window.docks.docks["maps"].controller


def finished(window: MainWindow, qtbot: QtBot) -> MapController:
    """The same with the map of the scene, computed by a click; the run of the window rests meanwhile, for it costs."""
    control = controller_of(window, qtbot)
    window.session.play(False)
    click(qtbot, window.docks.docks["maps"].widgets.run)
    qtbot.waitUntil(lambda: control.maps.run.stage == "finished", timeout=START)
    window.session.play(True)
    qtbot.waitUntil(lambda: control.display.labels.size == control.maps.run.map.status.size, timeout=SOON)
    return control
