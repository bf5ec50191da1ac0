"""Rotation and gravity of a scene as kernel arrays.

Formulas are differentiated exactly and compiled; numbers are formulas too.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from polhode.engine.part import Draft
from polhode.formulas.codegen import CompiledFormulas, compile_expressions, no_formulas
from polhode.formulas.curve_checks import derivatives
from polhode.formulas.vector_fields import (
    changes_with_time,
    components,
    gradient,
    infinite_components,
    is_curl_free,
    second_derivatives,
    values,
)
from polhode.physics.frame.arrays import GravityField, Rotation
from polhode.physics.frame.description import DRIVEN, STILL
from polhode.physics.sensor.description import Sensor
from polhode.scene.checks.start_positions import start_positions
from polhode.scene.formula_vector import POSITION_AND_TIME, Texts, has_formulas, texts
from polhode.scene.scene import Scene, World


def build_rotation(world: World, sensor: Sensor) -> Rotation:
    """The rotation of a world as machine code.

    It may rotate if the scene says so, or if the sensor drives a component.
    """
    driven = any(DRIVEN.fullmatch(drive.parameter) for drive in sensor.drive)
    made = _angular_velocity(texts(world.rotation))
    return Rotation(driven or world.rotation != STILL, made.address, made.numbers)


@lru_cache(8)  # most scenes have the same one, and each fit compiles hundreds
def _angular_velocity(components: Texts) -> CompiledFormulas:
    """The three components with their first and second derivatives, by order."""
    axes = [derivatives(text, "t") for text in components]
    return compile_expressions([axes[axis][order] for order in range(3) for axis in range(3)], ["t"])


def check_gravity(draft: Draft) -> None:
    """Add the problems of formulas of gravity without a finite value where something starts."""
    gravity = draft.scene.world.gravity
    if has_formulas(gravity):
        names = [f"world.gravity.{axis}" for axis in "xyz"]
        draft.problems += infinite_components(components(texts(gravity)), names, start_positions(draft.scene))


def uniform_gravity(world: World) -> np.ndarray:
    """(3,) [m/s^2]; zero if gravity is given by formulas."""
    return np.zeros(3) if has_formulas(world.gravity) else np.array(world.gravity)


def build_gravity_field(scene: Scene) -> GravityField:
    """The formulas of gravity as machine code."""
    gravity = scene.world.gravity
    if not has_formulas(gravity):
        return GravityField(False, False, no_formulas(), no_formulas())
    field = texts(gravity)
    value = compile_expressions(components(field), POSITION_AND_TIME)
    expansion = (*components(field), *gradient(field), *second_derivatives(field))
    conserves = _has_potential(field, start_positions(scene))
    return GravityField(True, conserves, value, compile_expressions(expansion, POSITION_AND_TIME))


def _has_potential(field: Texts, points: np.ndarray) -> bool:
    """Whether a potential can be integrated from the origin to points (n, 3) [m]: constant, without curl, finite."""
    if changes_with_time(field) or not is_curl_free(field, points):
        return False
    rays = (np.linspace(0.0, 1.0, 17)[:, None, None] * points).reshape(-1, 3)
    return bool(np.isfinite(values(components(field), np.vstack([np.zeros(3), rays]), 0.0)).all())
