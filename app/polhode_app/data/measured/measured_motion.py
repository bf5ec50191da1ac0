"""Bodies that measured poses drive: the edit that makes one. No Qt."""

from __future__ import annotations

from collections.abc import Mapping

from polhode.physics.bodies.description import FormulaMotion
from polhode.scene.fields import FieldPath, at, with_values
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.scene import Scene

AXES = "xyz"
STILL = (0.0, 0.0, 0.0)


def driven_by_pose(scene: Scene, path: FieldPath, file: str, first: Mapping[str, float], delay: float) -> Scene:
    """The scene with a body that moves as the poses of a table do, from its own pose on.

    path: of the body; file: the table, relative to the scene; first: first readings by column, "x", "y" and "z" [m],
    and "turn.x" ... where there is a rotation; delay: time [s] of the run at t = 0 of the data. Raises InputError.
    """
    moved = {name: _column(file, name, first[name], delay) for name in AXES if name in first}
    turned = {f"turn_{axis}": _column(file, f"turn.{axis}", 0.0, delay) for axis in AXES if f"turn.{axis}" in first}
    motion = FormulaMotion(kind="formula", **moved, **turned)
    body = at(scene, path)
    changes = {"support": "driven", "motion": motion, "angular_velocity": STILL, "velocity": STILL, "axis": None}
    changes |= {"friction": 0.0, "dry_friction": 0.0}
    return with_values(scene, path, {key: value for key, value in changes.items() if getattr(body, key) != value})


def _column(file: str, column: str, first: float, delay: float) -> MeasuredInput:
    """A column less its first reading, between the rows by a spline, held before and after them."""
    return MeasuredInput(data=file, column=column, offset=-first, delay=delay, interpolation="cubic", outside="hold")
