"""Checks of a path given by formulas in q: finite values and derivatives, no gaps, r' = 0 nowhere; and whether it is
closed.

The formulas are evaluated on a grid. Near a possible fault between two grid points the grid is refined repeatedly, down
to the last digits of q. A fault narrower than the grid, without effect on its points, can be missed.

- Not finite: a value on the grid is nan or infinite, or a divisor, or the base of a negative power, has a zero. The
  derivatives of a function divide where its domain ends, so these are found as well.
- A gap: the position moves farther between two grid points than the speeds there explain, and still does so on a grid
  as fine as the digits of q.
- r' = 0: the speed has a zero. There the direction of the path is not determined, as at the cusps of a cycloid.

Cost: GRID evaluations of r, r' and r'', and SUSPECTS times ROUNDS times FINER more where something is suspicious.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from polhode.formulas.expression import Expression, OperationList, program
from polhode.formulas.parser import parse
from polhode.scene.message import Message

GRID = 1025
LEAST_GRID = 129
LARGEST_VALUE = 1e60  # of numbers that count as finite: their products and powers are computed
LARGEST = 2_000_000  # numbers evaluated together: a long formula has a coarser grid
FINER = 33  # points of each refined grid
ROUNDS = 13  # refinements: 16^13 = 4.5e15, the last digits of q
SUSPECTS = 64  # points that are refined, the most suspicious first
FLAT = 0.8  # of the values two grid points away: above that there is no zero nearby
ZERO = 1e-12  # of the neighbouring values: below that the value counts as zero
JUMP = 1e-6  # of the size of the curve, between neighbouring floating-point numbers q
NEARLY = 1e-3  # of the size of the curve: a typed 6.2832 means 2 pi
ROUNDING = 1e-9

Texts = tuple[str, str, str]
Ends = tuple[float, float]


class Closure(NamedTuple):
    """Whether a path is closed, and how its parameter continues at the end. A periodic path is evaluated at any q; one
    that is joined smoothly, at q modulo `period`.
    """

    closed: bool
    period: float  # period of r(q) to be applied; 0 where the formula is periodic by itself


def derivatives(text: str | Expression, variable: str) -> list[Expression]:
    """A formula, its first and its second derivative with respect to a variable. Raises FormulaError."""
    whole = parse(text, [variable])
    rate = whole.derivative(variable)
    return [whole, rate, rate.derivative(variable)]


@lru_cache(maxsize=1024)  # every edit of the scene checks all paths
def fault(texts: Texts, ends: Ends) -> tuple[Message, Message] | None:
    """The first fault of x(q), y(q), z(q) [m] between the ends, as rule and remedy; None for a valid path.

    texts: the three formulas; ends: lowest and highest q

    Looked for in this order: values or derivatives up to the second that are not finite, jumps of the position, r' = 0.
    Cached for the last 1024 paths. Raises FormulaError.
    """
    axes = [program(derivatives(text, "q")) for text in texts]
    longest = max(len(axis.steps) for axis in axes)
    q = np.linspace(*ends, max(LEAST_GRID, min(GRID, LARGEST // longest)))
    for name, axis in zip("xyz", axes, strict=True):
        wrong = where_infinite(axis, q)
        if wrong is not None:
            rule = Message("{name} or its derivatives are not finite at q = {q:.6g}", name=name, q=wrong)
            return rule, Message("change the formula or the range")
    jump = _where_torn(axes, q)
    if jump is not None:
        return Message("is torn at q = {q:.6g}", q=jump), Message("change the formula or the range")
    cusp = _where_still(axes, q)
    if cusp is not None:
        return (
            Message("stands still at q = {q:.6g}, where r' = 0", q=cusp),
            Message('change the formula or the range, or use kind = "cycloid"'),
        )
    return None


@lru_cache(maxsize=1024)
def closure(texts: Texts, ends: Ends) -> Closure:
    """Whether a valid path is closed: by periodicity, also approximate, or because its ends meet smoothly.

    texts, ends: as for `fault`

    Periodic: r and r' one period farther are the same within NEARLY of their size, as for a range typed as 6.2832; then
    q runs on beyond the range. Smoothly: r and r' agree at the ends within ROUNDING; then q is taken modulo the range.
    """
    axes = [program(derivatives(text, "q")) for text in texts]
    q, period = np.linspace(*ends, LEAST_GRID), ends[1] - ends[0]
    here, beyond = _results(axes, q), _results(axes, q + period)
    sizes = np.array([np.ptp(here[:, 0], axis=1).max(), np.abs(here[:, 1]).max()])
    with np.errstate(invalid="ignore"):  # the formula may be undefined beyond its range
        off = np.abs(beyond - here)[:, :2].max(axis=(0, 2))
    if (off <= NEARLY * sizes).all():
        return Closure(True, 0.0)
    if (np.abs(here[:, :2, -1] - here[:, :2, 0]).max(axis=0) <= ROUNDING * sizes).all():
        return Closure(True, period)
    return Closure(False, 0.0)


def _results(axes: Sequence[OperationList], q: np.ndarray) -> np.ndarray:
    """(3, 3, ...) the axes' r, r', r'' at q (...): first the axis, then the order of the derivative.

    axes: programs of x, y and z, each with three results (`derivatives`)
    """
    found = []
    for axis in axes:
        values = axis.values({"q": q})
        found.append([np.broadcast_to(values[k], q.shape) for k in axis.results])
    return np.array(found)


def _as_q(q: np.ndarray) -> Mapping[str, np.ndarray]:
    return {"q": q}


def where_infinite(
    axis: OperationList, q: np.ndarray, given: Callable[[np.ndarray], Mapping[str, np.ndarray]] = _as_q
) -> float | None:
    """The first q at which a result is not finite, or beyond LARGEST_VALUE; None where all are numbers to compute with.

    On the grid `q` (n,), or between its points where something divides by zero. `given` makes the values of the
    variables from those of q; variables that do not depend on it are numbers.
    """
    values = axis.values(given(q))
    for k in axis.results:
        wrong = np.flatnonzero(~(np.abs(np.broadcast_to(values[k], q.shape)) <= LARGEST_VALUE))
        if len(wrong):
            return float(q[wrong[0]])
    divisors = sorted(_divisors(axis, values))
    if not divisors:
        return None

    def divided_by(parameters: np.ndarray) -> np.ndarray:
        found = axis.values(given(parameters))
        return np.array([found[k] for k in divisors])

    return zero_of(divided_by, q)


def _divisors(axis: OperationList, values: Sequence[np.ndarray]) -> set[int]:
    """Steps by whose results something is divided, by `/` or a negative power.

    values: results of all steps on the grid; constants, which have no axis, are passed over
    """
    found = set()
    for head, arguments in axis.steps:
        if head == "/" and values[arguments[1]].ndim:
            found.add(arguments[1])
        if head == "^" and values[arguments[0]].ndim and (values[arguments[1]] < 0).any():
            found.add(arguments[0])
    return found


def zero_of(values: Callable[[np.ndarray], np.ndarray], q: np.ndarray) -> float | None:
    """First zero of several functions on a grid, also between its points, or None.

    q: (n,) the grid, increasing
    values: gives (k, n) values of k functions on it, and (k, m, FINER) on refined grids (m, FINER)

    Suspects are grid points next to a change of sign, or with a value well below that two points away. Around each the
    grid is refined ROUNDS times; it is a zero if the value falls to ZERO of those beside it.
    """
    found = values(q)
    sizes, positive = np.abs(found), found > 0
    outside = np.pad(sizes, ((0, 0), (1, 1)), constant_values=np.inf)
    beside = np.maximum(
        sizes[:, np.maximum(np.arange(len(q)) - 2, 0)], sizes[:, np.minimum(np.arange(len(q)) + 2, len(q) - 1)]
    )
    with np.errstate(all="ignore"):
        share = np.where((sizes <= outside[:, :-2]) & (sizes <= outside[:, 2:]), sizes / beside, 1.0)
    share[sizes == 0] = 0.0
    share[:, :-1][positive[:, 1:] != positive[:, :-1]] = 0.0
    suspects = np.argsort(share, axis=None, kind="stable")[:SUSPECTS]
    which, low = np.unravel_index(suspects[share.ravel()[suspects] < FLAT], share.shape)
    if not len(which):
        return None
    left, right, rows = q[np.maximum(low - 1, 0)], q[np.minimum(low + 1, len(q) - 1)], np.arange(len(low))
    for _ in range(ROUNDS):
        finer = np.linspace(left, right, FINER, axis=-1)
        near = np.nan_to_num(np.abs(values(finer)[which, rows]), nan=np.inf)
        best = near.argmin(axis=1)
        left, right = finer[rows, np.maximum(best - 1, 0)], finer[rows, np.minimum(best + 1, FINER - 1)]
    digits = 4 * np.spacing(np.abs(q).max()) / (q[1] - q[0])  # the resolution of q
    zeros = near[rows, best] <= (ZERO + digits) * beside[which, low]
    return float(finer[rows, best][zeros].min()) if zeros.any() else None


def _where_still(axes: Sequence[OperationList], q: np.ndarray) -> float | None:
    """The first q at which the speed |r'| is zero, or None."""

    def speed(parameters: np.ndarray) -> np.ndarray:
        return np.asarray(np.linalg.norm(_results(axes, parameters)[:, 1], axis=0)[None])

    return zero_of(speed, q)


def _where_torn(axes: Sequence[OperationList], q: np.ndarray) -> float | None:
    """The first q at which the position jumps, by more than twice the larger speed at both ends, or None."""
    found = _results(axes, q)
    position, speed = found[:, 0], np.linalg.norm(found[:, 1], axis=0)
    size = np.ptp(position, axis=1).max()
    farther = np.linalg.norm(np.diff(position), axis=0) - 2 * np.diff(q) * np.maximum(speed[1:], speed[:-1])
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
