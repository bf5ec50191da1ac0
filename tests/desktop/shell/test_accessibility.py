"""The window by keyboard and for screen readers: names, roles, the chain of Tab, the ring, keys, announcements."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import groupby, pairwise

import numpy as np
import pytest
from accessibility import FOR_THE_MOUSE, controls, cut_texts, described, nameless, press, shows_focus, tab_chain
from gui import LEFT, SOON, accepted, inspect, press_space, row_of, type_in
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QDockWidget
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.main_window import MainWindow
from polhode_app.window.accessibility.tab_order import tab_stops

Lab = Callable[..., MainWindow]
Key = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
DOCKS = ("tree", "inspector", "plots", "sensor", "modes", "equilibria", "maps", "measured", "tones", "path")


@pytest.fixture
def still(lab: Lab) -> MainWindow:
    """A window whose run is paused, which makes events cheap."""
    window = lab(gallery.path("bead_on_parabola"))
    window.session.play(False)
    window.resize(1500, 950)
    return window


def show_only(window: MainWindow, qtbot: QtBot, name: str) -> QDockWidget:
    """Open one dock alone, with an item selected where it needs one."""
    window.session.select(("bead", 0) if name in ("path", "inspector") else None)
    for action in DOCKS:
        window.action_table[action].setChecked(action == name)
    qtbot.waitUntil(lambda: name in window.docks.docks and window.docks.docks[name].isVisible(), timeout=SOON)
    qtbot.wait(50)
    return window.docks.docks[name]


def toggle(window: MainWindow, qtbot: QtBot, box: QCheckBox) -> None:
    """Toggle a check box by keyboard."""
    before = box.isChecked()
    press_space(window, qtbot, box)
    assert box.isChecked() is not before


TITLE = ("float", "close")  # buttons of the title bar of a dock


def name_of(window: MainWindow) -> str:
    """Name of what has the focus."""
    return QAccessible.queryAccessibleInterface(QApplication.focusWidget()).text(QAccessible.Text.Name)


def test_every_control_has_a_name_a_role_a_place_in_the_tab_order_and_a_visible_focus(
    still: MainWindow, qtbot: QtBot
) -> None:
    """The bars and the 3-D view, and every dock."""
    seen = set()
    for name in DOCKS:
        dock = show_only(still, qtbot, name)
        found = controls(still)
        assert nameless(found) == [], name
        chain = tab_chain(still, still.view.surface if name == DOCKS[0] else next(tab_stops(dock)))
        assert {still.view.surface, still.transport.timeline} < set(chain), name  # no trap
        left = [each for each in found if each not in chain and not isinstance(each, FOR_THE_MOUSE)]
        assert [described(each) for each in left] == [], name
        pale = []
        for each in chain:
            if each not in seen and not seen.add(each):
                still.accessible.focus.focus(each)
                pale += [] if shows_focus(still) else [described(each)]
        assert pale == [], name
    assert len(seen) > 100


def test_tab_goes_through_one_part_after_another_from_top_to_bottom(still: MainWindow, qtbot: QtBot) -> None:
    """Also after the form of the inspector was built again, which Qt alone would put behind all docks."""
    for name in ("tree", "inspector", "plots"):
        still.action_table[name].setChecked(True)
    for place in (("world",), ("bead", 0)):
        still.session.select(place)
        qtbot.wait(50)
    chain = tab_chain(still, still.view.surface)
    docks = [next((dock for dock in still.docks.docks.values() if dock.isAncestorOf(each)), None) for each in chain]
    parts = [dock for dock, _ in groupby(docks) if dock is not None]
    assert len(parts) == len(set(parts)) == 3
    form = still.edit_actions.inspector.form
    fields = [each.mapTo(form, each.rect().topLeft()) for each in chain if form.isAncestorOf(each)]
    assert len(fields) > 10
    rows = [place.y() for place in fields]
    assert all(later > earlier - 8 for earlier, later in pairwise(rows))  # [pixel] within a row


def test_a_control_reached_by_keyboard_takes_its_keys_and_escape_gives_them_back(
    still: MainWindow, qtbot: QtBot
) -> None:
    focus, session = still.accessible.focus, still.session
    speed, reset = still.transport._speed_box, still.transport._buttons["faster"]
    before = session.speed
    press_space(still, qtbot, reset)
    assert session.speed > before
    assert not session.running
    qtbot.keyClick(reset, Key.Key_Return)
    assert session.speed > 2 * before
    focus.focus(speed)
    qtbot.keyClick(speed, Key.Key_Home)
    assert speed.currentIndex() == 0
    qtbot.keyClick(speed, Key.Key_Escape)
    assert QApplication.focusWidget() is still.view.surface
    assert focus.ring is not None
    qtbot.keyClick(still.view.surface, Key.Key_Space)
    assert session.running
    session.play(False)
    qtbot.mouseClick(reset, LEFT)  # a click leaves the keys to the window
    assert QApplication.focusWidget() is still.view.surface
    qtbot.mouseClick(still.view.surface, LEFT)
    qtbot.keyClick(still.view.surface, Key.Key_Space)
    assert session.running


def test_arrow_keys_from_button_to_button_take_the_ring_along(still: MainWindow, qtbot: QtBot) -> None:
    show_only(still, qtbot, "tree")
    title = [still.docks.docks["tree"].findChild(QAbstractButton, f"qt_dockwidget_{name}button") for name in TITLE]
    still.accessible.focus.focus(title[0])
    press(Qt.Key.Key_Down)
    assert QApplication.focusWidget() is title[1]
    assert shows_focus(still)
    press(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is still.view.surface


def test_the_timeline_goes_by_keys(still: MainWindow, qtbot: QtBot) -> None:
    timeline = still.transport.timeline
    still.session.play(True)
    qtbot.waitUntil(lambda: timeline.maximum() > 50, timeout=SOON)
    still.session.play(False)
    qtbot.waitUntil(lambda: not still.session.frame.running, timeout=SOON)  # a state of a moving end may not be kept
    qtbot.waitUntil(lambda: timeline.current == still.session.frame.snapshot.time, timeout=SOON)
    still.accessible.focus.focus(timeline)
    told = QAccessible.queryAccessibleInterface(timeline)
    assert told.role() == QAccessible.Role.Slider
    qtbot.keyClick(timeline, Key.Key_Home)
    qtbot.waitUntil(lambda: still.session.frame.snapshot.time == pytest.approx(timeline.first, abs=0.02), timeout=SOON)
    qtbot.waitUntil(lambda: timeline.value() == timeline.minimum(), timeout=SOON)  # else End would change nothing
    qtbot.keyClick(timeline, Key.Key_End)
    qtbot.waitUntil(lambda: still.session.frame.snapshot.time == pytest.approx(timeline.last, abs=0.02), timeout=SOON)


def test_tab_goes_on_from_a_field_that_return_has_left(still: MainWindow, qtbot: QtBot) -> None:
    inspect(still, "bead", 0)
    type_in(qtbot, row_of(still, "bead[0].mass").editor.field, "2")
    assert accepted(still, qtbot).bead[0].mass == 2.0
    assert QApplication.focusWidget() is None
    press(Key.Key_Tab)
    assert name_of(still) == "Radius"
    assert still.accessible.focus.ring is not None


def test_no_field_gets_the_focus_without_being_asked(still: MainWindow, qtbot: QtBot) -> None:
    """When a dock closes, Qt passes its focus on; a field would then swallow the keys of the window."""
    assert QApplication.focusWidget() is still.view.surface
    inspect(still, "bead", 0)
    row_of(still, "bead[0].mass").editor.field.setFocus()
    still.action_table["inspector"].setChecked(False)
    assert QApplication.focusWidget() is still.view.surface


@pytest.mark.new_window
def test_keys_go_from_part_to_part(still: MainWindow, qtbot: QtBot) -> None:
    still.action_table["tree"].setChecked(True)
    parts = []
    for _ in range(6):
        qtbot.keyClick(QApplication.focusWidget(), Key.Key_F6, CTRL)
        parts.append(QApplication.focusWidget())
    tree = still.docks.docks["tree"]
    assert any(tree.isAncestorOf(each) for each in parts)
    assert any(still.transport.isAncestorOf(each) for each in parts)
    assert still.view.surface in parts
    at = QApplication.focusWidget()
    qtbot.keyClick(at, Key.Key_F6, CTRL)
    qtbot.keyClick(QApplication.focusWidget(), Key.Key_F6, CTRL | SHIFT)
    assert QApplication.focusWidget() is at


def test_the_camera_goes_by_keys(still: MainWindow, qtbot: QtBot) -> None:
    camera = still.view.plotter.renderer.GetActiveCamera()
    place = lambda: np.array([camera.GetPosition(), camera.GetFocalPoint()])  # noqa: E731
    start, far = place(), camera.GetDistance()
    qtbot.keyClick(still.view.surface, Key.Key_Left, CTRL)
    eye, target = place() - start
    assert np.linalg.norm(eye) == pytest.approx(2 * np.sin(np.radians(5)) * np.hypot(*(start[0] - start[1])[:2]))
    assert np.abs(target).max() == 0
    qtbot.keyClick(still.view.surface, Key.Key_Right, CTRL)
    assert place() == pytest.approx(start)
    qtbot.keyClick(still.view.surface, Key.Key_Up, CTRL | SHIFT)
    assert np.diff(place() - start, axis=0) == pytest.approx(np.zeros((1, 3)), abs=1e-9)
    assert (place() - start)[0, 2] > 0
    qtbot.keyClick(still.view.surface, Key.Key_Down, CTRL | SHIFT)
    assert place() == pytest.approx(start)
    qtbot.keyClick(still.view.surface, Key.Key_Plus, CTRL)
    assert camera.GetDistance() == pytest.approx(far / 1.2)
    qtbot.keyClick(still.view.surface, Key.Key_Minus, CTRL)
    assert camera.GetDistance() == pytest.approx(far)


def test_pauses_errors_and_files_are_announced(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    said: list[tuple[str, bool]] = []
    window.accessible.announcer.announced.connect(lambda text, interrupts: said.append((text, interrupts)))
    qtbot.keyClick(window, Key.Key_Space)
    qtbot.keyClick(window, Key.Key_Space)
    assert [text.split(" ")[0] for text, _ in said] == ["Paused", "Running"]
    said.clear()
    window.action_table["take_picture"].trigger()
    qtbot.waitUntil(lambda: any(".png" in text for text, _ in said), timeout=SOON)
    said.clear()
    window.session.set_speed(100.0)
    window.session.set_solver(time_step=1.0)  # every step multiplies the swing by some (w dt)^2 = 200
    qtbot.waitUntil(lambda: any(interrupts for _, interrupts in said), timeout=4 * SOON)
    qtbot.waitUntil(lambda: window.session.limits is not None, timeout=SOON)  # they are added to the message
    qtbot.wait(50)
    (error,) = [text for text, interrupts in said if interrupts]
    assert error.startswith("Paused: ")
    assert error.count("t = ") == 1
    again = [text for text, _ in said if text.startswith("Paused")]
    assert again == [error]  # though notice and status bar show it, and the notice again with the limits


def test_the_view_is_described(still: MainWindow, qtbot: QtBot) -> None:
    told = QAccessible.queryAccessibleInterface(still.view.surface)
    assert (told.role(), told.text(QAccessible.Text.Name)) == (QAccessible.Role.Graphic, "3-D view")
    still.session.select(("bead", 0))
    title = still.session.document.scene.title
    assert told.text(QAccessible.Text.Description) == f"{title}; items: 1; selected: bead"


def test_quantities_are_plotted_by_keys(still: MainWindow, qtbot: QtBot) -> None:
    show_only(still, qtbot, "plots")
    plots = still.docks.docks["plots"]
    qtbot.waitUntil(lambda: bool(plots.list.model.names), timeout=SOON)
    view = plots.list.view
    still.accessible.focus.focus(view)
    view.setCurrentIndex(view.model().index(2, 0))
    name = plots.list.model.names[2]
    for plotted in (True, False):
        qtbot.keyClick(view, Key.Key_Space)
        assert (name in plots.plotted_units) == plotted
    assert not still.session.running


@pytest.mark.new_window
@pytest.mark.nightly
@pytest.mark.parametrize("language", ["en", "ja"])
def test_letters_of_200_percent_are_not_cut(lab: Lab, qtbot: QtBot, language: str) -> None:
    """In a window of 1600 x 1000, with every dock; the setting is changed while the window is open."""
    window = lab(gallery.path("bead_on_parabola"))
    window.session.play(False)
    window.resize(1600, 1000)
    try:
        window.dialogs.set_letters(200)
        window.set_language(language)
        qtbot.waitUntil(lambda: window.size().toTuple() == (1600, 1000), timeout=SOON)
        usual = window.menuBar().fontMetrics().height()
        for name in DOCKS:
            show_only(window, qtbot, name)
            with suppress(qtbot.TimeoutError):  # [ms] until sizes are settled
                qtbot.waitUntil(lambda: not cut_texts(window), timeout=10_000)
            assert cut_texts(window) == [], name
        window.dialogs.set_letters(100)
        assert window.menuBar().fontMetrics().height() == pytest.approx(usual / 2, rel=0.1)
    finally:
        window.dialogs.set_letters(100)
        window.set_language("en")
