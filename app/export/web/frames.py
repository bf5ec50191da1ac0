"""Camera and shadow plane of the page, from those of the window."""

from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

from app.viewport.base.camera import VIEW_ANGLE, frame
from app.viewport.base.stage import Stage
from app.viewport.environment.shadow_plane import shadow_plane

ASPECT = 1.5  # of the picture for which the camera is placed; the page keeps things in view in others
REACH = 1.6  # half width of the plane at most, in radii of the stage: as far as the light of the page casts shadows


def camera_of(stage: Stage) -> dict[str, Any]:
    """Position, target, up vector and view angle of the camera at the start, and the height of a parallel one."""
    wanted = stage.scene.view.camera
    if wanted is not None:
        place = {"position": [*wanted.position], "target": [*wanted.target], "up": [*wanted.up]}
        return {**place, "height": wanted.height, "angle": VIEW_ANGLE, "aspect": ASPECT}
    camera = vtkCamera()
    frame(camera, stage.room, ASPECT)
    place = {"position": [*camera.GetPosition()], "target": [*camera.GetFocalPoint()], "up": [0.0, 0.0, 1.0]}
    return {**place, "height": 0.0, "angle": VIEW_ANGLE, "aspect": ASPECT}


def plane_of(stage: Stage) -> dict[str, Any]:
    """Origin, axes and extent [m] along them of the plane that shadows fall on."""
    plane = shadow_plane(stage)
    middle = (stage.center - plane.origin) @ plane.onto
    low = np.maximum(plane.low, middle - REACH * stage.radius)
    high = np.minimum(plane.high, middle + REACH * stage.radius)
    return {
        "origin": plane.origin.tolist(),
        "axes": plane.axes.tolist(),
        "low": low.tolist(),
        "high": high.tolist(),
    }
