"""Runs as tables: one row of numbers per moment, every digit of them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import fields
from io import StringIO
from math import floor
from pathlib import Path
from typing import Self

import numpy as np

from core.build import Built
from core.snapshot import Ledger, Snapshot

WHOLE = 1e-9  # of an interval: a remainder below it is rounding, and no row of its own
BODY = (
    *("position", "velocity"),
    *("u1", "u2", "u3"),
    *("angular_velocity", "angular_momentum"),
)  # vectors of a body, in the order of `row`
POINT = ("position", "velocity")
ENERGIES = ("kinetic", "gravity", "magnetic", "elastic", "total")
WORKS = tuple(field.name for field in fields(Ledger))


def columns(built: Built) -> list[str]:
    """Names of the columns, in the order of the scene: bodies, points of soft bodies, particles."""
    vectors = [f"{body.name}.{vector}.{axis}" for body in built.scene.body for vector in BODY for axis in "xyz"]
    vectors += [f"{point}.{vector}.{axis}" for point in _points(built) for vector in POINT for axis in "xyz"]
    return ["time", *vectors, *(f"energy.{energy}" for energy in ENERGIES), *(f"work.{work}" for work in WORKS)]


def _points(built: Built) -> list[str]:
    """Names of the points: a particle's own, and NAME.0, NAME.1 and so on of a soft body."""
    soft = {soft.name for soft in built.scene.soft}
    numbers = {name: range(where.stop - where.start) for name, where in built.points.items()}
    return [f"{name}.{k}" if name in soft else name for name, own in numbers.items() for k in own]


def row(snapshot: Snapshot) -> list[float]:
    """The numbers of one moment, SI, in the order of `columns`; its time is the snapshot's."""
    bodies = snapshot.bodies
    count = len(bodies.position)
    vectors = np.concatenate(
        [
            bodies.position,
            bodies.velocity,
            bodies.basis.reshape(count, 9),
            bodies.angular_velocity,
            bodies.angular_momentum,
        ],
        axis=1,
    )
    energies = (float(getattr(snapshot.energy, energy)) for energy in ENERGIES)
    works = (getattr(snapshot.ledger, work) for work in WORKS)
    points = np.concatenate([snapshot.points.position, snapshot.points.velocity], axis=1)
    return [snapshot.time, *vectors.ravel().tolist(), *points.ravel().tolist(), *energies, *works]


def times(until: float, every: float) -> Iterator[float]:
    """Times of the rows [s]: the multiples of `every` from 0, and `until` itself at the end."""
    whole = floor(until / every + WHOLE)
    count = whole + 1 if until - whole * every > WHOLE * every else whole
    for number in range(max(count, 1 if until > 0 else 0)):
        yield number * every
    yield until


class Table:
    """A CSV file that grows row by row; each row reaches the disk whole, so it can be read whenever the run stops."""

    def __init__(self, path: Path, built: Built, more: Sequence[str] = ()):
        """`more` are names of columns after those of `columns`."""
        self.rows = 0
        self._file = path.open("w", encoding="utf-8", newline="", buffering=1)
        heading = StringIO()
        csv.writer(heading, lineterminator="\n").writerow([*columns(built), *more])  # a name may hold a quote
        self._file.write(heading.getvalue())

    def add(self, time: float, snapshot: Snapshot, more: Sequence[float] = ()) -> None:
        """Append a moment under the time that was asked for, which the clock meets but for rounding."""
        numbers = [*row(snapshot), *more]
        numbers[0] = time
        self._file.write(",".join(map(repr, numbers)) + "\n")
        self.rows += 1

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
