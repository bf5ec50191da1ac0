"""The dock of a bead's path behind its action, and the bead that is added to a scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from app.path_editing import with_another
from app.session import Session
from app.viewport.view import SceneView
from app.viewport.widget import ViewWidget

if TYPE_CHECKING:
    from app.panels.path_dock import PathDock  # it brings the compiler, which the first frame does not wait for

WIDTH = 310  # [pixel] of the dock when it is seen for the first time
SIZE = 0.35  # radius of a new bead's ring, in radii of the stage


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
        deeds["add_bead"].triggered.connect(lambda _checked=False: self._add())

    def tick(self) -> None:
        """A frame of the window."""
        if self.dock is not None:
            self.dock.tick()

    def _open(self, on: bool) -> None:
        if on and self.dock is None:
            from app.panels.path_dock import PathDock

            self.dock = PathDock(self._session, self._scene_view, self._view, self._window)
            self.dock.closed.connect(lambda: self._action.setChecked(False))
            self._window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
            self._window.resizeDocks([self.dock], [WIDTH], Qt.Orientation.Horizontal)
        if self.dock is not None:
            self.dock.show_off(on)

    def _add(self) -> None:
        """A bead on a ring in the middle of what is seen, and its path to be edited."""
        stage = self._scene_view.stage
        if stage is None or self._session.built is None:
            return
        scene = with_another(self._session.scene, stage.center, SIZE * stage.radius)
        self._session.edit(scene)
        self._action.setChecked(True)
        if self.dock is not None:
            self.dock.choose(scene.bead[-1].name)
