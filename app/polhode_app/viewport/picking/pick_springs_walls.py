"""Picking of springs, coils, walls and plates, which can be selected but not grabbed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from polhode.physics.bodies.shapes import unit
from polhode.scene.fields import FieldPath
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.environment import plates
from polhode_app.viewport.picking.bounding_boxes import course_at, end_at
from polhode_app.viewport.picking.picking import SLACK, Ray
from polhode_app.viewport.things import walls
from polhode_app.viewport.things.coils import placed_rings

COARSE = 4  # of the points of a ring


def other_at(stage: Stage, now: Snapshot, ray: Ray) -> FieldPath | None:
    """Path of the spring, coil, wall or plate, in this order, that a ray meets; None for ground and empty space."""
    return _spring(stage, now, ray) or _coil(stage, now, ray) or _wall(stage, now, ray) or _plate(stage, ray)


def _spring(stage: Stage, now: Snapshot, ray: Ray) -> FieldPath | None:
    """Path of the spring that passes the ray within SLACK pixels, the nearest on the screen."""
    found, nearest = None, SLACK
    for number, spring in enumerate(stage.scene.spring):
        start, end = (end_at(stage, now, each) for each in (spring.from_, spring.to))
        if start is None or end is None or spring.hidden:
            continue
        for part_start, part_end in pairwise([start, *course_at(stage, now, spring), end]):
            depth, miss = _passing(ray, part_start, part_end)
            pixels = miss / (ray.pixel + ray.spread * depth)
            if depth > 0 and pixels < nearest:
                found, nearest = ("spring", number), pixels
    return found


def _coil(stage: Stage, now: Snapshot, ray: Ray) -> FieldPath | None:
    """Path of the coil of which a ring passes the ray within SLACK pixels, the nearest to the camera."""
    found, nearest = None, np.inf
    for number, coil in enumerate(stage.scene.coil):
        if coil.name in stage.scene.view.hide:
            continue
        for ring in placed_rings(stage.scene, now, number)[:, ::COARSE]:
            for start, end in pairwise(ring):
                depth, miss = _passing(ray, start, end)
                if 0 < depth < nearest and miss < SLACK * (ray.pixel + ray.spread * depth):
                    found, nearest = ("coil", number), depth
    return found


def _passing(ray: Ray, start: np.ndarray, end: np.ndarray) -> tuple[float, float]:
    """Depth along the ray [m] at which a line segment is nearest to it, and their distance there [m]."""
    along, away = end - start, start - ray.origin
    flat = along - (along @ ray.direction) * ray.direction
    side = away - (away @ ray.direction) * ray.direction
    share = float(np.clip(-(side @ flat) / max(flat @ flat, 1e-300), 0.0, 1.0))
    point = away + share * along
    depth = float(point @ ray.direction)
    return depth, float(np.linalg.norm(point - depth * ray.direction))


def _wall(stage: Stage, now: Snapshot, ray: Ray) -> FieldPath | None:
    """Path of the nearest wall that faces the camera."""
    found, nearest = None, np.inf
    for number, wall in enumerate(stage.scene.wall):
        normal = unit(wall.normal)
        if wall.name in stage.scene.view.hide or ray.direction @ normal >= 0:
            continue  # walls are invisible from behind
        displacement = float(now.walls[number]) if number < len(now.walls) else 0.0
        corners = walls.corners_of(wall, stage) + displacement * normal
        depth = _depth(ray, corners)
        if 0 < depth < nearest:
            found, nearest = ("wall", number), depth
    return found


def _plate(stage: Stage, ray: Ray) -> FieldPath | None:
    """Path of the nearest plate, by the face towards the camera."""
    found, nearest = None, np.inf
    for number, plate in enumerate(stage.scene.plate):
        if plate.name not in stage.scene.view.hide:
            corners = plates.corners_of(plate, stage)
            depth = _depth(ray, corners[4:] if ray.direction @ unit(plate.normal) < 0 else corners[:4])
            if 0 < depth < nearest:
                found, nearest = ("plate", number), depth
    return found


def _depth(ray: Ray, corners: np.ndarray) -> float:
    """Depth [m] at which a ray meets a rectangle with corners (4, 3) [m] in order; 0 if it misses."""
    one, other = corners[1] - corners[0], corners[3] - corners[0]
    normal = np.cross(one, other)
    slope = float(ray.direction @ normal)
    if slope == 0.0:
        return 0.0
    depth = float((corners[0] - ray.origin) @ normal) / slope
    hit = ray.origin + depth * ray.direction - corners[0]
    return depth if all(0 <= hit @ side <= side @ side for side in (one, other)) else 0.0
