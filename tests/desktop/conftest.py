"""Windows of GUI tests: opened on a scene, with files and settings of their own, and closed when the test ends."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shared_window import SharedWindow, delete, new_window

from polhode_app.main_window import MainWindow
from polhode_app.viewport import widget as viewport_widget

viewport_widget.FRAME = 40  # [ms] more than in a window of the program: drawing takes most of the time of these tests


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that windows write automatically are in the folder of the test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _place: str(tmp_path))


@pytest.fixture(autouse=True)
def _no_window_is_left(shared_window: SharedWindow) -> Iterator[None]:
    yield
    if QApplication.instance() is None:
        return
    shared = shared_window.window
    left = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget is not shared]
    names = [f"{type(widget).__name__} '{widget.windowTitle()}'" for widget in left]
    for widget in left:
        widget.close()
    assert not names, f"windows still open: {names}"


@pytest.fixture(scope="module")
def shared_window() -> Iterator[SharedWindow]:
    shared = SharedWindow()
    yield shared
    shared.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport]:
    report = yield
    if report.failed and (shared := getattr(item, "funcargs", {}).get("shared_window")) is not None:
        shared.give_up()  # nothing is known of the window that a failed test leaves
    return report


@pytest.fixture
def lab(
    qtbot: QtBot, tmp_path: Path, request: pytest.FixtureRequest, shared_window: SharedWindow
) -> Iterator[Callable[..., MainWindow]]:
    """Opens windows on the text of a scene or on a file, and waits until they run.

    By itself that is SCENE of the test's file, where there is one; else the scene that the program begins with. The
    first window of a test is the one that its file shares. Tests with the mark `new_window`, and those that have stored
    settings, get a new one.
    """
    windows: list[MainWindow] = []
    usual = getattr(request.module, "SCENE", None)
    stored = tmp_path / "settings.ini"
    may_share = request.node.get_closest_marker("new_window") is None

    def open_window(scene: str | Path | None = usual) -> MainWindow:
        nonlocal may_share
        path = scene
        if isinstance(scene, str):
            path = tmp_path / "scene.toml"
            path.write_text(scene)
        is_first, may_share = may_share and not stored.exists() and path is not None, False
        settings = QSettings(str(stored), QSettings.Format.IniFormat)
        if is_first and path is not None:
            return shared_window.open(qtbot, settings, path)
        windows.append(new_window(qtbot, settings, path))
        return windows[-1]

    yield open_window
    shared_window.leave()
    for window in windows:
        delete(window)


@pytest.fixture
def window(lab: Callable[..., MainWindow]) -> MainWindow:
    """A window on the SCENE of the test's file."""
    return lab()
