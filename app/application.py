"""The program with a window, from its start to its end."""

from __future__ import annotations

import gc
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QFontDatabase, QOpenGLContext
from PySide6.QtWidgets import QApplication

from app.session.settings import Settings
from app.viewport.base.text_actor import FONT
from core.scene.message import Message
from core.scene.problem import InputError, Problem

if TYPE_CHECKING:
    from app.main_window import MainWindow


def run_application(path: Path | None = None) -> int:
    """Open the window and stay until it closes; the exit status of the program.

    Raises InputError where no OpenGL is: what draws would end the process without a word.
    """
    app = make_application()
    if not QOpenGLContext().create():
        remedy = Message(
            "install the driver of your graphics card or, where there is none, Mesa (libgl1-mesa-dri on Debian)"
        )
        raise InputError("polhode", [Problem("", Message("there is no OpenGL to draw a window with"), remedy)])
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C in the terminal ends the window too
    window = open_window(Settings(), path)
    window.background_compilation.begin()
    return app.exec()


def open_window(settings: Settings, path: Path | None = None) -> MainWindow:
    """A window that is shown. While its modules load, and it is made, there is no garbage to look for."""
    gc.disable()
    try:
        from app.main_window import MainWindow  # here, so that nothing of it is loaded with a collection

        window = MainWindow(settings, path)
        window.show()
        return window
    finally:
        gc.freeze()
        gc.enable()


def make_application() -> QApplication:
    """The application, with a style that follows our colours, and letters for Japanese where the system has none."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("Polhode")
    app.setDesktopFileName("polhode")
    app.setStyle("Fusion")
    QFontDatabase.addApplicationFont(str(FONT))
    return app
