"""Keeps edited items in the picture, as long as the user has not moved the camera."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication

from polhode.scene.fields import FieldPath
from polhode.simulation.snapshot import Snapshot
from polhode_app.edit.parts import name_of
from polhode_app.edit.scene_diff import SceneDiff
from polhode_app.interactors.camera import WITHIN, CameraController
from polhode_app.interactors.context import ToolContext
from polhode_app.viewport.base.camera import picture_matrix
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.picking.bounding_boxes import box_of
from polhode_app.viewport.picking.picture_watch import reach, unseen

FRAMED = ("body", "sphere", "bead", "soft", "particle", "surface")  # lists of items that have an extent
SEEN_SHARE = 0.06  # of the extent of the scene that lost items have, if all of it is framed with them
FURTHER = 0.05  # distance, in half pictures, by which an edit moves an item out of the picture at least


def edited_items(diff: SceneDiff) -> list[FieldPath]:
    """Paths of the items that an edit has changed, in lists to which nothing was added."""
    found: list[FieldPath] = []
    for key in FRAMED:
        old, new = getattr(diff.old, key), getattr(diff.new, key)
        if len(old) == len(new):
            pairs = enumerate(zip(old, new, strict=True))
            found += [(key, index) for index, (one, other) in pairs if one is not other and one != other]
    return found


class EditFraming(QObject):
    """Compares where edited items are in the picture before and after an edit.

    An item that an edit has moved out of the picture, or partly so, is framed with all others. A camera that the user
    has moved stays where it is. While a mouse button is pressed, edits follow each other: they count as one.
    """

    def __init__(self, context: ToolContext, camera: CameraController):
        """Follow the session; to be created before the view follows it, which then still shows the old scene."""
        super().__init__(context.view)
        self._session, self._view, self._scene_view = context.session, context.view, context.scene_view
        self._camera = camera
        self._before: dict[FieldPath, float] = {}  # how far edited items reached in the picture before the edit
        self._session.scene_changed.connect(self._on_scene_changed)

    def _on_scene_changed(self, _document: object) -> None:
        """Note where the items that are edited are in the picture that is still shown."""
        diff, stage, now = self._session.diff, self._scene_view.stage, self._scene_view.now
        if not diff.is_edit or stage is None or now is None:
            self._before = {}
            return
        clip = picture_matrix(self._scene_view.plotter.renderer)
        for path in edited_items(diff):
            if (corners := self._corners(stage, now, path)) is not None:
                self._before.setdefault(path, float(reach(corners[None], clip)[0]))

    def _corners(self, stage: Stage, now: Snapshot, path: FieldPath) -> np.ndarray | None:
        """(8, 3) [m] corners of an item; None for one that is hidden or has no extent."""
        if name_of(stage.scene, path) in stage.scene.view.hide or (box := box_of(stage, now, path)) is None:
            return None
        return box.corners

    def update(self, now: Snapshot) -> str | None:
        """Frame what edits have moved out of the picture, in a frame of the scene that is shown.

        Returns the name of an item that is not in the picture of a camera that stays where it is.
        """
        stage = self._scene_view.stage
        is_dragged = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if not self._before or stage is None or is_dragged or self._view.glides:
            return None
        before, self._before = self._before, {}
        clip = picture_matrix(self._scene_view.plotter.renderer)
        boxes = {path: box for path in before if (box := self._corners(stage, now, path)) is not None}
        lost = {p: box for p, box in boxes.items() if reach(box[None], clip)[0] > max(WITHIN, before[p] + FURTHER)}
        if not lost:
            return None
        if not self._camera.is_users:
            self._frame(stage, now, np.vstack(list(lost.values())))
            return None
        return next((name_of(stage.scene, p) for p, box in lost.items() if unseen(box[None], clip)[0]), None)

    def _frame(self, stage: Stage, now: Snapshot, lost: np.ndarray) -> None:
        """Frame points (n, 3) [m] of lost items with the bounds of the scene, or with the current boxes of all items.

        The latter where fast things reach so far that the lost ones would be dots.
        """
        extents = (float(np.ptp(points, axis=0).max()) for points in (lost, np.vstack([stage.extent, lost])))
        if np.divide(*extents) >= SEEN_SHARE:
            self._camera.show_everything(lost)
            return
        paths = [(key, index) for key in FRAMED for index in range(len(getattr(stage.scene, key)))]
        boxes = [box for path in paths if (box := self._corners(stage, now, path)) is not None]
        self._camera.show_points(np.vstack([*boxes, lost]))
