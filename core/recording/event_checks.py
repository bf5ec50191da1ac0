"""Validation of stored events: known names, valid arguments, and whether an event fits a scene.

Recordings come from other people. An event is a call of one of the methods of Simulation in ARGUMENTS, with exactly
its arguments, and numbers that are finite and below LARGEST in size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from core.physics.grab.interactions import Interaction, PullAll, PullBody, Twist
from core.scene.message import Message

if TYPE_CHECKING:
    from core.engine.compile import CompiledScene  # imports the compiler

INTERACTIONS = {kind.kind: kind for kind in get_args(Interaction)}
KEYS = ("row", "step", "time", "what", "how")  # of an event in JSON, in the order of the fields of Event
LARGEST = 2**62  # of a count of steps


def _is_number(value: Any) -> bool:
    """Whether a value of JSON is a finite number below LARGEST; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST and isfinite(value)


def _is_count(value: Any) -> bool:
    """Whether a value of JSON is a whole number from 0 to LARGEST - 1."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST


def _are_numbers(value: Any, length: int | None = None) -> bool:
    """Whether a value of JSON is a list of finite numbers, of the given length if there is one."""
    return isinstance(value, list) and length in (None, len(value)) and all(map(_is_number, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_toml_tables(value: Any) -> bool:
    """Whether a value is a table of texts; that they are TOML of a valid scene is checked when the edit is read."""
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_shape(value: Any) -> bool:
    """Whether a value is three rows of equally many numbers: displacements x, y, z of points."""
    return isinstance(value, list) and len(value) == 3 and all(_are_numbers(row, len(value[0])) for row in value)


def _is_interaction(value: Any) -> bool:
    """Whether a value has the kind and exactly the fields of an interaction: indices or vectors."""
    kind = INTERACTIONS.get(value["kind"]) if isinstance(value, dict) and _is_text(value.get("kind")) else None
    if kind is None or value.keys() != {"kind", *(field.name for field in fields(kind))}:
        return False
    suit = {field.name: _is_count if field.type == "int" else _is_vector for field in fields(kind)}
    return all(suit[name](each) for name, each in value.items() if name != "kind")


def _is_vector(value: Any) -> bool:
    """Whether a value of JSON is a list of three finite numbers."""
    return _are_numbers(value, 3)


ARGUMENTS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        "load": {"changed": _are_toml_tables, "removed": _are_texts},
        "hold": {"grip": _is_interaction},
        "release": {},
        "follow": {"place": _is_number, "velocity": _is_number, "within": _is_number},
        "drive": {"values": _are_numbers},
        "excite": {"name": _is_text, "shape": _is_shape, "speed": _is_number},
        "silence": {"name": _is_text, "mode": _is_count, "on": _is_bool},
    }
)
"""The arguments of each event by name, with the check of each."""


def event_fault(record: Any) -> Message | None:
    """What is wrong with an event that was read from a line of JSON; None for a valid one.

    record: any value of JSON; a valid one is a table of KEYS
    """
    if not isinstance(record, dict) or record.keys() != set(KEYS):
        return Message("is no deed with row, step, time, what and how")
    if not (_is_count(record["row"]) and _is_count(record["step"]) and _is_number(record["time"])):
        return Message("was done at no moment, step and time")
    event = record["what"]
    arguments = ARGUMENTS.get(event) if _is_text(event) else None
    if arguments is None:
        return Message("tells of {event!r}, which nothing here does", event=str(event)[:40])
    how = record["how"]
    if not isinstance(how, dict) or how.keys() != arguments.keys():
        return Message("tells of '{event}' with arguments of something else", event=event)
    wrong = [name for name, suits in arguments.items() if not suits(how[name])]
    if wrong:
        return Message("tells of '{event}' with a {wrong} that can't be", event=event, wrong=wrong[0])
    return None


def interaction_fault(interaction: Interaction, built: CompiledScene) -> Message | None:
    """Why an interaction does not fit a scene, because it holds a body or point beyond the last one; None where it
    fits.
    """
    bodies, points = len(built.scene.bodies), len(built.model.points.mass)
    match interaction:
        case PullAll():
            return None
        case PullBody(body) | Twist(body):
            fits, rule = (
                body < bodies,
                Message("a hand holds body {body}, and the scene has {count}", body=body, count=bodies),
            )
        case _:
            point, fits = interaction.point, interaction.point < points
            rule = Message("a hand holds point {point}, and the scene has {count}", point=point, count=points)
    return None if fits else rule


def event_mismatch(name: str, arguments: Mapping[str, Any], built: CompiledScene) -> Message | None:
    """Why an event other than an interaction does not fit a scene; None where it does.

    Compares the number of driven parameters, and the number of points of an excited soft body. Muted modes are checked
    by the simulation itself.
    """
    if name == "drive" and len(arguments["values"]) != len(built.scene.sensor.drive):
        return Message(
            "{values} numbers are driven, and the scene has {drives}",
            values=len(arguments["values"]),
            drives=len(built.scene.sensor.drive),
        )
    if name == "excite":
        count = built.points[arguments["name"]] if arguments["name"] in built.points else slice(0, 0)
        points = count.stop - count.start
        if np.shape(arguments["shape"]) != (3, points):
            return Message(
                "'{name}' is pushed at {pushed} points, and has {points}",
                name=arguments["name"],
                pushed=len(arguments["shape"][0]),
                points=points,
            )
    return None
