"""Pictures of the window in both languages, for the page about it: `python -m docs.site window`, as docs/film.webp.

The window is opened on a screen of its own (Xvfb), so that the size is the same everywhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from docs.site.contents import DOCS, LANGUAGES, ROOT

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

SCENE = "magnet_pendulum"
SIZE = (1600, 900)  # pixels
PATIENCE = 120.0  # [s] until the scene moves
SHOWN = 2.0  # [s] of the run
PLACES = {"en": DOCS / "window.webp", "ja": DOCS / "window.ja.webp"}


def make() -> None:
    """Make the pictures of all languages. Raises CalledProcessError, and FileNotFoundError without Xvfb."""
    screen = f"-screen 0 {SIZE[0]}x{SIZE[1]}x24"
    for language in LANGUAGES:
        command = ["xvfb-run", "-a", "-s", screen, sys.executable, "-m", __name__, language, str(PLACES[language])]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "QT_QPA_PLATFORM": "xcb"}, check=True)


def picture(language: str, out: Path) -> None:
    """Save a picture of the window, with settings of its own, with a body selected, after some seconds of the run."""
    from PySide6.QtCore import QSettings  # noqa: PLC0415  (in the process with a screen only)
    from PySide6.QtGui import QGuiApplication  # noqa: PLC0415

    from polhode.scene import gallery  # noqa: PLC0415
    from polhode_app.application import make_application, open_window  # noqa: PLC0415
    from polhode_app.session.settings import Settings  # noqa: PLC0415

    app = make_application()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        settings = Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat))
        settings.language = language
        window = open_window(settings, gallery.path(SCENE))
        window.setGeometry(0, 0, *SIZE)
        wait(app, lambda: (frame := window.session.frame) is not None and frame.snapshot.time > 0)
        window.action_table["inspector"].setChecked(True)
        window.session.select(("body", 0))
        window.session.reset()
        wait(app, lambda: window.session.frame.snapshot.time < SHOWN / 2)
        wait(app, lambda: window.session.frame.snapshot.time > SHOWN)
        QGuiApplication.primaryScreen().grabWindow(0).save(str(out), "WEBP", 88)
        window.close()


def wait(app: QApplication, is_true: Callable[[], bool]) -> None:
    """Let the window run until something is true. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    while not is_true():
        if time.monotonic() > end:
            raise TimeoutError("the window shows no moving scene")
        app.processEvents()
        time.sleep(0.01)


if __name__ == "__main__":
    picture(sys.argv[1], Path(sys.argv[2]))
