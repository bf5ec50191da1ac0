"""Vector fields given by three formulas of x, y, z [m] and t [s]: derivatives, values, and checks before a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from polhode.formulas.curve_checks import LARGEST_VALUE, where_infinite
from polhode.formulas.expression import Expression, program
from polhode.formulas.parser import parse
from polhode.scene.formula_vector import POSITION_AND_TIME, Texts
from polhode.scene.message import Message
from polhode.scene.problem import Problem

HORIZON = 60.0  # [s] for which formulas are checked before a run
INSTANTS = 241
MOST_POINTS = 24  # that are checked
REMEDY = Message("change the formula, or the start")


@lru_cache(maxsize=256)  # every edit and every value of a driven parameter asks again
def components(field: Texts) -> tuple[Expression, ...]:
    """The three components. Raises FormulaError."""
    return tuple(parse(text, POSITION_AND_TIME) for text in field)


@lru_cache(maxsize=256)
def gradient(field: Texts) -> tuple[Expression, ...]:
    """Nine derivatives: those of the components by x, then by y, then by z."""
    return tuple(part.derivative(axis) for axis in "xyz" for part in components(field))


@lru_cache(maxsize=256)
def second_derivatives(field: Texts) -> tuple[Expression, ...]:
    """Eighteen derivatives: those of the components by xx, yy, zz, xy, xz, yz."""
    return tuple(
        part.derivative(one).derivative(other)
        for one, other in ("xx", "yy", "zz", "xy", "xz", "yz")
        for part in components(field)
    )


@lru_cache(maxsize=256)
def rates(field: Texts) -> tuple[Expression, ...]:
    """Three derivatives by t."""
    return tuple(part.derivative("t") for part in components(field))


def changes_with_time(field: Texts) -> bool:
    """Whether a component names t."""
    return any("t" in part.names for part in components(field))


def values(parts: Sequence[Expression], points: np.ndarray, time: float) -> np.ndarray:
    """(k, n) values of k expressions at points (n, 3) [m] and `time` [s]; nan or infinite where they have none."""
    x, y, z = points.T
    return np.array([part({"x": x, "y": y, "z": z, "t": time}) for part in parts]).reshape(len(parts), len(points))


def samples(points: np.ndarray) -> np.ndarray:
    """(n, 3) [m] points among and around points (m, 3), with which a field is tried; always the same ones."""
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))
    beyond = max(0.1, 0.5 * float((high - low).max()))
    return np.random.default_rng(1).uniform(low - beyond, high + beyond, (64, 3))


def curl_and_divergence(field: Texts, points: np.ndarray, time: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Largest curl component, |divergence| and derivative at points (n, 3), each (m,), where they are defined."""
    found = values(gradient(field), points, time).reshape(3, 3, -1)  # by axis, component
    found = found[:, :, np.isfinite(found).all(axis=(0, 1))]
    curl = np.abs(found - found.transpose(1, 0, 2)).max(axis=(0, 1))
    return curl, np.abs(np.trace(found)), np.abs(found).max(axis=(0, 1))


def is_curl_free(field: Texts, points: np.ndarray) -> bool:
    """Whether the curl is zero, but for rounding, at samples around points (n, 3) [m] at t = 0."""
    curl, _, size = curl_and_divergence(field, samples(points), 0.0)
    return bool((curl <= 1e-9 * size.max(initial=0.0)).all())


def infinite_components(parts: Sequence[Expression], names: Sequence[str], points: np.ndarray) -> list[Problem]:
    """Problems of expressions of x, y, z and t that have no finite value at a point (n, 3) [m] within HORIZON [s].

    names: of the components, for their places in the scene; one problem for each, with the first point and time
    """
    problems = []
    for part, name in zip(parts, names, strict=True):
        for point in points[:MOST_POINTS].tolist():
            if found := infinite_values([part], [name], dict(zip("xyz", point, strict=True))):
                problems += found
                break
    return problems


def infinite_values(parts: Sequence[Expression], names: Sequence[str], given: Mapping[str, float]) -> list[Problem]:
    """Problems of expressions `names` without a finite value within HORIZON [s], for given values except t."""
    problems = []
    for part, name in zip(parts, names, strict=True):
        when = _when_infinite(part, tuple(given.items()))
        if when is not None:
            value = float(part({**given, "t": when}))
            at = ", ".join(f"{key} = {number:.6g}" for key, number in given.items())
            rule = Message("is not finite at {place}, t = {t:.6g} (SI): {value:.4g}", place=at, t=when, value=value)
            if LARGEST_VALUE < abs(value) < np.inf:
                rule = Message("is too large at {place}, t = {t:.6g} (SI): {value:.4g}", place=at, t=when, value=value)
            problems.append(Problem(name, rule, REMEDY))
    return problems


@lru_cache(maxsize=4096)  # every edit checks all formulas
def _when_infinite(part: Expression, given: tuple[tuple[str, float], ...]) -> float | None:
    """The first time [s] within HORIZON at which an expression has no finite value for given values of the others."""
    held = {name: np.array(value) for name, value in given}
    if "t" not in part.names:
        return None if abs(part(held)) <= LARGEST_VALUE else 0.0
    return where_infinite(program([part]), np.linspace(0.0, HORIZON, INSTANTS), lambda t: held | {"t": t})
