"""Wind and air of a scene as kernel arrays; they and the drag of points are inputs, and may change between batches."""

from __future__ import annotations

import numpy as np

from polhode.engine.part import Draft
from polhode.formulas.codegen import compile_expressions, no_formulas
from polhode.formulas.expression import Expression
from polhode.formulas.parser import parse
from polhode.formulas.vector_fields import MOST_POINTS, components, infinite_components, values
from polhode.physics.air.arrays import Air
from polhode.physics.air.description import DENSITY, SPACE, VISCOSITY
from polhode.scene.checks.start_positions import start_positions
from polhode.scene.formula_vector import POSITION_AND_TIME, has_formulas, texts
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import World


def check_wind(draft: Draft) -> None:
    """Add the problems of formulas of wind and air that are not finite, or negative, where something starts."""
    wind = draft.scene.world.wind
    if has_formulas(wind.velocity):
        names = [f"world.wind.velocity.{axis}" for axis in "xyz"]
        draft.problems += infinite_components(components(texts(wind.velocity)), names, start_positions(draft.scene))
    for name in ("density", "viscosity"):
        formula, where = getattr(wind, name), f"world.wind.{name}"
        if isinstance(formula, str):
            part, points = parse(formula, SPACE), start_positions(draft.scene)
            draft.problems += infinite_components([part], [where], points) or _negative(part, where, points)


def _negative(part: Expression, where: str, points: np.ndarray) -> list[Problem]:
    """The problem of an expression that is negative at a point (n, 3) [m], with the first one."""
    for point, value in zip(points[:MOST_POINTS].tolist(), values([part], points[:MOST_POINTS], 0.0)[0], strict=True):
        if value < 0.0:
            at = ", ".join(f"{axis} = {number:.6g}" for axis, number in zip(SPACE, point, strict=True))
            rule = Message("is negative at {place} (SI): {value:.4g}", place=at, value=value)
            return [Problem(where, rule, Message("change the formula, or write max(0, ...) where there is no air"))]
    return []


def build_air(world: World) -> Air:
    """The wind and the air of a world as kernel arrays; frequency 2 pi/period, 0 for a steady wind."""
    wind = world.wind
    frequency = 2 * np.pi / wind.period if wind.period > 0 else 0.0
    if not has_formulas(wind.velocity) and (wind.density, wind.viscosity) == (DENSITY, VISCOSITY):
        return Air(np.array(wind.velocity), frequency, wind.drag, False, no_formulas(), no_formulas())
    swing = [parse(f"cos({frequency!r}*t)", POSITION_AND_TIME)] * 3 if frequency else [Expression(1.0)] * 3
    velocity = [part * factor for part, factor in zip(components(texts(wind.velocity)), swing, strict=True)]
    medium = [_proportion(wind.viscosity, VISCOSITY), _proportion(wind.density, DENSITY), Expression(0.0)]
    made = (compile_expressions(parts, POSITION_AND_TIME) for parts in (velocity, medium))
    return Air(np.zeros(3), frequency, wind.drag, True, *made)


def _proportion(value: float | str, usual: float) -> Expression:
    """A number or a formula in proportion to the usual number, 0 where it is negative."""
    part = parse(value, SPACE) if isinstance(value, str) else Expression(value)
    return Expression("max", (Expression(0.0), part)) / Expression(usual)
