"""Windows of GUI tests: opened on a scene, with files and settings of their own, and closed when the test ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gui import SOON, START
from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow
from polhode_app.session.settings import Settings

EARLY = ("letters", "language", "theme", "contrast", "japanese", "search", "services")
"""Words in the names of tests that change what all widgets look like, those that change it most often first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Changes of letters, language and theme go through all widgets of a process, also those of closed windows: they
    come first.

    Windows are not deleted after their test, because VTK may crash where Python clears what they consist of.
    """
    items.sort(key=lambda item: next((k for k, word in enumerate(EARLY) if word in item.nodeid), len(EARLY)))


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What windows write by themselves goes into the test's folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _place: str(tmp_path))


@pytest.fixture(autouse=True)
def _no_window_is_left() -> Iterator[None]:
    yield
    if QApplication.instance() is None:
        return
    left = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    names = [f"{type(widget).__name__} '{widget.windowTitle()}'" for widget in left]
    for widget in left:
        widget.close()
    assert not names, f"windows still open: {names}"


@pytest.fixture
def lab(qtbot: QtBot, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[..., MainWindow]]:
    """Opens windows on the text of a scene or on a file, and waits until they run.

    By itself that is SCENE of the test's file, where there is one; else the scene that the program begins with.
    """
    windows: list[MainWindow] = []
    usual = getattr(request.module, "SCENE", None)

    def open_window(scene: str | Path | None = usual) -> MainWindow:
        path = scene
        if isinstance(scene, str):
            path = tmp_path / "scene.toml"
            path.write_text(scene)
        settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
        windows.append(window := MainWindow(settings, path))
        halts: list[object] = []  # a run that diverges may be back in front of 0.05 s before a frame has seen it there
        window.session.halted.connect(halts.append)
        window.show()
        window.activateWindow()  # keys go to the active window only
        qtbot.waitUntil(lambda: QApplication.activeWindow() is not None, timeout=SOON)  # or a dialog of it
        qtbot.waitUntil(lambda: window.session.moment is not None, timeout=START)
        qtbot.waitUntil(lambda: bool(halts) or window.session.moment.snapshot.time > 0.05, timeout=SOON)
        return window

    yield open_window
    for window in windows:
        window.close()
        window.changeEvent = lambda _event: None  # else closed windows, too, write all their texts in each new language


@pytest.fixture
def window(lab: Callable[..., MainWindow]) -> MainWindow:
    """A window on the SCENE of the test's file."""
    return lab()
