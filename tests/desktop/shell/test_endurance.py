"""Memory of a window does not grow with the number of scenes that it has shown."""

from __future__ import annotations

import gc
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from gui import SOON
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shared_window import delete, new_window

from polhode.scene import gallery
from polhode_app.main_window import MainWindow

SCENE = gallery.path("course_1_oscillator").read_text("utf-8")
SCENES = ("roller_coaster", "magnet_pendulum", "rolling_10_two_spheres")
LIBRARIES = ("polhode", "polhode_app", "pyvista", "pyvistaqt", "vtkmodules", "PySide6")


def alive(window: MainWindow) -> Counter[str]:
    """How many objects of each type of ours and of the libraries that draw there are."""
    gc.collect()
    names = [f"{type(each).__module__}.{type(each).__name__}" for each in gc.get_objects()]
    found = Counter(name for name in names if name.startswith(LIBRARIES))
    found["widgets"] = len(QApplication.allWidgets())
    found["actors"] = window.view.plotter.renderer.GetViewProps().GetNumberOfItems()
    return found


def is_at(window: MainWindow, step: int) -> bool:
    moment = window.session.frame
    return moment is not None and moment.snapshot.step == step


def has_limits(window: MainWindow) -> bool:
    limits = window.session.limits
    return limits is not None and limits.scene is window.session.document.scene


def open_all(window: MainWindow, qtbot: QtBot, times: int) -> Counter[str]:
    """Open the scenes one after another, some times, and count the live objects when the window is idle."""
    for name in SCENES * times:
        before = window.session.document
        window.files.open(gallery.path(name))
        qtbot.waitUntil(lambda before=before: window.session.document is not before, timeout=SOON)
        window.session.play(False)  # an opened scene runs
        window.session.reset()
        window.session.step(5)
        qtbot.waitUntil(lambda: is_at(window, 5), timeout=SOON)
    qtbot.waitUntil(lambda: has_limits(window), timeout=SOON)
    qtbot.waitUntil(lambda: not window.session.new_frames(), timeout=SOON)
    qtbot.wait(100)  # objects that Qt deletes later
    return alive(window)


@pytest.mark.nightly
def test_scenes_that_are_opened_one_after_another_leave_nothing(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.action_table["plots"].setChecked(True)
    window.session.play(False)
    open_all(window, qtbot, 2)  # caches fill
    qtbot.waitUntil(lambda: "ahead" not in [thread.name for thread in threading.enumerate()], timeout=SOON)
    once = open_all(window, qtbot, 2)
    times = 4
    again = open_all(window, qtbot, times)
    more = {kind: count - once[kind] for kind, count in again.items()}
    # A leak per opening of one scene would give that many; a frame being drawn changes the count by one or two.
    assert {kind: count for kind, count in more.items() if count >= times} == {}


def windows() -> list[MainWindow]:
    """All windows that Qt has not deleted."""
    return [widget for widget in QApplication.allWidgets() if isinstance(widget, MainWindow)]


def test_a_closed_window_is_deleted_with_its_timers(qtbot: QtBot, tmp_path: Path) -> None:
    """A timer without an object that it belongs to may fire after the end of its window, and raise."""
    before = set(windows())  # a test that failed keeps its own
    window = new_window(qtbot, QSettings(str(tmp_path / "own.ini"), QSettings.Format.IniFormat), None)
    delete(window)
    del window
    qtbot.wait(100)
    assert not set(windows()) - before
