"""Building by mouse: items are drawn in the view by drags, and collide with what is there and with the floor."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from builder import Builder
from gui import RIGHT, SOON, accepted, buttons, click, next_frame, seen_at, send
from meaning import Meaning
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from polhode_app.edit.add_menu import ADDITIONS, with_addition
from polhode_app.edit.contacts import SUNK
from polhode_app.edit.part_defaults import GRAVITY, Placement
from polhode_app.edit.placing import overlapping
from polhode_app.main_window import MainWindow
from polhode_app.viewport.base.camera import in_picture
from polhode_app.viewport.picking.extents import boxes_of

Lab = Callable[..., MainWindow]
SCENE = """
format = 1
[view.camera]
position = [0, -2, 0.6]
target = [0, 0, 0.3]
[[wall]]
name = "floor"
stiffness = 5000
restitution = 0.5
[[body]]
name = "rock"
support = "fixed"
position = [0, 0, 0.2]
shape = [{ kind = "cuboid", size = [0.4, 0.4, 0.4], mass = 1 }]
[[sphere]]
name = "ball"
mass = 0.5
radius = 0.05
position = [0.5, 0, 0.3]
fixed = true
"""
MOST_ACTIONS = 12


@pytest.fixture
def build(lab: Lab, qtbot: QtBot) -> Iterator[Callable[[str], Builder]]:
    def begin(scene: str) -> Builder:
        window = lab(scene)
        builder = Builder(window, qtbot)
        window.action_table["tree"].setChecked(False)
        window.action_table["inspector"].setChecked(False)
        builder.settle()
        return builder

    return begin


def free_of_overlaps(window: MainWindow) -> bool:
    stage = window.scene_view.stage
    boxes = boxes_of(stage, stage.start)
    return all(not overlapping(box, np.delete(boxes, number, axis=0)).any() for number, box in enumerate(boxes))


@pytest.mark.nightly
def test_a_ball_on_a_spring_a_magnet_and_a_jelly_over_a_floor_are_built_in_twelve_actions(
    build: Callable[[str], Builder], qtbot: QtBot
) -> None:
    user = build(SCENE)
    window = user.window
    user.press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not window.session.document.scene.body, timeout=SOON)
    user.settle()
    user.choose("sphere")
    user.drag(user.at(0.42, 0.5), user.at(0.46, 0.5))
    user.choose("spring")
    ball = seen_at(window, window.session.frame.snapshot.bodies.position[0])
    user.drag(ball, ball - QPointF(0, 0.3 * window.view.surface.height()))
    user.choose("magnet")
    user.drag(user.at(0.6, 0.72), user.at(0.68, 0.72))
    user.choose("soft")
    user.drag(user.at(0.5, 0.2), user.at(0.57, 0.2))
    assert free_of_overlaps(window)
    user.press(Qt.Key.Key_Space)
    assert user.actions <= MOST_ACTIONS
    scene = window.session.document.scene
    assert [body.name for body in scene.body] == ["sphere", "magnet"]
    assert (scene.spring[0].from_, scene.wall[0].name) == ("sphere", "floor")
    assert scene.body[1].shape[0].magnet is not None
    assert scene.body[0].contact is not None
    assert scene.soft[0].contact is not None
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 2.0, timeout=4 * SOON)
    snapshot = window.session.frame.snapshot
    assert snapshot.points.position[:, 2].min() > -0.5 * scene.soft[0].particle_radius  # it lies on the floor
    spacing = scene.soft[0].spacing[0]
    assert np.ptp(snapshot.points.position, axis=0).max() < 6 * spacing  # it did not burst
    assert np.linalg.norm(snapshot.bodies.position[0] - np.array(scene.spring[0].to)) < 2 * scene.spring[0].rest_length


def test_what_is_drawn_on_a_thing_stands_on_it_and_a_click_gives_a_size_that_suits_the_view(
    build: Callable[[str], Builder], qtbot: QtBot
) -> None:
    user = build(SCENE)
    window = user.window
    top = seen_at(window, [0.0, -0.2, 0.35])  # the front of the rock
    user.choose("body")
    assert window.build_bar.buttons["body"].isChecked()
    assert Meaning("", "Drag", "size").of(window.toast.text)
    user.drag(top, top)
    assert not window.build_bar.buttons["body"].isChecked()
    body = accepted(window, qtbot).body[-1]
    assert body.position[2] > 0.4
    assert free_of_overlaps(window)
    height = abs(np.diff([in_picture(window.view.plotter.renderer, each)[1] for each in boxes_of_last(window)]))
    assert 0.03 < float(height[0]) / 2 < 0.3
    assert len(window.session.document.undo) == 1


def boxes_of_last(window: MainWindow) -> np.ndarray:
    """Upper and lower end of the last body, above its middle."""
    stage = window.scene_view.stage
    low, high = boxes_of(stage, stage.start)[len(stage.scene.body) - 1]
    middle = (low + high) / 2
    return np.array([[*middle[:2], low[2]], [*middle[:2], high[2]]])


LEANING = """
[[body]]
name = "leaning"
support = "fixed"
position = [-1.2, 0, 0]
orientation = { axis = [0, 1, 0], angle = 0.7 }
shape = [{ kind = "cylinder", length = 0.8, radius = 0.01, mass = 1, position = [0, 0, 0.4] }]
"""


def test_what_is_drawn_below_a_leaning_rod_stays_there(build: Callable[[str], Builder], qtbot: QtBot) -> None:
    user = build(SCENE + LEANING)
    window = user.window
    place = np.array([-0.8, 0.0, 0.0])  # on the floor, in the box of the rod, 0.3 m from it
    stage = window.scene_view.stage
    assert overlapping(np.array([place, place + 0.02]), boxes_of(stage, stage.start)).any()
    user.choose("body")
    user.drag(seen_at(window, place), seen_at(window, place + [0.04, 0.0, 0.0]))
    body = accepted(window, qtbot).body[-1]
    assert body.position == pytest.approx((-0.8, 0.0, body.shape[0].size[2] / 2), abs=0.02)


def test_the_preview_is_where_the_item_will_be(build: Callable[[str], Builder], qtbot: QtBot) -> None:
    """Drawn at the rock, it is raised above it; so is what is shown before."""
    user = build(SCENE)
    window = user.window
    tool = window.edit_actions.adding.tool
    user.choose("sphere")
    at_rock = seen_at(window, [0.0, -0.2, 0.2])
    free = Qt.MouseButton.NoButton
    to = QPointF(window.view.surface.mapToGlobal(at_rock.toPoint()))
    move = QMouseEvent(QEvent.Type.MouseMove, at_rock, to, free, free, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window.view.surface, move)
    middle = np.mean(np.reshape(tool._preview._actor.GetBounds(), (3, 2)), axis=1)
    user.drag(at_rock, at_rock)
    added = accepted(window, qtbot).body[-1]
    assert added.position[2] > 0.4
    assert middle == pytest.approx(added.position, abs=0.01)


def test_a_time_step_that_a_new_thing_makes_shorter_is_said(build: Callable[[str], Builder], qtbot: QtBot) -> None:
    user = build(SCENE.split("[[body]]")[0])
    window = user.window
    assert window.session.scene.solver.time_step == 1e-3
    cloth = next(entry for entry in ADDITIONS["Soft body"] if entry.text == "Cloth")
    window.edit_actions.adding.add(cloth)
    step = accepted(window, qtbot).solver.time_step
    assert step < 1e-3
    assert Meaning("", step=f"{1e3 * step:g} ms", before="1 ms", name="cloth").of(window.toast.text)


def test_a_spring_is_drawn_from_one_thing_to_the_other(build: Callable[[str], Builder], qtbot: QtBot) -> None:
    user = build(SCENE)
    window = user.window
    rock, ball = seen_at(window, [0.06, -0.2, 0.3]), seen_at(window, [0.5, 0.0, 0.3])
    user.choose("spring")
    user.drag(rock, ball)
    (spring,) = accepted(window, qtbot).spring
    assert spring.from_.body == "rock"
    assert spring.from_.point == pytest.approx((0.06, -0.2, 0.1), abs=0.02)  # where the drag began, in its frame
    assert spring.to == "ball"
    assert spring.rest_length == pytest.approx(np.linalg.norm([0.44, 0.2, 0.0]), rel=0.05)


def test_a_joint_is_drawn_from_one_body_to_the_other(build: Callable[[str], Builder], qtbot: QtBot) -> None:
    user = build(SCENE.replace('support = "fixed"', 'support = "free"').replace("fixed = true", ""))
    window = user.window
    window.session.play(False)
    window.session.reset()
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time == 0.0, timeout=SOON)
    user.choose("joint")
    assert window.action_table["join"].isChecked()
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time == 0.0, timeout=SOON)
    user.drag(seen_at(window, [0.1, -0.2, 0.3]), seen_at(window, [0.5, -0.05, 0.3]))
    (joint,) = accepted(window, qtbot).joint
    assert {joint.first, joint.second} == {"rock", "ball"}
    assert not window.action_table["join"].isChecked()


def test_a_magnet_points_from_where_the_drag_began_to_where_it_ended(
    build: Callable[[str], Builder], qtbot: QtBot
) -> None:
    user = build(SCENE)
    window = user.window
    user.choose("magnet")
    user.drag(seen_at(window, [-0.6, 0.0, 0.3]), seen_at(window, [-0.6, 0.0, 0.6]))
    magnet = accepted(window, qtbot).body[-1]
    assert magnet.orientation.matrix()[:, 2] == pytest.approx((0, 0, 1), abs=0.05)
    assert magnet.shape[0].length == pytest.approx(0.3, rel=0.05)
    assert magnet.position == pytest.approx((-0.6, 0.0, 0.45), abs=0.02)
    assert magnet.shape[0].magnet.remanence[2] > 0


def test_escape_and_the_right_button_end_the_tool_and_nothing_is_added(
    build: Callable[[str], Builder], qtbot: QtBot
) -> None:
    user = build(SCENE)
    window = user.window
    before = window.session.scene
    user.choose("sphere")
    user.press(Qt.Key.Key_Escape)
    assert window.edit_actions.adding.tool.entry is None
    user.choose("sphere")
    send(window, QEvent.Type.MouseButtonPress, user.at(0.5, 0.5), RIGHT)
    send(window, QEvent.Type.MouseButtonRelease, user.at(0.5, 0.5), RIGHT)
    assert window.edit_actions.adding.tool.entry is None
    assert QApplication.activePopupWidget() is None or QApplication.activePopupWidget().close()
    assert window.session.scene is before


def test_return_puts_it_on_free_ground_and_the_camera_shows_it(build: Callable[[str], Builder], qtbot: QtBot) -> None:
    user = build(SCENE)
    window = user.window
    for name in ("body", "sphere", "soft", "pendulum", "bead"):
        user.choose(name)
        user.press(Qt.Key.Key_Return)
        user.settle()
        assert free_of_overlaps(window), name
        corners = window.selection_tool.box().corners
        assert np.abs([in_picture(window.view.plotter.renderer, each) for each in corners]).max() < 1.0, name


def test_a_right_click_adds_where_it_was(build: Callable[[str], Builder], qtbot: QtBot) -> None:
    user = build(SCENE)
    window = user.window
    where = seen_at(window, [-0.5, 0.0, 0.5])
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        send(window, kind, where, RIGHT)
    menu = QApplication.activePopupWidget()
    add = next(action.menu() for action in menu.actions() if action.menu() is not None)
    particle = next(action for action in add.actions() if action.text() == "Particle")
    particle.trigger()
    menu.close()
    user.settle()
    (particle,) = accepted(window, qtbot).particle
    assert particle.position == pytest.approx((-0.5, 0.0, 0.5), abs=0.02)


def test_what_has_no_contact_is_named_and_one_button_lets_everything_collide(
    build: Callable[[str], Builder], qtbot: QtBot
) -> None:
    user = build(SCENE)
    window = user.window
    user.choose("sphere")
    user.drag(user.at(0.2, 0.3), user.at(0.23, 0.3))
    assert Meaning("", "through", names="rock, ball").of(window.toast.text)
    (button,) = buttons(window)
    click(qtbot, button)
    scene = accepted(window, qtbot)
    assert scene.sphere[0].contact is not None
    assert scene.body[0].contact is not None


def test_walls_become_as_hard_and_steps_as_short_as_new_things_need(
    build: Callable[[str], Builder], qtbot: QtBot
) -> None:
    """A tonne does not sink into the floor of a small scene, and a grain is stable on it."""
    user = build(SCENE)
    scene = user.window.session.scene
    ball = next(entry for entry in ADDITIONS["Spheres"] if entry.text == "Rolling sphere")
    heavy, place = with_addition(scene, ball, Placement(2.0), None)
    assert heavy.sphere[place[1]].mass * GRAVITY / heavy.wall[0].stiffness < SUNK * 2.0
    light, _ = with_addition(scene, ball, Placement(0.002), None)
    assert light.solver.time_step < scene.solver.time_step
    assert light.wall == scene.wall


FALLING = """
format = 1
[view.camera]
position = [0, -3, 0]
target = [0, 0, 0]
[[body]]
name = "left"
support = "free"
position = [-0.5, 0, 0]
angular_velocity = [0, 3, 0]
shape = [{ kind = "cuboid", size = [0.4, 0.2, 0.2], mass = 1 }]
[[body]]
name = "right"
support = "free"
position = [0.5, 0, 0]
velocity = [0.1, 0, 0]
shape = [{ kind = "cuboid", size = [0.2, 0.2, 0.2], mass = 1 }]
[world]
gravity = [0, 0, 0]
"""


def test_a_spring_that_is_drawn_in_a_run_is_relaxed_where_it_was_drawn(
    build: Callable[[str], Builder], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run waits from the press until the spring is compiled; its ends are fixed in the bodies by the press."""
    user = build(FALLING)
    window = user.window
    session = window.session
    frames, published = session._runner.new_frames, []
    monkeypatch.setattr(session._runner, "new_frames", lambda: [published.append(each) or each for each in frames()])
    qtbot.waitUntil(lambda: session.frame.snapshot.time > 0.1, timeout=SOON)
    user.choose("spring")
    next_frame(window.view, qtbot)
    seen = session.frame.snapshot.bodies
    where = seen.position[0] + [-0.05, 0.0, 0.03] @ seen.basis[0]
    send(window, QEvent.Type.MouseButtonPress, seen_at(window, where + [0, -0.1, 0]))
    qtbot.waitUntil(lambda: not session.frame.running, timeout=SOON)
    held = session.frame.snapshot
    qtbot.wait(200)
    end = seen_at(window, held.bodies.position[1] - [0, 0.1, 0])
    send(window, QEvent.Type.MouseMove, end)
    send(window, QEvent.Type.MouseButtonRelease, end)
    (spring,) = accepted(window, qtbot).spring
    two = enumerate((spring.from_, spring.to))
    ends = [held.bodies.position[b] + np.array(each.point) @ held.bodies.basis[b] for b, each in two]
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(spring.rest_length, rel=0.01)
    assert np.array(spring.from_.point)[[0, 2]] == pytest.approx([-0.05, 0.03], abs=0.05)
    qtbot.waitUntil(lambda: published[-1].running and published[-1].snapshot.time > held.time + 0.1, timeout=SOON)
    first = next(each for each in published if each.scene.spring)
    assert first.snapshot.time < held.time + 0.1  # nothing moved on while it was compiled


