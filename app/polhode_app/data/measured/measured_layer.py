"""Measured data laid over a run: which column measures which quantity, how, and how far the run is from it. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from polhode.data.measured import MeasuredData
from polhode.data.times import TimeOptions
from polhode.fitting.quantities.names import POINT, direction_of, owner_of
from polhode.fitting.quantities.quantity import pose, pose_columns
from polhode.fitting.unknowns import TIME_OFFSET, TIME_SCALE
from polhode.scene.problem import InvalidValue
from polhode.scene.scene import Scene

AXES = "xyz"


@dataclass(frozen=True)
class Assignment:
    """Quantity that a column of the data measures: quantity = scale * reading + offset."""

    quantity: str = ""  # "" for none
    scale: float = 1.0
    offset: float = 0.0  # SI


@dataclass(frozen=True, eq=False)
class MeasuredLayer:
    """Measured data with their assignments; the time of the run is time_scale * t + time_offset."""

    data: MeasuredData
    assignments: Mapping[str, Assignment] = field(default_factory=dict)  # by column
    time_offset: float = 0.0  # [s]
    time_scale: float = 1.0
    smoothing: float = 0.0  # [s] width of the windows of a smoothing, for drawing alone

    @property
    def mapping(self) -> dict[str, str]:
        """Quantities by column, of those that have one."""
        return {column: each.quantity for column, each in self.assignments.items() if each.quantity}

    @property
    def stated(self) -> dict[str, float]:
        """Numbers of the data for a fit, where they are not as usual."""
        usual = {TIME_OFFSET: (self.time_offset, 0.0), TIME_SCALE: (self.time_scale, 1.0)}
        for column in self.mapping:
            each = self.assignments[column]
            usual |= {f"data.{column}.scale": (each.scale, 1.0), f"data.{column}.offset": (each.offset, 0.0)}
        return {name: value for name, (value, without) in usual.items() if value != without}

    @cached_property
    def times(self) -> np.ndarray:
        """(n,) [s] times of the run."""
        return self.time_scale * self.data.times + self.time_offset

    def assigned(self, column: str, quantity: str) -> MeasuredLayer:
        """The layer with another quantity of a column; a quantity belongs to one column alone."""
        freed = {
            name: replace(each, quantity="") if quantity and each.quantity == quantity else each
            for name, each in self.assignments.items()
        }
        return self._with(freed, column, quantity=quantity)

    def calibrated(self, column: str, scale: float, offset: float) -> MeasuredLayer:
        """The layer with another scale and offset of a column."""
        return self._with(self.assignments, column, scale=scale, offset=offset)

    def with_numbers(self, numbers: Mapping[str, float]) -> MeasuredLayer:
        """The layer with numbers of the data by their names in fits."""
        layer = replace(
            self,
            time_offset=numbers.get(TIME_OFFSET, self.time_offset),
            time_scale=numbers.get(TIME_SCALE, self.time_scale),
        )
        for column, each in self.assignments.items():
            scale = numbers.get(f"data.{column}.scale", each.scale)
            layer = layer.calibrated(column, scale, numbers.get(f"data.{column}.offset", each.offset))
        return layer

    def _with(self, assignments: Mapping[str, Assignment], column: str, **changes: object) -> MeasuredLayer:
        before = assignments.get(column, Assignment())
        return replace(self, assignments={**assignments, column: replace(before, **changes)})  # type: ignore[arg-type]

    def measured(self, column: str) -> np.ndarray:
        """(n,) [SI] the quantity that a column measures; nan for gaps."""
        each = self.assignments.get(column, Assignment())
        return each.scale * self.data.column(column).values + each.offset

    def series(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Times [s] of the run and values (n,), smoothed, of each quantity that is measured."""
        times = self.times
        return {
            quantity: (times, smoothed(times, self.measured(column), self.smoothing))
            for column, quantity in self.mapping.items()
        }

    def measured_positions(self) -> dict[str, dict[str, np.ndarray]]:
        """Directions (3,) by column, of each point that is measured along two directions of one frame at least:
        {"bob.position": {"x (m)": [1, 0, 0], "z (m)": [0, 0, 1]}}.
        """
        found: dict[str, dict[str, np.ndarray]] = {}
        for column, quantity in self.mapping.items():
            matched = POINT.fullmatch(quantity)
            if matched is not None:
                with suppress(InvalidValue):  # a wrong name, which the comparison tells
                    found.setdefault(owner_of(quantity, matched), {})[column] = direction_of(quantity, matched)
        return {owner: directions for owner, directions in found.items() if _rank(directions) >= 2}

    def wanted(self) -> list[str]:
        """Quantities that a run is asked for: those that are measured, and all axes of positions and their frames."""
        owners = self.measured_positions()
        axes = [f"{owner}.{axis}" for owner in owners for axis in AXES]
        frames = [name for owner in owners if (frame := _frame(owner)) for name in pose_columns(frame)]
        return list(dict.fromkeys([*self.mapping.values(), *axes, *frames]))


