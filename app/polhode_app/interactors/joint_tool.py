"""The joint tool: two clicks, or a drag from one to the other, join two bodies, or a body and the laboratory.

Joints are described at the start of a scene. One that is made later in a run needs a start in which it fits: that is
the moment in which it is made, so both bodies stay where they are and keep their velocities.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent

from polhode.scene.fields import FieldPath
from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.edit.joining import with_hinge
from polhode_app.i18n.translation import translate
from polhode_app.interactors.context import ToolContext
from polhode_app.viewport.picking.picking import Picked, Picker, Ray
from polhode_app.viewport.widget import CLICK


class Edit(Protocol):
    """Applies a change to the scene, with `restart` from its start; returns whether it was valid."""

    def __call__(self, change: Callable[[Scene], tuple[Scene, FieldPath]], restart: bool = False) -> bool: ...


@dataclass(frozen=True, eq=False)
class Clicked:
    """The first body of a joint, and where it was clicked."""

    body: int
    local: np.ndarray  # (3,) [m] from its origin, body frame


class JointTool(QObject):
    """Waits for two clicks or a drag in the view after its action is checked; Esc or unchecking the action ends it.

    The run is held from the action on until the joint is compiled.
    """

    def __init__(self, context: ToolContext, edit: Edit):
        """`edit` reports a refused change."""
        super().__init__(context.view)
        self._session, self._view, self._scene_view = context.session, context.view, context.scene_view
        self._status, self._edit, self._action = context.status, edit, context.actions["join"]
        self._first: Clicked | None = None
        self._session.scene_changed.connect(lambda _document: self._action.setChecked(False))
        self._press: QPointF | None = None
        self._view.grasps.insert(0, self.mouse)

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

    def set_active(self, on: bool) -> None:
        """Wait for two clicks, or stop waiting."""
        self._first = None
        if not on:
            self._status.clearMessage()
            self._session.hold(self, False)
            return
        text = self.tr("Drag from the first body of the joint to the second one, or click both. Esc ends this.")
        self._session.hold(self, True)
        if self._session.running:
            text += " " + self.tr("The run waits until then.")
        self._status.showMessage(text)

    def _click(self, position: QPointF) -> None:
        """Take the body under a click as the first or the second one; without a body it is the laboratory."""
        stage, frame = self._scene_view.stage, self._session.frame
        if not self._action.isChecked() or stage is None or frame is None or self._session.is_pending:
            return
        ray, now = self._view.ray_at(position), frame.snapshot
        picked = Picker(stage).see(ray, now)
        picked = picked if picked is not None and picked.body is not None else None
        if self._first is None:
            self._begin(picked, now)
            return
        first, bodies = self._first, now.bodies
        if picked is not None and picked.body == first.body:
            self._status.showMessage(self.tr("That is the first body again: click another one, or an empty place."))
            return
        where = bodies.position[first.body] + first.local @ bodies.basis[first.body]
        where = where if picked is None else picked.at
        self._join(first.body, picked, where, ray, now)

    def _begin(self, picked: Picked | None, now: Snapshot) -> None:
        """Take the picked body, if there is one, as the first body."""
        if picked is None or picked.body is None:
            self._status.showMessage(self.tr("There is no body. Click the first body of the joint; Esc ends this."))
            return
        basis, origin = now.bodies.basis[picked.body], now.bodies.position[picked.body]
        self._first = Clicked(picked.body, basis @ (picked.at - origin))
        text = self.tr("Click the place of the joint on the second body, or an empty place for the laboratory.")
        self._status.showMessage(text)

    def _join(self, first: int, picked: Picked | None, where: np.ndarray, ray: Ray, now: Snapshot) -> None:
        """Make a joint at a position (3,) [m] between the first body and the picked one, in their current poses."""
        stage, compiled = self._scene_view.stage, self._session.compiled
        assert stage is not None
        assert compiled is not None
        notes: list[Message] = []

        def change(scene: Scene) -> tuple[Scene, FieldPath]:
            if now.time > 0.0:
                # the first frame does not wait for the compiler
                from polhode.simulation.scene_from_snapshot import scene_from_snapshot  # noqa: PLC0415

                scene, notes[:] = scene_from_snapshot(compiled, now)
            names = [body.name for body in scene.bodies]
            tied = (first,) if picked is None or picked.body is None else (first, picked.body)
            numbers = [names.index(compiled.scene.bodies[b].name) for b in tied]
            second = numbers[1] if len(numbers) > 1 else None
            return with_hinge(scene, numbers[0], second, where, ray.ahead, stage.radius)

        made = self._edit(change, restart=now.time > 0.0)
        self._action.setChecked(False)
        if made and now.time > 0.0:
            text = self.tr("The scene now starts at the state in which the joint was made.")
            self._status.showMessage(" ".join([text, *map(translate, notes)]))
