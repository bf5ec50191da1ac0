"""Measured poses of bodies: by which columns a body has one, and the pose at a time of the run. No Qt."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from polhode.data.measured import Column
from polhode.fitting.quantities.quantity import BASIS, POSITION
from polhode_app.data.measured.measured_layer import Assignment, MeasuredLayer

AXES = "xyz"
POSE = (*AXES, *BASIS)
"""Names of the columns of a pose, in the order of POSITION and BASIS."""
TURN = tuple(f"turn.{axis}" for axis in AXES)
"""Names of the columns of the rotation vector since the first row."""


@dataclass(frozen=True, eq=False)
class Pose:
    """A measured pose of a body, laboratory frame."""

    position: np.ndarray  # (3,) [m]
    basis: np.ndarray | None  # (3, 3) rows u1, u2, u3; None where they are not measured


def has_positions(columns: Mapping[str, Column]) -> bool:
    """Whether columns, by name, are positions."""
    return all(name in columns and columns[name].unit == "m" for name in AXES)


def assignments_of_pose(names: Collection[str], item: str, has_axes: bool = True) -> dict[str, str]:
    """Quantities by column, with which the columns of a pose measure that of a body, or the position of a particle.

    has_axes: whether the item has axes, as bodies do
    """
    quantities = dict(zip(POSE, (*POSITION, *BASIS), strict=True))
    measured = POSE if has_axes else AXES
    return {name: f"{item}.{quantities[name]}" for name in measured if name in names}


def columns_of_poses(layer: MeasuredLayer) -> dict[str, dict[str, str]]:
    """Columns by part of the pose, such as "position.x", for each body whose position is measured along all axes."""
    found: dict[str, dict[str, str]] = {}
    for column, quantity in layer.mapping.items():
        for part in (*POSITION, *BASIS):
            if quantity.endswith(f".{part}"):
                found.setdefault(quantity.removesuffix(f".{part}"), {})[part] = column
    return {body: columns for body, columns in found.items() if set(POSITION) <= columns.keys()}


def poses(layer: MeasuredLayer, readings: Mapping[str, float]) -> Iterator[tuple[str, Pose]]:
    """Names of bodies with their poses by the readings of one row, SI; a body whose position has a gap is left out."""
    for body, columns in columns_of_poses(layer).items():
        values = {}
        for part, column in columns.items():
            each = layer.assignments.get(column, Assignment())
            values[part] = each.scale * readings.get(column, np.nan) + each.offset
        position = np.array([values[part] for part in POSITION])
        basis = np.array([values.get(part, np.nan) for part in BASIS]).reshape(3, 3)
        if np.isfinite(position).all():
            yield body, Pose(position, _orthonormal(basis))


def readings_at(layer: MeasuredLayer, time: float) -> dict[str, float]:
    """Readings at a time [s] of the run by column, between the rows by straight lines; {} outside of the data."""
    times = layer.times
    if not len(times) or not times[0] <= time <= times[-1]:
        return {}
    k = min(int(np.searchsorted(times, time, side="right")), len(times) - 1)
    j = max(k - 1, 0)
    part = 0.0 if k == j else (time - times[j]) / (times[k] - times[j])
    used = {name for columns in columns_of_poses(layer).values() for name in columns.values()}
    values = {name: layer.data.column(name).values for name in used}
    return {name: float((1.0 - part) * each[j] + part * each[k]) for name, each in values.items()}


def _orthonormal(basis: np.ndarray) -> np.ndarray | None:
    """The rotation (3, 3) nearest to rows that are almost one; None for others."""
    if not np.isfinite(basis).all():
        return None
    left, sizes, right = np.linalg.svd(basis)
    turned = left @ right
    return np.asarray(turned) if sizes[2] > 0.1 and np.linalg.det(turned) > 0.0 else None
