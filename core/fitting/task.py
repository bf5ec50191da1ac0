"""Residuals of data against the computed columns, and their sensitivities to the unknowns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.columns import columns
from core.data.measured import MeasuredData
from core.engine.compile import build
from core.fitting.forward import computed
from core.fitting.quantities import Observed, observe, quantity_of
from core.fitting.unknowns import Unknowns
from core.mesh.mesh import Meshes
from core.scene.message import Message
from core.scene.problem import InputError, InvalidValue, Problem

DIFFERENCE = 6e-6  # of a scale: the cube root of the rounding, for central differences
FACTORS = (1e3, 1e-3)  # between data and computed values that a wrong unit explains
LIKE = 2.0  # within which a ratio is one of FACTORS


@dataclass(frozen=True, eq=False)
class FitTask:
    """Data mapped onto quantities, and the unknowns; `x` (p,) are the unknowns divided by their scales."""

    unknowns: Unknowns
    times: np.ndarray  # (n,) [s] of the data
    values: np.ndarray  # (n, m) readings; nan for gaps
    columns: tuple[str, ...]  # (m,) names of the columns of the data
    observed: Observed  # the m quantities that they measure
    sigma: np.ndarray  # (m,) by which residuals are divided
    meshes: Meshes
    told: Callable[[int], None]  # called before each run with the number of its rows

    @property
    def is_there(self) -> np.ndarray:
        """(n, m) whether there is a value."""
        return ~np.isnan(self.values)

    def first(self, rows: int) -> FitTask:
        """The same with the first rows of the data alone."""
        return replace(self, times=self.times[:rows], values=self.values[:rows])

    def model(self, x: np.ndarray) -> np.ndarray:
        """(n, m) readings that the scene predicts; nan where no scene has these values, or it diverges.

        A quantity q is read as (q - offset) / scale: residuals are those of the readings, so a free scale does not
        gain by shrinking the data.
        """
        self.told(len(self.times))
        values = x * self.unknowns.scales
        scale, offset = self.unknowns.clock(values)
        times = np.maximum(scale * self.times + offset, 0.0)
        factors, shifts = self.unknowns.sensors(self.columns, values)
        try:
            built = build(self.unknowns.scene_with(values), self.meshes)
        except InputError:
            return np.full(self.values.shape, np.nan)
        return (self.observed.of_columns(computed(built, times, self.observed.chosen)) - shifts) / factors

    def residuals(self, x: np.ndarray) -> np.ndarray:
        """(r,) computed minus measured values, divided by sigma, of all values that are there."""
        return ((self.model(x) - self.values) / self.sigma)[self.is_there]

    def sensitivities(self, x: np.ndarray) -> np.ndarray:
        """(r, p) derivatives of the residuals by central differences; one-sided where the other side is no scene."""
        found, middle = [], None
        lower = np.array([unknown.lower for unknown in self.unknowns.each]) / self.unknowns.scales
        upper = np.array([unknown.upper for unknown in self.unknowns.each]) / self.unknowns.scales
        for k in range(len(x)):
            sides = []
            for sign in (1.0, -1.0):
                moved = x.copy()
                moved[k] += sign * DIFFERENCE * max(1.0, abs(x[k]))
                inside = lower[k] <= moved[k] <= upper[k]
                run = self.residuals(moved) if inside else np.full(int(self.is_there.sum()), np.nan)
                sides.append((moved[k], run))
            for side, other in ((0, 1), (1, 0)):
                if not np.isfinite(sides[side][1]).all() and np.isfinite(sides[other][1]).all():
                    middle = self.residuals(x) if middle is None else middle
                    sides[side] = (x[k], middle)
            found.append((sides[0][1] - sides[1][1]) / (sides[0][0] - sides[1][0]))
        return np.stack(found, axis=1)


def fit_task(
    unknowns: Unknowns,
    data: MeasuredData,
    mapping: Mapping[str, str],
    meshes: Meshes,
    told: Callable[[int], None] = lambda _rows: None,
) -> FitTask:
    """Map columns of data onto quantities of the run.

    mapping: name of a quantity (core/fitting/quantities.py) by that of the column of the data

    Raises InputError for names that either has not, for values fewer than unknowns, for times before the start, and
    where data and computed values differ by a factor of 1000.
    """
    known = columns(build(unknowns.scene, meshes))
    problems = []
    for quantity in mapping.values():
        try:
            quantity_of(quantity, known)
        except InvalidValue as error:
            problems.append(error.problem.at("--map"))
    if not mapping:
        rule = Message("no column of the data is mapped")
        problems.append(Problem("--map", rule, Message("add --map COLUMN=QUANTITY")))
    if problems:
        raise InputError(data.source, problems)
    values = np.stack([data.column(name).values for name in mapping], axis=1)
    count, least = int((~np.isnan(values)).sum()), len(unknowns.each) + 1
    if count < least:
        rule = Message("has {count} values for {unknowns} unknowns", count=count, unknowns=len(unknowns.each))
        raise InputError(data.source, [Problem("", rule, Message("give more data, or fewer unknowns"))])
    start = np.array([unknown.start for unknown in unknowns.each])
    scale, offset = unknowns.clock(start)
    if scale * data.times[0] + offset < 0.0:
        rule = Message("begins at {time:g} s, before the scene", time=data.times[0])
        raise InputError(data.source, [Problem("", rule, Message("add --free data.time_offset"))])
    spread = np.nanstd(values, axis=0)
    sigma = np.where(spread > 0.0, spread, np.maximum(np.nanmax(np.abs(values), axis=0), 1e-12))
    observed = observe(tuple(mapping.values()), known)
    task = FitTask(unknowns, data.times, values, tuple(mapping), observed, sigma, meshes, told)
    _check_sizes(task, data.source, list(mapping), start / unknowns.scales)
    return task


def _check_sizes(task: FitTask, source: str, names: list[str], x: np.ndarray) -> None:
    """Raise InputError where a run is not finite, or a column is a thousand times as large as the computed one."""
    run = task.model(x)
    if not np.isfinite(run).all():
        rule = Message("the run with the values of the scene ends before the data do")
        raise InputError(source, [Problem("", rule, Message("take a shorter time step, or less data"))])
    problems = []
    for k, name in enumerate(names):
        measured, of_scene = np.nanstd(task.values[:, k]), np.std(run[:, k])
        ratio = measured / of_scene if of_scene > 0.0 else 1.0
        if any(factor / LIKE < ratio < factor * LIKE for factor in FACTORS):
            rule = Message(
                "'{name}' varies {ratio:.3g} times as much as {quantity} of the scene, as by a wrong unit",
                name=name,
                ratio=ratio,
                quantity=task.observed.names[k],
            )
            remedy = Message(
                "state its unit by --unit {name}=...; the quantity has {unit}", name=name, unit=task.observed.units[k]
            )
            problems.append(Problem("--map", rule, remedy))
    if problems:
        raise InputError(source, problems)
