"""Unknowns of a fit: numbers of a scene, tilts of starts, and the clock and sensors of the data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from polhode.data.measured import LARGEST, Column, MeasuredData
from polhode.scene.fields import FieldPath, at, form_at
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, Problem, did_you_mean
from polhode.scene.scene import Scene
from polhode.scene.variants.alone import alone
from polhode.scene.variants.numbers import number_at, scene_with

SMALLEST = 1e-9  # of a value that must be above 0
TIME_OFFSET, TIME_SCALE = "data.time_offset", "data.time_scale"
"""The time of the simulation at a time t of the data is time_scale * t + time_offset."""
SENSOR = re.compile(r"data\.(.+)\.(offset|scale)")
"""The quantity that a column NAME of the data measures is data.NAME.scale * reading + data.NAME.offset."""


@dataclass(frozen=True)
class Unknown:
    """A number that a fit determines."""

    name: str  # such as "body[0].friction", TIME_OFFSET, "data.wx.scale"
    path: FieldPath | None  # in the scene; None for numbers of the data
    unit: str
    start: float  # SI
    lower: float
    upper: float
    scale: float  # size of a large change, by which values are divided
    least: float = -np.inf  # values that the scene allows
    most: float = np.inf


@dataclass(frozen=True)
class Unknowns:
    """The unknowns of a fit, in order; values are arrays (p,) in SI."""

    scene: Scene
    each: tuple[Unknown, ...]
    stated: Mapping[str, float] = field(default_factory=dict)  # offsets and scales other than 0 and 1, by name

    @property
    def names(self) -> list[str]:
        """Names of the unknowns."""
        return [unknown.name for unknown in self.each]

    @property
    def scales(self) -> np.ndarray:
        """(p,) scale of each."""
        return np.array([unknown.scale for unknown in self.each])

    @property
    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """(p,) lowest and (p,) highest values, divided by the scales."""
        with np.errstate(over="ignore"):  # infinite limits
            lower = np.array([unknown.lower for unknown in self.each]) / self.scales
            return lower, np.array([unknown.upper for unknown in self.each]) / self.scales

    @property
    def allowed(self) -> tuple[np.ndarray, np.ndarray]:
        """(p,) lowest and (p,) highest values within limits and scene, divided by the scales."""
        lower, upper = self.limits
        least = np.array([each.least for each in self.each]) / self.scales
        return np.maximum(lower, least), np.minimum(upper, np.array([each.most for each in self.each]) / self.scales)

    @property
    def is_fixed(self) -> np.ndarray:
        """(p,) bool: no other value is between the bounds, as in profiles."""
        return np.array([unknown.upper <= np.nextafter(unknown.lower, np.inf) for unknown in self.each])

    def scene_with(self, values: np.ndarray) -> Scene:
        """The scene with values (p,). Raises InputError for invalid ones."""
        found = [(unknown.path, value) for unknown, value in zip(self.each, values, strict=True)]
        paths = tuple(path for path, _ in found if path is not None)
        return scene_with(self.scene, paths, np.array([value for path, value in found if path is not None]))

    def clock(self, values: np.ndarray) -> tuple[float, float]:
        """Scale and offset [s] of the time of the data, for values (p,) of the unknowns."""
        now = self._of_data(values)
        return now.get(TIME_SCALE, 1.0), now.get(TIME_OFFSET, 0.0)

    def sensors(self, columns: Sequence[str], values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(m,) scales and (m,) offsets of columns of the data, for values (p,) of the unknowns."""
        now = self._of_data(values)
        scales = np.array([now.get(f"data.{column}.scale", 1.0) for column in columns])
        return scales, np.array([now.get(f"data.{column}.offset", 0.0) for column in columns])

    def _of_data(self, values: np.ndarray) -> dict[str, float]:
        """Numbers of the data by name, stated or unknown."""
        return dict(self.stated) | dict(zip(self.names, np.asarray(values).tolist(), strict=True))


