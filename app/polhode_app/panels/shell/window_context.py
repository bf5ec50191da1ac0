"""What the components of a window share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from polhode_app.panels.shell.status_bar import StatusBar
from polhode_app.panels.widgets.background_command import FileExport
from polhode_app.panels.widgets.toast import Toast
from polhode_app.session.session import Session
from polhode_app.session.settings import Settings
from polhode_app.viewport.view import SceneView
from polhode_app.viewport.widget import ViewWidget


@dataclass(frozen=True)
class WindowContext:
    """The window with its session, settings, actions, view and message areas, passed to its components."""

    window: QMainWindow
    session: Session
    settings: Settings
    actions: dict[str, QAction]
    toast: Toast
    status: StatusBar
    view: ViewWidget
    scene_view: SceneView

    @cached_property
    def exports(self) -> FileExport:
        """Files that commands write, one after another."""
        return FileExport(self.toast, self.window)
