"""Models of stored events: which there are, their arguments, and the range of each number.

Recordings come from other people. An event is a call of one of the methods of Simulation, with exactly its arguments;
numbers are finite and below LARGEST in size, and nothing is converted from another type.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic_core import ErrorDetails

from polhode.scene.checks.validation_messages import shown
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue, Problem

LARGEST = 2**62  # of numbers, so that counts of steps fit in 64 bits

Count = Annotated[int, Field(ge=0, lt=LARGEST)]
Number = Annotated[float, Field(gt=-LARGEST, lt=LARGEST, allow_inf_nan=False)]
Vector = Annotated[list[Number], Field(min_length=3, max_length=3)]


class EventModel(BaseModel):
    """Exactly these fields, of exactly these types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class StoredGrab(EventModel):
    kind: Literal["Grab"]
    point: Count
    place: Vector
    velocity: Vector


class StoredPullPoint(EventModel):
    kind: Literal["PullPoint"]
    point: Count
    place: Vector


class StoredPullBody(EventModel):
    kind: Literal["PullBody"]
    body: Count
    at: Vector
    place: Vector


class StoredCarry(EventModel):
    kind: Literal["Carry"]
    body: Count
    at: Vector
    place: Vector
    velocity: Vector


class StoredTwist(EventModel):
    kind: Literal["Twist"]
    body: Count
    turn: Vector


class StoredPullAll(EventModel):
    kind: Literal["PullAll"]
    place: Vector


Grip = Annotated[
    StoredGrab | StoredPullPoint | StoredPullBody | StoredCarry | StoredTwist | StoredPullAll,
    Field(discriminator="kind"),
]


class LoadArguments(EventModel):
    changed: dict[str, str]
    """Tables of the scene's file as TOML, by name; that they make a valid scene is checked when the edit is read."""
    removed: list[str]


class HoldArguments(EventModel):
    grip: Grip


class ReleaseArguments(EventModel):
    pass


class FollowArguments(EventModel):
    place: Number
    velocity: Number
    within: Number


class DriveArguments(EventModel):
    values: list[Number]


class SetArguments(EventModel):
    values: Annotated[dict[str, Number], Field(min_length=1)]
    """Numbers by the paths of their fields; that the scene has them is checked when the edit is read."""


class ExciteArguments(EventModel):
    name: str
    shape: Annotated[list[list[Number]], Field(min_length=3, max_length=3)]
    """Displacements x, y, z of all points."""
    speed: Number

    @model_validator(mode="after")
    def _is_a_shape(self) -> ExciteArguments:
        if len(set(map(len, self.shape))) != 1:
            raise InvalidValue(Message("a shape has rows of several lengths"), Message("use another copy of it"))
        if not any(map(any, self.shape)):  # it has no largest point
            raise InvalidValue(Message("a shape of zeros moves no point"), Message("use another copy of it"))
        return self


class SilenceArguments(EventModel):
    name: str
    mode: Count
    on: bool


class EventRecord(EventModel):
    row: Count
    """Number of recorded frames before the event."""
    step: Count
    time: Number


class LoadEvent(EventRecord):
    what: Literal["load"]
    how: LoadArguments


class HoldEvent(EventRecord):
    what: Literal["hold"]
    how: HoldArguments


class ReleaseEvent(EventRecord):
    what: Literal["release"]
    how: ReleaseArguments


class FollowEvent(EventRecord):
    what: Literal["follow"]
    how: FollowArguments


class DriveEvent(EventRecord):
    what: Literal["drive"]
    how: DriveArguments


class SetEvent(EventRecord):
    what: Literal["set"]
    how: SetArguments


class ExciteEvent(EventRecord):
    what: Literal["excite"]
    how: ExciteArguments


class SilenceEvent(EventRecord):
    what: Literal["silence"]
    how: SilenceArguments


EVENT = TypeAdapter[Any](
    Annotated[
        LoadEvent | HoldEvent | ReleaseEvent | FollowEvent | DriveEvent | SetEvent | ExciteEvent | SilenceEvent,
        Field(discriminator="what"),
    ]
)


def event_fault(record: Any) -> Problem | None:
    """The first fault of an event that was read from a line of JSON; None for a valid one."""
    try:
        EVENT.validate_python(record)
    except ValidationError as error:
        return _problem(error.errors(include_url=False)[0])
    return None


def _problem(detail: ErrorDetails) -> Problem:
    """An error of pydantic as a Problem, without the names of models in its place."""
    events = ("load", "hold", "release", "follow", "drive", "set", "excite", "silence")
    grips = ("Grab", "PullPoint", "PullBody", "Carry", "Twist", "PullAll")
    steps = [step for step in detail["loc"] if step not in (*events, *grips)]
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
    remedy = Message("use another copy of it")
    if detail["type"] == "value_error" and isinstance(error := detail["ctx"]["error"], InvalidValue):
        return Problem(place, error.rule, remedy)
    fault = f"{detail['msg'][:1].lower()}{detail['msg'][1:]}"
    return Problem(place, Message("{fault}, but is {value}", fault=fault, value=shown(detail["input"])), remedy)