def unknowns_of(
    scene: Scene,
    free: Sequence[str],
    bounds: Mapping[str, tuple[float, float]],
    data: MeasuredData,
    mapped: Sequence[str] = (),
    stated: Mapping[str, float] | None = None,
) -> Unknowns:
    """The unknowns `free` of a scene, starting at its values.

    bounds: lowest and highest value [SI] by name; mapped: columns of the data that are compared; stated: offsets and
    scales of the data other than 0 and 1, by name

    A scale is the size of the value; for zero a tenth of its bounds, or 1. Raises InputError with all names that are no
    number of the scene or of the data, named twice, or start outside their bounds.
    """
    found: list[Unknown] = []
    problems = []
    columns = {column.name: column for column in data.columns if column.name in mapped}
    numbers = stated or {}
    for name, value in numbers.items():
        try:
            _check_of_data(name, value, columns)
        except InvalidValue as error:
            problems.append(error.problem.at("stated"))
    for name in free:
        try:
            if name in (each.name for each in found):
                raise InvalidValue(Message("'{name}' is named twice", name=name), Message("name it once"))
            found.append(_unknown(scene, name, bounds.get(name, (-np.inf, np.inf)), data, columns, numbers))
        except InvalidValue as error:
            problems.append(error.problem.at("free"))
    for name in bounds:
        if name not in free:
            rule = Message("'{name}' is not free", name=name)
            problems.append(Problem("bounds", rule, Message("make {name} free", name=name)))
    if not free:
        problems.append(Problem("free", Message("there is no unknown"), Message("name a number of the scene")))
    if problems:
        raise InputError(scene.title or "scene", problems)
    return Unknowns(alone(scene), tuple(found), numbers)


def _check_of_data(name: str, value: float, columns: Mapping[str, Column]) -> None:
    """Raise InvalidValue for an unknown name, a scale near 0, and too large numbers."""
    if name not in (TIME_OFFSET, TIME_SCALE):
        _column_of(name, columns)
    is_scale = name.endswith("scale")
    size = abs(value)
    if not size <= LARGEST or (is_scale and size < 1 / LARGEST) or (name == TIME_SCALE and value < 0.0):
        rule = Message("'{name}' is {value:g}", name=name, value=value)
        raise InvalidValue(rule, Message("give a number up to {most:g}, and a scale that is not 0", most=LARGEST))


def _column_of(name: str, columns: Mapping[str, Column]) -> Column:
    """The column whose offset or scale has this name. Raises InvalidValue if it is not mapped."""
    found = SENSOR.fullmatch(name)
    if found is not None and found[1] in columns:
        return columns[found[1]]
    known = [TIME_OFFSET, TIME_SCALE, *(f"data.{each}.{what}" for each in columns for what in ("offset", "scale"))]
    remedy = did_you_mean(name, known, Message("map its column"))
    raise InvalidValue(Message("'{name}' is no number of the data", name=name), remedy)


def _unknown(
    scene: Scene,
    name: str,
    bounds: tuple[float, float],
    data: MeasuredData,
    columns: Mapping[str, Column],
    stated: Mapping[str, float],
) -> Unknown:
    """The unknown of a name. Raises InvalidValue."""
    lower, upper = bounds
    path: FieldPath | None = None
    spread, first_time = 0.0, float(data.times[0])
    least, most = -np.inf, np.inf
    if name == TIME_OFFSET:
        unit, start, lower = "s", stated.get(name, max(0.0, -first_time)), max(lower, -first_time)
    elif name == TIME_SCALE:
        unit, start, lower = "", stated.get(name, 1.0), max(lower, 0.0)
    elif name.startswith("data."):
        column = _column_of(name, columns)
        is_scale = name.endswith(".scale")
        unit, start = ("", stated.get(name, 1.0)) if is_scale else (column.unit, stated.get(name, 0.0))
        spread = float(np.nanstd(column.values))
    else:
        path, unit = number_at(scene, name)
        if "tilt" not in path and isinstance(at(scene, path), int):
            raise InvalidValue(Message("'{name}' is a whole number", name=name), Message("name another number"))
        start = 0.0 if "tilt" in path else float(at(scene, path))
        if "tilt" not in path:
            form = form_at(scene, path)
            least, most = form.low + (SMALLEST * max(abs(start), 1.0) if form.beyond else 0.0), form.high
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
    scale = abs(start) or (width if np.isfinite(width) else spread or 1.0)
    return Unknown(name, path, unit, start, lower, upper, scale, least, most)
