"""Whether what a recording says was done can have been done: known deeds, whose arguments suit them and the scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from core.physics.grab.interactions import Grip, PullAll, PullBody, Twist

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


def fault(told: Any) -> str:
    """What is wrong with a deed as a line of JSON tells it, "" where nothing is."""
    if not isinstance(told, dict) or told.keys() != {"row", "step", "time", "what", "how"}:
        return "is no deed with row, step, time, what and how"
    if not (_count(told["row"]) and _count(told["step"]) and _number(told["time"])):
        return "was done at no moment, step and time"
    arguments = ARGUMENTS.get(told["what"]) if _text(told["what"]) else None
    if arguments is None:
        return f"tells of {str(told['what'])[:40]!r}, which nothing here does"
    how = told["how"]
    if not isinstance(how, dict) or how.keys() != arguments.keys():
        return f"tells of '{told['what']}' with arguments of something else"
    wrong = [name for name, suits in arguments.items() if not suits(how[name])]
    return f"tells of '{told['what']}' with a {wrong[0]} that can't be" if wrong else ""


def unsuited_grip(grip: Grip, built: CompiledScene) -> str:
    """Why a hand can't do this to a scene, "" where it can."""
    match grip:
        case PullAll():
            return ""
        case PullBody(body) | Twist(body):
            there, number, what = len(built.scene.bodies), body, "body"
        case _:
            there, number, what = len(built.model.points.mass), grip.point, "point"
    return f"a hand holds {what} {number}, and the scene has {there}" if number >= there else ""


def unsuited(what: str, how: Mapping[str, Any], built: CompiledScene) -> str:
    """Why a deed other than a grip does not suit a scene, "" where it does."""
    if what == "drive" and len(how["values"]) != len(built.scene.sensor.drive):
        return f"{len(how['values'])} numbers are driven, and the scene has {len(built.scene.sensor.drive)}"
    if what == "excite":
        count = built.points[how["name"]] if how["name"] in built.points else slice(0, 0)
        points = count.stop - count.start
        if np.shape(how["shape"]) != (3, points):
            return f"'{how['name']}' is pushed at {len(how['shape'][0])} points, and has {points}"
    return ""
