"""Windows that a test opened are closed when it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.main_window import LabWindow
from app.session.settings import Settings

START = 300_000  # [ms] the first start of all compiles the kernels
SOON = 15_000  # [ms]


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What windows keep aside here is nobody else's."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


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
def lab(qtbot: QtBot, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[..., LabWindow]]:
    """Opens real windows on a scene, by itself the SCENE of the test's file, which runs when they are given."""
    windows: list[LabWindow] = []

    def open_window(text: str | None = None) -> LabWindow:
        path = tmp_path / "scene.toml"
        path.write_text(request.module.SCENE if text is None else text)
        window = LabWindow(Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)), path)
        windows.append(window)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(lambda: window.session.moment is not None, timeout=START)
        qtbot.waitUntil(lambda: window.session.moment.snapshot.time > 0.05, timeout=SOON)
        return window

    yield open_window
    for window in windows:
        window.close()
