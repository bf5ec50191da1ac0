"""The joint tool: two clicks in the view join two bodies, or a body and the laboratory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gui import SOON, accepted, handles_of, next_frame, seen_at, send
from meaning import Meaning
from PySide6.QtCore import QEvent, QPointF, Qt
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow
from polhode_app.viewport.picking.selection_gizmo import HandleShape

SCENE = """
format = 1
[view.camera]
position = [0.1, -2, 0.2]
target = [0.1, 0, 0]
[[body]]
name = "left"
support = "free"
shape = [{ kind = "cuboid", size = [0.2, 0.1, 0.1], mass = 1 }]
[[body]]
name = "right"
support = "free"
position = [0.25, 0, 0]
orientation = { axis = [0, 0, 1], angle = 0.3 }
shape = [{ kind = "cuboid", size = [0.2, 0.1, 0.1], mass = 1 }]
"""
Lab = Callable[..., MainWindow]


def click_view(window: MainWindow, at: QPointF) -> None:
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        send(window, kind, at)


def begun(lab: Lab, qtbot: QtBot) -> MainWindow:
    """The tool waits for its first click, at the start of a run that stands."""
    window = lab(SCENE)
    window.session.play(False)
    window.session.reset()
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time == 0.0, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_J)
    assert window.action_table["join"].isChecked()
    next_frame(window.view, qtbot)
    return window


def test_two_clicks_join_two_bodies_where_the_second_one_was_clicked(lab: Lab, qtbot: QtBot) -> None:
    window = begun(lab, qtbot)
    click_view(window, seen_at(window, [0.0, -0.05, 0.0]))
    assert "second body" in window.status.currentMessage()
    click_view(window, seen_at(window, [0.17, -0.07, 0.0]))
    scene = accepted(window, qtbot)
    (joint,) = scene.joint
    assert (joint.kind, joint.first, joint.second) == ("hinge", "left", "right")
    assert joint.axis == (0.0, 1.0, 0.0)  # across the picture
    assert joint.anchor[0] == pytest.approx(0.17, abs=0.02)
    assert joint.anchor[2] == pytest.approx(0.0, abs=0.02)
    assert not window.action_table["join"].isChecked()
    assert window.session.selection == ("joint", 0)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 0.2, timeout=SOON)
    assert np.isfinite(window.session.frame.snapshot.joints.force).all()


def test_an_empty_place_is_the_laboratory_and_the_axis_is_in_the_frame_of_the_body(lab: Lab, qtbot: QtBot) -> None:
    window = begun(lab, qtbot)
    click_view(window, QPointF(3, 3))
    assert Meaning("", "no", "body").of(window.status.currentMessage())
    click_view(window, seen_at(window, [0.25, -0.05, 0.0]))
    click_view(window, seen_at(window, [0.25, -0.05, 0.0]))
    assert Meaning("", "first", "again").of(window.status.currentMessage())
    click_view(window, QPointF(3, 3))
    (joint,) = accepted(window, qtbot).joint
    assert (joint.first, joint.second) == ("right", None)
    assert joint.axis == pytest.approx((np.sin(0.3), np.cos(0.3), 0.0), abs=1e-8)


def test_escape_ends_the_tool(lab: Lab, qtbot: QtBot) -> None:
    window = begun(lab, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.action_table["join"].isChecked()
    click_view(window, seen_at(window, [0.0, -0.05, 0.0]))
    click_view(window, seen_at(window, [0.25, -0.05, 0.0]))
    assert window.session.document.scene.joint == ()


DRIFTING = SCENE.replace(
    'name = "left"', 'name = "left"\nvelocity = [-0.05, 0, 0.02]\nangular_velocity = [0, 0.5, 0]'
).replace("format = 1", "format = 1\n[world]\ngravity = [0, 0, 0]\n")


def test_a_joint_that_is_drawn_in_a_run_holds_both_bodies_where_they_are(lab: Lab, qtbot: QtBot) -> None:
    """The run waits from the first click on, and continues from the frame of the drawing, without a jump."""
    window = lab(DRIFTING)
    session = window.session
    qtbot.waitUntil(lambda: session.frame is not None and session.frame.snapshot.time > 0.3, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: not session.frame.running, timeout=SOON)
    assert Meaning("", "run", "waits").of(window.status.currentMessage())
    next_frame(window.view, qtbot)
    drawn = session.frame.snapshot
    left, right = drawn.bodies.position
    click_view(window, seen_at(window, left - [0, 0.05, 0]))
    click_view(window, seen_at(window, right - [0.05, 0.06, 0]))
    first = []
    session.scene_changed.connect(lambda _document: first.append(session.frame))
    scene = accepted(window, qtbot)
    assert Meaning("", "scene", "starts").of(window.status.currentMessage())
    assert scene.body[0].position == pytest.approx(tuple(left), abs=1e-9)  # the start of the scene, and of the run
    (joint,) = scene.joint
    qtbot.waitUntil(lambda: session.frame is not None and session.frame.snapshot.time > 0.3, timeout=SOON)
    assert session.running
    now = session.frame.snapshot.bodies
    anchor = np.array(joint.anchor)
    seen = [
        now.position[b] + (drawn.bodies.basis[b] @ (anchor - drawn.bodies.position[b])) @ now.basis[b] for b in (0, 1)
    ]
    assert seen[0] == pytest.approx(seen[1], abs=1e-6)  # fixed in both bodies where it was drawn
    momentum = now.velocity.sum(axis=0)
    assert momentum == pytest.approx([-0.05, 0, 0.02], abs=1e-6)
    session.set_speed(0.1)
    session.reset()
    qtbot.waitUntil(lambda: session.frame.snapshot.time < 0.2, timeout=SOON)
    assert session.frame.snapshot.bodies.position[1] == pytest.approx(right, abs=0.05)


def test_what_ends_the_tool_lets_the_run_go_on(lab: Lab, qtbot: QtBot) -> None:
    window = lab(DRIFTING)
    session = window.session
    qtbot.waitUntil(lambda: session.frame is not None and session.frame.snapshot.time > 0.05, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: not session.frame.running, timeout=SOON)
    held = session.frame.snapshot.time
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: session.frame.snapshot.time > held + 0.05, timeout=SOON)


@pytest.mark.parametrize(("ran", "presses", "runs"), [(True, 1, False), (True, 2, True), (False, 1, True)])
def test_space_counts_when_the_tool_that_holds_the_run_ends(
    lab: Lab, qtbot: QtBot, ran: bool, presses: int, runs: bool
) -> None:
    """The user's last word counts then, and nothing moves before."""
    window = lab(DRIFTING)
    session = window.session
    qtbot.waitUntil(lambda: session.frame is not None and session.frame.snapshot.time > 0.05, timeout=SOON)
    session.play(ran)
    qtbot.keyClick(window, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: not session.frame.running, timeout=SOON)
    held = session.frame.snapshot.time
    for _ in range(presses):
        qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.wait(200)
    assert session.frame.snapshot.time == held  # also if the run is to continue
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert session.running is runs
    if runs:
        qtbot.waitUntil(lambda: session.frame.snapshot.time > held + 0.05, timeout=SOON)
    else:
        qtbot.wait(300)
        assert session.frame.snapshot.time == held


