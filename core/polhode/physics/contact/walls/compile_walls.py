"""Walls of a scene as kernel arrays, and the check of their formulas.

A wall is at rest, moves along its normal by a sine or a formula, or follows the sensor.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from polhode.data.inputs import formula_of
from polhode.engine.part import Draft
from polhode.formulas.codegen import CompiledFormulas, compile_expressions, joined, no_formulas
from polhode.formulas.curve_checks import derivatives
from polhode.formulas.vector_fields import infinite_values
from polhode.physics.bodies.shapes import unit
from polhode.physics.contact.arrays import Walls
from polhode.physics.contact.compile import dry_numbers
from polhode.physics.contact.description import SineMotion, Wall, WallFormulaMotion
from polhode.physics.contact.stiffness import table_of
from polhode.physics.sensor.description import WallFollows


def check_walls(draft: Draft) -> None:
    """Add the problems of formulas without finite values or derivatives."""
    for number, wall in enumerate(draft.scene.wall):
        if isinstance(wall.motion, WallFormulaMotion):
            parts = derivatives(formula_of(wall.motion.displacement, draft.scene.folder), "t")[:2]
            draft.problems += infinite_values(parts, [f"wall[{number}].motion.displacement"] * 2, {})[:1]


def build_walls(walls: tuple[Wall, ...], own: np.ndarray, folder: Path) -> Walls:
    """The walls of a scene as kernel arrays; normals of unit length, a sine as amplitude and angular frequency.

    own: (n + p,) [N/m] contact stiffness of each body and point, for walls that state none; folder: that of the scene
    """
    address, first, numbers = joined([_code(wall, folder) for wall in walls])
    swings = [wall.motion if isinstance(wall.motion, SineMotion) else None for wall in walls]
    return Walls(
        point=np.array([wall.point for wall in walls]).reshape(-1, 3),
        normal=np.array([unit(wall.normal) for wall in walls]).reshape(-1, 3),
        stiffness=table_of(walls, own),
        damping=np.array([wall.damping for wall in walls]),
        friction=np.array([wall.friction for wall in walls]),
        sticky=np.array([wall.sticky for wall in walls], dtype=np.bool_),
        dry=np.array([*map(dry_numbers, walls)]).reshape(-1, 5),
        amplitude=np.array([swing.amplitude if swing else 0.0 for swing in swings]),
        frequency=np.array([2 * np.pi / swing.period if swing else 0.0 for swing in swings]),
        address=address,
        first=first,
        numbers=numbers,
        follows=np.array([_follows(wall) for wall in walls]).reshape(-1, 4),
    )


def _code(wall: Wall, folder: Path) -> CompiledFormulas:
    """Machine code of the displacement [m] of a wall by a formula of t and of its derivative; none of others."""
    if not isinstance(wall.motion, WallFormulaMotion):
        return no_formulas()
    return compile_expressions(derivatives(formula_of(wall.motion.displacement, folder), "t")[:2], ["t"])


def _follows(wall: Wall) -> tuple[float, float, float, float]:
    """Row of `follows` (scale, offset, lowest, highest) of a wall; all zero if it does not follow the sensor."""
    return wall.motion.numbers if isinstance(wall.motion, WallFollows) else (0.0, 0.0, 0.0, 0.0)
