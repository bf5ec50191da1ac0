"""A film of the view while it is recorded: its bar pushes nothing aside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gui import SOON, click, is_at_rest
from PySide6.QtCore import QPoint, QRect
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.main_window import MainWindow


@pytest.mark.parametrize("width", [1000, 1366])
def test_the_bar_of_a_recording_moves_neither_card_nor_button(
    lab: Callable[..., MainWindow], qtbot: QtBot, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = tmp_path / "film.mp4"
    monkeypatch.setattr("polhode_app.window.capture.capture_actions.new_file", lambda _ending, _scene: film)
    window = lab(gallery.path("heavy_top"))
    window.resize(width, 700)
    qtbot.waitUntil(lambda: window.width() == width and is_at_rest(window.view), timeout=SOON)
    button, card, bar = window.transport._buttons["record"], window.story.card, window.capture_actions.recorder.bar
    qtbot.waitUntil(card.isVisible, timeout=SOON)

    def place_of_button() -> QRect:
        return QRect(button.mapTo(window, QPoint()), button.size())

    places, sizes = {place_of_button().getRect()}, {window.view.size().toTuple()}
    before = card.geometry()
    click(qtbot, button)
    qtbot.waitUntil(bar.isVisible, timeout=SOON)
    for _ in range(20):
        qtbot.wait(30)
        places.add(place_of_button().getRect())
        sizes.add(window.view.size().toTuple())
    assert card.geometry() == before
    assert not bar.geometry().intersects(card.geometry())
    click(qtbot, button)
    qtbot.waitUntil(lambda: film.exists() and bar.isHidden(), timeout=SOON)
    places.add(place_of_button().getRect())
    assert len(places) == 1
    assert len(sizes) == 1
    assert card.geometry() == before
