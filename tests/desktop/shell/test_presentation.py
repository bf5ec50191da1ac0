"""The full-screen presentation: scene, card and transport bar alone, and all as it was afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import SOON
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window


def shown(window: MainWindow) -> dict[str, bool]:
    """Which parts of the window are on the screen."""
    bars = {"menu": window.menuBar(), "status": window.statusBar(), "build": window.build_bar}
    bars |= {"solver": window.transport.solver, "transport": window.transport, "view": window.view}
    return {name: part.isVisible() for name, part in (bars | window.docks.docks).items()}


def test_f11_shows_scene_card_and_transport_alone(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    window.resize(1200, 800)
    window.docks.open("plots")
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    qtbot.waitUntil(window.docks.docks["plots"].isVisible, timeout=SOON)
    before, card = shown(window), window.story.card.isVisible()
    size = window.view.size()
    qtbot.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: window.view.height() > size.height(), timeout=SOON)
    assert {name for name, is_shown in shown(window).items() if is_shown} == {"view", "transport"}
    assert window.story.card.isVisible() is card
    assert "F11" in window.toast.text
    was_running = window.session.running
    qtbot.keyClick(window, Qt.Key.Key_Space)  # keys work without a menu
    qtbot.waitUntil(lambda: window.session.running is not was_running, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: shown(window) == before, timeout=SOON)


def test_docks_are_restored_after_closing_in_a_presentation(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    window.docks.open("plots")
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: not window.menuBar().isVisible(), timeout=SOON)
    window.close()
    again = lab(gallery.path("heavy_top"))
    qtbot.waitUntil(lambda: "plots" in again.docks.docks and again.docks.docks["plots"].isVisible(), timeout=SOON)
    assert again.menuBar().isVisible()
