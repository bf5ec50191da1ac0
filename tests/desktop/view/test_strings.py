"""Strings that are drawn from thing to thing in the real window, with real events."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gui import SOON, accepted, click, is_at_rest, next_frame, seen_at, send
from PySide6.QtCore import QEvent, QPointF, Qt
from pytestqt.qtbot import QtBot

from polhode_app.edit.field_numbers import text_of
from polhode_app.main_window import MainWindow

Lab = Callable[..., MainWindow]
SCENE = """
format = 1
title = "Two balls and a beam"
[view.camera]
position = [0, -2, 0.5]
target = [0, 0, 0.5]
[[body]]
name = "beam"
support = "fixed"
position = [0, 0, 0.9]
shape = [{ kind = "cuboid", size = [0.8, 0.06, 0.06], mass = 1 }]
[[body]]
name = "left"
support = "free"
position = [-0.2, 0, 0.4]
shape = [{ kind = "sphere", radius = 0.05, density = 1000.0 }]
[[body]]
name = "right"
support = "free"
position = [0.2, 0, 0.4]
shape = [{ kind = "sphere", radius = 0.05, density = 1000.0 }]
[[particle]]
name = "grain"
mass = 0.01
radius = 0.02
position = [0.5, 0, 0.3]
"""


@pytest.fixture
def still(lab: Lab, qtbot: QtBot) -> MainWindow:
    """The paused window at the start of the scene, without docks beside the view."""
    window = lab(SCENE)
    window.session.play(False)
    window.session.reset()
    for name in ("tree", "inspector"):
        window.action_table[name].setChecked(False)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time == 0.0, timeout=SOON)
    next_frame(window.view, qtbot)
    qtbot.waitUntil(lambda: is_at_rest(window.view), timeout=SOON)
    return window


def draw(window: MainWindow, qtbot: QtBot, start: QPointF, end: QPointF) -> None:
    """Choose a string in the bar, and drag from start to end."""
    click(qtbot, window.build_bar.buttons["string"])
    assert window.build_bar.buttons["string"].isChecked()
    send(window, QEvent.Type.MouseButtonPress, start)
    send(window, QEvent.Type.MouseMove, end)
    send(window, QEvent.Type.MouseButtonRelease, end)
    accepted(window, qtbot)


def test_a_string_is_drawn_from_a_ball_to_a_beam_and_holds_it(still: MainWindow, qtbot: QtBot) -> None:
    ball = seen_at(still, [-0.2, 0.0, 0.4])
    draw(still, qtbot, ball, seen_at(still, [-0.2, -0.03, 0.89]))
    (string,) = accepted(still, qtbot).joint
    assert (string.kind, string.pull_only, string.first, string.second) == ("distance", True, "left", "beam")
    assert string.length == pytest.approx(0.49, abs=0.02)
    assert len(text_of(string.length)) <= len("0.49123")
    qtbot.keyClick(still, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: still.session.frame.snapshot.time > 0.6, timeout=SOON)
    bodies = still.session.frame.snapshot.bodies.position
    assert bodies[1, 2] == pytest.approx(0.4, abs=0.03)  # it hangs
    assert bodies[2, 2] < 0.0  # the other one has fallen 1.7 m


def test_a_string_to_an_empty_place_hangs_there_in_a_run(still: MainWindow, qtbot: QtBot) -> None:
    """Drawn to a ball that has fallen below the ground of the picture, the run starts again at that state."""
    qtbot.keyClick(still, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: still.session.frame.snapshot.time > 0.22, timeout=SOON)
    qtbot.keyClick(still, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not still.session.frame.running, timeout=SOON)
    next_frame(still.view, qtbot)
    now = still.session.frame.snapshot.bodies.position[2].copy()
    assert still.scene_view.stage is not None
    assert now[2] < still.scene_view.stage.ground
    place = now + [0.0, 0.0, 0.3]
    draw(still, qtbot, seen_at(still, now), seen_at(still, place))
    (string,) = accepted(still, qtbot).joint
    assert string.second is None
    assert np.array(string.anchor_second)[[0, 2]] == pytest.approx(place[[0, 2]], abs=0.02)
    assert len(text_of(string.length)) <= len("0.31234")
    slack = string.length - np.linalg.norm(np.subtract(string.anchor_second, accepted(still, qtbot).body[2].position))
    assert -1e-7 <= slack / string.length <= 1e-4  # rounded up, but for what `at_least` takes for rounding
    qtbot.waitUntil(lambda: still.session.frame is not None and still.session.frame.snapshot.time < 0.05, timeout=SOON)
    assert still.session.frame.snapshot.bodies.position[2] == pytest.approx(now, abs=0.03)


def test_a_string_between_two_empty_places_or_to_a_particle_is_refused(still: MainWindow, qtbot: QtBot) -> None:
    before = still.session.scene
    draw(still, qtbot, seen_at(still, [-0.5, 0, 0.7]), seen_at(still, [-0.4, 0, 0.3]))
    assert still.session.scene is before
    assert "string" in still.toast.text
    draw(still, qtbot, seen_at(still, [0.5, 0, 0.3]), seen_at(still, [0.5, 0, 0.6]))
    assert still.session.scene is before
