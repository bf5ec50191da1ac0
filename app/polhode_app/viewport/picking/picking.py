"""Picking of bodies and points by ray casting on the CPU."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.things.point_appearance import PointAppearance, cloud

SLACK = 7.0  # [pixel] tolerance for points and springs


@dataclass(frozen=True, eq=False)
class Ray:
    """Ray through a pixel of the picture, laboratory frame."""

    origin: np.ndarray  # (3,) [m]
    direction: np.ndarray  # (3,) unit vector, away from the camera
    ahead: np.ndarray  # (3,) unit vector, direction of projection of the camera
    pixel: float  # [m] width of a pixel at the origin
    spread: float  # growth of that width per distance

    def on_plane(self, through: np.ndarray) -> np.ndarray:
        """(3,) [m] intersection with the plane through a point (3,) [m] parallel to the picture."""
        depth = (through - self.origin) @ self.ahead / (self.direction @ self.ahead)
        return np.asarray(self.origin + depth * self.direction)


@dataclass(frozen=True, eq=False)
class Picked:
    """Object that a ray meets first."""

    name: str
    at: np.ndarray  # (3,) [m] intersection, laboratory frame
    body: int | None = None  # index, if it is a body
    point: int | None = None  # index, if it is a point


def ray_at(renderer: vtkRenderer, x: float, y: float) -> Ray:
    """The ray through a position of the picture [pixel], counted from the lower left corner."""
    near, far, beside = (_in_scene(renderer, *corner) for corner in ((x, y, 0.0), (x, y, 1.0), (x + 1, y, 0.0)))
    beyond = _in_scene(renderer, x + 1, y, 1.0)
    length = float(np.linalg.norm(far - near))
    pixel = float(np.linalg.norm(beside - near))
    spread = (float(np.linalg.norm(beyond - far)) - pixel) / length
    ahead = np.array(renderer.GetActiveCamera().GetDirectionOfProjection())
    return Ray(near, (far - near) / length, ahead, pixel, spread)


def _in_scene(renderer: vtkRenderer, x: float, y: float, depth: float) -> np.ndarray:
    """(3,) [m] position of a display point with depth 0 to 1."""
    renderer.SetDisplayPoint(x, y, depth)
    renderer.DisplayToWorld()
    point = np.array(renderer.GetWorldPoint())
    return np.asarray(point[:3] / point[3])


class Picker:
    """Ray casting against the bodies and points of a stage."""

    def __init__(self, stage: Stage):
        self._stage = stage
        self._cloud: PointAppearance = cloud(stage)

    def pick(self, ray: Ray, now: Snapshot) -> Picked | None:
        """The nearest object that can be grabbed, or None; fixed and driven bodies hide objects behind them."""
        seen = self.see(ray, now)
        if seen is None or seen.body is None:
            return seen
        return None if self._stage.scene.bodies[seen.body].support in ("fixed", "driven") else seen

    def see(self, ray: Ray, now: Snapshot) -> Picked | None:
        """The nearest object, or None."""
        point, point_depth = self._point(ray, now)
        body, body_depth = self._body(ray, now)
        if point is not None and point_depth <= body_depth:
            return Picked(self._name(point), ray.origin + point_depth * ray.direction, point=point)
        if body is None:
            return None
        return Picked(self._stage.scene.bodies[body].name, ray.origin + body_depth * ray.direction, body=body)

    def _point(self, ray: Ray, now: Snapshot) -> tuple[int | None, float]:
        """Index of the first point that the ray meets, and its depth [m]."""
        points = now.points.position
        if len(points) == 0 or len(points) != len(self._cloud.radius):
            return None, np.inf
        away = points - ray.origin
        depth = away @ ray.direction
        miss = np.linalg.norm(away - depth[:, None] * ray.direction, axis=1)
        radius = self._cloud.reach
        met = (miss <= np.maximum(radius, SLACK * (ray.pixel + ray.spread * depth))) & (depth > 0) & ~self._cloud.hidden
        if not met.any():
            return None, np.inf
        front = np.where(met, depth - np.sqrt(np.maximum(radius**2 - miss**2, 0.0)), np.inf)
        nearest = int(front.argmin())
        if self._cloud.covered[nearest]:  # spheres overlap under a surface: the point nearest to the ray counts
            beside = self._cloud.covered & (front <= front[nearest] + 2 * radius)
            nearest = int(np.where(beside, miss, np.inf).argmin())
        return nearest, float(front[nearest])

    def _body(self, ray: Ray, now: Snapshot) -> tuple[int | None, float]:
        """Index of the first body that the ray meets, and its depth [m]."""
        found, nearest = None, np.inf
        for number, solid in enumerate(self._stage.solids):
            basis, position = now.bodies.basis[number], now.bodies.position[number]
            away = position - ray.origin
            along = away @ ray.direction
            if number in self._stage.unseen or np.linalg.norm(away - along * ray.direction) > solid.reach:
                continue
            start = basis @ -away
            end = start + (along + 2 * solid.reach) * (basis @ ray.direction)
            for part in solid.parts:
                met, _ = part.surface.ray_trace(start, end)  # in no order, though VTK promises one
                depth = float(np.linalg.norm(met - start, axis=1).min()) if len(met) else np.inf
                if depth < nearest:
                    found, nearest = number, depth
        return found, nearest

    def _name(self, point: int) -> str:
        """Name of a point: that of a particle, or such as "cloth.12" for a soft body."""
        name, where = next((name, at) for name, at in self._stage.where.items() if at.start <= point < at.stop)
        return name if where.stop - where.start == 1 else f"{name}.{point - where.start}"
