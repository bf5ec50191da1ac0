"""Windows of GUI tests: one that the tests of a file share, each with its own scene, and windows of single tests."""

from __future__ import annotations

import gc
from pathlib import Path

from gui import SOON, START, is_at_rest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QSize
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow
from polhode_app.messages import EndInteraction
from polhode_app.session.settings import Settings

LEAST = 0.05  # [s] of a run that has begun


def new_window(qtbot: QtBot, store: QSettings, path: Path | None) -> MainWindow:
    """A window on a file, shown, in which the scene runs."""
    window = MainWindow(Settings(store), path)
    halts = _halts(window)
    window.show()
    window.activateWindow()  # keys go to the active window only
    qtbot.waitUntil(lambda: QApplication.activeWindow() is not None, timeout=SOON)  # or a dialog of it
    qtbot.waitUntil(lambda: window.session.frame is not None, timeout=START)
    qtbot.waitUntil(lambda: bool(halts) or _time_of(window) > LEAST, timeout=SOON)
    return window


def _halts(window: MainWindow) -> list[object]:
    """Halts from now on: a run that diverges may be back in front of LEAST before a frame has seen it there."""
    halts: list[object] = []
    window.session.halted.connect(halts.append)
    return halts


def delete(window: MainWindow) -> None:
    """Close a window and delete all that it consists of, in this thread: VTK may crash where another one does it.

    Signals that are connected to lambdas keep a closed window until Qt has deleted it.
    """
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


class SharedWindow:
    """The window of the tests of one file. What a test has changed is as in a new window for the next one."""

    def __init__(self) -> None:
        self.window: MainWindow | None = None
        self._actions: dict[str, bool] = {}
        self._views: dict[str, bool] = {}
        self._size = QSize()

    def open(self, qtbot: QtBot, store: QSettings, path: Path) -> MainWindow:
        """The window on a scene, with the settings of a store; it is created at the first call."""
        if self.window is not None and not self.window.isVisible():  # closed by a test
            self.close()
        window = self.window
        if window is None:
            window = self.window = new_window(qtbot, store, path)
            self._actions = {name: each.isChecked() for name, each in window.action_table.items() if each.isCheckable()}
            self._views, self._size = dict(window.scene_view.visible), window.size()
            return window
        window.settings.store = store
        self._restore(window)
        halts, before = _halts(window), window.session.document.generation
        window.session.open(path)
        qtbot.waitUntil(lambda: window.session.document.generation > before, timeout=START)
        qtbot.waitUntil(lambda: bool(halts) or _time_of(window) > LEAST, timeout=SOON)
        window.toast.hide()  # what was said of the last scene
        window.fit()
        qtbot.waitUntil(lambda: is_at_rest(window.view), timeout=SOON)
        return window

    def _restore(self, window: MainWindow) -> None:
        window.activateWindow()
        session, actions = window.session, window.action_table
        for name, checked in self._actions.items():
            if actions[name].isChecked() != checked:
                actions[name].trigger()
        for name, visible in self._views.items():
            if window.scene_view.visible[name] != visible:
                window.set_view_visible(name, visible)
        window.docks.reset_layout()
        window.resize(self._size)
        session.set_speed(1.0)
        session.play(True)

    def leave(self) -> None:
        """Close dialogs and take off what a test has held, as long as its scene is open."""
        if self.window is not None:
            for dialog in self.window.findChildren(QDialog):
                dialog.close()
            self.window.session.send(EndInteraction())

    def close(self) -> None:
        """Delete the window; the next test gets a new one."""
        if self.window is not None:
            delete(self.window)
            self.window = None

    def give_up(self) -> None:
        """Close the window, but delete nothing: the traceback of a failed test refers to it."""
        if self.window is not None:
            self.window.close()
            self.window = None


def _time_of(window: MainWindow) -> float:
    """Time [s] of the run that the window shows; -1 before its first moment."""
    moment = window.session.frame
    return moment.snapshot.time if moment is not None else -1.0