def input_fields(layer: MeasuredLayer, table: str, times: TimeOptions) -> dict[str, object]:
    """Fields of a measured input of a column, other than file, column and unit, that are not as usual: the table of
    the file, how its times are found, and the clock of the data.
    """
    usual: dict[str, tuple[object, object]] = {
        "table": (table, ""),
        "time": (times.column or "", ""),
        "rate": (times.rate or 0.0, 0.0),
        "drop_later": (times.drop_later, False),
        "delay": (layer.time_offset, 0.0),
        "time_scale": (layer.time_scale, 1.0),
    }
    return {name: value for name, (value, without) in usual.items() if value != without}


@dataclass(frozen=True, eq=False)
class RunComparison:
    """The run of a scene at the times of the data."""

    layer: MeasuredLayer
    scene: Scene
    computed: dict[str, np.ndarray]  # (n,) by quantity, SI; nan before the start, and where the run ended

    def residuals(self, column: str) -> np.ndarray:
        """(k,) [SI] computed minus measured, where both are there."""
        residuals = self.computed[self.layer.mapping[column]] - self.layer.measured(column)
        return residuals[np.isfinite(residuals)]

    def ratio(self, column: str) -> float:
        """Spread of the measured values over that of the computed ones; 1 where these are steady."""
        there = np.isfinite(self.computed[self.layer.mapping[column]] - self.layer.measured(column))
        run = self.computed[self.layer.mapping[column]][there]
        spread = float(np.std(run)) if len(run) else 0.0
        return float(np.std(self.layer.measured(column)[there])) / spread if spread > 0.0 else 1.0

    def tracks(self) -> dict[str, np.ndarray]:
        """(n, 3) [m] measured positions in the laboratory by what they are of; across the measured directions it is
        the computed position, and a frame stands where the run has it.
        """
        found, layer = {}, self.layer
        for owner, directions in layer.measured_positions().items():
            matrix = np.stack(list(directions.values()))
            measured = [smoothed(layer.times, layer.measured(column), layer.smoothing) for column in directions]
            run = np.zeros((len(layer.times), 3))
            if _rank(directions) < 3:
                run = np.stack([self.computed[f"{owner}.{axis}"] for axis in AXES], axis=1)
            track = run + (np.stack(measured, axis=1) - run @ matrix.T) @ np.linalg.pinv(matrix).T
            if frame := _frame(owner):
                origin, basis = pose(np.stack([self.computed[name] for name in pose_columns(frame)], axis=1))
                track = origin + np.einsum("ni,nij->nj", track, basis)
            found[owner] = track[np.isfinite(track).all(axis=1)]
        return found


def _frame(owner: str) -> str:
    """The body in whose frame a position is; "" for the laboratory."""
    found = POINT.fullmatch(f"{owner}.x")
    return (found["frame"] or "") if found is not None else ""


def _rank(directions: Mapping[str, np.ndarray]) -> int:
    return int(np.linalg.matrix_rank(np.stack(list(directions.values()))))


def compare(
    layer: MeasuredLayer, scene: Scene, observe: Callable[[Scene, list[str], np.ndarray], np.ndarray]
) -> RunComparison:
    """Run a scene at the times of the data; `observe` gives (n, m) values of m quantities at n times [s]."""
    names, times = layer.wanted(), layer.times
    runs = times >= 0.0
    values = np.full((len(times), len(names)), np.nan)
    if names and runs.any():
        values[runs] = observe(scene, names, times[runs])
    return RunComparison(layer, scene, {name: values[:, k] for k, name in enumerate(names)})


def smoothed(times: np.ndarray, values: np.ndarray, width: float) -> np.ndarray:
    """(n,) value at each time of the line through the values within `width` / 2 [s] of it, by least squares.

    Gaps are left out; the values themselves for 0. A line, not a mean: times need not be equally far apart.
    """
    if width <= 0.0 or len(times) < 2:
        return values
    there = np.isfinite(values)
    t, y = np.where(there, times - times.mean(), 0.0), np.where(there, values, 0.0)
    half = width / 2 * (1 + 1e-9)  # a time at the edge belongs to it, whatever its rounding
    first = np.searchsorted(times, times - half, side="left")
    last = np.searchsorted(times, times + half, side="right")

    def within(each: np.ndarray) -> np.ndarray:
        sums = np.concatenate([[0.0], np.cumsum(each)])
        return sums[last] - sums[first]

    count, mean_of = within(there.astype(float)), np.full(len(times), np.nan)
    some = count > 0
    mean_t, mean_y = (np.divide(within(each), count, out=mean_of.copy(), where=some) for each in (t, y))
    spread = within(t * t) - count * mean_t**2
    slope = np.where(spread > 1e-12 * count * width**2, within(t * y) - count * mean_t * mean_y, 0.0)
    slope = np.divide(slope, spread, out=np.zeros(len(times)), where=spread > 1e-12 * count * width**2)
    return np.where(some, mean_y + slope * (times - times.mean() - mean_t), np.nan)
