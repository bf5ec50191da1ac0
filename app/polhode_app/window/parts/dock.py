"""Base class of all docks."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDockWidget

from polhode_app.window.parts.window_part import WindowPart


class Dock(QDockWidget, WindowPart):
    """A dock of `DOCKS`, made by DockManager when it is first opened.

    `DockManager` gives it its object name, and calls the hooks of WindowPart once it is built.
    """

    closed = Signal()
    """The dock was closed by its own button."""
    is_built = False
    """Whether `build` has ended."""

    def build(self) -> Iterator[None] | None:
        """Make the contents in later events, one up to each `yield`, because all at once would block the window.

        None: the contents are complete.
        """
        return None

    def closeEvent(self, event: QCloseEvent) -> None:
        """Emit `closed`, so that the action of the dock is unchecked."""
        self.closed.emit()
        super().closeEvent(event)
