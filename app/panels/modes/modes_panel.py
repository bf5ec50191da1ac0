"""The dock of modes behind its action: made when it is wanted first, and it costs nothing while it is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.panels.shell.dock_manager import restore_dock
from app.panels.shell.window_context import WindowContext

if TYPE_CHECKING:
    from app.panels.modes.modes_dock import ModesDock  # it brings the compiler, which the first frame does not wait for


class ModesPanel(QObject):
    """Opens and closes the dock."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._window, self._session, self._scene_view = context.window, context.session, context.scene_view
        self._action = context.actions["modes"]
        self.dock: ModesDock | None = None
        self._action.toggled.connect(self._open)

    def tick(self, wall: float) -> bool:
        """A frame of the window at a wall time [s]; True if the view has changed."""
        return self.dock is not None and self.dock.tick(wall)

    def stop(self) -> None:
        """End what it computes."""
        if self.dock is not None:
            self.dock.stop()

    def _open(self, on: bool) -> None:
        if on and self.dock is None:
            from app.panels.modes.modes_dock import ModesDock

            self.dock = ModesDock(self._session, self._scene_view, self._window)
            self.dock.closed.connect(lambda: self._action.setChecked(False))
            restore_dock(self._window, self.dock)
        if self.dock is not None:
            self.dock.show_off(on)
