"""Bodies that measured poses drive: the edit that makes one. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.data.times import TimeOptions
from polhode.formulas.sampled import SampledFunction
from polhode.physics.bodies.description import FormulaMotion
from polhode.scene.fields import FieldPath, at, with_values
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.data.measured.measured_layer import Assignment, MeasuredLayer, input_fields
from polhode_app.data.measured.measured_poses import AXES, TURN

STILL = (0.0, 0.0, 0.0)
BETWEEN = "cubic"
LEAST_ANGLE = 1e-3  # [rad] a smaller rotation at the start is within the noise of measured angles


def driven_by_pose(
    scene: Scene, path: FieldPath, file: str, layer: MeasuredLayer, table: str, times: TimeOptions
) -> Scene:
    """The scene with a body that moves as the poses of a table do, from its own pose at the start of the run.

    Scales of its positions are those of the layer; offsets of these do not matter, as the body begins in its own place.

    path: of the body; file: the table, relative to the scene; layer: its data with columns "x", "y" and "z" [m], and
    "turn.x" ... where there is a rotation; table, times: how the file is read. Raises InputError without positions, and
    where the rotation at the start is not 0.
    """
    names = {column.name for column in layer.data.columns}
    turns = [name for name in TURN if name in names]
    _check_start(file, layer, turns)
    further = input_fields(layer, table, times)
    scales = {name: layer.assignments.get(name, Assignment()).scale for name in AXES}
    moved = {name: _column(file, layer, name, further, scales[name], _at_start(layer, name)) for name in AXES}
    turned = {name.replace(".", "_"): _column(file, layer, name, further) for name in turns}
    motion = FormulaMotion(kind="formula", **moved, **turned)
    body = at(scene, path)
    changes = {"support": "driven", "motion": motion, "angular_velocity": STILL, "velocity": STILL, "axis": None}
    changes |= {"friction": 0.0, "dry_friction": 0.0}
    return with_values(scene, path, {key: value for key, value in changes.items() if getattr(body, key) != value})


def _column(
    file: str, layer: MeasuredLayer, name: str, further: dict[str, object], scale: float = 1.0, start: float = 0.0
) -> MeasuredInput:
    """A column less its reading at the start [SI], times a scale, between the rows by a spline, held beyond them."""
    unit = layer.data.column(name).stated
    fields = {"data": file, "column": name, "unit": unit, "gain": scale, "offset": -scale * start, **further}
    return MeasuredInput.model_validate({**fields, "interpolation": BETWEEN, "outside": "hold"})


def _at_start(layer: MeasuredLayer, name: str) -> float:
    """Reading of a column [SI] at the start of the run. Raises InputError if the data have no such column."""
    values = layer.data.column(name).values
    there = np.isfinite(values)
    if there.sum() < 2:
        return float(values[there][0])
    return float(SampledFunction.of_samples(name, layer.times[there], values[there], BETWEEN)(np.zeros(())))


def _check_start(file: str, layer: MeasuredLayer, turns: Sequence[str]) -> None:
    """Raise InputError if the body would not begin in its own orientation.

    Rotation vectors do not add, so that no offset of the columns would mend this.
    """
    angle = float(np.linalg.norm([_at_start(layer, name) for name in turns]))
    if angle <= LEAST_ANGLE:
        return
    remedy = Message("measure the pose again from that row on, or remove the columns {names}", names=", ".join(turns))
    first = np.linalg.norm([layer.data.column(name).values[0] for name in turns])
    if first <= LEAST_ANGLE:
        remedy = Message("set the time offset to {least:g} s or more", least=layer.time_offset - float(layer.times[0]))
    rule = Message("the rotation is {angle:.3g} rad at the start of the run, but has to be 0", angle=angle)
    raise InputError.of(file, rule, remedy)
