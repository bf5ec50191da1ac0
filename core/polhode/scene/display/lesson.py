"""Lessons of a scene: predict, run, measure, compare, explain and check, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, model_validator

from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Finite

MOST_LESSONS, MOST_STEPS, MOST_FIELDS, MOST_CHOICES = 20, 100, 20, 12
LONGEST = 20_000  # characters of a text
LONGEST_RUN = 3600.0  # [s] of simulated time
KINDS = ("predict", "run", "measure", "compare", "explain", "check")
"""Keys of a step of which it has at most one: its kind. A step with none of them is a text."""
MEASURES = ("value", "maximum", "minimum", "range", "mean", "period", "frequency", "first_crossing")
"""Measurements of a curve (core/polhode/lessons/measures.py)."""

Text = Annotated[str, Field(max_length=LONGEST)]
Path = Annotated[str, Field(min_length=1, max_length=200)]
Interval = tuple[Finite, Finite]


class LessonCheck(ScenePart):
    """Tolerance of a check against the student's own run."""

    has_uncertain = False
    tolerance: Annotated[Finite, Field(ge=0.0)] = 0.0
    """Largest difference as a part of the measured value: 0.02 for 2 %; of a curve as a part of its range."""
    absolute: Annotated[Finite, Field(ge=0.0)] = 0.0
    """Largest difference in the unit of the measured value; the larger one of the two is allowed."""


class LessonStep(ScenePart):
    """One step of a lesson: a text, or one of predict, run, measure, compare, explain and check."""

    has_uncertain = False
    text: Text = ""
    """Text of the step, shown above what the student does there."""
    predict: Literal["number", "choice", "curve"] | None = None
    """Kind of the student's prediction: a number, one of some choices, or a curve drawn in the plot."""
    ask: Text = ""
    """Question of a prediction; of a check: the student enters an own number for it."""
    unit: str = ""
    """Unit of the number, such as "s" or "deg"; default: that of the quantity, and none for a prediction."""
    choices: Annotated[tuple[Text, ...], Field(max_length=MOST_CHOICES)] = ()
    """Choices of a prediction."""
    bounds: Annotated[tuple[Finite, ...], Field(max_length=MOST_CHOICES)] = ()
    """Measured values at which one choice ends and the next begins, in SI: one less than there are choices."""
    of: Annotated[str, Field(max_length=200)] = ""
    """Quantity of the plots that is measured, or that a predicted curve is of, such as bob.angle."""
    run: Annotated[tuple[Path, ...], Field(max_length=MOST_FIELDS)] | None = None
    """Fields that the student may change for the run; all others are locked."""
    until: Annotated[Finite, Field(gt=0.0, le=LONGEST_RUN)] = 10.0
    """Length of the run, or of a predicted curve [s]."""
    range: dict[Path, Interval] = Field(default={}, max_length=MOST_FIELDS)
    """Smallest and largest value of fields of `run`, in SI."""
    measure: Literal["value", "maximum", "minimum", "range", "mean", "period", "frequency", "first_crossing"] | None = (
        None
    )
    """Measured value: at the end of the run or `at` a time, an extreme, their difference, the mean, the mean period
    or frequency of rises through the middle of the smallest and the largest value, the time of the first crossing of
    `level`."""
    at: Annotated[Finite, Field(ge=0.0)] | None = None
    """Time of a measured `value` [s]; default: the end of the run."""
    level: Finite = 0.0
    """Value that a `first_crossing` reaches, in SI."""
    own_data: bool = False
    """Whether the student's own data are measured: a file of times and values."""
    relative: bool = False
    """Whether the measurement is a multiple of the one before it in the lesson."""
    compare: Literal[True] | None = None
    """Shows the latest prediction beside the latest measurement, or a predicted curve over the run."""
    explain: Annotated[str, Field(min_length=1, max_length=LONGEST)] | None = None
    """Question that the student answers in free text."""
    check: LessonCheck | None = None
    """Tolerance within which the latest prediction, or the number that is asked for, must agree with the run."""

    @property
    def kind(self) -> str:
        """One of KINDS, or "text"."""
        return next((kind for kind in KINDS if getattr(self, kind) is not None), "text")

    @model_validator(mode="after")
    def _has_one_kind(self) -> LessonStep:
        kinds = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(kinds) > 1:
            rule = Message("has {first} and {second}", first=kinds[0], second=kinds[1])
            raise InvalidValue(rule, Message("make two steps of it"))
        if not kinds and not self.text:
            rule = Message("has neither a text nor one of {kinds}", kinds=", ".join(KINDS))
            raise InvalidValue(rule, Message("add text = ..."))
        return self

    @model_validator(mode="after")
    def _predicts_something(self) -> LessonStep:
        if self.predict == "choice" and len(self.choices) < 2:
            rule = Message("has {count} choices", count=len(self.choices))
            raise InvalidValue(rule, Message("state at least two"), "choices")
        if self.bounds and len(self.bounds) != len(self.choices) - 1:
            rule = Message("has {count} bounds of {choices} choices", count=len(self.bounds), choices=len(self.choices))
            raise InvalidValue(rule, Message("state one bound less than there are choices"), "bounds")
        if any(one >= other for one, other in zip(self.bounds, self.bounds[1:], strict=False)):
            raise InvalidValue(
                Message("do not increase"), Message("sort the bounds, and the choices with them"), "bounds"
            )
        if self.predict == "curve" and not self.of:
            raise InvalidValue(Message("predicts a curve of no quantity"), Message("add of = ..."))
        return self

    @model_validator(mode="after")
    def _runs_within_ranges(self) -> LessonStep:
        for path, (low, high) in self.range.items():
            if self.run is None or path not in self.run:
                rule = Message("'{path}' is not one of the fields of run", path=path)
                raise InvalidValue(rule, Message("add it there"), "range")
            if not low < high:
                rule = Message("of '{path}' is from {low:g} to {high:g}", path=path, low=low, high=high)
                raise InvalidValue(rule, Message("state the smaller value first"), "range")
        return self

    @model_validator(mode="after")
    def _measures_something(self) -> LessonStep:
        if self.measure is not None and not self.of and not self.own_data:
            raise InvalidValue(Message("measures no quantity"), Message("add of = ..., or own_data = true"))
        return self


