"""Set-up of QApplication and the main window, and the Qt event loop."""

from __future__ import annotations

import gc
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QFontDatabase, QFontInfo, QOpenGLContext, QSurfaceFormat
from PySide6.QtWidgets import QApplication

from polhode.importers.options import BY_THE_FILE, RobotOptions
from polhode_app.session.settings import Settings
from polhode_app.viewport.base.opengl import LEAST, check_version, no_opengl
from polhode_app.viewport.base.text_actor import FONT

if TYPE_CHECKING:
    from polhode_app.main_window import MainWindow


def run_application(path: Path | None = None, choices: RobotOptions = BY_THE_FILE) -> int:
    """Open the main window and run the event loop; returns the exit status of the process.

    choices: for a robot, as its dialog shows them at first

    Raises InputError if there is no OpenGL, or an old one, because VTK would end the process without a message.
    """
    app = make_application()
    _check_opengl()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C in the terminal ends the window too
    window = open_window(Settings(), path)
    window.files.choices = choices
    window.background_compilation.start()
    if path is None:
        window.dialogs.tour.offer()
    try:
        return app.exec()
    finally:
        from polhode_app.window.preload import end_preloading  # imported here, as MainWindow below

        end_preloading()


def _check_opengl() -> None:
    """Ask for the OpenGL that VTK needs. Raises InputError where Qt has none, or an older one."""
    context, wanted = QOpenGLContext(), QSurfaceFormat()
    wanted.setRenderableType(QSurfaceFormat.RenderableType.OpenGL)  # not OpenGL ES
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setVersion(*LEAST)
    context.setFormat(wanted)
    if not context.create():
        raise no_opengl()
    check_version(context.format().version())


def open_window(settings: Settings, path: Path | None = None) -> MainWindow:
    """Create and show the main window. Garbage collection is off meanwhile, as nothing created here is garbage."""
    gc.disable()
    try:
        from polhode_app.main_window import MainWindow  # imported here so that collection is off while modules load

        window = MainWindow(settings, path)
        window.show()
        return window
    finally:
        gc.freeze()
        gc.enable()


JAPANESE = (
    "Hiragino Sans",
    "Yu Gothic UI",
    "Meiryo",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Source Han Sans JP",
    "IPAexGothic",
    "IPAGothic",
    "TakaoGothic",
    "VL Gothic",
)
"""Families of usual systems with kana and kanji, sans serif."""


def make_application() -> QApplication:
    """Create the QApplication, or return the existing one.

    It uses the Fusion style, which follows our palette, and registers a font with Japanese glyphs for systems without
    one.
    """
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("Polhode")
    app.setDesktopFileName("polhode")
    app.setStyle("Fusion")
    own = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(FONT)))
    _set_japanese_family(app, own)
    return app


def _set_japanese_family(app: QApplication, own: list[str]) -> None:
    """Name the family that draws Japanese: Qt looks for one per script, and takes kana and kanji from two fonts.

    own: families of our font, for systems without one of JAPANESE
    """
    known, font = set(QFontDatabase.families()), app.font()
    chosen = [*(name for name in JAPANESE if name in known), *own][:1]
    usual = QFontInfo(font).family()  # an alias such as "Sans Serif" is not found in a list
    font.setFamilies([usual, *(name for name in chosen if name != usual)])
    app.setFont(font)
