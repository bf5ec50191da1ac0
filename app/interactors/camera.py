"""What the camera does by itself: goes to presets, follows a part, stands where the scene wants it."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QStatusBar

from app.edit.parts import name_of, place_of, rounded
from app.session.session import Session
from app.viewport.base.camera_animation import LASTS, pose_of
from app.viewport.picking.bounding_boxes import box_of
from app.viewport.view import SceneView
from app.viewport.widget import ViewWidget
from core.scene.fields import with_value
from core.scene.scene import Camera

PRESETS = {"fit": "home", "front": "front", "side": "side", "top": "top"}


class CameraController(QObject):
    """Of one window."""

    def __init__(
        self,
        session: Session,
        view: ViewWidget,
        scene_view: SceneView,
        action_table: Mapping[str, QAction],
        status: QStatusBar,
    ):
        super().__init__(view)
        self._session, self._view, self._scene_view, self._status = session, view, scene_view, status
        self._follows, self._parallel = action_table["follow"], action_table["parallel"]
        self._name: str | None = None  # of the part that is followed
        self._begun = 0.0  # [s] wall time
        for name, look in PRESETS.items():
            action_table[name].triggered.connect(
                lambda _checked=False, look=look: view.glide(lambda: scene_view.reset_camera(look))
            )
        self._follows.toggled.connect(self._follow)
        action_table["keep_view"].triggered.connect(lambda _checked=False: self.keep())

    def tick(self, wall: float) -> bool:
        """A frame at a wall time [s]; True if the camera has moved."""
        stage, moment = self._scene_view.stage, self._session.moment
        camera = self._view.plotter.renderer.GetActiveCamera()
        if self._parallel.isChecked() != bool(camera.GetParallelProjection()):
            self._parallel.setChecked(bool(camera.GetParallelProjection()))  # a scene has wanted it so
        if self._name is None or stage is None or moment is None:
            return False
        place = place_of(stage.scene, self._name)
        box = box_of(stage, moment.snapshot, place) if place is not None else None
        if box is None:
            self._follows.setChecked(False)
            return False
        target = np.array(camera.GetFocalPoint())
        shift = min(1.0, (wall - self._begun) / LASTS) * (box.center - target)
        if not np.isfinite(shift).all() or np.abs(shift).max() <= 1e-9 * camera.GetDistance():
            return False
        camera.SetPosition(*(np.array(camera.GetPosition()) + shift))
        camera.SetFocalPoint(*(target + shift))
        self._view.redraw()
        return True

    def _follow(self, on: bool) -> None:
        place = self._session.selection
        self._name = name_of(self._session.scene, place[:2]) if on and place is not None and len(place) > 1 else None
        self._begun = time.perf_counter()
        if on and self._name is None:
            self._status.showMessage(self.tr("Select the item to follow first"), 3000)
            self._follows.setChecked(False)
        elif on:
            self._status.showMessage(self.tr("The camera follows {name}").format(name=self._name), 3000)

    def keep(self) -> None:
        """An edit: the scene is seen like this whenever it is opened."""
        camera = self._view.plotter.renderer.GetActiveCamera()
        stand = pose_of(camera)
        made = Camera(
            position=rounded(stand.target + stand.far * stand.back),
            target=rounded(stand.target),
            up=rounded(stand.up),
            height=float(f"{2 * stand.scale:.4g}") if camera.GetParallelProjection() else 0.0,
        )
        self._session.edit(with_value(self._session.scene, ("view", "camera"), made))
        self._status.showMessage(self.tr("The camera is saved in the scene; save the scene to keep it"), 5000)
