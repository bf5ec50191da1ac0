"""Action of the path dock, which is created when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from polhode_app.panels.shell.dock_manager import DockManager
from polhode_app.panels.shell.window_context import WindowContext

if TYPE_CHECKING:
    from polhode_app.panels.paths.path_dock import (
        PathDock,  # it brings the compiler, which the first frame does not wait for
    )

WIDTH = 310  # [pixel] of the dock when it is opened for the first time


class PathPanel(QObject):
    """Registers the path dock with the dock manager.

    Its import loads the compiler (numba), which would delay the first frame.
    """

    def __init__(self, context: WindowContext, docks: DockManager):
        super().__init__(context.window)
        self._context, self._docks = context, docks
        docks.register("path", context.actions["edit_path"], self._make, Qt.DockWidgetArea.RightDockWidgetArea, WIDTH)

    @property
    def dock(self) -> PathDock | None:
        """The dock, or None as long as it was never opened."""
        return self._docks.docks.get("path")

    def tick(self) -> None:
        """Update the dock once per frame."""
        if self.dock is not None:
            self.dock.tick()

    def _make(self) -> PathDock:
        from polhode_app.panels.paths.path_dock import PathDock

        context = self._context
        return PathDock(context.session, context.scene_view, context.view, context.window)
