"""Bounding boxes of scene items in a snapshot, for the selection, its handles, and fitting the camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.physics.bodies.shapes import unit
from polhode.physics.coils.wiring import coils_of
from polhode.physics.contact.surfaces import MeshSurface
from polhode.physics.joints.description import OfJoints
from polhode.physics.paths.path_geometry import polyline
from polhode.physics.points.description import BodyPoint, Spring
from polhode.scene.fields import FieldPath
from polhode.scene.scene import Scene
from polhode.simulation.path_pose import pose_of_path
from polhode.simulation.snapshot import Snapshot
from polhode_app.edit.parts import path_of
from polhode_app.viewport.base.mesh_preview_loader import sketched
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.things.coils import placed_rings
from polhode_app.viewport.things.joints import JointAnchors
from polhode_app.viewport.things.point_appearance import cloud

SMALL = 0.03  # half size of items without size, in radii of the stage
JOINT = 0.05  # half size of the box around a joint, in radii of the stage
PLANE = 0.45  # half size of a wall, in radii of the stage
MOST_SLICES = 16  # pieces of a box
SAMPLES = 17  # grid points along each side of a surface


@dataclass(frozen=True, eq=False)
class Box:
    """An oriented box, laboratory frame."""

    center: np.ndarray  # (3,) [m]
    axes: np.ndarray  # (3, 3) unit vectors in rows
    half: np.ndarray  # (3,) [m] half extents along the axes

    @property
    def corners(self) -> np.ndarray:
        """(8, 3) [m] corners."""
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return np.asarray(self.center + (signs * self.half) @ self.axes)

    def slices(self) -> list[Box]:
        """The box cut across its longest edge, into pieces that are about as long as its second longest edge."""
        longest = int(np.argmax(self.half))
        count = int(np.clip(np.ceil(self.half[longest] / max(np.sort(self.half)[1], 1e-12)), 1, MOST_SLICES))
        half = self.half.copy()
        half[longest] /= count
        along = self.axes[longest] * self.half[longest]
        shares = (2 * np.arange(count) + 1) / count - 1
        return [Box(self.center + share * along, self.axes, half) for share in shares]


def box_of(stage: Stage, now: Snapshot, path: FieldPath | None) -> Box | None:
    """Box around the item at a path; None if it has no position or is not part of the snapshot yet."""
    if path is None or len(path) < 2:
        return None
    scene, (key, index) = stage.scene, path[:2]
    if not isinstance(index, int) or index >= len(getattr(scene, str(key))):
        return None
    match key:
        case "body" | "sphere":
            return _of_bodies(stage, now, numbers_of(scene, path), path[2:])
        case "bead":
            pose = pose_of_path(scene, scene.bead[index].path_motion, now)
            track = pose.apply(polyline(scene.bead[index].path))
            return _around(np.vstack([track, now.bodies.position[numbers_of(scene, path)]]), scene.bead[index].radius)
        case "soft" | "particle":
            where = stage.where.get(getattr(scene, str(key))[index].name, slice(0, 0))
            points = now.points.position[where]
            return _around(points, float(cloud(stage).radius[where].max())) if len(points) else None
        case "spring":
            return _of_spring(stage, now, index)
        case "joint":
            joint = scene.joint[index]
            target = path_of(scene, joint.first)
            if isinstance(joint, OfJoints):
                return box_of(stage, now, target) if target is not None else None
            around = np.full(3, JOINT * stage.radius)
            return Box(JointAnchors(scene, [joint]).at(now)[0, 0], np.eye(3), around)
        case "force":
            target = path_of(scene, scene.force[index].on)
            return box_of(stage, now, target) if target is not None else None
        case "wall":
            return _of_wall(stage, now, index)
        case "plate":
            plate = scene.plate[index]
            wide = PLANE * stage.radius
            middle = _nearest(stage, np.array(plate.point), unit(plate.normal))
            return Box(middle, _frame(unit(plate.normal)), np.array([wide, wide, plate.thickness / 2]))
        case "coil" | "circuit" as kind:
            return _of_coils(scene, now, [index] if kind == "coil" else coils_of(scene.circuit[index], scene.coil))
        case "surface":
            surface = scene.surface[index]
            if isinstance(surface, MeshSurface):
                return _around(surface.placed(sketched(surface, scene.folder).vertices), 0.0)
            x, y = surface.grid(SAMPLES)
            return _around(np.stack([x, y, surface.heights(x, y)], -1).reshape(-1, 3) + surface.position, 0.0)
    return None


def _of_coils(scene: Scene, now: Snapshot, numbers: list[int]) -> Box | None:
    """Box around coils; None without any."""
    rings = [placed_rings(scene, now, number).reshape(-1, 3) for number in numbers]
    return _around(np.vstack(rings), 0.0) if rings else None


def numbers_of(scene: Scene, path: FieldPath) -> list[int]:
    """Indices of the item among all rigid bodies; a rack of spheres has several."""
    key, index = str(path[0]), int(path[1])
    if key == "body":
        return [index]
    if key == "bead":
        return [len(scene.bodies) - len(scene.bead) + index]
    first = len(scene.body) + sum(len(sphere.names) for sphere in scene.sphere[:index])
    return list(range(first, first + len(scene.sphere[index].names)))


def _around(points: np.ndarray, margin: float) -> Box:
    """Axis-aligned box around points (n, 3) [m]."""
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    return Box((low + high) / 2, np.eye(3), (high - low) / 2)


def _of_bodies(stage: Stage, now: Snapshot, numbers: list[int], inner: FieldPath) -> Box | None:
    """Box around bodies, or around a shape or dipole of one, given by the path `inner`."""
    if numbers[-1] >= len(now.bodies.position):
        return None
    if len(numbers) > 1:
        return _around(now.bodies.position[numbers], stage.solids[numbers[0]].reach)
    number = numbers[0]
    solid, basis, position = stage.solids[number], now.bodies.basis[number], now.bodies.position[number]
    if inner and inner[0] == "dipole":
        center, half = np.array(solid.body.dipole[int(inner[1])].position), np.full(3, SMALL * stage.radius)
    else:
        points = solid.points if not inner else np.asarray(solid.parts[int(inner[1])].surface.points)
        low, high = points.min(axis=0), points.max(axis=0)
        center, half = (low + high) / 2, (high - low) / 2
    return Box(position + center @ basis, basis, half)


def end_at(stage: Stage, now: Snapshot, end: object) -> np.ndarray | None:
    """(3,) [m] position of an end of a spring, laboratory frame; None if it is not part of the snapshot."""
    if isinstance(end, tuple):
        return np.array(end)
    name = end.body if isinstance(end, BodyPoint) else str(end)
    bodies = [body.name for body in stage.scene.bodies]
    if name in bodies:
        number = bodies.index(name)
        arm = np.array(end.point) if isinstance(end, BodyPoint) else np.zeros(3)
        return np.asarray(now.bodies.position[number] + arm @ now.bodies.basis[number])
    whole, _, count = name.partition(".")
    where = stage.where.get(whole)
    at = where.start + int(count or 0) if where is not None and (count or "0").isdigit() else len(now.points.position)
    return np.asarray(now.points.position[at]) if at < len(now.points.position) else None


def course_at(stage: Stage, now: Snapshot, spring: Spring) -> list[np.ndarray]:
    """(3,) [m] positions of the pulleys of a spring, laboratory frame."""
    ends = (BodyPoint(body=name, point=point) if name else point for name, point in spring.course)
    return [at for each in ends if (at := end_at(stage, now, each)) is not None]


def _of_spring(stage: Stage, now: Snapshot, index: int) -> Box | None:
    """Box along a spring."""
    spring = stage.scene.spring[index]
    start, end = (end_at(stage, now, each) for each in (spring.from_, spring.to))
    if start is None or end is None:
        return None
    if spring.over:
        course = np.vstack([start, *course_at(stage, now, spring), end])
        low, high = course.min(axis=0), course.max(axis=0)
        return Box((low + high) / 2, np.eye(3), (high - low) / 2 + 0.4 * SMALL * stage.radius)
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length if length else np.array([0.0, 0.0, 1.0])
    wide = 0.4 * SMALL * stage.radius
    return Box((start + end) / 2, _frame(along), np.array([wide, wide, length / 2]))


def _of_wall(stage: Stage, now: Snapshot, index: int) -> Box:
    """Flat box on a wall, near the centre of the stage."""
    wall = stage.scene.wall[index]
    normal = unit(wall.normal)
    displacement = float(now.walls[index]) if index < len(now.walls) else 0.0
    middle = _nearest(stage, np.array(wall.point), normal) + displacement * normal
    return Box(middle, _frame(normal), np.array([PLANE, PLANE, 0.0]) * stage.radius)


def _nearest(stage: Stage, point: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """(3,) [m] the point on a plane that is nearest to the centre of the stage."""
    away = stage.center - point
    return np.asarray(point + away - (away @ normal) * normal)


def _frame(along: np.ndarray) -> np.ndarray:
    """(3, 3) orthonormal frame in rows, the last one along a unit vector (3,)."""
    first = np.cross(np.eye(3)[np.abs(along).argmin()], along)
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(along, first), along])
