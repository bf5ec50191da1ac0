"""Notices about what is outside of the picture: what moves has left it, or an edit has moved it there."""

from __future__ import annotations

from math import inf

import numpy as np
from PySide6.QtCore import QObject

from polhode_app.edit.parts import path_of
from polhode_app.i18n.field_names import named
from polhode_app.interactors.camera import CameraController
from polhode_app.interactors.edit_framing import EditFraming
from polhode_app.messages import FrameData
from polhode_app.viewport.base.camera import picture_matrix
from polhode_app.viewport.picking.bounding_boxes import box_of
from polhode_app.viewport.picking.picture_watch import PictureWatch
from polhode_app.window.notices.notice import Notice
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext

INTERVAL = 0.25  # [s] between two looks


class PictureMonitor(QObject, WindowPart):
    """Says once when what moves, or the selected item, has left the picture, and frames it on request.

    Nothing is said about a place to which the user has moved the camera, nor while another message is shown.
    """

    def __init__(self, context: WindowContext, camera: CameraController):
        """Follow the session and the camera of the window."""
        super().__init__(context.toast)
        self._session, self._toast, self._scene_view = context.session, context.toast, context.scene_view
        self._camera, self._view = camera, context.view
        self._edits = EditFraming(context, camera)
        self._watch = PictureWatch()
        self._left: tuple[str, ...] = ()  # names of what has left and is to be reported
        self._departure, self._edited = Notice(context.toast), Notice(context.toast)
        self._looked = -inf  # [s] wall time
        camera.moved.connect(self._on_camera_moved)

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Look at a frame, at a wall time [s], a few times per second."""
        stage = self._scene_view.stage
        if stage is None or self._session.is_pending or stage.generation != frame.generation or self._view.glides:
            return
        if (name := self._edits.update(frame.snapshot)) is not None:
            self._edited.show(lambda: self._show_edited(name))
        if not frame.running or wall - self._looked < INTERVAL:
            return
        self._looked = wall
        clip, selection = picture_matrix(self._scene_view.plotter.renderer), self._session.selection
        left = self._watch.look(stage, frame.snapshot, clip, selection, wall)
        self._left = (left or self._left) if self._watch.is_out else ()
        if not self._watch.is_out:
            self._departure.withdraw()
        elif self._left and self._toast.is_free:
            left, self._left = self._left, ()
            self._departure.show(lambda: self._show_departure(left))

    def retranslate(self) -> None:
        """Show the current notice in the current language, if it is visible."""
        self._departure.retranslate()
        self._edited.retranslate()

    def _on_camera_moved(self) -> None:
        """The user has moved the camera: things outside of the picture are not reported."""
        self._watch.restart()
        self._departure.withdraw()
        self._edited.withdraw()

    def _show_departure(self, names: tuple[str, ...]) -> None:
        """Say what has left the picture."""
        if len(names) == 1:
            text = self.tr("'{name}' is out of view.").format(name=named(names[0]))
            self._departure.message(text, {self.tr("Show it"): lambda: self._camera.show_item(names[0])})
            return
        text, button = self.tr("Everything that moves is out of view."), self.tr("Show everything")
        self._departure.message(text, {button: lambda: self._camera.show_everything(self._watch.moving_corners())})

    def _show_edited(self, name: str) -> None:
        """Say that an edited item is not in the picture."""
        text = self.tr("After the edit '{name}' is outside of the picture.").format(name=named(name))
        self._edited.message(text, {self.tr("Show everything"): lambda: self._frame(name)})

    def _frame(self, name: str) -> None:
        """Frame everything, with an item where it is now."""
        stage, frame = self._scene_view.stage, self._session.frame
        if stage is None or frame is None:
            return
        box = box_of(stage, frame.snapshot, path_of(self._session.scene, name))
        self._camera.show_everything(np.zeros((0, 3)) if box is None else box.corners)
