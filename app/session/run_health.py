"""Conditions of a run that its picture does not explain: too slow, too long a step, far from the scene. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.messages import FrameData

FAR = 50.0  # distance from the centre of the scene at which an item counts as lost, in radii of the scene
HALF = 0.5  # measured speeds below this fraction of the selected one are reported
PATIENCE = 3.0  # [s] wall time that a run must be slow
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


Condition = FarAway | Behind | LongStep


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Where the items of a scene are expected."""

    center: np.ndarray  # (3,) [m]
    radius: float  # [m]
    points: Mapping[str, slice]  # range of the points of each soft body and particle


class RunHealth:
    """Watches the frames of a run, and names its condition.

    One condition at a time: the first that holds, an item that is lost before a slow run.
    """

    def __init__(self) -> None:
        self._slow_since: float | None = None  # [s] wall time

    def look(self, frame: FrameData, speed: float, around: Surroundings, wall: float) -> Condition | None:
        """Condition in a frame, at a selected speed and a wall time [s]; None if there is none."""
        far = farthest(frame, around)
        if far is not None and far.distance > FAR * around.radius:
            self._slow_since = None
            return far
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
