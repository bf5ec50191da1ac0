"""Items that leave the picture by an edit or by motion are framed, or a notice offers it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gui import SOON, accepted, buttons, click, inspect, next_frame, row_of, type_in
from meaning import Meaning
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode.scene.fields import with_value
from polhode_app.main_window import MainWindow
from polhode_app.viewport.base.camera import picture_matrix
from polhode_app.viewport.base.camera_animation import pose_of
from polhode_app.viewport.picking.bounding_boxes import box_of
from polhode_app.viewport.picking.picture_watch import OUTSIDE, reach, unseen

pytestmark = pytest.mark.new_window  # what was said of the last scene would still be there

Lab = Callable[..., MainWindow]
SCENE = """
format = 1
[solver]
time_step = 1e-3
[[bead]]
name = "bead"
mass = 0.1
radius = 0.03
parameter = 1.0
path = { kind = "formula", x = "0.4*q", z = "0.2*q^2", range = [-2.0, 2.0] }
"""
ROLLING = """
format = 1
[solver]
time_step = 1e-3
[world]
gravity = [0, 0, 0]
[view]
camera = { position = [0, -3, 0.5], target = [0, 0, 0] }
[[body]]
name = "ball"
support = "free"
velocity = [1.0, 0, 0]
shape = [{ kind = "sphere", radius = 0.1, mass = 1 }]
[[body]]
name = "rest"
support = "free"
position = [0, 0, -0.5]
shape = [{ kind = "sphere", radius = 0.1, mass = 1 }]
"""
SLIDING = """
format = 1
[solver]
time_step = 1e-3
[world]
gravity = [2, 0, 0]
[[body]]
name = "rest"
support = "fixed"
shape = [{ kind = "sphere", radius = 0.1, mass = 1 }]
[[soft]]
name = "jelly"
kind = "lattice"
counts = [2, 2, 2]
spacing = [0.05, 0.05, 0.05]
particle_mass = 0.01
stiffness = 100.0
position = [0, 0, 0.2]
"""


def corners(window: MainWindow, *place: str | int) -> np.ndarray:
    """(1, 8, 3) [m] corners of the box around an item, now."""
    box = box_of(window.scene_view.stage, window.session.frame.snapshot, place)
    assert box is not None
    return box.corners[None]


def reaches(window: MainWindow, *place: str | int) -> float:
    """How far an item reaches from the middle of the picture, 1 at its edges."""
    return float(reach(corners(window, *place), picture_matrix(window.view.plotter.renderer))[0])


def is_unseen(window: MainWindow, *place: str | int) -> bool:
    return bool(unseen(corners(window, *place), picture_matrix(window.view.plotter.renderer))[0])


def camera_of(window: MainWindow) -> tuple[float, ...]:
    pose = pose_of(window.view.plotter.renderer.GetActiveCamera())
    return (*pose.target, *pose.back, pose.far)


def zoom_by_wheel(window: MainWindow) -> None:
    """Turn the wheel over the view, towards the scene."""
    surface = window.view.surface
    at = QPointF(surface.rect().center())
    turn = QWheelEvent(
        *(at, QPointF(surface.mapToGlobal(at.toPoint())), QPoint(0, 0), QPoint(0, 120)),
        *(Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(surface, turn)


def widen_path(window: MainWindow, qtbot: QtBot, factor: str = "4") -> None:
    """Type another formula of the path into the inspector."""
    inspect(window, "bead", 0)
    type_in(qtbot, row_of(window, "bead[0].path.x").editor.field, f"{factor}*q")
    accepted(window, qtbot)


@pytest.mark.nightly
def test_a_path_that_an_edit_makes_larger_is_framed(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE)
    inspect(window, "bead", 0)
    assert reaches(window, "bead", 0) < 1.0
    back = camera_of(window)[3:6]
    widen_path(window, qtbot)
    qtbot.waitUntil(lambda: window.view.glides, timeout=SOON)
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
    assert reaches(window, "bead", 0) < 1.0
    np.testing.assert_allclose(camera_of(window)[3:6], back, atol=1e-6)  # from the same side
    assert not window.toast.isVisible()


@pytest.mark.nightly
def test_an_edit_that_leaves_things_in_the_picture_moves_no_camera(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE)
    inspect(window, "bead", 0)
    before = camera_of(window)
    type_in(qtbot, row_of(window, "bead[0].path.x").editor.field, "0.3*q")
    accepted(window, qtbot)
    qtbot.wait(500)
    assert camera_of(window) == pytest.approx(before)


def test_a_small_item_that_an_edit_moves_is_framed_without_all_the_room_that_fast_ones_reach(
    lab: Lab, qtbot: QtBot
) -> None:
    """A marble at 3 m/s may reach metres; the dominoes and their board of 46 cm would be a dot among them."""
    window = lab(gallery.path("dominoes"))
    window.session.play(False)  # else the marble has rolled away before the second edit
    scene = with_value(window.session.scene, ("body", 11, "velocity"), (3.0, 0.0, 0.2))
    window.session.edit(scene)
    accepted(window, qtbot)
    window.session.edit(with_value(scene, ("body", 6, "position"), (0.16, -0.1, 0.02399)))
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: window.view.glides, timeout=SOON)
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
    assert reaches(window, "body", 6) < 1.0
    assert reaches(window, "body", 0) > 0.5


def test_a_camera_that_the_user_has_moved_stays_and_a_button_shows_everything(lab: Lab, qtbot: QtBot) -> None:
    window = lab(ROLLING)
    inspect(window, "body", 1)
    field = row_of(window, "body[1].position").editor.fields[2]
    zoom_by_wheel(window)
    qtbot.wait(200)  # [ms] in which the view takes the size that the inspector leaves to it
    before = camera_of(window)
    type_in(qtbot, field, "-8")
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: Meaning("", "outside", "picture").of(window.toast.text), timeout=SOON)
    assert "'rest'" in window.toast.text
    assert camera_of(window) == pytest.approx(before)
    assert [button.text() for button in buttons(window)] == ["Show everything"]
    click(qtbot, buttons(window)[0])
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
    assert reaches(window, "body", 1) < 1.0
    assert not window.toast.isVisible()


@pytest.mark.nightly
def test_the_only_thing_that_moves_leaves_the_picture_and_a_button_shows_it(lab: Lab, qtbot: QtBot) -> None:
    window = lab(ROLLING)
    qtbot.waitUntil(lambda: Meaning("", "view", name="ball").of(window.toast.text), timeout=SOON)
    assert is_unseen(window, "body", 0)
    assert not is_unseen(window, "body", 1)
    click(qtbot, buttons(window)[0])
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
    assert not is_unseen(window, "body", 0)
    assert window.session.selection == ("body", 0)
    assert window.action_table["follow"].isChecked()
    qtbot.wait(int(1000 * (OUTSIDE + 1)))
    assert not window.toast.isVisible()  # it is followed


@pytest.mark.nightly
def test_nothing_is_said_where_the_user_has_turned_the_camera_away(lab: Lab, qtbot: QtBot) -> None:
    window = lab(ROLLING)
    for _ in range(20):
        qtbot.keyClick(window, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: is_unseen(window, "body", 0), timeout=SOON)
    qtbot.wait(int(1000 * (OUTSIDE + 1)))
    assert not window.toast.isVisible()


@pytest.mark.nightly
def test_fit_all_frames_things_where_they_are_now(lab: Lab, qtbot: QtBot) -> None:
    """A soft body that has moved away from where it may be expected from its start, and a body that has not."""
    window = lab(SLIDING)
    qtbot.keyClick(window, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: not window.view.glides and reaches(window, "soft", 0) > 1.2, timeout=SOON)
    window.session.play(False)
    qtbot.keyClick(window, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
    next_frame(window.view, qtbot)
    assert reaches(window, "soft", 0) < 1.0
    room = window.scene_view.stage.extent  # of the body at rest, and of the soft body at its start
    assert reach(room[None], picture_matrix(window.view.plotter.renderer))[0] < 1.0
