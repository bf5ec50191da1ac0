"""Range of motion of walls, driven bodies and rolling balls, as far as it follows from the scene alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from polhode.data.inputs import Source, formula_of
from polhode.formulas.parser import parse
from polhode.physics.bodies.shapes import unit
from polhode.physics.contact.description import SineMotion, Wall, WallFormulaMotion
from polhode.physics.sensor.description import BodyFollows, WallFollows, ends
from polhode.scene.problem import InputError
from polhode.scene.scene import Body, EllipseMotion, FormulaMotion, Scene

SEEN = 10.0  # [s] of a motion by formulas that is in the picture
SAMPLES = 1001  # of it
AHEAD = 1.2  # [s] time of free motion of a ball that is included
LONGEST = 16.0, 3.0  # the path of a ball in this time at most: in its diameters, and in sizes of the scene


def wall_range(wall: Wall, scene: Scene) -> tuple[float, float]:
    """Least and largest displacement [m] of a wall along its normal."""
    if isinstance(wall.motion, WallFollows):
        return ends(wall.motion, scene.sensor)
    if isinstance(wall.motion, WallFormulaMotion):
        found = values([wall.motion.displacement], scene.folder)
        return (float(found.min()), float(found.max())) if len(found) else (0.0, 0.0)
    amplitude = abs(wall.motion.amplitude) if isinstance(wall.motion, SineMotion) else 0.0
    return -amplitude, amplitude


def start_of(wall: Wall, scene: Scene) -> float:
    """Initial displacement [m] of a wall along its normal."""
    if isinstance(wall.motion, WallFollows):
        return float(np.mean(ends(wall.motion, scene.sensor.model_copy(update={"amplitude": 0.0}))))
    if isinstance(wall.motion, WallFormulaMotion):
        found = values([wall.motion.displacement], scene.folder)
        return float(found[0, 0]) if len(found) else 0.0
    return 0.0


def speed_of(wall: Wall, scene: Scene) -> float:
    """Largest speed [m/s] of a wall."""
    if isinstance(wall.motion, WallFormulaMotion):
        found = values([wall.motion.displacement], scene.folder)
        return float(np.abs(np.diff(found[:, 0])).max(initial=0.0)) * (SAMPLES - 1) / SEEN
    period = wall.motion.period if isinstance(wall.motion, SineMotion) else scene.sensor.period
    back, ahead = wall_range(wall, scene)
    return np.pi * (ahead - back) / period


def values(sources: Sequence[Source], folder: Path) -> np.ndarray:
    """(n, k) [m] formulas of t, or measured data, within SEEN; none if they have no finite values, or no data.

    folder: that of the scene
    """
    times = {"t": np.linspace(0.0, SEEN, SAMPLES)}
    try:
        found = [parse(formula_of(source, folder), ["t"])(times) + np.zeros(SAMPLES) for source in sources]
    except InputError:  # the compilation says so
        return np.zeros((0, len(sources)))
    return np.array(found).T if np.isfinite(found).all() else np.zeros((0, len(sources)))


def displacements_of(body: Body, scene: Scene) -> list[np.ndarray]:
    """Extreme displacements (3,) [m] of a driven body from its position; empty if unbounded or at rest."""
    if body.support == "driven" and isinstance(body.motion, EllipseMotion):
        r1, r2 = np.array(body.motion.r1), np.array(body.motion.r2)
        return [r1, -r1, r2, -r2]
    if isinstance(body.motion, FormulaMotion):
        motion = body.motion
        found = values([motion.x, motion.y, motion.z], scene.folder)
        return [found.min(axis=0), found.max(axis=0)] if len(found) else []
    if body.support == "driven" and isinstance(body.motion, BodyFollows):
        return [displacement * unit(body.motion.axis) for displacement in ends(body.motion, scene.sensor)]
    return []


def rolled(ball: Body, diameter: float, size: float) -> np.ndarray:
    """(3,) [m] displacement of a free ball of a diameter [m] in the time AHEAD, in a scene of a size [m].

    A fast ball has a shorter one, so that it and the things around it are not lost on a floor of its own length.
    """
    displacement = np.array(ball.velocity) * AHEAD
    most = max(LONGEST[0] * diameter, LONGEST[1] * size)
    return displacement * min(1.0, most / max(float(np.linalg.norm(displacement)), 1e-300))