class Lesson(ScenePart):
    """A lesson on the scene, which a dock leads through."""

    has_uncertain = False
    title: Annotated[str, Field(min_length=1, max_length=200)]
    """Title of the lesson."""
    seed: Literal["name"] = "name"
    """Seed of the numbers that `vary`: the student's name."""
    vary: dict[Path, Interval] = Field(default={}, max_length=MOST_FIELDS)
    """Smallest and largest value of numbers that are not the same for all students, by their paths, in SI."""
    step: Annotated[tuple[LessonStep, ...], Field(min_length=1, max_length=MOST_STEPS)]
    """Steps in their order."""

    def before(self, number: int, *kinds: str) -> Iterator[int]:
        """Numbers of the steps of some kinds before step `number`, the latest first."""
        return (each for each in range(number - 1, -1, -1) if self.step[each].kind in kinds)

    @model_validator(mode="after")
    def _varies_within_ranges(self) -> Lesson:
        for path, (low, high) in self.vary.items():
            if not low < high:
                rule = Message("of '{path}' is from {low:g} to {high:g}", path=path, low=low, high=high)
                raise InvalidValue(rule, Message("state the smaller value first"), "vary")
        return self

    @model_validator(mode="after")
    def _steps_follow_each_other(self) -> Lesson:
        if not any(step.kind == "run" for step in self.step):
            raise InvalidValue(
                Message("has no run"), Message("add a step with run = [], or with fields to change"), "step"
            )
        for number, step in enumerate(self.step):
            for needed, remedy in self._missing(number, step):
                rule = Message("has {kind}, and no step before it has {needed}", kind=step.kind, needed=needed)
                raise InvalidValue(rule, remedy, f"step[{number}]")
        return self

    @model_validator(mode="after")
    def _measures_within_runs(self) -> Lesson:
        for number, step in enumerate(self.step):
            run = next(self.before(number, "run"), None)
            if step.measure != "value" or step.own_data or step.at is None or run is None:
                continue
            if step.at > (until := self.step[run].until):
                rule = Message("is {at:g} s, and the run before it ends at {until:g} s", at=step.at, until=until)
                raise InvalidValue(rule, Message("choose an earlier time, or a longer run"), f"step[{number}].at")
        return self

    def _missing(self, number: int, step: LessonStep) -> Iterator[tuple[str, Message]]:
        """Kinds of steps that a step needs before it, and a remedy."""
        if step.kind == "measure" and not step.own_data and next(self.before(number, "run"), None) is None:
            yield "run", Message("add a step with run = [] before it")
        if step.kind == "measure" and step.relative and next(self.before(number, "measure"), None) is None:
            yield "measure", Message("remove relative, or measure twice")
        if step.kind == "compare" or (step.kind == "check" and not step.ask):
            predicted = next(self.before(number, "predict"), None)
            if predicted is None:
                yield "predict", Message("add a step with predict = ... before it")
            elif self.step[predicted].predict == "curve" and next(self.before(number, "run"), None) is None:
                yield "run", Message("add a step with run = [] before it")
            elif self.step[predicted].predict != "curve" and next(self.before(number, "measure"), None) is None:
                yield "measure", Message("add a step with measure = ... before it")
            elif step.kind == "check" and self.step[predicted].choices and not self.step[predicted].bounds:
                yield "bounds", Message("add bounds = ... to the prediction, at which its choices part")
        if step.kind == "check" and step.ask and next(self.before(number, "measure"), None) is None:
            yield "measure", Message("add a step with measure = ... before it")
