"""The gallery with its pictures and the explanations, by mouse and keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import LEFT, SOON
from PySide6.QtCore import SIGNAL, QEvent, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.i18n.field_names import METHODS
from polhode_app.main_window import MainWindow
from polhode_app.window.gallery_dialog import ALL, GalleryDialog
from polhode_app.window.shell.help_texts import page_text, titles
from polhode_app.window.shell.help_window import HelpPage
from polhode_app.window.shell.lessons import LESSONS, lesson_name
from polhode_app.window.shell.menus import scenes

SCENE = gallery.path("course_1_oscillator").read_text("utf-8")


def opened(qtbot: QtBot, window: MainWindow) -> GalleryDialog:
    qtbot.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.findChild(GalleryDialog) is not None, timeout=SOON)
    dialog = window.findChild(GalleryDialog)
    qtbot.mouseClick(dialog.groups.viewport(), LEFT, pos=dialog.groups.visualItemRect(dialog.groups.item(ALL)).center())
    return dialog


def test_every_built_in_scene_has_its_picture():
    found = {path.name for path in (gallery.FOLDER / "pictures").glob("*")}
    for theme in ("dark", "light"):
        for name in gallery.scene_names():
            for path, size in ((gallery.picture(name, theme), (320, 200)), (gallery.strip(name, theme), (1152, 120))):
                assert path.name in found, "python -m polhode_app.export.gallery_pictures SCENE makes the pictures"
                image = QImage(str(path))
                assert (image.width(), image.height()) == size, path.name
    assert len(found) == 4 * len(gallery.scene_names())


@pytest.mark.nightly
def test_a_thumbnail_moves_under_the_pointer(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dialog = opened(qtbot, window)
    qtbot.waitUntil(lambda: dialog.pictures_loaded, timeout=SOON)
    first, second = (dialog.list.item(row) for row in (0, 1))
    still = first.icon().cacheKey()
    view = dialog.list.viewport()
    qtbot.mouseMove(view, dialog.list.visualItemRect(first).center())
    qtbot.waitUntil(lambda: dialog.thumbnails.is_moving, timeout=SOON)
    seen = {first.icon().cacheKey()}

    def has_moved() -> bool:
        seen.add(first.icon().cacheKey())
        return len(seen) == 6

    qtbot.waitUntil(has_moved, timeout=SOON)
    assert still not in seen
    qtbot.mouseMove(view, dialog.list.visualItemRect(second).center())
    qtbot.waitUntil(lambda: first.icon().cacheKey() == still, timeout=SOON)
    assert dialog.thumbnails.is_moving
    qtbot.mouseMove(dialog.search, dialog.search.rect().center())
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert not dialog.thumbnails.is_moving


def test_the_gallery_finds_scenes_and_opens_them(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dialog = opened(qtbot, window)
    assert len(dialog.visible_items()) == len(scenes())
    qtbot.waitUntil(lambda: dialog.pictures_loaded, timeout=SOON)
    place = dialog.groups.visualItemRect(dialog.groups.findItems("Magnets", Qt.MatchFlag.MatchExactly)[0]).center()
    qtbot.mouseClick(dialog.groups.viewport(), LEFT, pos=place)
    assert 3 < len(dialog.visible_items()) < len(scenes()) / 2
    qtbot.mouseClick(dialog.groups.viewport(), LEFT, pos=dialog.groups.visualItemRect(dialog.groups.item(ALL)).center())
    qtbot.keyClicks(dialog.search, "double pendulum springs")
    assert [item.data(Qt.ItemDataRole.UserRole).stem for item in dialog.visible_items()] == ["course_5_double_pendulum"]
    assert "Two swinging" in dialog.description.text()
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    wanted = gallery.path("course_5_double_pendulum")
    qtbot.waitUntil(lambda: window.session.document.path == wanted, timeout=SOON)
    qtbot.waitUntil(lambda: window.findChild(GalleryDialog) is None, timeout=SOON)


def test_the_title_of_a_scene_stands_below_its_picture(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dialog = opened(qtbot, window)
    qtbot.waitUntil(lambda: dialog.pictures_loaded, timeout=SOON)
    space = dialog.list.visualItemRect(dialog.list.item(0)).height() - dialog.list.iconSize().height()
    assert space >= 2 * dialog.list.fontMetrics().lineSpacing()  # the longest titles take two lines
    assert dialog.list.gridSize().height() >= dialog.list.visualItemRect(dialog.list.item(0)).height()


def test_words_that_no_scene_of_the_group_has_are_searched_in_all(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dialog = opened(qtbot, window)
    place = dialog.groups.visualItemRect(dialog.groups.findItems("Magnets", Qt.MatchFlag.MatchExactly)[0]).center()
    qtbot.mouseClick(dialog.groups.viewport(), LEFT, pos=place)
    qtbot.keyClicks(dialog.search, "needle")
    assert dialog.groups.currentItem().text() == "Magnets"
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "cloth falls")
    names = [item.data(Qt.ItemDataRole.UserRole).stem for item in dialog.visible_items()]
    assert "cloth_on_ball" in names
    assert dialog.groups.currentRow() == ALL


def test_what_is_not_there_is_not_opened(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    dialog, before = opened(qtbot, window), window.session.document.path
    qtbot.keyClicks(dialog.search, "no such scene")
    assert not dialog.visible_items()
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(GalleryDialog) is None, timeout=SOON)
    assert window.session.document.path == before


def test_the_menu_has_the_lessons_before_the_groups(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """By keys: the first lesson is below the entry of all scenes, and its first scene is opened from there."""
    window, path = lab(), gallery.path(LESSONS[0].scenes[0])
    (menu,) = (action.menu() for action in window.menuBar().actions() if action.menu().title() == "&Gallery")
    window.menuBar().setActiveAction(menu.menuAction())
    qtbot.waitUntil(menu.isVisible, timeout=SOON)
    titles = [action.text() for action in menu.actions() if action.menu() is not None]
    assert titles[: len(LESSONS)] == [lesson_name(lesson) for lesson in LESSONS]
    menu.setActiveAction(menu.actions()[0])
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right):  # past the first entry, and into the lesson
        qtbot.keyClick(menu, key)
    lesson = menu.actions()[2].menu()
    assert lesson is not None
    qtbot.waitUntil(lesson.isVisible, timeout=SOON)
    qtbot.keyClick(lesson, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.path == path, timeout=SOON)


def test_every_action_does_something(lab: Callable[..., MainWindow]) -> None:
    """A menu connects to an action by itself; more than it do those that are to act."""
    window, menu = lab(), QMenu()
    of_menu = menu.addAction("").receivers(SIGNAL("triggered(bool)"))
    idle = []
    for name, action in window.action_table.items():
        clicked, switched = (action.receivers(SIGNAL(signal)) for signal in ("triggered(bool)", "toggled(bool)"))
        if clicked <= of_menu and not switched:
            idle.append(name)
    assert idle == []


def test_every_method_of_the_menu_is_explained():
    assert set(titles()) == {"blew_up", "drift", "step", *METHODS, "errata"}
    assert all(page_text(name) for name in titles())


def page(window: MainWindow) -> HelpPage | None:
    return window.dialogs.help_window.page


def test_questions_are_answered_where_they_arise(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.resize(1500, 800)
    for dock in ("tree", "inspector"):  # room for the solver
        window.action_table[dock].setChecked(False)
    qtbot.waitUntil(lambda: window.transport.solver.isVisible(), timeout=SOON)
    qtbot.mouseClick(window.transport.solver.help_button, LEFT)
    qtbot.waitUntil(lambda: page(window) is not None, timeout=SOON)
    assert page(window).topics.currentItem().text() == "Semi-implicit Euler"
    assert "symplectic" in page(window).text.toPlainText()
    window.status.help_requested.emit()
    assert "ledger" in page(window).text.toPlainText()
    assert window.session.running  # it continues beside the page
    page(window).close()
    qtbot.waitUntil(lambda: page(window) is None, timeout=SOON)


def test_a_halted_run_says_why(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.session.set_speed(100.0)
    window.session.set_solver(time_step=1.0)  # every step multiplies the swing by some (w dt)^2 = 200
    qtbot.waitUntil(lambda: not window.session.running, timeout=4 * SOON)

    def why() -> list[QPushButton]:
        return [b for b in window.toast.findChildren(QPushButton) if b.text() == "Why?" and b.isVisible()]

    qtbot.waitUntil(lambda: bool(why()), timeout=SOON)  # new ones are seen a turn of the event loop later
    qtbot.mouseClick(why()[0], LEFT)
    qtbot.waitUntil(lambda: page(window) is not None, timeout=SOON)
    assert "diverges" in page(window).topics.currentItem().text()
    page(window).close()
