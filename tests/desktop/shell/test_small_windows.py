"""A window of 800 x 500: a screen of 1600 x 1000 at 200 %. Nothing lies over anything else, or outside."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from gui import SOON
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.docks.story.story_card import StoryCard
from polhode_app.main_window import MainWindow
from polhode_app.viewport.record import LegendEntry

Lab = Callable[..., MainWindow]
SIZE = (800, 500)


@pytest.fixture
def small(lab: Lab, qtbot: QtBot) -> MainWindow:
    window = lab(gallery.path("heavy_top"))
    for dock in ("tree", "inspector"):
        window.action_table[dock].setChecked(False)
    window.resize(*SIZE)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == SIZE, timeout=SOON)
    return window


def is_whole(widget: QWidget, window: MainWindow) -> bool:
    """Whether a widget is seen, in the window, and as wide as it must be."""
    corners = [widget.mapTo(window, corner) for corner in (widget.rect().topLeft(), widget.rect().bottomRight())]
    least = widget.minimumWidth() or widget.minimumSizeHint().width()
    return widget.isVisible() and all(window.rect().contains(each) for each in corners) and widget.width() >= least


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_list_of_keys_fits_on_the_screen_and_scrolls(small: MainWindow, qtbot: QtBot, language: str) -> None:
    small.set_language(language)
    try:
        small.action_table["keys"].trigger()
        dialog = next(each for each in small.findChildren(QDialog) if each.isVisible())
        screen = small.screen().availableGeometry()
        assert dialog.height() <= screen.height() - 40  # of the frame of the dialog
        assert dialog.width() <= screen.width()
        area = dialog.findChild(QScrollArea)
        assert area.widget().height() >= area.widget().minimumSizeHint().height()  # nothing is squeezed
        close = dialog.findChild(QDialogButtonBox)
        assert dialog.rect().contains(close.geometry())
        dialog.close()
    finally:
        small.set_language("en")


def assert_apart(window: MainWindow, opened: list[str], last: QWidget) -> None:
    """Docks that are seen, the last one among them, lie in the window and not over each other or the view."""
    assert (window.width(), window.height()) == SIZE
    seen = [dock for dock in map(window.docks.docks.get, opened) if not dock.visibleRegion().isEmpty()]
    assert last in seen
    for each in seen:
        assert window.rect().contains(each.geometry()), each.windowTitle()
    for one, other in itertools.combinations([*seen, window.centralWidget()], 2):
        assert not one.geometry().intersects(other.geometry())
    transport = window.transport
    for widget in (transport._speed_box, transport._time_label, transport.solver.method, transport.solver.step):
        assert is_whole(widget, window)


@pytest.mark.nightly
def test_docks_that_have_no_room_beside_each_other_are_tabs(small: MainWindow, qtbot: QtBot) -> None:
    opened: list[str] = []
    for name in ("inspector", "plots", "sensor", "tree"):
        small.action_table[name].setChecked(True)
        opened.append(name)
        dock = lambda name=name: small.docks.docks.get(name)  # noqa: E731
        qtbot.waitUntil(lambda dock=dock: dock() is not None and not dock().visibleRegion().isEmpty(), timeout=SOON)
        qtbot.wait(300)  # [ms] tabs are raised and sizes are settled
        qtbot.waitUntil(lambda dock=dock: assert_apart(small, opened, dock()), timeout=SOON)


def test_the_card_leaves_out_what_has_no_room(qtbot: QtBot) -> None:
    view = QWidget()
    qtbot.addWidget(view)
    view.resize(400, 500)
    view.show()
    card = StoryCard(view)
    text = "A fast top goes round instead of falling, and nods on the way."
    card.show_story(
        "Heavy top",
        text,
        [],
        [("Tilt it more", list), ("Spin it slower", list)],
        [LegendEntry("#000000", "→", "L", "L")],
    )
    card.set_open(True)
    shown = []
    for height in (500, 160, 130, 100, 70, 50, 30):
        view.resize(400, height)
        QApplication.processEvents()
        card.place()
        seen = [each for each in card.findChildren(QWidget) if each.isVisible()]
        shown.append(len(seen))
        assert card.open_button.isVisible() is not card.isVisible()
        for each in seen:
            assert card.rect().contains(each.geometry())
            assert each.height() >= min(each.minimumSizeHint().height(), each.sizeHint().height())
        for one, other in itertools.combinations(seen, 2):
            assert not one.geometry().intersects(other.geometry())
    assert shown == sorted(shown, reverse=True)
    assert {7, 2, 0} <= {*shown}  # all, title and button, and nothing but the button that opens it
    view.resize(400, 500)
    card.place()
    assert card.isVisible()
    assert all(each.isVisible() for each in card.buttons)


def test_there_are_one_typeface_and_two_sizes_of_type(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    window.action_table["inspector"].setChecked(True)
    window.session.select(("body", 0))
    qtbot.waitUntil(lambda: window.edit_actions.inspector.form is not None, timeout=SOON)
    kinds = QLabel, QAbstractButton, QLineEdit
    seen = [each for kind in kinds for each in window.findChildren(kind) if each.isVisible() and each.text()]
    assert len(seen) > 40
    assert len({each.fontInfo().family() for each in seen}) == 1
    sizes = {round(each.fontInfo().pointSizeF(), 1) for each in seen}
    assert len(sizes) == 2, sizes
