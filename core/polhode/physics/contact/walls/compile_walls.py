"""Walls of a scene as kernel arrays. A wall is at rest, oscillates along its normal, or follows the sensor."""

from __future__ import annotations

import numpy as np

from polhode.physics.bodies.shapes import unit
from polhode.physics.contact.arrays import Walls
from polhode.physics.contact.compile import dry_numbers
from polhode.physics.contact.description import SineMotion, Wall
from polhode.physics.contact.stiffness import table_of
from polhode.physics.sensor.description import WallFollows


def build_walls(walls: tuple[Wall, ...], own: np.ndarray) -> Walls:
    """The walls of a scene as kernel arrays; normals of unit length, a sine as amplitude and angular frequency.

    own: (n + p,) [N/m] contact stiffness of each body and point, for walls that state none
    """
    swings = [wall.motion if isinstance(wall.motion, SineMotion) else None for wall in walls]
    return Walls(
        point=np.array([wall.point for wall in walls]).reshape(-1, 3),
        normal=np.array([unit(wall.normal) for wall in walls]).reshape(-1, 3),
        stiffness=table_of(walls, own),
        damping=np.array([wall.damping for wall in walls]),
        friction=np.array([wall.friction for wall in walls]),
        sticky=np.array([wall.sticky for wall in walls], dtype=np.bool_),
        dry=np.array([dry_numbers(wall, wall.rolling_resistance) for wall in walls]).reshape(-1, 4),
        amplitude=np.array([swing.amplitude if swing else 0.0 for swing in swings]),
        frequency=np.array([2 * np.pi / swing.period if swing else 0.0 for swing in swings]),
        follows=np.array([_follows(wall) for wall in walls]).reshape(-1, 4),
    )


def _follows(wall: Wall) -> tuple[float, float, float, float]:
    """Row of `follows` (scale, offset, lowest, highest) of a wall; all zero if it does not follow the sensor."""
    return wall.motion.numbers if isinstance(wall.motion, WallFollows) else (0.0, 0.0, 0.0, 0.0)
