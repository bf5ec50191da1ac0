"""Whether what a recording says was done can have been done: known deeds, whose arguments suit them and the scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from core.physics.grab.interactions import Grip, PullAll, PullBody, Twist
from core.scene.message import Message

if TYPE_CHECKING:
    from core.engine.compile import CompiledScene  # it brings the compiler

GRIPS = {kind.__name__: kind for kind in get_args(Grip)}
LARGEST = 2**62  # of a count of steps


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST and isfinite(value)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST


def _numbers(value: Any, length: int | None = None) -> bool:
    return isinstance(value, list) and length in (None, len(value)) and all(map(_number, value))


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _tables(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_text, value.values()))


def _switch(value: Any) -> bool:
    return isinstance(value, bool)


def _rows(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(_numbers(row, len(value[0])) for row in value)


def _grip(value: Any) -> bool:
    kind = GRIPS.get(value["kind"]) if isinstance(value, dict) and _text(value.get("kind")) else None
    if kind is None or value.keys() != {"kind", *(field.name for field in fields(kind))}:
        return False
    suit = {field.name: _count if field.type == "int" else _vector for field in fields(kind)}
    return all(suit[name](each) for name, each in value.items() if name != "kind")


def _vector(value: Any) -> bool:
    return _numbers(value, 3)


ARGUMENTS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        "load": {"changed": _tables, "removed": _texts},
        "hold": {"grip": _grip},
        "release": {},
        "follow": {"place": _number, "velocity": _number, "within": _number},
        "drive": {"values": _numbers},
        "excite": {"name": _text, "shape": _rows, "speed": _number},
        "silence": {"name": _text, "mode": _count, "on": _switch},
    }
)
"""What each deed is told with, and what each of these can be."""


def fault(told: Any) -> Message | None:
    """What is wrong with a deed as a line of JSON tells it, None where nothing is."""
    if not isinstance(told, dict) or told.keys() != {"row", "step", "time", "what", "how"}:
        return Message("is no deed with row, step, time, what and how")
    if not (_count(told["row"]) and _count(told["step"]) and _number(told["time"])):
        return Message("was done at no moment, step and time")
    event = told["what"]
    arguments = ARGUMENTS.get(event) if _text(event) else None
    if arguments is None:
        return Message("tells of {event!r}, which nothing here does", event=str(event)[:40])
    how = told["how"]
    if not isinstance(how, dict) or how.keys() != arguments.keys():
        return Message("tells of '{event}' with arguments of something else", event=event)
    wrong = [name for name, suits in arguments.items() if not suits(how[name])]
    if wrong:
        return Message("tells of '{event}' with a {wrong} that can't be", event=event, wrong=wrong[0])
    return None


def unsuited_grip(grip: Grip, built: CompiledScene) -> Message | None:
    """Why a hand can't do this to a scene, None where it can."""
    bodies, points = len(built.scene.bodies), len(built.model.points.mass)
    match grip:
        case PullAll():
            return None
        case PullBody(body) | Twist(body):
            fits, rule = (
                body < bodies,
                Message("a hand holds body {body}, and the scene has {count}", body=body, count=bodies),
            )
        case _:
            point, fits = grip.point, grip.point < points
            rule = Message("a hand holds point {point}, and the scene has {count}", point=point, count=points)
    return None if fits else rule


def unsuited(what: str, how: Mapping[str, Any], built: CompiledScene) -> Message | None:
    """Why a deed other than a grip does not suit a scene, None where it does."""
    if what == "drive" and len(how["values"]) != len(built.scene.sensor.drive):
        return Message(
            "{values} numbers are driven, and the scene has {drives}",
            values=len(how["values"]),
            drives=len(built.scene.sensor.drive),
        )
    if what == "excite":
        count = built.points[how["name"]] if how["name"] in built.points else slice(0, 0)
        points = count.stop - count.start
        if np.shape(how["shape"]) != (3, points):
            return Message(
                "'{name}' is pushed at {pushed} points, and has {points}",
                name=how["name"],
                pushed=len(how["shape"][0]),
                points=points,
            )
    return None
