"""The dock of a bead's path behind its action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from app.panels.shell.dock_manager import stand
from app.session.session import Session
from app.viewport.view import SceneView
from app.viewport.widget import ViewWidget

if TYPE_CHECKING:
    from app.panels.paths.path_dock import PathDock  # it brings the compiler, which the first frame does not wait for

WIDTH = 310  # [pixel] of the dock when it is seen for the first time


class PathPanel(QObject):
    """Opens and closes the dock; it costs nothing while it is closed."""

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        scene_view: SceneView,
        view: ViewWidget,
        deeds: Mapping[str, QAction],
    ):
        super().__init__(window)
        self._window, self._session, self._scene_view, self._view = window, session, scene_view, view
        self._action = deeds["edit_path"]
        self.dock: PathDock | None = None
        self._action.toggled.connect(self._open)

    def tick(self) -> None:
        """A frame of the window."""
        if self.dock is not None:
            self.dock.tick()

    def _open(self, on: bool) -> None:
        if on and self.dock is None:
            from app.panels.paths.path_dock import PathDock

            self.dock = PathDock(self._session, self._scene_view, self._view, self._window)
            self.dock.closed.connect(lambda: self._action.setChecked(False))
            stand(self._window, self.dock, WIDTH)
        if self.dock is not None:
            self.dock.show_off(on)
