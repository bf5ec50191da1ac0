"""Values that a lesson computes from answers and runs: measurements, comparisons and checks.

A step uses the nearest step of a kind before it in the lesson, and the latest answer to that one. Live pages compute
the same (app/polhode_app/export/web/page/live).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from polhode.data.headings import factor_of
from polhode.lessons.lesson_run import LessonRun
from polhode.lessons.measures import factor_at, measured
from polhode.scene.display.lesson import Lesson, LessonStep


class Answer(NamedTuple):
    """An answer to a step; the latest one counts."""

    step: int
    at: float
    """[s] since the lesson began."""
    value: Any
    """As JSON has it; core/polhode/lessons/answers.py has its form by the kind of the step."""


@dataclass(frozen=True, eq=False)
class StepRun:
    """A run that the student has made in a step."""

    step: int
    values: Mapping[str, float]
    """In SI, by the paths of fields that the student has changed."""
    until: float
    """[s]"""
    run: LessonRun


class Evaluation:
    """Computes values from the answers before a step, and from runs, whose indices are the answers to run steps."""

    def __init__(self, lesson: Lesson, answers: Sequence[Answer], runs: Sequence[StepRun]):
        self.lesson, self.answers, self.runs = lesson, answers, runs

    def position(self, step: int) -> int | None:
        """Index of the latest answer to a step; None without one."""
        return next((at for at in range(len(self.answers) - 1, -1, -1) if self.answers[at].step == step), None)

    def latest(self, step: int | None) -> Any:
        """Value of the latest answer to a step; None without one."""
        at = None if step is None else self.position(step)
        return None if at is None else self.answers[at].value

    def nearest(self, step: int, kind: str) -> int | None:
        """Number of the nearest step of a kind before a step; None without one."""
        return next(self.lesson.before(step, kind), None)

    def used_by(self, step: int) -> list[int]:
        """Numbers of the steps from whose answers the value of a step is computed."""
        of = self.lesson.step[step]
        kinds = {
            "measure": [] if of.own_data else ["run"],
            "compare": ["predict", "run", "measure"],
            "check": ["measure"] if of.ask else ["predict", "run", "measure"],
        }.get(of.kind, [])
        found = (self.nearest(step, kind) for kind in [*kinds, *(["measure"] if of.relative else [])])
        return [each for each in found if each is not None]

    def run_before(self, step: int) -> StepRun | None:
        """The run that a step uses."""
        number = self.latest(self.nearest(step, "run"))
        return self.runs[number] if isinstance(number, int) and 0 <= number < len(self.runs) else None

    def measured_before(self, step: int) -> float | None:
        """The measurement [SI] that a step uses; None where there is none."""
        value = self.latest(self.nearest(step, "measure"))
        return value["value"] if isinstance(value, dict) else value

    def measurement(self, step: int, data: Mapping[str, Any] | None = None) -> float | None:
        """The measurement of a step [SI]; None where the curve does not have it.

        data: `times` [s] and `values` of the student's own data
        """
        of = self.lesson.step[step]
        if of.own_data:
            assert data is not None
            curve = np.array(data["times"], dtype=float), np.array(data["values"], dtype=float)
        elif (run := self.run_before(step)) is not None:
            curve = run.run.times, run.run.columns[of.of]
        else:
            return None
        found = measured(of, *curve)
        if of.relative:
            before = self.measured_before(step)
            found = found / before if before else math.nan
        return _finite(found)

    def comparison(self, step: int) -> dict[str, float | None]:
        """Prediction and measurement that a compare step shows, and their difference; None where there is none."""
        return self._compared(step)[0]

    def check(self, step: int, number: float | None = None) -> dict[str, Any]:
        """Whether a check is passed.

        number: the student's where it asks for one, in the unit of the check, or else of the measured value
        """
        of, factor = self.lesson.step[step], factor_at(self.lesson, step)
        assert of.check is not None
        if of.ask:
            size = value = self.measured_before(step)
            known = number is not None and value is not None
            difference = _finite(number * factor - value) if known else None  # type: ignore[operator]
        else:
            found, size = self._compared(step)
            value, difference = found["measured"], found["difference"]
            if self._predicted(step).predict == "choice":
                given = found["predicted"]
                difference = None if value is None or given is None else given - value
                return {"number": None, "measured": value, "difference": difference, "passed": difference == 0}
        allowed = max(of.check.tolerance * abs(size or 0.0), of.check.absolute * factor)
        passed = difference is not None and abs(difference) <= allowed
        return {"number": number, "measured": value, "difference": difference, "passed": passed}

    def _predicted(self, step: int) -> LessonStep:
        """The prediction that a step uses."""
        number = self.nearest(step, "predict")
        assert number is not None
        return self.lesson.step[number]

    def _compared(self, step: int) -> tuple[dict[str, float | None], float | None]:
        """As `comparison`, and the size that a tolerance is a part of: of a curve its range in the run."""
        of, given = self._predicted(step), self.latest(self.nearest(step, "predict"))
        if of.predict == "curve":
            run = self.run_before(step)
            found = (None, None) if run is None or given is None else curve_difference(of, given, run.run)
            return {"predicted": None, "measured": found[1], "difference": found[0]}, found[1]
        value = self.measured_before(step)
        if of.predict == "choice":
            index = None if value is None or not of.bounds else int(np.searchsorted(of.bounds, value, side="right"))
            return {"predicted": given, "measured": index, "difference": None}, None
        predicted = None if given is None else in_si(of, given)
        difference = None if predicted is None or value is None else _finite(predicted - value)
        return {"predicted": predicted, "measured": value, "difference": difference}, value


def in_si(step: LessonStep, number: float) -> float:
    """A number in the unit of a step as SI."""
    return number * factor_of(step.unit)[0]


def curve_difference(
    step: LessonStep, predicted: Mapping[str, Sequence[float]], run: LessonRun
) -> tuple[float | None, float | None]:
    """Root mean square of the difference of a predicted curve to that of a run, and the range of that one, in SI.

    At the samples of the run up to `until` of the prediction, between whose points it is linear, and constant beyond
    its ends.
    """
    values = run.columns[step.of]
    good = np.isfinite(values) & (run.times <= step.until)
    if not good.any():
        return None, None
    found = np.interp(run.times[good], predicted["times"], predicted["values"]) - values[good]
    with np.errstate(over="ignore"):
        return _finite(float(np.sqrt(np.mean(found**2)))), _finite(float(values[good].max() - values[good].min()))


def _finite(value: float) -> float | None:
    """A number that JSON can hold; None for any other."""
    return float(value) if math.isfinite(value) else None
