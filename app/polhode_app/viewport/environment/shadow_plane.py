"""The plane that shadows fall on: the ground, a floor as far as it reaches, or a slope. Geometry only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode_app.viewport.base.bounds import LEVEL, floors
from polhode_app.viewport.base.lighting import KEY
from polhode_app.viewport.base.polydata import box
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.places.place import place_of
from polhode_app.viewport.things.walls import axes_of, corners_of, is_ground

FACING_UP = 0.3  # least vertical component of the normal of a slope


@dataclass(frozen=True, eq=False)
class ShadowPlane:
    """A plane, with coordinates along it."""

    origin: np.ndarray  # (3,) [m]
    axes: np.ndarray  # (2, 3) unit vectors along it
    onto: np.ndarray  # (3, 2) places relative to the origin times this are coordinates [m] of their shadows
    low: np.ndarray  # (2,) [m] least coordinates of a shadow
    high: np.ndarray  # (2,) [m] largest ones

    @property
    def normal(self) -> np.ndarray:
        """(3,) unit vector across it, upwards."""
        return np.cross(*self.axes)

    def corners(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """(4, 3) [m] corners of a rectangle from `low` to `high` (2,) [m]."""
        flat = np.array([low, (high[0], low[1]), (low[0], high[1]), high])
        return np.asarray(self.origin + flat @ self.axes)


def shadow_plane(stage: Stage, has_place: bool = True) -> ShadowPlane:
    """The plane that shadows fall on: the place of the scene, a slope where there is no floor, otherwise the ground.

    Without `has_place` the place is not drawn.
    """
    place = place_of(stage) if has_place else None
    if place is not None:
        return _plane(place.origin, place.axes, place.corners)
    shown = [wall for wall in stage.scene.wall if wall.name not in stage.scene.view.hide]
    for wall in shown:
        axes = axes_of(wall)
        if wall.motion.kind == "still" and FACING_UP < axes[2, 2] <= LEVEL and not floors(stage.scene):
            return _plane(np.array(wall.point), axes, corners_of(wall, stage))
    ground = np.array([0.0, 0.0, stage.ground])
    for wall in shown:
        if is_ground(wall, stage):
            return _plane(ground, np.eye(3), corners_of(wall, stage))
    return _plane(ground, np.eye(3), None)


def _plane(origin: np.ndarray, axes: np.ndarray, corners: np.ndarray | None) -> ShadowPlane:
    """The plane through `origin` (3,) [m] with `axes` (3, 3) in rows, the last one its normal, within its corners."""
    along, normal = axes[:2], axes[2]
    onto = along.T - np.outer(normal, along @ KEY) / (normal @ KEY)
    if corners is None:
        return ShadowPlane(origin, along, onto, np.full(2, -np.inf), np.full(2, np.inf))
    low, high = box((corners - origin) @ along.T)
    return ShadowPlane(origin, along, onto, low, high)
