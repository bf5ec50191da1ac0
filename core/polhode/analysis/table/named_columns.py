"""Arrays of a table by name: single columns, and the vectors that adjacent columns make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from polhode.scene.message import Message
from polhode.scene.problem import InputError, did_you_mean

AXES = "xyz"
POINT = re.compile(r"(.+)\.(\d+)\.([^.]+)")  # NAME.K.QUANTITY of point K of a soft body


@dataclass(frozen=True)
class NamedColumns:
    """The columns of a table, and the arrays that they make.

    "bob.position.z" is a column; "bob.position" are the three columns .x, .y and .z, and "rope.position" those of all
    points of a soft body.
    """

    source: str  # of the table, for messages
    units: Mapping[str, str]  # of the columns by name, in order; "" for pure numbers

    @cached_property
    def _vectors(self) -> dict[str, np.ndarray]:
        """Indices of the columns of each array: (3,) of a vector, (p, 3) of the points of a soft body."""
        index = {name: place for place, name in enumerate(self.units)}
        found: dict[str, np.ndarray] = {}
        points: dict[str, list[np.ndarray]] = {}
        for name in index:
            owner = name.removesuffix(".x")
            columns = [index.get(f"{owner}.{axis}") for axis in AXES]
            if owner == name or None in columns:
                continue
            found[owner] = np.array(columns)
            point = POINT.fullmatch(owner)
            if point is not None and int(point[2]) == len(points.get(f"{point[1]}.{point[3]}", ())):
                points.setdefault(f"{point[1]}.{point[3]}", []).append(found[owner])
        return {**{name: np.array(rows) for name, rows in points.items()}, **found}

    @cached_property
    def all_units(self) -> dict[str, str]:
        """Units of columns and vectors by name; columns first, in order."""
        named = [*self.units]
        return {**self.units, **{name: self.units[named[at.flat[0]]] for name, at in self._vectors.items()}}

    @property
    def vectors(self) -> tuple[str, ...]:
        """Names of the arrays of several columns."""
        return tuple(self._vectors)

    def columns_of(self, name: str) -> np.ndarray:
        """Indices of the columns of an array: () for a column, (3,) for a vector, (p, 3) for points.

        Raises InputError with the most similar name.
        """
        if name in self.units:
            return np.array([*self.units].index(name))
        if name in self._vectors:
            return self._vectors[name]
        remedy = did_you_mean(str(name), self.all_units, Message("`columns` has the names of all"))
        raise InputError.of(self.source, Message("has no column '{name}'", name=name), remedy, "name")

    def single(self, names: Iterable[str]) -> list[int]:
        """Indices of all columns of these arrays, in order. Raises InputError as `columns_of` does."""
        return [int(place) for name in names for place in self.columns_of(name).flat]

    def grouped(self) -> dict[str, np.ndarray]:
        """Arrays that hold each column once, by name, in order: points, vectors, and the other columns."""
        taken: set[int] = set()
        found: dict[str, np.ndarray] = {}
        for name, at in sorted(self._vectors.items(), key=lambda entry: -entry[1].ndim):
            if taken.isdisjoint(at.flat):
                found[name] = at
                taken.update(at.flat)
        single = {name: np.array(place) for place, name in enumerate(self.units) if place not in taken}
        return dict(sorted({**found, **single}.items(), key=lambda entry: entry[1].flat[0]))
