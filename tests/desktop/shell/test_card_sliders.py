"""Sliders of the card of a scene, by real mouse and key events."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import LEFT, SOON, START, accepted
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionSlider
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode.scene.checks.story_rules import moved, slider_value
from polhode.scene.scene_file import read_scene
from polhode_app.docks.story.card_slider import CardSliderRow
from polhode_app.main_window import MainWindow
from polhode_app.window.shell.qt_translator import use_language

Lab = Callable[..., MainWindow]
UNDO = (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


@pytest.fixture(autouse=True)
def _english_again(qapp: object) -> object:
    yield
    use_language("en")


def handle(row: CardSliderRow) -> QPoint:
    """Centre of the handle of a slider."""
    option = QStyleOptionSlider()
    row.slider.initStyleOption(option)
    kind, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    return row.slider.style().subControlRect(kind, option, part, row.slider).center()


def drag(row: CardSliderRow, *to: float) -> None:
    """Drag the handle through shares of the width."""
    QTest.mousePress(row.slider, LEFT, pos=handle(row))
    for share in to:
        QTest.mouseMove(row.slider, QPoint(round(share * (row.slider.width() - 1)), row.slider.height() // 2))
    QTest.mouseRelease(row.slider, LEFT, pos=QPoint(round(to[-1] * (row.slider.width() - 1)), row.slider.height() // 2))


def time_of(window: MainWindow) -> float:
    """Simulated time [s] of the newest frame; 0 before the first one."""
    return window.session.frame.snapshot.time if window.session.frame is not None else 0.0


def test_a_scene_opens_with_its_sliders_at_its_values(lab: Lab) -> None:
    window = lab(gallery.path("course_1_oscillator"))
    rows = window.story.card.sliders
    assert [row.label.text() for row in rows] == ["Spring constant", "Mass", "Natural length"]
    assert [row.value.text() for row in rows] == ["100 N/m", "0.5 kg", "0.2 m"]
    assert all(row.isVisible() and row.slider.width() > 100 for row in rows)


def test_a_drag_changes_the_running_scene_and_is_undone_as_one(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("course_1_oscillator"))
    qtbot.waitUntil(
        lambda: window.session.frame is not None and window.session.frame.snapshot.time > 0.3, timeout=START
    )
    mass, before = window.story.card.sliders[1], window.session.frame.snapshot.time
    drag(mass, 0.6, 0.8, 1.0)
    assert accepted(window, qtbot).particle[0].mass == 1.0
    assert mass.value.text() == "1 kg"
    qtbot.waitUntil(lambda: time_of(window) > before, timeout=SOON)  # it is not started again
    qtbot.keyClick(window, *UNDO)
    assert accepted(window, qtbot).particle[0].mass == 0.5
    qtbot.waitUntil(lambda: mass.value.text() == "0.5 kg", timeout=SOON)


def test_gravity_is_shown_without_its_sign_and_keys_move_it(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("course_3_spring_pendulum"))
    gravity = window.story.card.sliders[2]
    assert gravity.value.text() == "9.8 m/s²"
    for _ in range(100):
        if QApplication.focusWidget() is gravity.slider:
            break
        qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is gravity.slider
    for _ in range(3):
        qtbot.keyClick(gravity.slider, Qt.Key.Key_Right)
    assert accepted(window, qtbot).world.gravity[2] < -9.9
    assert gravity.slider.accessibleName() == "Gravity"
    qtbot.keyClick(window, *UNDO)
    assert accepted(window, qtbot).world.gravity[2] == -9.8  # keys without a pause are one edit


def test_a_slider_of_a_start_value_starts_again_when_it_is_let_go(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("newtons_cradle"))
    qtbot.waitUntil(lambda: time_of(window) > 0.2, timeout=START)
    angle, before = window.story.card.sliders[0], time_of(window)
    assert angle.value.text() == "40.11°"
    window.session.set_speed(0.1)  # its start is seen on a machine with other work as well
    drag(angle, 0.9, 1.0)
    assert accepted(window, qtbot).body[0].orientation.angle == pytest.approx(1.4)
    qtbot.waitUntil(lambda: 0.0 < time_of(window) < before, timeout=SOON)


def test_an_inspector_or_a_button_moves_the_sliders_and_japanese_names_them(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("course_2_damper"))
    damping = window.story.card.sliders[2]
    assert damping.value.text() == "0.5 N s/m"
    window.story.card.buttons[1].click()
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: damping.value.text() == "5 N s/m", timeout=SOON)
    use_language("ja")
    qtbot.waitUntil(lambda: window.story.card.sliders[2].label.text() == "減衰", timeout=SOON)


@pytest.mark.parametrize("name", gallery.scene_names())
def test_sliders_of_built_in_scenes_hold_their_values_and_accept_both_ends(name: str) -> None:
    scene = read_scene(gallery.path(name))
    for slider in scene.story.sliders:
        value = slider_value(scene, slider)
        assert value is not None
        assert slider.low <= value <= slider.high
        for end in (slider.low, slider.high):
            assert slider_value(moved(scene, slider, end), slider) == pytest.approx(end)


def test_twenty_scenes_have_sliders() -> None:
    assert sum(bool(read_scene(gallery.path(name)).story.sliders) for name in gallery.scene_names()) >= 20
