"""The table of a run: names and units of the numbers that a moment has. CSV files and plots read it."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from core.snapshot import Ledger

if TYPE_CHECKING:
    from core.build import Built  # it brings the compiler, which the window does not wait for

POINT = {"position": "m", "velocity": "m/s"}
BODY = POINT | dict.fromkeys(("u1", "u2", "u3"), "") | {"angular_velocity": "rad/s", "angular_momentum": "kg m²/s"}
"""Vectors of a body with their units, in the order of core.diagnostics.observe."""
BEAD = {"parameter": "", "speed": "m/s", "constraint_force": "N"}
"""Columns of a bead beside those of its body; the last one is a vector."""
ENERGIES = ("kinetic", "gravity", "magnetic", "elastic", "total")
WORKS = tuple(field.name for field in fields(Ledger))


def columns(built: Built) -> dict[str, str]:
    """Units of the columns by their names, in the order of the scene: bodies, soft bodies, particles, beads."""
    table = {"time": "s"}
    table |= {f"{b.name}.{what}.{x}": unit for b in built.scene.bodies for what, unit in BODY.items() for x in "xyz"}
    table |= {f"{point}.{what}.{x}": unit for point in points(built) for what, unit in POINT.items() for x in "xyz"}
    for bead in built.scene.bead:
        units = BEAD | {"parameter": bead.path.parameter_unit}
        table |= {f"{bead.name}.{what}": units[what] for what in ("parameter", "speed")}
        table |= {f"{bead.name}.constraint_force.{x}": units["constraint_force"] for x in "xyz"}
    return table | {f"energy.{kind}": "J" for kind in ENERGIES} | {f"work.{line}": "J" for line in WORKS}


def points(built: Built) -> list[str]:
    """Names of the points: a particle's own, and NAME.0, NAME.1 and so on of a soft body."""
    soft = {soft.name for soft in built.scene.soft}
    numbers = {name: range(where.stop - where.start) for name, where in built.points.items()}
    return [f"{name}.{k}" if name in soft else name for name, own in numbers.items() for k in own]
