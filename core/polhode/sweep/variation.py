"""The variation of a sweep: the values of its axes, and the scene of each cell.

Cells are numbered in the order of a numpy array whose dimensions are the axes: the last axis varies fastest. Axes with
draws vary together and are one dimension, the last one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from polhode.scene.fields import FieldPath, at
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, Problem
from polhode.scene.scene import Scene
from polhode.scene.uncertain import Uncertain
from polhode.scene.variants.alone import alone
from polhode.scene.variants.numbers import number_at, scene_with
from polhode.scene.variants.sweep import Axis, SweepSettings

MOST_CELLS = 100_000_000


@dataclass(frozen=True)
class Variation:
    """The cells of a sweep over a scene; `resolve` makes it."""

    scene: Scene
    sweep: SweepSettings
    paths: tuple[FieldPath, ...]  # of each axis; ("body", k, "tilt", i) of a tilt
    units: tuple[str, ...]  # of the values of each axis

    @cached_property
    def axis_values(self) -> tuple[np.ndarray, ...]:
        """(count,) values [SI] of each axis."""
        return tuple(
            _values(axis, number, 0.0 if "tilt" in path else at(self.scene, path))
            for number, (axis, path) in enumerate(zip(self.sweep.axes, self.paths, strict=True))
        )

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each dimension."""
        return shape_of(self.sweep)

    @property
    def count(self) -> int:
        """Number of cells."""
        return prod(self.shape)

    def spread_cells(self, most: int) -> np.ndarray:
        """(n,) cells, at most `most`, spread evenly over the sweep."""
        return np.unique(np.linspace(0, self.count - 1, min(most, self.count)).astype(np.int64))

    def values(self, cells: np.ndarray) -> np.ndarray:
        """(n, axes) values [SI] of the axes in the cells (n,)."""
        indices = np.unravel_index(cells, self.shape)
        ranges = iter(indices)
        found = []
        for axis, values in zip(self.sweep.axes, self.axis_values, strict=True):
            found.append(values[indices[-1] if axis.draws is not None else next(ranges)])
        return np.stack(found, axis=1)

    def scene_with(self, values: np.ndarray) -> Scene:
        """The scene with values (axes,) [SI] of the axes, without its sweeps. Raises InputError for invalid values."""
        return scene_with(alone(self.scene), self.paths, values)

    @cached_property
    def stated(self) -> np.ndarray:
        """(axes,) values [SI] of the scene itself; 0 for tilts."""
        return np.array([self._stated(path) for path in self.paths])

    def _stated(self, path: FieldPath) -> float:
        """The stated value [SI] at a path; 0 for a tilt."""
        return 0.0 if "tilt" in path else float(at(self.scene, path))


def resolve(scene: Scene, sweep: SweepSettings, where: str = "sweep[0]") -> Variation:
    """The variation of a sweep. Raises InputError with all axes that name no number, and for too many cells."""
    paths, units, problems = [], [], []
    for number, axis in enumerate(sweep.axes):
        try:
            path, unit = number_at(scene, axis.parameter)
            _check_draws(scene, axis, path)
            paths.append(path)
            units.append(unit)
        except InvalidValue as error:
            problems.append(error.problem.at(f"{where}.axes[{number}].parameter"))
    if (count := prod(shape_of(sweep))) > MOST_CELLS:
        rule = Message("has {count} cells, more than {most}", count=count, most=MOST_CELLS)
        problems.append(Problem(f"{where}.axes", rule, Message("take fewer values")))
    if problems:
        raise InputError(scene.title or "scene", problems)
    return Variation(scene, sweep, tuple(paths), tuple(units))


def shape_of(sweep: SweepSettings) -> tuple[int, ...]:
    """Number of values of each dimension: those of axes with a range, then that of all draws."""
    ranges = [axis.count for axis in sweep.axes if axis.count is not None]
    draws = [axis.draws.count for axis in sweep.axes if axis.draws is not None]
    return (*ranges, *draws[:1])


def _check_draws(scene: Scene, axis: Axis, path: FieldPath) -> None:
    """Raise InvalidValue for draws without a deviation of a number that is certain."""
    is_uncertain = "tilt" not in path and isinstance(at(scene, path), Uncertain)
    if axis.draws is not None and axis.draws.deviation is None and not is_uncertain:
        rule = Message("has draws without a deviation, and the scene states the number without an uncertainty")
        raise InvalidValue(rule, Message('add deviation = ..., or write the number as "0.458 +- 0.001"'))


def _values(axis: Axis, number: int, stated: float) -> np.ndarray:
    """(count,) values [SI] of an axis; draws are about the stated value, from a generator of the axis's own."""
    if axis.draws is None:
        assert axis.range is not None
        assert axis.count is not None
        return np.linspace(*axis.range, axis.count)
    random, draws = np.random.default_rng((axis.draws.seed, number)), axis.draws
    deviation, distribution = draws.deviation, draws.distribution
    if isinstance(stated, Uncertain) and deviation is None:
        deviation, distribution = stated.deviation, stated.distribution
    assert deviation is not None
    if distribution == "normal":
        return float(stated) + deviation * random.standard_normal(draws.count)
    return float(stated) + deviation * random.uniform(-1.0, 1.0, draws.count)
