"""The first start of all: the window shows how far the compiler is, and closes at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from gui import SOON
from import_path import IMPORT_PATH
from meaning import Meaning
from pytestqt.qtbot import QtBot

from polhode.scene.problem import Problem
from polhode_app.main_window import MainWindow
from polhode_app.messages import CompilationProgress
from polhode_app.window.settings_dialog import SettingsDialog

pytestmark = pytest.mark.new_window  # its subject is the start

ROOT = Path(__file__).parents[3]
SCENE = """
format = 1
[[body]]
name = "top"
support = "pivot"
shape = [{ kind = "sphere", radius = 0.1, density = 1000, position = [0, 0, 0.3] }]
"""
# A window whose machine code is nowhere; it says how far it is when it closes, and how long that took.
PROGRAM = """
import sys, time
from PySide6.QtCore import QTimer
from polhode_app.application import make_application
from polhode_app.main_window import MainWindow
from polhode_app.session.settings import Settings
app = make_application()
window = MainWindow(Settings())
window.show()

def look():
    bar = window.background_compilation.bar
    if bar.isVisible() and "of" in bar.text and window.session.meshes is None:
        start = time.perf_counter()
        print(bar.text)
        window.close()
        print(time.perf_counter() - start)
        app.quit()

timer = QTimer()
timer.timeout.connect(look)
timer.start(20)
app.exec()
"""

# The start of the program, up to the window; prints how many collections of older objects there were, and if they are
# on then. One of young objects may come between the two.
WATCHED = """
import gc
from PySide6.QtCore import QTimer
from polhode_app import application
from polhode_app.cli import opening
collections, really_open = [], application.open_window

def open_and_close(settings, path):
    window = really_open(settings, path)
    print(len(collections), gc.isenabled())
    QTimer.singleShot(0, window.close)
    return window

application.open_window = open_and_close
gc.collect()
gc.callbacks.append(lambda phase, info: info["generation"] and collections.append(info))
opening.open_window(None)
"""


@pytest.mark.usefixtures("qapp")
@pytest.mark.nightly
def test_a_start_collects_no_garbage_until_the_window_is_shown(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH, "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.split() == ["0", "True"]


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="looks for children in /proc")
@pytest.mark.usefixtures("qapp")
def test_the_first_window_shows_how_far_it_is_and_closes_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    text, closing = done.stdout.split("\n")[:2]
    assert Meaning("", "Compiling").of(text)
    assert float(closing) < 10.0  # minutes of compiling are left; other programs may work here as well
    left = [path for path in Path("/proc").glob("[0-9]*/environ") if _has(path, f"XDG_CACHE_HOME={tmp_path}")]
    assert left == []


def _has(path: Path, entry: str) -> bool:
    try:
        return entry.encode() in path.read_bytes().split(b"\0")
    except OSError:
        return False


def test_the_bar_comes_and_goes(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    bar = window.background_compilation.bar
    assert bar.isHidden()
    window.session.compiling.emit(CompilationProgress(2, None))
    qtbot.waitUntil(bar.isVisible, timeout=SOON)
    assert Meaning("", "Compiling", window.session.scene.title).of(bar.text)
    assert not any(letter.isdigit() for letter in bar.text)  # no total that would change
    window.session.compiling.emit(CompilationProgress(3, 20))
    assert Meaning("", "Compiling", window.session.scene.title, done=3, all=20).of(bar.text)
    window.session.compiling.emit(CompilationProgress(0, 0))
    qtbot.waitUntil(bar.isHidden, timeout=SOON)


def test_why_nothing_is_kept_is_said(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.session.warned.emit(Problem("", "it can't be kept", "make room"))
    qtbot.waitUntil(lambda: window.toast.text == "It can't be kept.\nMake room.", timeout=SOON)


def test_nothing_is_compiled_ahead_unless_a_program_begins_it(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    ahead = window.background_compilation
    assert not ahead.started
    assert not ahead.is_scheduled
    ahead.start()
    assert ahead.is_scheduled
    window.action_table["settings"].trigger()
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    dialog.background.click()
    assert not window.settings.ahead
    assert not ahead.is_scheduled
    dialog.background.click()
    assert window.settings.ahead
    assert ahead.is_scheduled
    dialog.close()
    window.close()
    assert not ahead.is_scheduled
