"""Camera presets, a camera that follows the selection, and the camera saved in the scene."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from polhode.scene.fields import with_value
from polhode.scene.scene import Camera
from polhode_app.edit.parts import name_of, path_of, rounded
from polhode_app.i18n.field_names import named
from polhode_app.interactors.context import ToolContext
from polhode_app.messages import FrameData
from polhode_app.viewport.base.camera import in_picture, orbit, pan, zoom
from polhode_app.viewport.base.camera_animation import LASTS, pose_of
from polhode_app.viewport.picking.bounding_boxes import box_of
from polhode_app.viewport.picking.picture_watch import MovableItems

WITHIN = 0.95  # distance from the middle of the picture, relative to its edge, up to which points are in it
SMALLEST_SHARE = 0.005  # of the picture that a new item fills at least without a move of the camera
SURROUNDINGS = 3.0  # size of the framed surroundings of a new item, relative to the item
REMOTE = 10.0  # distance in radii of the stage from its centre beyond which presets leave out things
AROUND_LOST = 4.0  # the same around an item that was lost
ANGLE, SHIFT, ZOOM = np.radians(10.0), 0.1, 1.2  # of a press of a key: angle, fraction of the height, factor


class CameraController(QObject):
    """Connects the camera actions of one window.

    Presets move the camera smoothly. A followed item stays in the centre of the picture; distance and direction of the
    camera remain under control of the mouse.
    """

    moved = Signal()  # by the user

    def __init__(self, context: ToolContext):
        super().__init__(context.view)
        self._session, self._view, self._scene_view = context.session, context.view, context.scene_view
        self._status, action_table = context.status, context.actions
        self._follow_action, self._parallel_action = action_table["follow"], action_table["parallel"]
        self._followed_name: str | None = None  # name of the followed item
        self._follow_start = 0.0  # [s] wall time at which following began
        self._is_moved = False  # by the user, since the scene was opened or fitted
        self._session.scene_changed.connect(self._on_scene_changed)
        self._view.camera_moved.connect(self._note_move)

    @property
    def is_users(self) -> bool:
        """Whether the user has moved the camera since the scene was opened or fitted, or lets it follow an item."""
        return self._is_moved or self._followed_name is not None

    def _note_move(self) -> None:
        """The user has moved the camera."""
        self._is_moved = True
        self.moved.emit()

    def show_preset(self, look: str) -> None:
        """Show everything from one of the directions of `camera.LOOKS`."""
        if self._scene_view.stage is not None:
            self._view.glide(lambda: self._scene_view.look_at(self._everything(), look))
        self._note_move()
        self._is_moved = look != "home"

    def orbit(self, x: int, y: int) -> None:
        """Turn the camera about its target by steps of ANGLE to the right and up."""
        self._move(lambda camera: orbit(camera, x * ANGLE, y * ANGLE))

    def pan(self, x: int, y: int) -> None:
        """Move the camera by steps of SHIFT to the right and up."""
        self._move(lambda camera: pan(camera, x * SHIFT, y * SHIFT))

    def zoom(self, steps: int) -> None:
        """Zoom in by steps of ZOOM, or out if negative."""
        self._move(lambda camera: zoom(camera, ZOOM**steps))

    def _move(self, move: Callable[[Any], None]) -> None:
        """Move the camera of the view on behalf of the user."""
        move(self._view.plotter.renderer.GetActiveCamera())
        self._note_move()
        self._view.redraw()

    def _everything(self) -> np.ndarray:
        """(n, 3) [m] points that span the bounds of the scene and the moving things, unless those are far away."""
        stage, now = self._scene_view.stage, self._scene_view.now
        assert stage is not None
        assert now is not None
        corners = MovableItems(stage).corners(now)
        is_near = np.abs(corners - stage.center).max(axis=(1, 2)) < REMOTE * stage.radius
        return np.vstack([stage.extent, *corners[is_near]])

    def _on_scene_changed(self, _document: object) -> None:
        """Another scene is shown by its own camera."""
        self._is_moved = self._is_moved and self._session.diff.is_edit

    def tick(self, wall: float, frame: FrameData | None) -> bool:
        """Update the camera at a wall time [s], for the frame that is drawn next; True if it has moved."""
        stage = self._scene_view.stage
        camera = self._view.plotter.renderer.GetActiveCamera()
        if self._parallel_action.isChecked() != bool(camera.GetParallelProjection()):
            self._parallel_action.setChecked(bool(camera.GetParallelProjection()))  # set by a scene
        if self._followed_name is None or stage is None or frame is None:
            return False
        path = path_of(stage.scene, self._followed_name)
        box = box_of(stage, frame.snapshot, path) if path is not None else None
        if box is None:
            self._follow_action.setChecked(False)
            return False
        target = np.array(camera.GetFocalPoint())
        shift = min(1.0, (wall - self._follow_start) / LASTS) * (box.center - target)
        if not np.isfinite(shift).all() or np.abs(shift).max() <= 1e-9 * camera.GetDistance():
            return False
        camera.SetPosition(*(np.array(camera.GetPosition()) + shift))
        camera.SetFocalPoint(*(target + shift))
        self._view.redraw()
        return True

    def include(self, points: np.ndarray) -> None:
        """Move the camera if points (n, 3) [m] of a new item are not in the picture, or hardly to be seen."""
        stage, renderer = self._scene_view.stage, self._view.plotter.renderer
        if stage is None:
            return
        seen = np.array([in_picture(renderer, point) for point in points])
        share = float(np.ptp(seen, axis=0).max()) / 2
        if (np.abs(seen) <= WITHIN).all() and share >= SMALLEST_SHARE:
            return
        middle = points.mean(axis=0)
        around = middle + SURROUNDINGS * (points - middle)
        others = stage.extent if stage.extent.shape[0] and share > SMALLEST_SHARE else around
        self._view.glide(lambda: self._scene_view.look_at(np.vstack([others, around])))

    def show_everything(self, points: np.ndarray) -> None:
        """Frame everything that the scene can reach, and points (n, 3) [m], in the current direction."""
        if (stage := self._scene_view.stage) is not None:
            self.show_points(np.vstack([stage.extent, points]))

    def show_points(self, points: np.ndarray) -> None:
        """Frame points (n, 3) [m], in the current direction."""
        self._view.glide(lambda: self._scene_view.look_at(points))
        self._is_moved = False

    def show_item(self, name: str) -> None:
        """Select an item, frame it, and let the camera follow it."""
        stage, frame = self._scene_view.stage, self._session.frame
        path = path_of(self._session.scene, name)
        if stage is None or frame is None or (around := box_of(stage, frame.snapshot, path)) is None:
            return
        self._session.select(path)
        points = around.center + AROUND_LOST * (around.corners - around.center)
        self._view.glide(lambda: self._scene_view.look_at(points))
        self._follow_action.setChecked(False)  # another item may be followed
        self._follow_action.setChecked(True)

    def set_following(self, on: bool) -> None:
        """Follow the selected item, or stop following."""
        path = self._session.selection
        selected = on and path is not None and len(path) > 1
        self._followed_name = name_of(self._session.scene, path[:2]) if selected else None
        self._follow_start = time.perf_counter()
        if on and self._followed_name is None:
            self._status.showMessage(self.tr("Select the item to follow first"), 3000)
            self._follow_action.setChecked(False)
        elif on:
            self._status.showMessage(self.tr("The camera follows {name}").format(name=named(self._followed_name)), 3000)

    def save_to_scene(self) -> None:
        """Store the current camera in the scene, as an edit that can be undone."""
        camera = self._view.plotter.renderer.GetActiveCamera()
        pose = pose_of(camera)
        saved = Camera(
            position=rounded(pose.target + pose.far * pose.back),
            target=rounded(pose.target),
            up=rounded(pose.up),
            height=float(f"{2 * pose.scale:.4g}") if camera.GetParallelProjection() else 0.0,
        )
        self._session.edit(with_value(self._session.scene, ("view", "camera"), saved))
        self._status.showMessage(self.tr("The camera is saved in the scene; save the scene to keep it"), 5000)
