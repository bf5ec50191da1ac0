"""Uncertain mass and length of a body, where one number of one shape states it. No Qt."""

from __future__ import annotations

from typing import Any, Literal

from polhode.physics.bodies.description import Body
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.uncertain import Uncertain

Key = Literal["mass", "length"]


def with_uncertainty(body: Body, key: Key, number: float) -> Body:
    """The body, whose mass [kg] or length [m] is `number` already, with the uncertainty that this has, or without any.

    Raises InputError for an uncertain one where several numbers of the shapes make it.
    """
    place = _place(body, key)
    if place is None:
        if not isinstance(number, Uncertain):
            return body
        rule = Message("follows from several numbers of the shapes")
        remedy = Message("give the uncertainties there; numbers with the same letter vary together")
        raise InputError.of(body.name, rule, remedy, key)
    made = before = float(_value(body, place))
    if isinstance(number, Uncertain):
        deviation = float(f"{number.deviation * abs(before / number):.10g}")
        made = Uncertain(before, deviation, number.distribution, number.letter)
    (name, index), shape = place, body.shape[0]
    value = tuple(made if k == index else each for k, each in enumerate(shape.position)) if name == "position" else made
    return body.model_copy(update={"shape": (shape.model_copy(update={name: value}),)})


def uncertain(body: Body, key: Key, number: float) -> float:
    """The mass [kg] or length [m] of a body with the uncertainty of the number that states it, if it has one."""
    place = _place(body, key)
    stated = None if place is None else _value(body, place)
    if not isinstance(stated, Uncertain) or not stated:
        return number
    return Uncertain(
        number, float(f"{stated.deviation * abs(number / stated):.10g}"), stated.distribution, stated.letter
    )


def _place(body: Body, key: Key) -> tuple[str, int | None] | None:
    """Field of the only shape, and component of its position, that state the mass or the length alone."""
    if len(body.shape) != 1 or body.inertia is not None:
        return None
    shape: Any = body.shape[0]
    if key == "mass":
        return next(((name, None) for name in ("mass", "density") if getattr(shape, name, None) is not None), None)
    along = [k for k, each in enumerate(shape.position) if each]
    return ("position", along[0]) if len(along) == 1 and not body.dipole else None


def _value(body: Body, place: tuple[str, int | None]) -> float:
    name, index = place
    value: Any = getattr(body.shape[0], name)
    return value if index is None else value[index]
