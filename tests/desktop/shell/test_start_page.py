"""The first page of the gallery, and the tour."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import LEFT, SOON, accepted, click, seen_at, send
from PySide6.QtCore import QEvent, QPointF, Qt
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode_app.main_window import MainWindow
from polhode_app.window.gallery_dialog import ALL, GalleryDialog
from polhode_app.window.gallery_dialog import PICTURE as USUAL
from polhode_app.window.shell.lessons import LESSONS, lesson_name
from polhode_app.window.shell.menus import FEATURED, scene_group
from polhode_app.window.shell.qt_translator import use_language
from polhode_app.window.start_page import PICTURE
from scenes import LEANING as SCENE

Lab = Callable[..., MainWindow]


def opened(qtbot: QtBot, window: MainWindow) -> GalleryDialog:
    qtbot.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.findChild(GalleryDialog) is not None, timeout=SOON)
    return window.findChild(GalleryDialog)


def test_the_gallery_opens_with_large_pictures_which_move_and_open_their_scenes(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    dialog = opened(qtbot, window)
    start = dialog.start
    assert start.isVisible()
    assert PICTURE.width() * PICTURE.height() > 1.4 * USUAL.width() * USUAL.height()
    assert [start.featured.item(row).data(Qt.ItemDataRole.UserRole).stem for row in range(len(FEATURED))] == [*FEATURED]
    view, second = start.featured.viewport(), start.featured.item(1)
    assert view.rect().contains(start.featured.visualItemRect(start.featured.item(3)))  # four are whole at once
    place = start.featured.visualItemRect(second).center()
    still = second.icon().cacheKey()
    qtbot.mouseMove(view, place)
    qtbot.waitUntil(lambda: second.icon().cacheKey() != still, timeout=SOON)
    qtbot.mouseClick(view, LEFT, pos=place)
    assert "top" in dialog.description.text()
    qtbot.mouseDClick(view, LEFT, pos=place)
    qtbot.waitUntil(lambda: window.session.document.path == gallery.path("heavy_top"), timeout=SOON)


def test_typing_on_the_start_page_searches_all_scenes(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    dialog = opened(qtbot, window)
    qtbot.keyClicks(dialog.search, "compass")
    assert dialog.list.isVisible()
    assert dialog.list.currentItem().text() == "Compass"
    dialog.search.clear()
    assert dialog.start.isVisible()
    dialog.groups.setCurrentRow(ALL)
    assert dialog.list.isVisible()
    dialog.close()


def test_recent_files_are_opened_from_the_start_page(lab: Lab, qtbot: QtBot, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(SCENE.replace("first", "mine"))
    window = lab()
    window.files.open(mine)
    qtbot.waitUntil(lambda: window.session.document.scene.title == "mine", timeout=SOON)
    window.files.open(gallery.path("compass"))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "Compass", timeout=SOON)
    recent = opened(qtbot, window).start.recent
    assert "mine.toml" in [recent.item(row).text() for row in range(recent.count())]
    item = recent.findItems("mine.toml", Qt.MatchFlag.MatchExactly)[0]
    qtbot.mouseClick(recent.viewport(), LEFT, pos=recent.visualItemRect(item).center())
    qtbot.mouseDClick(recent.viewport(), LEFT, pos=recent.visualItemRect(item).center())
    qtbot.waitUntil(lambda: window.session.document.scene.title == "mine", timeout=SOON)


def test_the_tour_ends_where_there_is_nothing_to_grab(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    tour = window.dialogs.tour
    click(qtbot, opened(qtbot, window).start.tour_button)
    assert tour.frame.isVisible()
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.is_empty, timeout=SOON)
    assert tour.step == 0
    assert not tour.frame.isVisible()


def test_the_tour_goes_on_with_what_is_done(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    tour = window.dialogs.tour
    click(qtbot, opened(qtbot, window).start.tour_button)
    assert tour.step == 1
    assert tour.frame.isVisible()
    assert tour.frame.text.startswith("Step 1 of 2")
    for _ in range(2):  # the button gives the tool also where a key has chosen it before
        click(qtbot, tour.act_button)
        assert window.action_table["hand"].isChecked()
    accepted(window, qtbot)
    swing = window.session  # at a turning point, where a frame later it is under the pointer still
    qtbot.waitUntil(
        lambda: swing.frame.running and np.abs(swing.frame.snapshot.bodies.angular_velocity[0]).max() < 0.5,
        timeout=SOON,
    )
    bob = swing.frame.snapshot.bodies
    at = seen_at(window, bob.position[0] + bob.basis[0].T @ np.array([0, 0, -0.5]))
    send(window, QEvent.Type.MouseButtonPress, at)
    send(window, QEvent.Type.MouseMove, at + QPointF(15, 0))
    qtbot.waitUntil(lambda: tour.step == 2, timeout=SOON)
    send(window, QEvent.Type.MouseButtonRelease, at + QPointF(15, 0))
    try:
        window.set_language("ja")
        qtbot.waitUntil(lambda: "Step" not in tour.frame.text or "2" in tour.frame.text, timeout=SOON)
    finally:
        use_language("en")
    window.session.edit(window.session.scene.model_copy(update={"title": "tried"}))
    accepted(window, qtbot)
    assert tour.step == 0
    assert not tour.frame.isVisible()
    assert not window.action_table["hand"].isChecked()


def test_the_tour_begins_by_itself_once(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    tour = window.dialogs.tour
    assert tour.step == 0
    tour.offer()
    qtbot.waitUntil(lambda: tour.step == 1, timeout=SOON)
    click(qtbot, tour.close_button)
    assert tour.step == 0
    tour.offer()
    qtbot.wait(400)  # [ms] several frames
    assert tour.step == 0


@pytest.mark.parametrize(
    "size",
    [(640, 420), *(pytest.param(size, marks=pytest.mark.nightly) for size in ((1366, 700), (1000, 560), (760, 480)))],
)
def test_frames_at_the_lower_edge_leave_the_card_free(lab: Lab, qtbot: QtBot, size: tuple[int, int]) -> None:
    """The tour, and messages above it, stand beside a card that reaches down to them; its buttons stay."""
    window = lab(gallery.path("gyroscope_in_gimbals"))
    window.session.play(False)
    window.action_table["tree"].setChecked(False)
    window.resize(*size)
    qtbot.waitUntil(lambda: window.size().toTuple() == size, timeout=SOON)
    card, tour = window.story.card, window.dialogs.tour

    def is_free() -> bool:
        frames = [tour.frame, window.toast] if window.toast.isVisible() else [tour.frame]
        inside = all(window.view.rect().contains(frame.geometry()) for frame in frames)
        return inside and not any(frame.geometry().intersects(card.geometry()) for frame in frames)

    for start in (tour.start, lambda: tour._show(2), lambda: window.toast.show_message("A message " * 8, None)):
        start()
        qtbot.waitUntil(is_free, timeout=SOON)
        qtbot.wait(300)  # [ms] the card is placed again a few times a second
        assert is_free()
        assert card.isVisible()
        assert all(button.isVisible() for button in card.buttons)
    tour.stop()
    window.toast.dismiss()
    usual = card.height()
    qtbot.waitUntil(lambda: card.height() >= usual, timeout=SOON)


def test_a_lesson_shows_its_scenes_in_their_order_and_opens_them(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    dialog = opened(qtbot, window)
    assert [button.text() for button in dialog.start.lesson_buttons] == [lesson.title for lesson in LESSONS]
    assert all(button.isVisible() for button in dialog.start.lesson_buttons)
    click(qtbot, dialog.start.lesson_buttons[2])
    assert dialog.list.isVisible()
    shown = dialog.visible_items()
    assert [item.data(Qt.ItemDataRole.UserRole).stem for item in shown] == [*LESSONS[2].scenes]
    place = dialog.list.visualItemRect(shown[1]).center()
    qtbot.mouseClick(dialog.list.viewport(), LEFT, pos=place)
    qtbot.mouseDClick(dialog.list.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: window.session.document.path == gallery.path("course_2_damper"), timeout=SOON)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_six_lessons_of_scenes_that_exist_come_before_all_groups(lab: Lab, qtbot: QtBot, language: str) -> None:
    use_language(language)
    dialog = opened(qtbot, lab())
    names = [dialog.groups.item(row).text() for row in range(1, ALL)]
    assert names == [lesson_name(lesson) for lesson in LESSONS]
    assert len({*names}) == 6
    assert all(len(lesson.scenes) >= 5 and {*lesson.scenes} <= {*gallery.scene_names()} for lesson in LESSONS)
    dialog.close()
    use_language("en")


GROUPS = (
    ("course_1_oscillator", "course_6_chain", "bouncing_ball", "resonance", "two_masses"),
    ("rolling_1_frictionless_slope", "break_shot", "cradle_of_spheres"),
    ("course_7_at_rest", "breaking_bar", "flag"),
    ("course_11_hand", "bowl_by_hand", "gravity_by_hand"),
)


def test_scenes_are_in_the_group_of_their_physics() -> None:
    """Springs and points, spheres, soft bodies, and scenes driven by the sensor."""
    found = [{scene_group(read_scene(gallery.path(name))) for name in names} for names in GROUPS]
    assert [len(group) for group in found] == [1, 1, 1, 1]
    assert len(set.union(*found)) == 4
