"""Hands in the real window, with real events of mouse and keys, on a virtual screen."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from gui import LEFT, PLAIN, RIGHT, SOON, accepted, handles_of, seen_at, send
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from polhode.physics.grab.interactions import Carry, Grab, PullAll, PullBody, PullPoint, Twist
from polhode.scene.fields import parse_path, with_value
from polhode_app.interactors.grab import VELOCITY_WINDOW, PointerTrack
from polhode_app.main_window import MainWindow
from scenes import JELLY

CONTROL = Qt.KeyboardModifier.ControlModifier
SCENE = (
    JELLY
    + """[[body]]
name = "rock"
support = "fixed"
position = [0.6, 0, -0.5]
[[body.shape]]
kind = "sphere"
radius = 0.2
mass = 2.0
"""
)


def press(window: MainWindow, at: QPointF, button: Qt.MouseButton, keys=PLAIN) -> None:
    send(window, QEvent.Type.MouseButtonPress, at, button, keys)


def move(window: MainWindow, at: QPointF, button: Qt.MouseButton, keys=PLAIN) -> None:
    send(window, QEvent.Type.MouseMove, at, button, keys)


def release(window: MainWindow, at: QPointF, button: Qt.MouseButton, keys=PLAIN) -> None:
    send(window, QEvent.Type.MouseButtonRelease, at, button, keys)


def now(window: MainWindow):
    assert window.session.frame is not None
    return window.session.frame.snapshot


def held(window: MainWindow, kind: type) -> Callable[[], bool]:
    return lambda: (
        now(window).interaction_marker is not None and isinstance(now(window).interaction_marker.interaction, kind)
    )


def test_the_velocity_of_a_pointer_is_that_of_its_last_moments() -> None:
    track = PointerTrack()
    for step in range(100):
        track.add(0.01 * step, np.array([0.02 * step, 0.0, 1.0 if step < 50 else 0.0]))
    assert np.allclose(track.velocity, (2.0, 0.0, 0.0))
    for step in range(100, 110):  # it stays
        track.add(0.01 * step, np.array([1.98, 0.0, 0.0]))
    assert np.allclose(track.velocity, 0.0)
    assert 0 < VELOCITY_WINDOW < 0.1


def test_a_point_follows_the_pointer_and_flies_on_as_fast(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_H)
    assert window.action_table["hand"].isChecked()
    camera = np.array(window.view.plotter.renderer.GetActiveCamera().GetPosition())
    start = now(window).points.position[15]
    at = seen_at(window, start)
    press(window, at, LEFT)
    qtbot.waitUntil(held(window, Grab), timeout=SOON)
    assert now(window).interaction_marker.interaction.point == 15
    assert "jelly.15" in window.status.currentMessage()
    for _ in range(12):
        at += QPointF(4.0, -3.0)
        move(window, at, LEFT)
        qtbot.wait(20)
    rays = window.view.ray_at(at)
    qtbot.waitUntil(lambda: np.linalg.norm(now(window).points.position[15] - rays.on_plane(start)) < 0.03, timeout=SOON)
    assert np.linalg.norm(now(window).points.position[15] - start) > 0.1
    assert window.view.plotter.renderer.GetActiveCamera().GetPosition() == pytest.approx(camera, abs=1e-9)  # rounding
    for _ in range(8):
        at += QPointF(6.0, 0.0)
        move(window, at, LEFT)
        qtbot.wait(15)
    before, begun = window.view.ray_at(at).on_plane(start), time.perf_counter()
    at += QPointF(6.0, 0.0)
    move(window, at, LEFT)
    window.session.play(False)  # what it has at the release is seen before the springs change it
    release(window, at, LEFT)
    qtbot.waitUntil(lambda: now(window).interaction_marker is None, timeout=SOON)
    assert before is not None
    assert begun > 0
    assert not window.status.currentMessage()
    energies = now(window)
    assert abs(energies.ledger.hand) > 0


def test_the_pointer_is_a_hand_while_the_hand_tool_is_on(window: MainWindow, qtbot: QtBot) -> None:
    view, shape = window.view.surface, Qt.CursorShape
    qtbot.keyClick(window, Qt.Key.Key_H)
    assert view.cursor().shape() == shape.OpenHandCursor
    assert "H" in window.status.currentMessage()
    at = seen_at(window, now(window).points.position[15])
    press(window, at, LEFT)
    assert view.cursor().shape() == shape.ClosedHandCursor
    release(window, at, LEFT)
    assert view.cursor().shape() == shape.OpenHandCursor
    window.session.play(False)
    window.session.select(("body", 0))
    window.action_table["handles"].setChecked(True)
    tip = seen_at(window, handles_of(window).on_arrow(2, 0.7))  # the cursor also returns after a handle was dragged
    press(window, tip, LEFT)
    assert window.selection_tool.dragging
    release(window, tip, LEFT)
    assert view.cursor().shape() == shape.OpenHandCursor
    qtbot.keyClick(window, Qt.Key.Key_H)
    assert view.cursor().shape() == shape.ArrowCursor


def test_the_ledger_closes_while_a_hand_drags(window: MainWindow, qtbot: QtBot) -> None:
    """The window shows the drift in parts of the energy exchanged; rk4 leaves next to nothing."""
    window.action_table["hand"].trigger()
    at = seen_at(window, now(window).points.position[10])
    press(window, at, LEFT)
    for step in range(30):
        at += QPointF(5.0 * np.cos(step / 3), 5.0 * np.sin(step / 3))
        move(window, at, LEFT)
        qtbot.wait(12)
    release(window, at, LEFT)
    qtbot.waitUntil(lambda: now(window).interaction_marker is None, timeout=SOON)
    assert abs(now(window).ledger.hand) > 1e-3
    assert abs(window.session.frame.drift) < 1e-3


def test_control_and_right_pull_a_body_and_a_point_by_a_spring(window: MainWindow, qtbot: QtBot) -> None:
    box = now(window).bodies.position[0]
    at = seen_at(window, box)
    press(window, at, RIGHT, CONTROL)
    qtbot.waitUntil(held(window, PullBody), timeout=SOON)
    move(window, at + QPointF(0, -80), RIGHT, CONTROL)
    qtbot.waitUntil(lambda: now(window).bodies.position[0, 2] > box[2] + 0.1, timeout=SOON)
    release(window, at, RIGHT, CONTROL)
    at = seen_at(window, now(window).points.position[5])
    press(window, at, RIGHT, CONTROL)
    qtbot.waitUntil(held(window, PullPoint), timeout=SOON)
    release(window, at, RIGHT, CONTROL)
    qtbot.waitUntil(lambda: now(window).interaction_marker is None, timeout=SOON)


def test_a_grab_goes_on_after_an_edit_of_gravity_and_ends_with_one_of_an_item(window: MainWindow, qtbot: QtBot) -> None:
    at = seen_at(window, now(window).bodies.position[0])
    press(window, at, RIGHT, CONTROL)
    qtbot.waitUntil(held(window, PullBody), timeout=SOON)
    for path, goes_on in (("world.gravity[2]", True), ("body[0].shape[0].mass", False)):
        window.session.edit(with_value(window.session.scene, parse_path(path), 0.01))
        accepted(window, qtbot)
        qtbot.waitUntil(lambda: window.session.frame is not None, timeout=SOON)
        assert window.grab_tool.holding == goes_on
        qtbot.waitUntil(lambda goes_on=goes_on: held(window, PullBody)() == goes_on, timeout=SOON)
    release(window, at, RIGHT, CONTROL)


BOX = """
format = 1
title = "A box on a floor"
[[wall]]
name = "floor"
kinetic_friction = 0.4
[[body]]
name = "box"
support = "free"
position = [0, 0, 0.05]
contact = {}
shape = [{ kind = "cuboid", size = [0.1, 0.1, 0.1], density = 2700.0 }]
[[body]]
name = "post"
support = "fixed"
position = [0.4, 0, 0.1]
shape = [{ kind = "cuboid", size = [0.1, 0.1, 0.2], density = 1000.0 }]
"""


def camera_of(window: MainWindow) -> tuple[float, ...]:
    return window.view.plotter.renderer.GetActiveCamera().GetPosition()


def test_a_plain_drag_lifts_a_box_and_the_view_turns_beside_it(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """While the run plays: the grabbed point follows the pointer up to 20 cm, and stays there against the weight."""
    window = lab(BOX)
    start, camera = now(window).bodies.position[0].copy(), camera_of(window)
    at = seen_at(window, start)
    press(window, at, LEFT)
    up = seen_at(window, start + (0.0, 0.0, 0.2))
    for share in np.linspace(0.05, 1.0, 20):
        move(window, at + share * (up - at), LEFT)
        qtbot.wait(15)
    qtbot.waitUntil(held(window, Carry), timeout=SOON)

    def missed() -> float:
        """Distance [m] of the grabbed point from the pointer."""
        marker = now(window).interaction_marker
        return float(np.linalg.norm(marker.attachment - window.view.ray_at(up).on_plane(marker.attachment)))

    qtbot.waitUntil(lambda: missed() < 0.004, timeout=SOON)
    assert now(window).bodies.position[0, 2] > start[2] + 0.1  # the point on the face in front
    assert camera_of(window) == pytest.approx(camera, abs=1e-9)
    release(window, up, LEFT)
    qtbot.waitUntil(lambda: now(window).bodies.position[0, 2] < start[2] + 0.05, timeout=SOON)  # it falls
    beside = QPointF(30.0, 30.0)
    press(window, beside, LEFT)
    move(window, beside + QPointF(60.0, 0.0), LEFT)
    release(window, beside + QPointF(60.0, 0.0), LEFT)
    assert now(window).interaction_marker is None
    assert not np.allclose(camera, camera_of(window))


def test_a_click_on_a_moving_thing_selects_it_and_a_drag_in_a_pause_turns_the_view(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = lab(BOX)
    at, camera = seen_at(window, now(window).bodies.position[0]), camera_of(window)
    press(window, at, LEFT)
    release(window, at + QPointF(1.0, 0.0), LEFT)
    assert window.session.selection == ("body", 0)
    assert not window.grab_tool.holding
    window.session.select(None)
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    press(window, at, LEFT)
    move(window, at + QPointF(60.0, 0.0), LEFT)
    release(window, at + QPointF(60.0, 0.0), LEFT)
    assert not window.grab_tool.holding
    assert not np.allclose(camera, camera_of(window))


def test_control_and_left_twist_a_body_about_what_is_up(window: MainWindow, qtbot: QtBot) -> None:
    at = seen_at(window, now(window).bodies.position[0])
    press(window, at, LEFT, CONTROL)
    move(window, at + QPointF(60, 0), LEFT, CONTROL)
    qtbot.waitUntil(held(window, Twist), timeout=SOON)
    qtbot.waitUntil(lambda: now(window).bodies.angular_velocity[0, 2] > 1.0, timeout=SOON)
    release(window, at, LEFT, CONTROL)


def test_the_hand_does_not_hold_what_is_fixed_and_leaves_the_drag_to_the_camera(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.action_table["hand"].trigger()
    camera = np.array(window.view.plotter.renderer.GetActiveCamera().GetPosition())
    at = seen_at(window, now(window).bodies.position[1])
    press(window, at, LEFT)
    move(window, at + QPointF(60, 0), LEFT)
    release(window, at + QPointF(60, 0), LEFT)
    assert not window.grab_tool.holding
    assert not np.allclose(camera, window.view.plotter.renderer.GetActiveCamera().GetPosition())


def test_everything_comes_to_the_pointer_while_p_is_held(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseMove(window.view.surface, QPoint(400, 250))
    qtbot.keyPress(window.view.surface, Qt.Key.Key_P)
    qtbot.waitUntil(held(window, PullAll), timeout=SOON)
    spread = np.ptp(now(window).points.position, axis=0).max()
    place = now(window).interaction_marker.pointer
    qtbot.waitUntil(lambda: np.linalg.norm(now(window).bodies.position[0] - place) < 0.3, timeout=SOON)
    assert spread > 0.5
    qtbot.keyRelease(window.view.surface, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: now(window).interaction_marker is None, timeout=SOON)
    assert not window.action_table["pull_all"].isChecked()
    assert not window.session.document.undo


def test_in_a_pause_a_point_goes_where_it_is_led_and_rests(window: MainWindow, qtbot: QtBot) -> None:
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    window.action_table["hand"].trigger()
    start = now(window).points.position[0]  # a fixed one
    at = seen_at(window, start)
    press(window, at, LEFT)
    move(window, at + QPointF(-40, 0), LEFT)
    qtbot.waitUntil(lambda: np.linalg.norm(now(window).points.position[0] - start) > 0.05, timeout=SOON)
    release(window, at + QPointF(-40, 0), LEFT)
    qtbot.waitUntil(lambda: now(window).interaction_marker is None, timeout=SOON)
    assert np.allclose(now(window).points.velocity[0], 0.0)
    window.session.reset()
    qtbot.waitUntil(lambda: np.allclose(now(window).points.position[0], (-0.8, -0.3, 0.5)), timeout=SOON)
