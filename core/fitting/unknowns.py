"""What a fit may change: numbers of a scene by their places, tilts of starts, and the clock of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.scene.fields import Place, at
from core.scene.message import Message
from core.scene.problem import InputError, InvalidValue, Problem
from core.scene.scene import Scene
from core.sweep.variation import number_at, scene_with

TIME_OFFSET, TIME_SCALE = "data.time_offset", "data.time_scale"
"""The time of the simulation at a time t of the data is time_scale * t + time_offset."""


@dataclass(frozen=True)
class Unknown:
    """A number that a fit determines."""

    name: str  # such as "body[0].friction", or TIME_OFFSET, TIME_SCALE
    place: Place | None  # in the scene; None of the clock
    unit: str
    start: float  # SI
    lower: float
    upper: float
    scale: float  # a change that counts as large: values are divided by it


@dataclass(frozen=True)
class Unknowns:
    """The unknowns of a fit, in order; values are arrays (p,) in SI."""

    scene: Scene
    each: tuple[Unknown, ...]

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [unknown.name for unknown in self.each]

    @property
    def scales(self) -> np.ndarray:
        """(p,) of each."""
        return np.array([unknown.scale for unknown in self.each])

    def scene_with(self, values: np.ndarray) -> Scene:
        """The scene with values (p,). Raises InputError where a scene can't have them."""
        found = [(unknown.place, value) for unknown, value in zip(self.each, values, strict=True)]
        places = tuple(place for place, _ in found if place is not None)
        return scene_with(self.scene, places, np.array([value for place, value in found if place is not None]))

    def clock(self, values: np.ndarray) -> tuple[float, float]:
        """Scale and offset [s] of the time of the data, for values (p,) of the unknowns."""
        stated = dict(zip(self.names, np.asarray(values).tolist(), strict=True))
        return stated.get(TIME_SCALE, 1.0), stated.get(TIME_OFFSET, 0.0)


def unknowns_of(
    scene: Scene, free: Sequence[str], bounds: Mapping[str, tuple[float, float]], first_time: float
) -> Unknowns:
    """The unknowns `free` of a scene, which begin at its values.

    bounds: lowest and highest value [SI] by name; first_time: of the data [s], which may not come before the start

    A scale is the size of the value, of a value of zero a tenth of its bounds, or 1. Raises InputError with all names
    that are no number of the scene, named twice, or begin outside of their bounds.
    """
    found: list[Unknown] = []
    problems = []
    for name in free:
        try:
            if name in (each.name for each in found):
                raise InvalidValue(Message("'{name}' is named twice", name=name), Message("name it once"))
            found.append(_unknown(scene, name, bounds.get(name, (-np.inf, np.inf)), first_time))
        except InvalidValue as error:
            problems.append(error.problem.at("--free"))
    for name in bounds:
        if name not in free:
            rule = Message("'{name}' is not free", name=name)
            problems.append(Problem("--bounds", rule, Message("add --free {name}", name=name)))
    if not free:
        problems.append(Problem("--free", Message("there is no unknown"), Message("name a number of the scene")))
    if problems:
        raise InputError(scene.title or "scene", problems)
    return Unknowns(scene.model_copy(update={"sweep": (), "ghost": ()}), tuple(found))


def _unknown(scene: Scene, name: str, bounds: tuple[float, float], first_time: float) -> Unknown:
    """The unknown of a name. Raises InvalidValue."""
    lower, upper = bounds
    if name == TIME_OFFSET:
        place, unit, start, lower = None, "s", max(0.0, -first_time), max(lower, -first_time)
    elif name == TIME_SCALE:
        place, unit, start, lower = None, "", 1.0, max(lower, 0.0)
    else:
        place, unit = number_at(scene, name)
        if "tilt" not in place and isinstance(at(scene, place), int):
            raise InvalidValue(Message("'{name}' is a whole number", name=name), Message("name another number"))
        start = 0.0 if "tilt" in place else float(at(scene, place))
    if not lower < upper or not lower <= start <= upper:
        rule = Message(
            "'{name}' begins at {start:g}, not within {lower:g} and {upper:g}",
            name=name,
            start=start,
            lower=lower,
            upper=upper,
        )
        raise InvalidValue(rule, Message("give wider bounds, or another value in the scene"))
    width = 0.1 * (upper - lower)
    scale = abs(start) or (width if np.isfinite(width) else 1.0)
    return Unknown(name, place, unit, start, lower, upper, scale)
