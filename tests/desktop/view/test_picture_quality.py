"""The quality of the view: chosen in its menu, or found by the times of frames."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import SOON, next_frame
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.main_window import MainWindow
from polhode_app.session.settings import Settings

Lab = Callable[..., MainWindow]


def chosen(window: MainWindow) -> str:
    """The entry of the menu that is checked."""
    menu = QMenu()
    window.quality.fill_menu(menu)
    (entry,) = (action.text() for action in menu.actions() if action.isChecked())
    menu.deleteLater()
    return entry


def test_the_quality_is_automatic_until_it_is_chosen_and_then_remembered(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    assert chosen(window).startswith("&Automatic")
    menu = QMenu()
    window.quality.fill_menu(menu)
    next(action for action in menu.actions() if "occlusion" in action.text()).trigger()
    assert "&occlusion" in chosen(window)
    assert window.settings.quality == "high"
    drawn = window.view.plotter.renderer
    assert drawn.GetPass() is not None
    next_frame(window.view, qtbot)
    assert window.view.pixels().max() > 100
    next(action for action in menu.actions() if "Direct" in action.text()).trigger()
    assert drawn.GetPass() is None
    menu.deleteLater()


def test_frames_of_the_window_are_measured(lab: Lab, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window = lab(gallery.path("heavy_top"))
    noted: list[float] = []
    monkeypatch.setattr(window.quality.chosen, "drawn", lambda seconds: bool(noted.append(seconds)))
    qtbot.waitUntil(lambda: len(noted) > 5, timeout=SOON)
    assert all(1e-5 < seconds < 10 for seconds in noted)


def test_a_stored_quality_that_is_none_is_automatic(settings_of: Callable[[str], Settings]) -> None:
    assert settings_of("medium").quality == "medium"
    assert settings_of("splendid").quality == "auto"


@pytest.fixture
def settings_of(tmp_path: object) -> Callable[[str], Settings]:
    """Settings in which a quality is stored."""

    def made(quality: str) -> Settings:
        store = QSettings(f"{tmp_path}/{quality}.ini", QSettings.Format.IniFormat)
        store.setValue("quality", quality)
        return Settings(store)

    return made
