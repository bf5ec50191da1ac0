"""Presentation view: the scene, its card and the transport bar fill the screen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from polhode_app.window.shell.window_context import WindowContext

HINT_TIME = 4.0  # [s]


class Presentation(QObject):
    """Hides everything but the view and the transport bar, and shows it again as it was."""

    def __init__(self, context: WindowContext, bars: Sequence[QWidget]):
        """bars: widgets of the window that are hidden besides its docks, menu bar and status bar"""
        super().__init__(context.window)
        self._context, self._bars = context, bars
        self._hidden: list[QWidget] = []

    def set_active(self, on: bool) -> None:
        """Begin or end the presentation; the keys of all actions work in both."""
        window, full = self._context.window, Qt.WindowState.WindowFullScreen
        for widget in self._hidden:
            widget.show()
        self._hidden = []
        if on:
            rest = [*self._context.docks.docks.values(), window.menuBar(), window.statusBar(), *self._bars]
            self._hidden = [widget for widget in rest if widget.isVisible()]
            key = self._context.actions["presentation"].shortcut().toString()
            self._context.toast.show_message(self.tr("{key} ends the presentation.").format(key=key), HINT_TIME)
        for widget in self._hidden:
            widget.hide()
        window.setWindowState(window.windowState() | full if on else window.windowState() & ~full)
