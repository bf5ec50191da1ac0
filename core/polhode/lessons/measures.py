"""Measurements of a curve: what steps of a lesson measure in a run, or in the student's own data.

A live page computes them by the same formulas (app/polhode_app/export/web/page/lesson/measures.js).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from polhode.data.headings import factor_of
from polhode.scene.display.lesson import Lesson, LessonStep

TIME, FREQUENCY = "s", "1/s"
NEAR = 0.5 * (1 + 1e-9)  # of the last interval of samples, which is a step of time at least


def measured(step: LessonStep, times: np.ndarray, values: np.ndarray) -> float:
    """The measurement of a step, in SI; nan where the curve does not have it, such as a period without crossings.

    times: (n,) [s], increasing; values: (n,) in SI; rows with a value that is not finite are left out
    """
    good = np.isfinite(values) & np.isfinite(times)
    if not good.any():
        return float("nan")
    return float(_OF_NAME[step.measure or "value"](step, times[good], values[good]))


def unit_of(step: LessonStep, unit: str) -> str:
    """Unit in SI of the measurement of a step, of a quantity with a unit."""
    if step.relative:
        return ""
    return {"period": TIME, "first_crossing": TIME, "frequency": FREQUENCY}.get(step.measure or "", unit)


def unit_step(lesson: Lesson, number: int) -> LessonStep | None:
    """The step in whose unit the numbers of a step are; None for one without numbers.

    Of a comparison or check without an own unit it is the one that has measured the value, or predicted the curve.
    """
    step = lesson.step[number]
    if step.unit or step.kind in ("predict", "measure"):
        return step
    if step.kind not in ("compare", "check"):
        return None
    predicted = None if step.ask else next(lesson.before(number, "predict"), None)
    if predicted is not None and lesson.step[predicted].predict == "curve":
        return lesson.step[predicted]
    measured_by = next(lesson.before(number, "measure"), None)
    return None if measured_by is None else lesson.step[measured_by]


def factor_at(lesson: Lesson, number: int) -> float:
    """Value in SI of one unit of the numbers of a step."""
    of = unit_step(lesson, number)
    return factor_of(of.unit)[0] if of is not None else 1.0


def shown_unit(lesson: Lesson, number: int, unit_of_column: Callable[[str], str]) -> str:
    """Unit of the numbers of a step, whose value in SI is `factor_at`; "" without one.

    unit_of_column: unit in SI of a quantity of the plots
    """
    of = unit_step(lesson, number)
    if of is None or of.unit:
        return "" if of is None else of.unit
    if of.kind == "measure":
        return unit_of(of, "" if of.own_data else unit_of_column(of.of))
    return unit_of_column(of.of) if of.predict == "curve" else ""


def crossings(times: np.ndarray, values: np.ndarray, level: float) -> np.ndarray:
    """Times [s] at which values (n,) rise from below a level to it or above, by linear interpolation."""
    found = np.flatnonzero((values[:-1] < level) & (values[1:] >= level))
    low, high = values[found], values[found + 1]
    return times[found] + (times[found + 1] - times[found]) * (level - low) / (high - low)


def _period(_step: LessonStep, times: np.ndarray, values: np.ndarray) -> float:
    """Mean time between rises through the middle of the smallest and the largest value."""
    rises = crossings(times, values, 0.5 * (values.min() + values.max()))
    period = float(rises[-1] - rises[0]) / (len(rises) - 1) if len(rises) > 1 else 0.0
    return period or float("nan")  # 0 between the smallest floats, which round to the same time


def _first_crossing(step: LessonStep, times: np.ndarray, values: np.ndarray) -> float:
    """Time of the first passage through the level of a step, in either direction."""
    both = [crossings(times, sign * values, sign * step.level) for sign in (1.0, -1.0)]
    found = np.concatenate(both)
    return float(found.min()) if len(found) else float("nan")


def _value(step: LessonStep, times: np.ndarray, values: np.ndarray) -> float:
    """Value at a time, by linear interpolation; nan outside of the curve.

    A run ends up to half a step of time before its length, which is no whole number of steps.
    """
    time = times[-1] if step.at is None else step.at
    if not step.own_data and len(times) > 1 and time - times[-1] <= NEAR * (times[-1] - times[-2]):
        time = min(time, times[-1])
    return float(np.interp(time, times, values, left=np.nan, right=np.nan))


_OF_NAME: Mapping[str, Callable[[LessonStep, np.ndarray, np.ndarray], float]] = MappingProxyType(
    {
        "value": _value,
        "maximum": lambda _, _times, values: values.max(),
        "minimum": lambda _, _times, values: values.min(),
        "range": lambda _, _times, values: values.max() - values.min(),
        "mean": lambda _, _times, values: values.mean(),
        "period": _period,
        "frequency": lambda step, times, values: 1.0 / _period(step, times, values),
        "first_crossing": _first_crossing,
    }
)
