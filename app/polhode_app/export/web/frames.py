"""Camera and shadow plane of the page, from those of the window."""

from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode_app.export.motion.parts import Arrows, Deformed, MotionPart, Posed, RunMotion, Spheres
from polhode_app.viewport.base.camera import VIEW_ANGLE, frame
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.environment.shadow_plane import shadow_plane
from polhode_app.viewport.registry import VIEWS

ASPECT = 1.5  # of the picture for which the camera is placed
WIDEST = 2.0  # width over height of a picture beyond which nothing is kept in view
NEARLY_ALL = 0.98  # share of the points of a moving part that are kept in view
SPARE = 1.05  # margin around the visible things
ASPECTS = np.geomspace(0.3, WIDEST, 8)  # of pictures
BACKGROUND = ("surroundings", "ground", "marker")  # kinds of views
FRAMES, POINTS = 60, 48  # of a part that are taken into account, at most
REACH = 1.6  # half width of the plane at most, in radii of the stage: as far as the light of the page casts shadows


def camera_of(motion: RunMotion) -> dict[str, Any]:
    """Position, target, up vector and view angle of the camera at the start, and the height of a parallel one.

    "reach": pairs of distances [m] from the line of sight, sideways, and along it from the camera, of what stays in the
    picture of a narrow window
    """
    stage = motion.stages["dark"]
    wanted = stage.scene.view.camera
    if wanted is not None:
        view = {"position": [*wanted.position], "target": [*wanted.target], "up": [*wanted.up]}
        height = wanted.height
    else:
        camera = vtkCamera()
        frame(camera, stage.extent, ASPECT)
        view = {"position": [*camera.GetPosition()], "target": [*camera.GetFocalPoint()], "up": [0.0, 0.0, 1.0]}
        height = 0.0
    made = {**view, "height": height, "angle": VIEW_ANGLE}
    return made | {"reach": _reach(motion, *(np.array(view[name]) for name in ("position", "target", "up")), height)}


def _reach(
    motion: RunMotion, position: np.ndarray, target: np.ndarray, up: np.ndarray, height: float
) -> list[list[float]]:
    """The pairs of camera_of, for pictures of several aspects: the widest extents at their sides."""
    forward = (target - position) / np.linalg.norm(target - position)
    aside = np.cross(forward, up) / np.linalg.norm(np.cross(forward, up))
    slope = np.tan(np.radians(VIEW_ANGLE) / 2)
    found = []
    for part in motion.parts:
        if VIEWS[part.view].kind in BACKGROUND or isinstance(part.movement, Arrows):
            continue
        arms = _positions(part, motion) - position
        away, depth = SPARE * np.abs(arms @ aside), arms @ forward
        widths = away / (height / 2 if height else np.where(depth > 0, slope * depth, np.nan))
        seen = np.flatnonzero(widths <= WIDEST)
        if len(seen):
            seen = seen[widths[seen] <= np.quantile(widths[seen], NEARLY_ALL)]
            found.append(np.column_stack([away[seen], depth[seen]]))
    pairs = np.vstack([np.zeros((0, 2)), *found])
    needed = (pairs[:, 0] / (aspect * slope) - (0.0 if height else pairs[:, 1]) for aspect in ASPECTS)
    return pairs[sorted({int(np.argmax(each)) for each in needed})].tolist() if len(pairs) else []


def _positions(part: MotionPart, motion: RunMotion) -> np.ndarray:
    """(n, 3) [m] some points of a part at some frames, laboratory frame."""
    movement, points = part.movement, part.mesh.points[:: len(part.mesh.points) // POINTS + 1]
    at = np.unique(np.linspace(0, len(motion.times) - 1, FRAMES).astype(int))
    if isinstance(movement, Posed):
        position, (w, *axis) = motion.poses.position[at], np.moveaxis(motion.poses.quaternion[at], -1, 0)
        position, w, along = position[:, movement.poses], w[:, movement.poses], np.stack(axis, -1)[:, movement.poses]
        twice = 2 * np.cross(along[:, :, None], points)
        turned = points + w[..., None, None] * twice + np.cross(along[:, :, None], twice)
        return np.asarray(position[:, :, None] + turned).reshape(-1, 3)
    if isinstance(movement, Deformed):
        return movement.points[at][:, :: movement.points.shape[1] // POINTS + 1].reshape(-1, 3)
    return movement.points[at].reshape(-1, 3) if isinstance(movement, Spheres) else points


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
