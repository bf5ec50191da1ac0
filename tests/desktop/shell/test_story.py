"""The card of a scene, its buttons, its legend, and the hand over the sensor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gui import LEFT, SOON, START, accepted, buttons, click, seen_at
from meaning import Meaning
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode.scene.checks.story_rules import tried
from polhode.scene.fields import with_value
from polhode_app.main_window import MainWindow
from polhode_app.viewport.base.camera_animation import pose_of
from polhode_app.window.shell.qt_translator import use_language

Lab = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def _english_again(qapp: object) -> object:
    yield
    use_language("en")


def button(window: MainWindow, words: str) -> object:
    return next(each for each in window.story.card.buttons if words in each.text())


def test_a_scene_opens_with_its_card(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    card = window.story.card
    assert card.isVisible()
    assert card.title.text() == "Heavy top"
    assert card.text.text().startswith("A fast top")
    assert [each.text() for each in card.buttons] == ["Spin it slower", "Tilt it more", "Show the polhode"]
    assert card.geometry().right() < window.view.width()
    assert card.height() >= card.layout().totalHeightForWidth(card.width())


def test_its_buttons_do_what_they_say(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 0.5, timeout=SOON)
    window.session.set_speed(0.1)  # its start is seen on a machine with other work as well
    click(qtbot, button(window, "Tilt it more"))
    assert accepted(window, qtbot).body[0].orientation.angle == 1.1
    qtbot.waitUntil(lambda: window.session.frame is not None and window.session.frame.snapshot.time < 0.3, timeout=SOON)
    axis = window.session.frame.snapshot.bodies.basis[0, 2]
    assert np.arccos(axis[2]) > 0.9  # it starts again, tilted
    assert window.session.running
    assert not window.scene_view.visible["polhode"]
    assert "angular momentum" not in window.story.card.legend.text()
    click(qtbot, button(window, "Show the polhode"))
    assert window.scene_view.visible["polhode"]
    qtbot.waitUntil(lambda: "angular momentum" in window.story.card.legend.text(), timeout=SOON)
    click(qtbot, button(window, "Show the polhode"))
    assert not window.scene_view.visible["polhode"]
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert accepted(window, qtbot).body[0].orientation.angle == 0.6


def test_gravity_of_the_moon_starts_a_pattern_again(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("pendulum_wave"))
    qtbot.waitUntil(lambda: time_of(window) > 0.6, timeout=SOON)
    window.session.set_speed(0.1)
    click(qtbot, button(window, "moon"))
    assert accepted(window, qtbot).world.gravity[2] == -1.62
    qtbot.waitUntil(lambda: 0.0 < time_of(window) < 0.4, timeout=SOON)


def test_a_button_that_is_on_takes_back_what_it_did(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("magnetic_gears"))
    saved, brake = window.session.scene, button(window, window.session.scene.story.try_[0].label)
    click(qtbot, brake)
    assert accepted(window, qtbot).joint[1].dry_friction == 0.05
    qtbot.waitUntil(brake.isChecked, timeout=SOON)
    click(qtbot, brake)
    assert accepted(window, qtbot) == saved
    qtbot.waitUntil(lambda: not brake.isChecked(), timeout=SOON)


@pytest.mark.nightly
@pytest.mark.parametrize("name", gallery.scene_names())
def test_every_button_of_every_scene_does_what_it_says_and_the_run_goes_on(lab: Lab, qtbot: QtBot, name: str) -> None:
    window = lab(gallery.path(name))
    session, refusals = window.session, []
    session.edit_refused.connect(refusals.append)
    for number, trial in enumerate(session.scene.story.try_):
        before, generation = session.scene, session.document.generation
        visible = dict(window.scene_view.visible)
        on = not all(visible[each] for each in trial.show)
        click(qtbot, window.story.card.buttons[number])
        assert not refusals
        assert all(window.scene_view.visible[each] == on for each in trial.show)
        if trial.set:
            assert accepted(window, qtbot) == tried(before, trial) != before
            qtbot.waitUntil(lambda seen=generation: session.document.generation != seen, timeout=SOON)
        elif not trial.restart:
            continue
        qtbot.waitUntil(lambda: session.frame is not None and session.running, timeout=START)
        begun = session.frame.snapshot.time
        qtbot.waitUntil(lambda start=begun: session.frame.snapshot.time > min(start, 0.2) + 0.1, timeout=SOON)
        assert session.running


def test_a_button_that_starts_again_takes_no_step_from_the_state_of_now(lab: Lab, qtbot: QtBot) -> None:
    """Held still where it is not at the start, the cross would jump, and the strings tear the puppet."""
    window = lab(gallery.path("marionette"))
    halted: list[object] = []
    window.session.halted.connect(halted.append)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 0.5, timeout=SOON)
    window.session.set_speed(0.2)
    button(window, window.session.scene.story.try_[0].label).click()
    times: list[float] = []
    qtbot.waitUntil(lambda: times.append(time_of(window)) or not window.session.is_pending, timeout=SOON)
    qtbot.waitUntil(lambda: window.session.running and 0.05 < time_of(window) < 0.5, timeout=SOON)
    assert halted == []
    assert max(times[1:]) < 0.5  # it stands at the start while the other scene is compiled


def test_a_run_that_is_paused_while_a_button_starts_it_again_stays_paused(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("marionette"))
    session = window.session
    qtbot.waitUntil(lambda: session.frame.snapshot.time > 0.2, timeout=SOON)
    button(window, window.session.scene.story.try_[0].label).click()
    assert session.is_pending
    qtbot.keyClick(window, Qt.Key.Key_Space)
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: session.frame is not None and not session.frame.running, timeout=START)
    stopped = time_of(window)  # at the start, or after the steps that came before the key
    assert stopped < 0.2
    qtbot.wait(300)
    assert time_of(window) == stopped
    assert not session.running


def time_of(window: MainWindow) -> float:
    """Simulated time [s] of the newest moment; 0 before the first one of a scene."""
    moment = window.session.frame
    return moment.snapshot.time if moment is not None else 0.0


def test_closed_once_it_stays_closed_until_it_is_asked_for(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    click(qtbot, window.story.card.close_button)
    assert not window.story.card.isVisible()
    assert window.story.card.open_button.isVisible()
    window.files.open(gallery.path("compass"))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "Compass", timeout=SOON)
    assert not window.story.card.isVisible()
    assert not window.settings.story
    qtbot.keyClick(window, Qt.Key.Key_I)
    assert window.story.card.isVisible()
    assert window.story.card.title.text() == "Compass"
    assert window.settings.story


def test_the_card_follows_language_and_window(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("t_handle"))
    qtbot.waitUntil(lambda: "ω" in window.story.card.legend.text(), timeout=SOON)
    window.set_language("ja")
    qtbot.waitUntil(lambda: window.story.card.heading.text() != "Try this", timeout=SOON)
    assert "角運動量" in window.story.card.legend.text()
    assert not any(each.text().isascii() for each in window.story.card.buttons)
    window.resize(700, 430)
    qtbot.waitUntil(lambda: window.story.card.geometry().bottom() <= window.view.height(), timeout=SOON)
    qtbot.waitUntil(lambda: window.story.card.width() <= window.view.width() / 2, timeout=SOON)


def test_a_scene_without_a_story_shows_its_description_and_an_empty_one_nothing(lab: Lab, qtbot: QtBot) -> None:
    window = lab('title = "one"\ndescription = "A ball. It falls."\nparticle = [{ name = "ball", mass = 1.0 }]')
    assert window.story.card.text.text() == "A ball."
    assert window.story.card.buttons == []
    window.files.new()
    qtbot.waitUntil(lambda: not window.session.document.scene.particle, timeout=SOON)
    assert not window.story.card.isVisible()
    assert not window.story.card.open_button.isVisible()


def test_a_hand_scene_opens_the_sensor_and_the_mouse_takes_the_hand_over(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("course_11_hand"))
    qtbot.waitUntil(
        lambda: window.docks.dock("sensor") is not None and window.docks.docks["sensor"].isVisible(), timeout=SOON
    )
    hand = window.docks.docks["sensor"].hand
    qtbot.waitUntil(lambda: Meaning("", "Simulated", "moving").of(hand.text.text()), timeout=SOON)
    qtbot.waitUntil(lambda: hand.picture.distance is not None, timeout=SOON)
    before = hand.picture.distance
    qtbot.waitUntil(lambda: abs(hand.picture.distance - before) > 5.0, timeout=SOON)  # it moves
    picture = hand.picture
    at = QPoint(picture.width() // 2, round(picture.y_of(picture.distance)) - 10)
    to = QPoint(at.x(), round(picture.y_of(150.0)) - 10)
    qtbot.mousePress(picture, LEFT, pos=at)
    qtbot.mouseMove(picture, to)
    qtbot.mouseRelease(picture, LEFT, pos=to)
    qtbot.waitUntil(lambda: hand.text.text().startswith("Your hand"), timeout=SOON)
    qtbot.waitUntil(lambda: abs(1000 * window.session.frame.snapshot.distance - picture.distance) < 20, timeout=SOON)
    assert picture.distance < before + 200
    click(qtbot, hand.release_button)
    held = picture.distance
    qtbot.waitUntil(lambda: abs(picture.distance - held) > 30, timeout=SOON)


def test_what_a_button_shows_is_shown_in_its_scene_alone(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    click(qtbot, button(window, "Show the polhode"))
    assert window.scene_view.visible["polhode"]
    click(qtbot, button(window, "Tilt it more"))
    accepted(window, qtbot)
    assert window.scene_view.visible["polhode"], "an edit is still the same scene"
    window.set_view_visible("velocities", True)
    window.session.undo()
    accepted(window, qtbot)
    window.files.open(gallery.path("compass"))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "Compass", timeout=SOON)
    qtbot.waitUntil(lambda: window.scene_view.is_built, timeout=SOON)
    assert not window.scene_view.visible["polhode"]
    assert window.scene_view.visible["velocities"], "what a person chooses in the menu lasts"
    assert window.settings.switches == {"velocities": True}


def test_the_sensor_that_a_scene_opens_is_closed_with_it(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("course_11_hand"))
    sensor = window.action_table["sensor"]
    qtbot.waitUntil(sensor.isChecked, timeout=SOON)
    window.files.open(gallery.path("compass"))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "Compass", timeout=SOON)
    assert not sensor.isChecked()
    sensor.setChecked(True)
    qtbot.waitUntil(lambda: window.docks.docks["sensor"].isVisible(), timeout=SOON)
    text = window.docks.docks["sensor"].hand.text
    qtbot.waitUntil(lambda: Meaning("", "Nothing", "sensor").of(text.text()), timeout=SOON)
    for name, title in (("bowl_by_hand", "A bead in a bowl"), ("compass", "Compass")):
        window.files.open(gallery.path(name))
        qtbot.waitUntil(lambda t=title: window.session.document.scene.title.startswith(t), timeout=SOON)
    assert sensor.isChecked(), "what a person has opened stays open"


def test_the_card_covers_nothing_that_moves(lab: Lab, qtbot: QtBot) -> None:
    """Beside the open card the whole body is seen, in a small view; closed, the projection is the camera's own."""
    window = lab(gallery.path("heavy_top"))
    window.resize(960, 620)
    card, camera = window.story.card, window.view.plotter.renderer.GetActiveCamera()
    qtbot.waitUntil(lambda: camera.GetUserTransform() is not None, timeout=SOON)
    window.story.show_frame(window.session.frame, 0.0)
    solid = window.scene_view.stage.solids[0]

    def assert_is_seen() -> None:
        assert not window.view.glides
        bodies = window.session.frame.snapshot.bodies
        for point in solid.points[::20] @ bodies.basis[0] + bodies.position[0]:
            at = seen_at(window, point)
            assert window.view.rect().contains(at.toPoint())
            assert not card.geometry().contains(at.toPoint())

    qtbot.waitUntil(assert_is_seen, timeout=SOON)
    pose = pose_of(camera)
    click(qtbot, card.close_button)
    qtbot.waitUntil(lambda: camera.GetUserTransform() is None, timeout=SOON)
    assert np.allclose(pose_of(camera).target, pose.target)
    assert pose_of(camera).far == pytest.approx(pose.far)


