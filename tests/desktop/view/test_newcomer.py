"""Scenes that a newcomer builds from an empty scene without a document, by mouse and keys in at most 15 actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from brackets import HOLE, bracket, click_mesh
from builder import Builder
from gui import SOON, accepted, click, row_of, send
from measured_window import drop
from PySide6.QtCore import QEvent, QMimeData, Qt, QUrl
from pytestqt.qtbot import QtBot

from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot
from polhode_app.main_window import MainWindow
from polhode_app.window.files.mesh_dialog import MeshDialog

MOST = 15  # actions: clicks, drags, keys, and texts typed into fields
CONTROL, PLAIN = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
SCENE = "format = 1"
pytestmark = pytest.mark.new_window  # in which a selection opens the inspector


@pytest.fixture
def user(window: MainWindow, qtbot: QtBot) -> Iterator[Builder]:
    """A user who has pressed Ctrl+N."""
    builder = Builder(window, qtbot)
    builder.press(Qt.Key.Key_N, CONTROL)
    qtbot.waitUntil(lambda: bool(window.session.scene.wall), timeout=SOON)
    builder.settle()
    yield builder
    assert builder.actions <= MOST


def now(user: Builder) -> Snapshot:
    frame = user.window.session.frame
    assert frame is not None
    return frame.snapshot


def play(user: Builder, until: float, sees: Callable[[], bool]) -> None:
    """Press Space, and wait until something is seen, at most until a time [s] of the run."""
    user.press(Qt.Key.Key_Space)
    user.qtbot.waitUntil(lambda: sees() or now(user).time > until, timeout=6 * SOON)
    assert sees()


def test_a_jelly_that_wobbles_when_it_lands(user: Builder) -> None:
    user.place("soft", user.at(0.5, 0.6))
    user.type("soft[0].position", "0.12", 2)
    run, heights = Simulation(accepted(user.window, user.qtbot)), []
    for _ in range(100):  # frames of the window are too few for an oscillation of a tenth of a second
        run.advance(0.01)
        heights.append(float(np.ptp(run.snapshot().points.position[:, 2])))
    lowest = int(np.argmin(heights))
    assert heights[lowest] < 0.9 * heights[0]
    assert max(heights[lowest:]) > heights[lowest] + 0.1 * heights[0]
    play(user, 3.0, lambda: now(user).points.position[:, 2].min() < 0.01)  # it lands


def test_five_boxes_that_a_thrown_ball_knocks_over(user: Builder) -> None:
    user.place("body", user.at(0.4, 0.6))
    user.type("body[0].shape[0].size", "0.1", 2)
    user.type("body[0].position", "0.05", 2)
    for _ in range(4):
        user.press(Qt.Key.Key_D, CONTROL)
        user.settle()
    boxes = user.window.session.scene.body
    assert len(boxes) == 5
    x, y, _ = boxes[0].position
    user.place("sphere", user.seen(x - 0.12, y, 0.0))
    user.type("body[5].position", "0.09", 2)  # at their upper ends
    user.type("body[5].velocity", "7", 0)

    def fall() -> bool:
        return bool((np.abs(now(user).bodies.basis[:5, 2, 2]) < 0.7).sum() >= 3)  # three are tilted by 45 degrees

    play(user, 3.0, fall)


def test_newtons_cradle_on_strings(user: Builder) -> None:
    user.place("sphere", user.at(0.45, 0.6))
    user.type("body[0].position", "0.15", 2)
    for _ in range(2):
        user.press(Qt.Key.Key_D, CONTROL)
        user.settle()
    places = [np.array(body.position) for body in user.window.session.scene.body]
    for place in places:
        user.draw("string", user.seen(*place), user.seen(*(place + [0.0, 0.0, 0.25])))
    assert [joint.pull_only for joint in user.window.session.scene.joint] == [True] * 3
    user.press(Qt.Key.Key_Space)
    user.qtbot.waitUntil(lambda: user.window.session.frame.running, timeout=SOON)  # a drag grabs while it plays
    start, end = user.seen(*places[0]), user.seen(*(places[0] + [-0.15, 0.0, 0.08]))
    user.actions += 1  # the first ball is pulled aside by a drag, and let go
    send(user.window, QEvent.Type.MouseButtonPress, start)
    for share in np.linspace(0.1, 1.0, 10):
        send(user.window, QEvent.Type.MouseMove, start + share * (end - start))
        user.qtbot.wait(30)
    user.qtbot.waitUntil(lambda: now(user).bodies.position[0, 0] < places[0][0] - 0.08, timeout=SOON)
    send(user.window, QEvent.Type.MouseButtonRelease, end)
    user.qtbot.waitUntil(lambda: now(user).bodies.position[2, 0] > places[2][0] + 0.05, timeout=SOON)


def test_a_seesaw_with_a_rolling_ball(user: Builder) -> None:
    user.place("body", user.at(0.5, 0.6))  # the stand
    user.pick(row_of(user.window, "body[0].support").editor.list, "fixed")
    stand = np.array(user.window.session.scene.body[0].position)
    user.place("body", user.seen(*(stand + [0.0, 0.0, 0.01])))  # the plank, on the stand
    user.type("body[1].shape[0].size", "0.3", 0)
    plank = np.array(user.window.session.scene.body[1].position)
    assert plank[2] > stand[2] + 0.01
    user.draw("joint", user.seen(*(plank + [0.0, -0.015, 0.0])), user.seen(*(stand + [0.0, -0.015, 0.0])))
    user.place("sphere", user.seen(*(plank + [0.06, 0.0, 0.01])))  # the ball, on one side of it
    ball = user.window.session.scene.body[2].position
    assert ball[2] > plank[2]

    def rolls() -> bool:
        """The plank has tipped, and the ball has rolled 3 cm along it."""
        bodies = now(user).bodies
        return bool(abs(bodies.basis[1, 0, 2]) > 0.05 and abs(bodies.position[2, 0] - ball[0]) > 0.03)

    play(user, 3.0, rolls)


def test_a_double_pendulum_with_a_motor_on_its_first_hinge(user: Builder) -> None:
    for height in (0.12, 0.22):  # near the upper edge, in front of the sky
        user.place("body", user.at(0.5, height))
    upper, lower = sorted(user.window.session.scene.body, key=lambda body: -body.position[2])
    top, low = np.array(upper.position), np.array(lower.position)
    user.draw("joint", user.seen(*low), user.seen(*top))
    user.draw("joint", user.seen(*top), user.seen(*(top + [0.0, 0.0, 0.04])))  # which stays selected
    ties = [(joint.first, joint.second) for joint in user.window.session.scene.joint]
    assert ties == [(lower.name, upper.name), (upper.name, None)]
    number = user.window.session.scene.body.index(upper)
    user.tick(user.section("joint", 1, "motor")[1])
    user.tick(row_of(user.window, "joint[1].motor.speed").stated_box)
    user.type("joint[1].motor.speed", "6")
    play(user, 1.0, lambda: abs(now(user).joints.coordinate[1]) > 1.0)
    rate = np.linalg.norm(now(user).bodies.angular_velocity[number])
    assert rate == pytest.approx(6.0, rel=0.01)
    user.type("joint[1].motor.speed", "3*cos(4*t)")
    motor = accepted(user.window, user.qtbot).joint[1].motor
    assert motor is not None
    assert motor.speed == "3*cos(4*t)"
    user.qtbot.waitUntil(lambda: np.linalg.norm(now(user).bodies.angular_velocity[number]) < 3.1, timeout=SOON)


def test_a_bracket_hung_at_its_own_screw_hole_over_three_magnets(user: Builder, tmp_path: Path) -> None:
    """The STL in mm is dropped, its hole is clicked, and the scene is made."""
    bracket().export(tmp_path / "bracket.stl")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "bracket.stl"))])
    user.actions += 1
    drop(user.window, data)
    user.qtbot.waitUntil(lambda: bool(user.window.findChildren(MeshDialog)), timeout=SOON)
    (dialog,) = user.window.findChildren(MeshDialog)
    user.qtbot.waitUntil(lambda: dialog.isVisible() and dialog.preview.surface.height() > 100, timeout=SOON)
    user.qtbot.wait(300)
    user.actions += 1
    click_mesh(user.qtbot, dialog, HOLE + [0.0, -2.0, 4.0])
    user.actions += 1
    click(user.qtbot, dialog.ok)
    user.qtbot.waitUntil(lambda: len(user.window.session.scene.body) == 4, timeout=SOON)
    user.settle()
    scene = user.window.session.scene
    assert np.add(scene.body[0].shape[0].position, HOLE / 1000) == pytest.approx(np.zeros(3), abs=1e-5)
    assert [body.support for body in scene.body] == ["pivot", "fixed", "fixed", "fixed"]
    user.qtbot.waitUntil(lambda: now(user).time > 0.5, timeout=SOON)
    assert np.linalg.norm(now(user).bodies.angular_velocity[0]) > 0.1


def test_a_magnet_that_catches_a_compass(user: Builder) -> None:
    user.draw("magnet", user.at(0.35, 0.6), user.at(0.42, 0.6))
    user.draw("magnet", user.at(0.62, 0.66), user.at(0.55, 0.66))  # its north pole towards that of the other
    user.pick(row_of(user.window, "body[1].support").editor.list, "axle")
    start = now(user).bodies.basis[1].copy()

    def turns() -> bool:
        return bool(now(user).bodies.basis[1, 2] @ start[2] < 0.7)  # by 45 degrees

    play(user, 3.0, turns)


def test_a_bead_on_a_typed_helix(user: Builder) -> None:
    user.place("bead", user.at(0.5, 0.5))
    user.pick(user.section("bead", 0, "path")[0], "formula")
    user.type("bead[0].path.x", "0.1*cos(q)")
    user.type("bead[0].path.y", "0.1*sin(q)")
    user.type("bead[0].path.z", "0.3 - 0.02*q")
    start = now(user).bodies.position[0].copy()

    def slides() -> bool:
        return bool(now(user).bodies.position[0, 2] < start[2] - 0.02)

    play(user, 3.0, slides)
    on_it = now(user).bodies.position[0] - user.window.session.scene.bead[0].path.position
    assert np.hypot(*on_it[:2]) == pytest.approx(0.1, abs=1e-6)
