"""The table of a run: names and units of the numbers that a moment has. CSV files and plots read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import chain
from typing import TYPE_CHECKING

from core.simulation.snapshot import Ledger

if TYPE_CHECKING:
    from core.engine.compile import Built  # it brings the compiler, which the window does not wait for

POINT = {"position": "m", "velocity": "m/s"}
BODY = POINT | dict.fromkeys(("u1", "u2", "u3"), "") | {"angular_velocity": "rad/s", "angular_momentum": "kg m²/s"}
"""Vectors of a body with their units, in the order of core.analysis.diagnostics.observe."""
BEAD = {"parameter": "", "speed": "m/s", "constraint_force": "N"}
"""Columns of a bead beside those of its body; the last one is a vector."""
ENERGIES = ("kinetic", "gravity", "magnetic", "elastic", "total")
WORKS = tuple(field.name for field in fields(Ledger))


def columns(built: Built) -> dict[str, str]:
    """Units of the columns by their names, in the order of the scene: bodies, soft bodies, particles, beads."""
    table: dict[str, str] = {}
    for _, _, named in _parts(built):
        table.update(named)
    return table


def columns_of(built: Built, owner: str) -> Iterator[tuple[int, str, str]]:
    """Where in the table a column of a part stands, its name and its unit, one after another.

    The owner is a part's name, "energy" or "work". What belongs to others is counted, not named: there may be much.
    """
    place = 0
    for name, count, named in _parts(built):
        if name == owner:
            yield from ((place + k, column, unit) for k, (column, unit) in enumerate(named))
        place += count


def _parts(built: Built) -> Iterator[tuple[str, int, Iterable[tuple[str, str]]]]:
    """Owner of some columns that stand together, how many they are, and their names and units."""
    yield "", 1, [("time", "s")]
    for body in built.scene.bodies:
        yield body.name, 3 * len(BODY), _vectors([body.name], BODY)
    soft = {soft.name for soft in built.scene.soft}
    for name, where in built.points.items():
        count = where.stop - where.start
        own = (f"{name}.{k}" for k in range(count)) if name in soft else [name]
        yield name, 3 * len(POINT) * count, _vectors(own, POINT)
    for bead in built.scene.bead:
        units = BEAD | {"parameter": bead.path.parameter_unit}
        scalars = [(f"{bead.name}.{what}", units[what]) for what in ("parameter", "speed")]
        force = _vectors([bead.name], {"constraint_force": units["constraint_force"]})
        yield bead.name, 5, chain(scalars, force)
    yield "energy", len(ENERGIES), [(f"energy.{kind}", "J") for kind in ENERGIES]
    yield "work", len(WORKS), [(f"work.{line}", "J") for line in WORKS]


def _vectors(owners: Iterable[str], units: dict[str, str]) -> Iterator[tuple[str, str]]:
    return ((f"{owner}.{what}.{x}", unit) for owner in owners for what, unit in units.items() for x in "xyz")