@pytest.mark.new_window
def test_buttons_show_what_is_on_and_trying_is_no_work_to_be_saved(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))

    def checked() -> list[bool]:
        return [each.isChecked() for each in window.story.card.buttons]

    assert checked() == [False, False, False]
    click(qtbot, button(window, "Tilt it more"))
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: checked() == [False, True, False], timeout=SOON)
    click(qtbot, button(window, "Show the polhode"))
    qtbot.waitUntil(lambda: checked() == [False, True, True], timeout=SOON)
    click(qtbot, button(window, "Show the polhode"))
    qtbot.waitUntil(lambda: checked() == [False, True, False], timeout=SOON)
    assert not window.isWindowModified()
    window.files.open(gallery.path("t_handle"))
    qtbot.waitUntil(lambda: window.session.document.path == gallery.path("t_handle"), timeout=START)
    assert window.crash_recovery.replaced == []
    scene = window.session.scene
    window.session.edit(with_value(scene, ("world", "gravity"), (0.0, 0.0, -1.0)))
    accepted(window, qtbot)
    assert window.isWindowModified()
    window.files.open(gallery.path("heavy_top"))
    qtbot.waitUntil(lambda: Meaning("", "saved").of(window.toast.text) and window.toast.isVisible(), timeout=START)
    close = next(each for each in buttons(window) if each.text() == "Close")
    click(qtbot, close)
    assert not window.toast.isVisible()
    window.toast.show_message("other", 0.05)
    qtbot.waitUntil(lambda: not window.toast.isVisible(), timeout=SOON)  # it does not return


def test_an_empty_scene_says_how_to_begin_until_something_is_added(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    hint = window.story.empty_hint
    assert not hint.isVisible()
    window.action_table["new"].trigger()
    qtbot.waitUntil(hint.isVisible, timeout=SOON)
    assert "drop a mesh" in hint.text
    assert window.view.rect().contains(hint.geometry())
    search = next(each for each in hint.buttons if "F3" in each.text())
    click(qtbot, search)
    palette = window.dialogs.palette
    qtbot.waitUntil(lambda: palette is not None and QApplication.activeWindow() is palette, timeout=SOON)
    palette.close()
    click(qtbot, window.build_bar.buttons["pendulum"])
    surface = window.view.surface
    qtbot.mouseClick(surface, LEFT, pos=QPoint(surface.width() // 2, 2 * surface.height() // 3))
    qtbot.waitUntil(lambda: not hint.isVisible(), timeout=SOON)
    assert accepted(window, qtbot).body
