"""Data shared by the parts of a window."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from polhode_app.edit.parts import NAMED
from polhode_app.i18n.field_names import scene_name
from polhode_app.session.session import Session
from polhode_app.session.settings import Settings
from polhode_app.viewport.view import SceneView
from polhode_app.viewport.widget import ViewWidget
from polhode_app.window.parts.dock_manager import DockManager
from polhode_app.window.parts.uncertain_runs import UncertainRuns
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.status_bar import StatusBar
from polhode_app.window.widgets.background_command import FileExport
from polhode_app.window.widgets.toast import Toast

EMPTY_RADIUS = 0.5  # [m] radius assumed for a scene without items
P = TypeVar("P", bound=WindowPart)


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
    parts: list[WindowPart] = field(default_factory=list)
    """Parts of the window, whose hooks are called in this order."""

    def add(self, part: P) -> P:
        """Register a part of the window; returns it."""
        self.parts.append(part)
        return part

    @cached_property
    def docks(self) -> DockManager:
        """The docks of the window."""
        docks = DockManager(self.window, self.settings, self.actions, lambda dock_class: dock_class(self))
        self.session.coming_changed.connect(lambda coming: docks.cover(scene_name(coming.scene, coming.path)))
        for ended in (self.session.scene_changed, self.session.refused):
            ended.connect(lambda _of: docks.cover("") if self.session.coming is None else None)
        return docks

    @property
    def radius(self) -> float:
        """Radius [m] of the drawn scene, or EMPTY_RADIUS for a scene without items."""
        stage, scene = self.scene_view.stage, self.session.scene
        is_empty = not any(getattr(scene, key) for key in NAMED)
        return EMPTY_RADIUS if stage is None or is_empty else stage.radius

    @cached_property
    def uncertain(self) -> UncertainRuns:
        """Uncertainties of quantities of the scene."""
        return self.add(UncertainRuns(self.session))

    @cached_property
    def exports(self) -> FileExport:
        """Files that commands write, one after another."""
        return FileExport(self.toast, self.window)
