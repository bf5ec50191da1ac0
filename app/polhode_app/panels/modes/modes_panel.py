"""Action of the modes dock, which is created when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from polhode_app.panels.shell.dock_manager import DockManager
from polhode_app.panels.shell.window_context import WindowContext

if TYPE_CHECKING:
    from polhode_app.panels.modes.modes_dock import (
        ModesDock,  # it brings the compiler, which the first frame does not wait for
    )


class ModesPanel(QObject):
    """Registers the modes dock with the dock manager.

    Its import loads the compiler (numba), which would delay the first frame.
    """

    def __init__(self, context: WindowContext, docks: DockManager):
        super().__init__(context.window)
        self._context, self._docks = context, docks
        docks.register("modes", context.actions["modes"], self._make, Qt.DockWidgetArea.RightDockWidgetArea)

    @property
    def dock(self) -> ModesDock | None:
        """The dock, or None as long as it was never opened."""
        return self._docks.docks.get("modes")

    def tick(self, wall: float) -> bool:
        """Update the dock once per frame, at a wall time [s]; True if the view has changed."""
        return self.dock is not None and self.dock.tick(wall)

    def stop(self) -> None:
        """End the thread of the dock."""
        if self.dock is not None:
            self.dock.stop()

    def _make(self) -> ModesDock:
        from polhode_app.panels.modes.modes_dock import ModesDock

        return ModesDock(self._context.session, self._context.scene_view, self._context.window)
