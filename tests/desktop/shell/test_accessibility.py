"""The window by keyboard and for screen readers: names, roles, the chain of Tab, the ring, keys, announcements."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from accessibility import FOR_THE_MOUSE, controls, described, nameless, press, shows_focus
from gui import SOON
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from core.scene import gallery

Lab = Callable[..., MainWindow]
DOCKS = ("tree", "inspector", "plots", "sensor", "modes", "equilibria", "maps", "measured", "tones", "path")


@pytest.fixture
def still(lab: Lab) -> MainWindow:
    """A window whose run is paused, which makes events cheap."""
    window = lab(gallery.path("bead_on_parabola"))
    window.session.play(False)
    window.resize(1500, 950)
    return window


def show_only(window: MainWindow, qtbot: QtBot, name: str) -> None:
    """Open one dock alone."""
    window.session.select(("bead", 0) if name in ("path", "inspector") else None)
    for action in DOCKS[:-1]:
        window.action_table[action].setChecked(action == name)
    window.action_table["edit_path"].setChecked(name == "path")
    qtbot.waitUntil(lambda: name in window.docks.docks and window.docks.docks[name].isVisible(), timeout=SOON)
    qtbot.wait(50)


def test_every_control_has_a_name_a_role_a_place_in_the_tab_order_and_a_visible_focus(
    still: MainWindow, qtbot: QtBot
) -> None:
    checked = set()
    for name in DOCKS:
        show_only(still, qtbot, name)
        dock = still.docks.docks[name]
        found = controls(still)
        assert nameless(found) == [], name
        chain, unseen = [still.view.surface], []
        still.view.surface.setFocus()
        while len(chain) < 400:
            press(Qt.Key.Key_Tab)
            now = QApplication.focusWidget()
            if now in chain:
                break
            chain.append(now)
            if now not in checked and not shows_focus(still):
                unseen.append(described(now))
            checked.add(now)
        assert unseen == [], name
        assert now is still.view.surface, f"{name}: {described(now)}"  # no trap
        left = [each for each in found if each not in chain and not isinstance(each, FOR_THE_MOUSE)]
        assert [described(each) for each in left] == [], name
        assert any(dock.isAncestorOf(each) for each in chain), name
    assert len(checked) > 100
