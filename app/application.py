"""The program with a window, from its start to its end."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from PySide6.QtGui import QFontDatabase, QOpenGLContext
from PySide6.QtWidgets import QApplication

from app.main_window import LabWindow
from app.session.settings import Settings
from app.viewport.base.text_actor import FONT
from core.scene.message import Message
from core.scene.problem import InputError, Problem


def open_lab(path: Path | None = None) -> int:
    """Open the window and stay until it closes; the exit status of the program.

    Raises InputError where no OpenGL is: what draws would end the process without a word.
    """
    app = begun()
    if not QOpenGLContext().create():
        remedy = Message(
            "install the driver of your graphics card or, where there is none, Mesa (libgl1-mesa-dri on Debian)"
        )
        raise InputError("polhode", [Problem("", Message("there is no OpenGL to draw a window with"), remedy)])
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C in the terminal ends the window too
    window = LabWindow(Settings(), path)
    window.show()
    window.ahead.begin()
    return app.exec()


def begun() -> QApplication:
    """The application, with a style that follows our colours, and letters for Japanese where the system has none."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("Polhode")
    app.setDesktopFileName("polhode")
    app.setStyle("Fusion")
    QFontDatabase.addApplicationFont(str(FONT))
    return app
