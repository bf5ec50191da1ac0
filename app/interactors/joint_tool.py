"""The joint tool: two clicks, or a drag from one to the other, join two bodies, or a body and the laboratory."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QStatusBar

from app.edit.joining import with_hinge
from app.session.session import Session
from app.viewport.picking.picking import Picked, Picker
from app.viewport.view import SceneView
from app.viewport.widget import CLICK, ViewWidget
from core.scene.fields import Place
from core.scene.scene import Scene

Edit = Callable[[Callable[[Scene], Scene | tuple[Scene, Place]]], bool]


class JointTool(QObject):
    """Waits for two clicks or a drag in the view after its action is checked; Esc or unchecking the action ends it.

    Joints hold bodies as they are at the start, so the run is paused and reset first.
    """

    def __init__(
        self,
        session: Session,
        view: ViewWidget,
        scene_view: SceneView,
        action_table: Mapping[str, QAction],
        status: QStatusBar,
        edit: Edit,
    ):
        """Connect the action. `edit` applies a change to the scene, and says so where it is refused."""
        super().__init__(view)
        self._session, self._view, self._scene_view, self._status = session, view, scene_view, status
        self._edit, self._action = edit, action_table["join"]
        self._first: Picked | None = None
        self._action.toggled.connect(self._toggle)
        action_table["clear"].triggered.connect(lambda _checked=False: self._action.setChecked(False))
        session.scene_changed.connect(lambda _document: self._action.setChecked(False))
        self._press: QPointF | None = None
        view.grasps.insert(0, self.mouse)

    def mouse(self, event: QMouseEvent) -> bool:
        """Handle a mouse event; True if it was consumed. A release far from a press is a second click."""
        if event.type() == QEvent.Type.MouseMove:
            return self._press is not None
        if not self._action.isChecked() or event.button() != Qt.MouseButton.LeftButton:
            return False
        if event.type() == QEvent.Type.MouseButtonPress:
            self._press = event.position() if self._first is None else None
            self._click(event.position())
        elif event.type() == QEvent.Type.MouseButtonRelease:
            press, self._press = self._press, None
            far = press is not None and (event.position() - press).manhattanLength() >= CLICK
            if far and self._first is not None:
                self._click(event.position())
        return True

    def _toggle(self, on: bool) -> None:
        self._first = None
        if not on:
            self._status.clearMessage()
            return
        self._session.play(False)
        self._session.reset()
        self._status.showMessage(
            self.tr("Drag from the first body of the joint to the second one, or click both. Esc ends this.")
        )

    def _click(self, place: QPointF) -> None:
        """Take the body under a click as the first or the second one; without a body it is the laboratory."""
        stage, moment = self._scene_view.stage, self._session.moment
        if not self._action.isChecked() or stage is None or moment is None:
            return
        if moment.snapshot.time != 0.0:
            self._status.showMessage(self.tr("Joints are made at the start of a run: reset it, then click."))
            return
        ray = self._view.ray_at(place)
        picked = Picker(stage).see(ray, moment.snapshot)
        body = picked.body if picked is not None else None
        if self._first is None:
            if body is None:
                self._status.showMessage(self.tr("There is no body. Click the first body of the joint; Esc ends this."))
                return
            self._first = picked
            text = self.tr("Click the place of the joint on the second body, or an empty place for the laboratory.")
            self._status.showMessage(text)
            return
        first, where = self._first, self._first.at if picked is None or body is None else picked.at
        if body == first.body:
            self._status.showMessage(self.tr("That is the first body again: click another one, or an empty place."))
            return
        self._action.setChecked(False)
        if first.body is not None:
            number, size = first.body, stage.radius
            self._edit(lambda scene: with_hinge(scene, number, body, where, ray.ahead, size))
