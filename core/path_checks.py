"""Whether formulas in q make a path: values and derivatives everywhere, no gap, and nowhere r' = 0; and is it closed?

Looked at on a grid. Where something comes near its fault between two places of the grid, the grid is made finer there,
again and again, down to the last digits of q.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from core.expression import Expression, Program, program
from core.formula import parse

GRID = 1025
LEAST_GRID = 129
LARGEST = 2_000_000  # numbers that are looked at together: a long formula has a coarser grid
FINER = 33  # places in each finer grid
ROUNDS = 13  # 16^13 = 4.5e15 times finer: the last digits of q
SUSPECTS = 32  # places of one kind that are looked at closely
ZERO = 1e-12  # of the values beside it: what comes that near to zero between two places of the grid is zero
JUMP = 1e-6  # of the size of the curve, over a distance of q that is next to nothing
NEARLY = 1e-3  # of the size of the curve: it was meant to be closed (6.2832 for 2 pi)
ROUNDING = 1e-9

Texts = tuple[str, str, str]
Ends = tuple[float, float]


class Closure(NamedTuple):
    closed: bool
    period: float  # after which r(q) has to be repeated; 0 where the formula does it by itself


def derivatives(text: str, variable: str) -> list[Expression]:
    """A formula, its first and its second derivative."""
    whole = parse(text, [variable])
    rate = whole.derivative(variable)
    return [whole, rate, rate.derivative(variable)]


@lru_cache(maxsize=1024)  # an edit elsewhere in the scene checks all of it again
def fault(texts: Texts, ends: Ends) -> str | None:
    """The first fault of x(q), y(q), z(q) between the ends, as 'rule; remedy'. Raises FormulaError."""
    axes = [program(derivatives(text, "q")) for text in texts]
    longest = max(len(axis.steps) for axis in axes)
    q = np.linspace(*ends, max(LEAST_GRID, min(GRID, LARGEST // longest)))
    for name, axis in zip("xyz", axes, strict=True):
        wrong = _where_infinite(axis, q)
        if wrong is not None:
            return f"{name} or its derivatives are not finite at q = {wrong:.6g}; change the formula or the range"
    jump = _where_torn(axes, q)
    if jump is not None:
        return f"is torn at q = {jump:.6g}; change the formula or the range"
    cusp = _where_still(axes, q)
    if cusp is not None:
        return (
            f'stands still at q = {cusp:.6g}, where r\' = 0; change the formula or the range, or use kind = "cycloid"'
        )
    return None


@lru_cache(maxsize=1024)
def closure(texts: Texts, ends: Ends) -> Closure:
    """Whether a sound path is closed: because it is periodic, even if nearly, or because its ends meet smoothly."""
    axes = [program(derivatives(text, "q")) for text in texts]
    q, period = np.linspace(*ends, LEAST_GRID), ends[1] - ends[0]
    here, beyond = _results(axes, q), _results(axes, q + period)
    sizes = np.array([np.ptp(here[:, 0], axis=1).max(), np.abs(here[:, 1]).max()])
    if (np.abs(beyond - here)[:, :2].max(axis=(0, 2)) <= NEARLY * sizes).all():
        return Closure(True, 0.0)
    if (np.abs(here[:, :2, -1] - here[:, :2, 0]).max(axis=0) <= ROUNDING * sizes).all():
        return Closure(True, period)
    return Closure(False, 0.0)


def _results(axes: Sequence[Program], q: np.ndarray) -> np.ndarray:
    """(3, 3, ...) the axes' r, r', r'' at q."""
    found = []
    for axis in axes:
        values = axis.values({"q": q})
        found.append([np.broadcast_to(values[k], q.shape) for k in axis.results])
    return np.array(found)


def _where_infinite(axis: Program, q: np.ndarray) -> float | None:
    """Where a value or a derivative is none: on the grid, or between its places where something divides by zero."""
    values = axis.values({"q": q})
    for k in axis.results:
        wrong = np.flatnonzero(~np.isfinite(np.broadcast_to(values[k], q.shape)))
        if len(wrong):
            return float(q[wrong[0]])
    for k in _divisors(axis, values):
        part = Program(axis.steps[: k + 1], (k,))
        zero = zero_of(lambda places, part=part, k=k: np.abs(part.values({"q": places})[k]), q)  # type: ignore[misc]
        if zero is not None:
            return zero
    return None


def _divisors(axis: Program, values: Sequence[np.ndarray]) -> set[int]:
    """Steps by whose results something is divided; derivatives divide wherever a function ends."""
    found = set()
    for head, arguments in axis.steps:
        if head == "/" and values[arguments[1]].ndim:
            found.add(arguments[1])
        if head == "^" and values[arguments[0]].ndim and (values[arguments[1]] < 0).any():
            found.add(arguments[0])
    return found


def zero_of(size: Callable[[np.ndarray], np.ndarray], q: np.ndarray) -> float | None:
    """Where something that is nowhere negative is zero."""
    found = size(q)
    outside = np.concatenate([[np.inf], found, [np.inf]])
    low = np.flatnonzero((found <= outside[:-2]) & (found <= outside[2:]))
    low = low[np.argsort(found[low], kind="stable")][:SUSPECTS]
    before, after = np.maximum(low - 1, 0), np.minimum(low + 1, len(q) - 1)
    beside = np.maximum(found[before], found[after])
    left, right = q[before], q[after]
    for _ in range(ROUNDS):
        finer = np.linspace(left, right, FINER, axis=-1)
        sizes = np.nan_to_num(size(finer), nan=np.inf)
        best, rows = sizes.argmin(axis=1), np.arange(len(low))
        left, right = finer[rows, np.maximum(best - 1, 0)], finer[rows, np.minimum(best + 1, FINER - 1)]
        least, where = sizes[rows, best], finer[rows, best]
    digits = 4 * np.spacing(np.abs(q).max()) / (q[1] - q[0])  # q itself has no more
    zeros = np.flatnonzero(least <= (ZERO + digits) * beside)
    return float(where[zeros].min()) if len(zeros) else None


def _where_still(axes: Sequence[Program], q: np.ndarray) -> float | None:
    def speed(places: np.ndarray) -> np.ndarray:
        return np.asarray(np.linalg.norm(_results(axes, places)[:, 1], axis=0))

    return zero_of(speed, q)


def _where_torn(axes: Sequence[Program], q: np.ndarray) -> float | None:
    """Where the place jumps: where it goes farther between two places of the grid than the speeds there explain."""
    found = _results(axes, q)
    place, speed = found[:, 0], np.linalg.norm(found[:, 1], axis=0)
    size = np.ptp(place, axis=1).max()
    farther = np.linalg.norm(np.diff(place), axis=0) - 2 * np.diff(q) * np.maximum(speed[1:], speed[:-1])
    suspects = np.argsort(-farther, kind="stable")[:SUSPECTS]
    suspects = suspects[farther[suspects] > JUMP * size]
    if not len(suspects):
        return None
    left, right, rows = q[suspects], q[suspects + 1], np.arange(len(suspects))
    for _ in range(ROUNDS):
        finer = np.linspace(left, right, FINER, axis=-1)
        steps = np.linalg.norm(np.diff(_results(axes, finer)[:, 0]), axis=0)
        widest = steps.argmax(axis=1)
        left, right = finer[rows, widest], finer[rows, widest + 1]
    jumps = np.flatnonzero(steps[rows, widest] > JUMP * size)
    return float(left[jumps].min()) if len(jumps) else None
