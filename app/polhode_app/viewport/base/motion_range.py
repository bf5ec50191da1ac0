"""Range of motion of walls, driven bodies and rolling balls, as far as it follows from the scene alone."""

from __future__ import annotations

import numpy as np

from polhode.formulas.parser import parse
from polhode.physics.bodies.shapes import unit
from polhode.physics.contact.description import SineMotion, Wall
from polhode.physics.sensor.description import BodyFollows, Sensor, WallFollows, ends
from polhode.scene.scene import Body, EllipseMotion, FormulaMotion

SEEN = 10.0  # [s] of a motion by formulas that is in the picture
AHEAD = 1.2  # [s] time of free motion of a ball that is included
LONGEST = 16.0, 3.0  # the path of a ball in this time at most: in its diameters, and in sizes of the scene


def wall_range(wall: Wall, sensor: Sensor) -> tuple[float, float]:
    """Least and largest displacement [m] of a wall along its normal."""
    if isinstance(wall.motion, WallFollows):
        return ends(wall.motion, sensor)
    amplitude = abs(wall.motion.amplitude) if isinstance(wall.motion, SineMotion) else 0.0
    return -amplitude, amplitude


def start_of(wall: Wall, sensor: Sensor) -> float:
    """Initial displacement [m] of a wall along its normal."""
    if isinstance(wall.motion, WallFollows):
        return float(np.mean(ends(wall.motion, sensor.model_copy(update={"amplitude": 0.0}))))
    return 0.0


def speed_of(wall: Wall, sensor: Sensor) -> float:
    """Largest speed [m/s] of a wall."""
    period = wall.motion.period if isinstance(wall.motion, SineMotion) else sensor.period
    back, ahead = wall_range(wall, sensor)
    return np.pi * (ahead - back) / period


def values(motion: FormulaMotion) -> np.ndarray:
    """(n, 3) [m] displacements by formulas within SEEN."""
    times = {"t": np.linspace(0.0, SEEN, 1001)}
    return np.array([parse(text, ["t"])(times) for text in (motion.x, motion.y, motion.z)]).T


def displacements_of(body: Body, sensor: Sensor) -> list[np.ndarray]:
    """Extreme displacements (3,) [m] of a driven body from its position; empty if unbounded or at rest."""
    if body.support == "driven" and isinstance(body.motion, EllipseMotion):
        r1, r2 = np.array(body.motion.r1), np.array(body.motion.r2)
        return [r1, -r1, r2, -r2]
    if isinstance(body.motion, FormulaMotion):
        found = values(body.motion)
        return [found.min(axis=0), found.max(axis=0)] if np.isfinite(found).all() else []
    if body.support == "driven" and isinstance(body.motion, BodyFollows):
        return [displacement * unit(body.motion.axis) for displacement in ends(body.motion, sensor)]
    return []


def rolled(ball: Body, diameter: float, size: float) -> np.ndarray:
    """(3,) [m] displacement of a free ball of a diameter [m] in the time AHEAD, in a scene of a size [m].

    A fast ball has a shorter one, so that it and the things around it are not lost on a floor of its own length.
    """
    displacement = np.array(ball.velocity) * AHEAD
    most = max(LONGEST[0] * diameter, LONGEST[1] * size)
    return displacement * min(1.0, most / max(float(np.linalg.norm(displacement)), 1e-300))
