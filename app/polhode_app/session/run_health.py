"""Conditions of a run that its picture does not explain: slow, too long a step, far away, behind a wall. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from polhode.physics.points.description import Particle, Soft
from polhode_app.messages import FrameData

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene  # imports numba, which the window does not wait for

FAR = 50.0  # distance from the centre of the scene at which an item counts as lost, in radii of the scene
HALF = 0.5  # measured speeds below this fraction of the selected one are reported
PATIENCE = 3.0  # [s] wall time that a run must be slow, or an item behind a wall
LONGEST_WAIT = 0.5  # [s] wall time between two steps above which the run appears to stand still
SAMPLED = 2000  # points of a soft body whose distances are computed, at most


@dataclass(frozen=True)
class FarAway:
    """An item has left the scene by far."""

    name: str
    distance: float  # [m] from the centre of the scene


@dataclass(frozen=True)
class Behind:
    """The run is slower than half of the selected speed, because its steps take long."""

    factor: float  # simulated seconds per wall second, measured
    speed: float  # the same, selected


@dataclass(frozen=True)
class LongStep:
    """At the selected speed a step takes so long that the run appears to stand still."""

    step: float  # [s]
    wait: float  # [s] wall time of a step


@dataclass(frozen=True)
class Sunk:
    """An item stays wholly behind a wall, whose force on it is too small."""

    name: str
    wall: str  # its name


Condition = FarAway | Behind | LongStep | Sunk


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Where the items of a scene are expected."""

    center: np.ndarray  # (3,) [m]
    radius: float  # [m]
    points: Mapping[str, slice]  # range of the points of each soft body and particle
    reach: np.ndarray  # (n,) [m] of each free body from its reference point to what touches walls; 0: nothing does


def falling_reach(compiled: CompiledScene) -> np.ndarray:
    """(n,) [m] `Surroundings.reach` of a scene. What is held, moved or fixed may be below a table."""
    is_free = [body.support == "free" for body in compiled.scene.bodies]
    return np.where(np.array(is_free, dtype=bool), compiled.model.hulls.reach, 0.0)


class RunHealth:
    """Watches the frames of a run, and names its condition.

    One condition at a time: the first that holds, an item that is lost or has sunk before a slow run.
    """

    def __init__(self) -> None:
        self._slow_since: float | None = None  # [s] wall time
        self._sunk: tuple[Sunk, float] | None = None  # and the wall time [s] since when it is

    def look(self, frame: FrameData, speed: float, around: Surroundings, wall: float) -> Condition | None:
        """Condition in a frame, at a selected speed and a wall time [s]; None if there is none."""
        far = farthest(frame, around)
        if far is not None and far.distance > FAR * around.radius:
            self._slow_since = None
            return far
        sunk = sunken(frame, around) if frame.running and not frame.replays else None
        if sunk is None or self._sunk is None or self._sunk[0] != sunk:
            self._sunk = None if sunk is None else (sunk, wall)
        elif wall - self._sunk[1] > PATIENCE:
            return sunk
        step = frame.scene.solver.time_step
        if not frame.running or frame.replays:
            self._slow_since = None
            return None
        if step / speed > LONGEST_WAIT:
            self._slow_since = None
            return LongStep(step, step / speed)
        if frame.factor >= HALF * speed:
            self._slow_since = None
            return None
        if self._slow_since is None:
            self._slow_since = wall
        return Behind(frame.factor, speed) if wall - self._slow_since > PATIENCE else None


def farthest(frame: FrameData, around: Surroundings) -> FarAway | None:
    """The item farthest from the centre of the scene; None for a scene without items."""
    snapshot, found = frame.snapshot, FarAway("", -1.0)
    if len(snapshot.bodies.position):
        distances = np.linalg.norm(snapshot.bodies.position - around.center, axis=1)
        body = int(np.argmax(distances))
        found = FarAway(frame.scene.bodies[body].name, float(distances[body]))
    for name, where in around.points.items():
        points = snapshot.points.position[where]
        points = points[:: len(points) // SAMPLED + 1]
        if len(points):
            distance = float(np.linalg.norm(points - around.center, axis=1).min())  # all of it is far away
            found = FarAway(name, distance) if distance > found.distance else found
    return found if found.distance >= 0 else None


def sunken(frame: FrameData, around: Surroundings) -> Sunk | None:
    """The first item that is wholly behind a wall that stands still; None if there is none."""
    snapshot, scene = frame.snapshot, frame.scene
    for wall in scene.wall:
        if wall.motion.kind != "still":
            continue
        normal = np.array(wall.normal) / np.linalg.norm(wall.normal)
        heights = (snapshot.bodies.position - wall.point) @ normal
        for body in np.flatnonzero((heights < -around.reach) & (around.reach > 0)).tolist():
            return Sunk(scene.bodies[body].name, wall.name)
        heights = (snapshot.points.position - wall.point) @ normal
        if not len(heights) or heights.min() >= 0.0:
            continue  # in most frames, so that thousands of particles are not checked one by one
        for part in (*scene.soft, *scene.particle):
            highest = heights[around.points[part.name]].max()
            if highest < -getattr(part, "radius", 0.0) and not _is_held(part):
                return Sunk(part.name, wall.name)
    return None


def _is_held(part: Soft | Particle) -> bool:
    """Whether any point of a soft body or a particle is fixed, and may have its place behind a wall."""
    return bool(part.fixed)
