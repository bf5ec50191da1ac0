"""Action of the equilibria dock, which is created when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from polhode_app.panels.shell.dock_manager import DockManager
from polhode_app.panels.shell.window_context import WindowContext

if TYPE_CHECKING:
    from polhode_app.panels.equilibria.equilibria_dock import (
        EquilibriaDock,  # it brings the compiler: not before the first frame
    )

WIDTH = 400  # [pixel] of the dock when it is opened for the first time


class EquilibriaPanel(QObject):
    """Registers the equilibria dock with the dock manager. Its import loads the compiler (numba)."""

    def __init__(self, context: WindowContext, docks: DockManager):
        super().__init__(context.window)
        self._context, self._docks = context, docks
        area = Qt.DockWidgetArea.RightDockWidgetArea
        docks.register("equilibria", context.actions["equilibria"], self._make, area, WIDTH, lambda dock: dock.build())

    @property
    def dock(self) -> EquilibriaDock | None:
        """The dock, or None as long as it was never opened."""
        return self._docks.docks.get("equilibria")

    def tick(self, wall: float) -> bool:
        """Update the dock once per frame, at a wall time [s]; True if the view has changed."""
        return self.dock is not None and self.dock.tick(wall)

    def stop(self) -> None:
        """End the threads of the dock."""
        if self.dock is not None:
            self.dock.stop()

    def _make(self) -> EquilibriaDock:
        from polhode_app.panels.equilibria.equilibria_dock import EquilibriaDock

        context = self._context
        return EquilibriaDock(context.session, context.scene_view, context.toast, context.window)
