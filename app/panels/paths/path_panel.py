"""The dock of a bead's path behind its action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.panels.shell.dock_manager import restore_dock
from app.panels.shell.window_context import WindowContext

if TYPE_CHECKING:
    from app.panels.paths.path_dock import PathDock  # it brings the compiler, which the first frame does not wait for

WIDTH = 310  # [pixel] of the dock when it is seen for the first time


class PathPanel(QObject):
    """Opens and closes the dock; it costs nothing while it is closed."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self._action = context.actions["edit_path"]
        self.dock: PathDock | None = None
        self._action.toggled.connect(self._open)

    def tick(self) -> None:
        """A frame of the window."""
        if self.dock is not None:
            self.dock.tick()

    def _open(self, on: bool) -> None:
        if on and self.dock is None:
            from app.panels.paths.path_dock import PathDock

            context = self._context
            self.dock = PathDock(context.session, context.scene_view, context.view, context.window)
            self.dock.closed.connect(lambda: self._action.setChecked(False))
            restore_dock(context.window, self.dock, WIDTH)
        if self.dock is not None:
            self.dock.show_off(on)
