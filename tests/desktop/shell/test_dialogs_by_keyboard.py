"""Every dialog by keyboard and for screen readers: names, roles, the chain of Tab, a visible focus."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from accessibility import FOR_THE_MOUSE, controls, described, nameless, shows_focus, tab_chain
from dialogs import OPENERS
from gui import SOON
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.main_window import MainWindow
from polhode_app.window.shell.command_palette import CommandPalette


@pytest.mark.nightly
@pytest.mark.parametrize("name", OPENERS)
def test_every_control_of_a_dialog_has_a_name_a_role_a_place_in_the_tab_order_and_a_visible_focus(
    lab: Callable[..., MainWindow], qtbot: QtBot, name: str
) -> None:
    window = lab(gallery.path("bead_on_parabola"))
    window.session.play(False)
    before = set(window.findChildren(QDialog))
    OPENERS[name](window)
    opened = lambda: [each for each in window.findChildren(QDialog) if each not in before and each.isVisible()]  # noqa: E731
    qtbot.waitUntil(lambda: bool(opened()), timeout=SOON)
    (dialog,) = opened()
    dialog.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog, timeout=SOON)
    assert dialog.windowTitle()
    first = QApplication.focusWidget()
    assert first is not None
    assert dialog.isAncestorOf(first)  # a key goes to the dialog as soon as it is open
    found = controls(dialog)
    assert nameless(found) == []
    chain = tab_chain(window, first)
    left = [each for each in found if each not in chain and not isinstance(each, FOR_THE_MOUSE)]
    if isinstance(dialog, CommandPalette):
        left.remove(dialog.list)  # arrow keys in its line move the selection
    assert [described(each) for each in left] == []
    pale = []
    for each in chain:
        window.accessible.focus.focus(each)
        pale += [] if shows_focus(window) else [described(each)]
    assert pale == []
    dialog.close()


@pytest.mark.nightly
def test_a_dialog_that_qt_makes_has_a_ring_around_the_control_with_the_keyboard(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    """That of getOpenFileName exists in C++ alone, until Python asks for what has the focus."""
    window = lab(gallery.path("bead_on_parabola"))
    window.session.play(False)
    ringed: list[bool] = []

    def press_tab() -> None:
        dialog = QApplication.activeModalWidget()
        try:
            for _ in range(5):
                qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
                ring, now = window.accessible.focus.ring, QApplication.focusWidget()
                ringed.append(ring is not None and ring.isVisible() and ring.parentWidget() is now)
        finally:
            dialog.reject()

    QTimer.singleShot(1500, press_tab)
    window.action_table["open"].trigger()
    assert ringed == [True] * 5