JOINTED = (
    SCENE
    + """
[[joint]]
name = "hinge"
kind = "hinge"
first = "right"
axis = [0, 1, 0]
anchor_first = [0.1, 0, 0.05]
"""
)


def handled(lab: Lab, qtbot: QtBot, text: str = JOINTED) -> tuple[MainWindow, HandleShape]:
    """The paused window with handles at the joint, and these."""
    window = lab(text)
    window.session.play(False)
    window.session.reset()
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time == 0.0, timeout=SOON)
    window.session.select(("joint", 0))
    window.action_table["handles"].setChecked(True)
    next_frame(window.view, qtbot)
    return window, handles_of(window)


def drag(window: MainWindow, qtbot: QtBot, places: list[np.ndarray]) -> None:
    """Press at the first of some places in space, move through all of them, and release at the last one."""
    points = [seen_at(window, place) for place in places]
    send(window, QEvent.Type.MouseButtonPress, points[0])
    for point in points:
        send(window, QEvent.Type.MouseMove, point)
        qtbot.wait(10)
    send(window, QEvent.Type.MouseButtonRelease, points[-1])


def test_an_arrow_moves_the_anchor_of_a_joint_in_the_frame_of_its_body(lab: Lab, qtbot: QtBot) -> None:
    window, shape = handled(lab, qtbot)
    c, s = np.cos(0.3), np.sin(0.3)
    assert shape.middle == pytest.approx([0.25 + 0.1 * c, 0.1 * s, 0.05], abs=1e-9)
    drag(window, qtbot, [shape.on_arrow(0, 0.8) + [way, 0, 0] for way in np.linspace(0, 0.06, 7)])
    joint = accepted(window, qtbot).joint[0]
    assert joint.anchor_first == pytest.approx((0.1 + 0.06 * c, -0.06 * s, 0.05), abs=0.005)  # whole pixels
    assert joint.anchor_first[2] == 0.05
    assert len(window.session.document.undo) == 1
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 0.1, timeout=SOON)
    assert np.isfinite(window.session.frame.snapshot.joints.force).all()


def test_a_ring_turns_the_axis_of_a_joint(lab: Lab, qtbot: QtBot) -> None:
    window, shape = handled(lab, qtbot, JOINTED.replace("axis = [0, 1, 0]\nanchor", "axis = [1, 0, 0]\nanchor"))
    angles = np.linspace(-0.9, -0.4, 8)
    drag(window, qtbot, [shape.on_ring(1, np.pi / 2 + each) for each in angles])
    c, s = np.cos(0.3), np.sin(0.3)
    turned = np.array([c * np.cos(0.5), s, -c * np.sin(0.5)])  # (c, s, 0) about y, laboratory frame
    joint = accepted(window, qtbot).joint[0]
    assert joint.axis == pytest.approx((c * turned[0] + s * s, c * s - s * turned[0], turned[2]), abs=0.06)
    assert joint.anchor_first == (0.1, 0, 0.05)


def test_a_joint_with_one_anchor_for_both_bodies_moves_in_the_laboratory(lab: Lab, qtbot: QtBot) -> None:
    both = JOINTED.replace("anchor_first = [0.1, 0, 0.05]", 'second = "left"\nanchor = [0.12, 0, 0]')
    window, shape = handled(lab, qtbot, both)
    assert shape.middle == pytest.approx([0.12, 0, 0], abs=1e-9)
    drag(window, qtbot, [shape.on_arrow(2, 0.8) + [0, 0, way] for way in np.linspace(0, 0.05, 6)])
    assert accepted(window, qtbot).joint[0].anchor == pytest.approx((0.12, 0.0, 0.05), abs=0.005)