def test_a_run_that_is_paused_while_a_spring_is_drawn_stays_paused(
    build: Callable[[str], Builder], qtbot: QtBot
) -> None:
    user = build(FALLING)
    window = user.window
    session = window.session
    qtbot.waitUntil(lambda: session.frame.snapshot.time > 0.1, timeout=SOON)
    user.choose("spring")
    with qtbot.waitSignal(window.view.drawn, timeout=SOON):
        window.view.redraw()
    places = session.frame.snapshot.bodies.position
    send(window, QEvent.Type.MouseButtonPress, seen_at(window, places[0] - [0, 0.1, 0]))
    qtbot.waitUntil(lambda: not session.frame.running, timeout=SOON)
    held = session.frame.snapshot
    user.press(Qt.Key.Key_Space)
    end = seen_at(window, held.bodies.position[1] - [0, 0.1, 0])
    send(window, QEvent.Type.MouseMove, end)
    send(window, QEvent.Type.MouseButtonRelease, end)
    assert accepted(window, qtbot).spring
    qtbot.waitUntil(lambda: session.frame is not None, timeout=SOON)
    qtbot.wait(300)
    assert session.frame.snapshot.time == held.time
    assert not session.running


NEAR = """
format = 1
[view.camera]
position = [0, -0.1, 0.03]
target = [0, 0, 0.02]
[[wall]]
name = "floor"
stiffness = 6000
restitution = 0.5
[[body]]
name = "rock"
support = "fixed"
position = [0, 0, 0.01]
contact = { restitution = 0.5 }
shape = [{ kind = "cuboid", size = [0.02, 0.02, 0.02], mass = 0.01 }]
"""


def test_a_small_thing_over_a_hard_floor_says_why_the_step_is_short_with_a_button(
    build: Callable[[str], Builder], qtbot: QtBot
) -> None:
    user = build(NEAR)
    window = user.window
    user.choose("sphere")
    user.drag(user.at(0.2, 0.4), user.at(0.22, 0.4))
    qtbot.waitUntil(lambda: window.session.document.scene.solver.time_step < 5e-4, timeout=SOON)
    scene = accepted(window, qtbot)
    assert scene.wall[0].stiffness == 6000
    assert Meaning("", "contacts", name="sphere").of(window.toast.text)
    (button,) = buttons(window)
    assert Meaning("", "soft", name="floor", step="1 ms").of(button.text())
    click(qtbot, button)
    scene = accepted(window, qtbot)
    assert (scene.wall[0].stiffness, scene.solver.time_step) == (None, 1e-3)
