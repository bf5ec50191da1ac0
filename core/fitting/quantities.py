"""Quantities that data are compared with: columns of the table of a run, and positions of points of bodies.

"bob.angular_velocity.y" is a column. "bob.point[0, 0, -0.5].x" is the position of a point of a body along an axis of
the laboratory: x + p1 u1 + p2 u2 + p3 u3, with the origin x of the body, its basis vectors and the point p in the body
frame [m]. Each is a sum of columns with factors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite

import numpy as np

from core.scene.message import Message
from core.scene.problem import InvalidValue

POINT = re.compile(r"(?P<body>.+)\.point\[(?P<place>[^\[\]]*)\]\.(?P<axis>[xyz])")


@dataclass(frozen=True)
class Quantity:
    """A sum of columns of the table."""

    name: str
    unit: str  # SI
    parts: tuple[tuple[str, float], ...]  # column and its factor


@dataclass(frozen=True, eq=False)
class Observed:
    """Several quantities of one table."""

    quantities: tuple[Quantity, ...]
    chosen: np.ndarray  # (c,) indices of the columns that take part
    weights: np.ndarray  # (c, m) factors of the columns in the m quantities

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the quantities."""
        return tuple(each.name for each in self.quantities)

    @property
    def units(self) -> tuple[str, ...]:
        """Their units."""
        return tuple(each.unit for each in self.quantities)

    def of_columns(self, columns: np.ndarray) -> np.ndarray:
        """(n, m) values of the quantities, from (n, c) of the columns."""
        return columns @ self.weights


def point_name(body: str, place: Sequence[float], axis: str) -> str:
    """Name of the position of a point (3,) of a body [m, body frame] along an axis of the laboratory."""
    return f"{body}.point[{', '.join(f'{value:.6g}' for value in place)}].{axis}"


def quantity_of(name: str, known: Mapping[str, str]) -> Quantity:
    """The quantity of a name, in a table with the columns `known` (units by name).

    Raises InvalidValue with the most similar name.
    """
    if name in known:
        return Quantity(name, known[name], ((name, 1.0),))
    found = POINT.fullmatch(name)
    if found is not None and f"{found['body']}.u1.x" in known:
        body, axis = found["body"], found["axis"]
        parts = ((f"{body}.u{k + 1}.{axis}", value) for k, value in enumerate(_place(name, found["place"])))
        return Quantity(name, "m", ((f"{body}.position.{axis}", 1.0), *parts))
    near = get_close_matches(name, known, 1) or list(known)[1:2]
    raise InvalidValue(
        Message("the table has no column '{name}'", name=name), Message("did you mean '{near}'?", near=near[0])
    )


def _place(name: str, text: str) -> tuple[float, ...]:
    """The coordinates (3,) of a point. Raises InvalidValue."""
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        values = ()
    if len(values) != 3 or not all(map(isfinite, values)):
        rule = Message("the point of '{name}' is no place", name=name)
        raise InvalidValue(rule, Message("write three numbers [m] in the frame of the body, such as [0, 0, -0.5]"))
    return values


def observe(names: Sequence[str], known: Mapping[str, str]) -> Observed:
    """Quantities by name, in a table with the columns `known`. Raises InvalidValue for the first that is unknown."""
    quantities = tuple(quantity_of(name, known) for name in names)
    columns = list(dict.fromkeys(column for each in quantities for column, _ in each.parts))
    weights = np.zeros((len(columns), len(quantities)))
    for k, each in enumerate(quantities):
        for column, factor in each.parts:
            weights[columns.index(column), k] += factor
    index = {column: k for k, column in enumerate(known)}
    return Observed(quantities, np.array([index[column] for column in columns], dtype=np.int64), weights)
