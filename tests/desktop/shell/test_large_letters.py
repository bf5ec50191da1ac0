"""Letters of 200 %: dialogs and the card of a scene grow with them, and nothing is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from accessibility import cut_texts
from dialogs import OPENERS
from gui import SOON
from PySide6.QtCore import QRegularExpression, QSize
from PySide6.QtWidgets import QAbstractButton, QDialog, QDockWidget
from pytestqt.qtbot import QtBot
from sampling import sampled

from polhode.scene import gallery
from polhode_app.docks.story.story_card import StoryCard
from polhode_app.main_window import MainWindow

TITLE_BUTTONS = QRegularExpression("^qt_dockwidget_")
Lab = Callable[..., MainWindow]


@pytest.fixture
def window(lab: Lab, qtbot: QtBot) -> Iterator[MainWindow]:
    """A window of 1600 x 1000 whose run is paused; letters and language are set back at the end."""
    made = lab(gallery.path("bead_on_parabola"))
    made.session.play(False)
    made.resize(1600, 1000)
    qtbot.waitUntil(lambda: made.size().toTuple() == (1600, 1000), timeout=SOON)
    yield made
    made.dialogs.set_letters(100)
    made.set_language("en")


def test_the_title_of_the_card_grows_and_shrinks(window: MainWindow, qtbot: QtBot) -> None:
    title = window.findChild(StoryCard).title
    qtbot.waitUntil(title.isVisible, timeout=SOON)
    usual = title.fontMetrics().height()
    window.dialogs.set_letters(200)
    assert title.fontMetrics().height() == pytest.approx(2 * usual, rel=0.1)
    window.dialogs.set_letters(100)
    assert title.fontMetrics().height() == usual


def test_the_title_of_an_open_dock_grows_and_shrinks(window: MainWindow, qtbot: QtBot) -> None:
    window.action_table["inspector"].setChecked(True)
    qtbot.waitUntil(lambda: "inspector" in window.docks.docks, timeout=SOON)
    dock = window.docks.docks["inspector"]
    usual = _title_length(dock)
    window.dialogs.set_letters(200)
    assert _title_length(dock) == pytest.approx(2 * usual, rel=0.15)
    window.dialogs.set_letters(100)
    assert _title_length(dock) == usual


def _title_length(dock: QDockWidget) -> int:
    """Length [pixel] of the painted title of a dock, left of its buttons."""
    image = dock.grab().toImage()
    ground, last = image.pixel(1, 1), min(button.x() for button in dock.findChildren(QAbstractButton, TITLE_BUTTONS))
    columns = range(image.width() * 2 // 3)
    assert last > columns[-1]
    rows = range(2, dock.widget().y() - 2)
    inked = [x for x in columns if any(image.pixel(x, y) != ground for y in rows)]
    return inked[-1] - inked[0]


@pytest.mark.nightly
def test_icons_grow_and_shrink_with_the_letters(window: MainWindow, qtbot: QtBot) -> None:
    """Icons of bars, docks and trees; each is drawn in the pixels of its size, so that it is sharp."""
    for name in ("tree", "maps"):
        window.action_table[name].setChecked(True)
        qtbot.waitUntil(lambda name=name: _is_open(window, name), timeout=SOON)
    tree = window.docks.docks["tree"].tree
    qtbot.waitUntil(lambda: len(_icons(window)) > 25, timeout=SOON)
    usual, eyes, row = _icons(window), tree.columnWidth(1), tree.sizeHintForRow(0)
    titles = _title_buttons(window)
    for percent in (200, 100):
        window.dialogs.set_letters(percent)
        factor = percent // 100
        shown = _icons(window)
        assert {button: size * factor for button, size in usual.items()} == shown
        assert {button: button.icon().actualSize(size) for button, size in shown.items()} == shown
        assert tree.columnWidth(1) == factor * eyes
        assert tree.sizeHintForRow(0) == pytest.approx(factor * row, rel=0.15)
        image = tree.topLevelItem(0).icon(0)
        assert image.actualSize(QSize(16, 16) * factor) == QSize(16, 16) * factor
        qtbot.waitUntil(lambda: _title_buttons(window) == [factor * width for width in titles], timeout=SOON)  # noqa: B023


def _is_open(window: MainWindow, name: str) -> bool:
    """Whether a dock is complete and visible."""
    return name in window.docks.docks and window.docks.docks[name].isVisible()


def _title_buttons(window: MainWindow) -> list[int]:
    """Widths of the buttons in the titles of open docks."""
    return [each.width() for each in window.findChildren(QAbstractButton, TITLE_BUTTONS) if each.isVisible()]


def _icons(window: MainWindow) -> dict[QAbstractButton, QSize]:
    """Sizes of the icons of all buttons of the window that have one, except those that Qt gives to docks."""
    found = [each for each in window.findChildren(QAbstractButton) if not each.icon().isNull()]
    return {each: each.iconSize() for each in found if not each.objectName().startswith("qt_")}


@pytest.mark.nightly
@pytest.mark.parametrize("language", sampled(["ja", "en"], 2))
def test_dialogs_with_letters_of_200_percent_are_not_cut(window: MainWindow, qtbot: QtBot, language: str) -> None:
    """Every dialog, on a screen that has room for it; a sideways scroll bar counts as cut."""
    window.dialogs.set_letters(200)
    window.set_language(language)
    found = {}
    for name, opener in OPENERS.items():
        before = set(window.findChildren(QDialog))
        opener(window)
        opened = lambda: [  # noqa: E731
            each
            for each in window.findChildren(QDialog)
            if each not in before and each.isVisible()  # noqa: B023
        ]
        qtbot.waitUntil(lambda: bool(opened()), timeout=SOON)  # noqa: B023
        (dialog,) = opened()
        with suppress(qtbot.TimeoutError):  # [ms] until sizes are settled
            qtbot.waitUntil(lambda: not cut_texts(dialog), timeout=10_000)  # noqa: B023
        if cut := cut_texts(dialog):
            found[name] = cut
        dialog.close()
    assert found == {}


@pytest.mark.nightly
def test_closed_settings_stay_closed_as_letters_change(window: MainWindow) -> None:
    window.action_table["settings"].trigger()
    (dialog,) = (each for each in window.findChildren(QDialog) if each.isVisible())
    dialog.close()
    window.dialogs.set_letters(200)  # before Qt has deleted it
    assert not [each for each in window.findChildren(QDialog) if each.isVisible()]
