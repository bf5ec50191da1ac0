"""Components of the window that the tools of the view work with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QStatusBar

from polhode_app.session.session import Session
from polhode_app.viewport.view import SceneView
from polhode_app.viewport.widget import ViewWidget


class ToolContext(Protocol):
    """The part of a WindowContext that tools of the view use."""

    session: Session
    view: ViewWidget
    scene_view: SceneView
    actions: Mapping[str, QAction]
    status: QStatusBar
