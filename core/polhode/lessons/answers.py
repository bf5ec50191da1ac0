"""Forms of answers by the kind of their step, and whether a value has it: for hand-ins, and for what is entered."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from polhode.scene.checks.validation_messages import shown
from polhode.scene.display.lesson import LONGEST, LessonStep
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue, Problem

LARGEST = 1e100  # of numbers
MOST_POINTS = 1000  # of a predicted curve
MOST_ROWS = 100_000  # of own data
MOST_RUNS = 500  # of a hand-in
REMEDY = Message("use another copy of it")

Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, lt=2**53)]
FileName = Annotated[str, Field(max_length=255)]


class Form(BaseModel):
    """Exactly these fields, of exactly these types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class CurveForm(Form):
    """A curve, as a prediction has it."""

    times: Annotated[list[Number], Field(min_length=2, max_length=MOST_POINTS)]
    values: Annotated[list[Number], Field(min_length=2, max_length=MOST_POINTS)]

    @model_validator(mode="after")
    def _is_a_curve(self) -> CurveForm:
        _check_curve(self.times, self.values)
        return self


class DataForm(Form):
    """A measurement of own data."""

    value: Number | None
    times: Annotated[list[Number], Field(min_length=2, max_length=MOST_ROWS)]
    values: Annotated[list[Number], Field(min_length=2, max_length=MOST_ROWS)]
    file: FileName

    @model_validator(mode="after")
    def _is_a_curve(self) -> DataForm:
        _check_curve(self.times, self.values)
        return self


class CompareForm(Form):
    predicted: Number | None
    measured: Number | None
    difference: Number | None


class CheckForm(Form):
    number: Number | None
    measured: Number | None
    difference: Number | None
    passed: bool


FORMS: Mapping[str, Any] = {
    "text": None,
    "number": Number,
    "choice": Count,
    "curve": CurveForm,
    "run": Count,
    "measure": Number | None,
    "own_data": DataForm,
    "compare": CompareForm,
    "explain": Annotated[str, Field(min_length=1, max_length=LONGEST)],
    "check": CheckForm,
}


def form_of(step: LessonStep) -> str:
    """One of FORMS: that of the answers to a step."""
    if step.kind == "predict":
        return step.predict or ""
    return "own_data" if step.kind == "measure" and step.own_data else step.kind


def answer_fault(step: LessonStep, value: object) -> Problem | None:
    """Why a value is no answer to a step; None if it is one."""
    form = form_of(step)
    if (fault := fault_of(_adapter(form), value)) is not None:
        return fault
    if form == "choice" and value not in range(len(step.choices)):
        rule = Message("is {value}, and the step has {count} choices", value=value, count=len(step.choices))
        return Problem("", rule, Message("count them from 0"))
    if form == "check" and (value["number"] is None) == bool(step.ask):  # type: ignore[index]
        rule = Message("is missing") if step.ask else Message("must be null, since the step asks for nothing")
        return Problem("number", rule, REMEDY)
    return None


def fault_of(adapter: TypeAdapter[Any], value: object) -> Problem | None:
    """The first fault of what JSON has held, by a strict form; None for none."""
    try:
        adapter.validate_python(value)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
    else:
        return None
    steps = [step for step in detail["loc"] if isinstance(step, int) or step.isidentifier()]
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
    if detail["type"] == "value_error" and isinstance(own := detail["ctx"]["error"], InvalidValue):
        return Problem(".".join(filter(None, (place, own.place))), own.rule, own.remedy)
    fault = f"{detail['msg'][:1].lower()}{detail['msg'][1:]}"
    return Problem(place, Message("{fault}, but is {value}", fault=fault, value=shown(detail["input"])), REMEDY)


@cache
def _adapter(form: str) -> TypeAdapter[Any]:
    return TypeAdapter(FORMS[form], config=None if _has_config(FORMS[form]) else ConfigDict(strict=True))


def _has_config(form: object) -> bool:
    return isinstance(form, type) and issubclass(form, BaseModel)


def _check_curve(times: list[float], values: list[float]) -> None:
    if len(times) != len(values):
        rule = Message("has {times} times and {values} values", times=len(times), values=len(values))
        raise InvalidValue(rule, Message("give a value for each time"))
    if not np.all(np.diff(times) > 0.0):
        raise InvalidValue(Message("do not increase"), Message("sort the rows by time"), "times")


def values_faults(step: LessonStep, values: Mapping[str, float]) -> list[Problem]:
    """Problems of the values of a run: of fields that the step does not allow, and beyond its ranges."""
    found = []
    for path, value in values.items():
        if path not in (step.run or ()):
            rule = Message("'{path}' is not one of the fields of run", path=path)
            found.append(Problem("values", rule, Message("leave it as it is: the step does not allow to change it")))
        elif path in step.range and not step.range[path][0] <= value <= step.range[path][1]:
            low, high = step.range[path]
            rule = Message(
                "'{path}' is {value:g}, and the step allows {low:g} to {high:g}",
                path=path,
                value=value,
                low=low,
                high=high,
            )
            found.append(Problem("values", rule, Message("choose a value in between")))
    return found
