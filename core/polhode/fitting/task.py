"""Residuals of data against the computed columns, and their sensitivities to the unknowns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from polhode.data.measured import MeasuredData
from polhode.fitting.forward import ObservedRun, computed, whole_run
from polhode.fitting.models import FitModels
from polhode.fitting.quantities.known import Observed, observe, quantity_of
from polhode.fitting.runs import runs_of
from polhode.fitting.unknowns import SENSOR, Unknowns
from polhode.jit.simd import WIDTH
from polhode.mesh.mesh import Meshes
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, Problem

STEP = 6e-6  # of a scale: the cube root of the rounding, for central differences
ONE_SIDED = 1e-7  # of a scale, for one-sided differences


@dataclass(frozen=True, eq=False)
class FitTask:
    """Data mapped onto quantities, and the unknowns; `x` (p,) are the unknowns divided by their scales."""

    unknowns: Unknowns
    times: np.ndarray  # (n,) [s] of the data
    values: np.ndarray  # (n, m) readings; nan for gaps
    columns: tuple[str, ...]  # (m,) names of the columns of the data
    observed: Observed  # the m quantities that they measure
    sigma: np.ndarray  # (m,) by which residuals are divided
    models: FitModels
    progress: Callable[[int], None]  # called before each run with the number of its rows
    chained: Callable[[FitTask, np.ndarray], np.ndarray] | None = None  # instead of differences of whole runs
    newest: dict[bytes, np.ndarray] = field(default_factory=dict, init=False)  # the last `model`, by x
    slopes: dict[bytes, np.ndarray] = field(default_factory=dict, init=False)  # the last of `evaluated`, by x

    @property
    def is_there(self) -> np.ndarray:
        """(n, m) False for gaps."""
        return ~np.isnan(self.values)

    def first(self, rows: int) -> FitTask:
        """The task of the first rows of the data."""
        if rows == len(self.times):
            return self
        return replace(self, times=self.times[:rows], values=self.values[:rows])

    def is_of(self, part: FitTask) -> np.ndarray:
        """(n,) bool: the rows of `part`, made by `first`."""
        return np.arange(len(self.times)) < len(part.times)

    def model(self, x: np.ndarray) -> np.ndarray:
        """(n, m) predicted readings; nan for invalid values and after the run diverges.

        A quantity q is read as (q - offset) / scale: residuals are those of the readings, so a free scale can't shrink
        the data.
        """
        key = x.tobytes()
        if key not in self.newest:
            found = self.model_of(x)
            self.newest.clear()
            self.newest[key] = found
        return self.newest[key]

    def model_of(self, x: np.ndarray, finer: bool = False) -> np.ndarray:
        """(n, m) as `model` at `x` (p,), always by a run; finer: with half the time step."""
        if not finer:
            return self._models([x])[0]
        compiled = self.models.compiled(x * self.unknowns.scales)
        if compiled is None:
            return np.full(self.values.shape, np.nan)
        solver = compiled.scene.solver.model_copy(update={"time_step": compiled.scene.solver.time_step / 2})
        halved = replace(compiled, scene=compiled.scene.model_copy(update={"solver": solver}))
        self.progress(len(self.times))
        quantities = self.observed.of_columns(computed(halved, self.times_of_run(x), self.observed.chosen), halved)
        return self.readings(x, quantities, self.values)

    def pieces(self, x: np.ndarray) -> Iterator[tuple[FitTask, np.ndarray]]:
        """The task of each run with its unknowns (q,), of all unknowns `x` (p,)."""
        yield self, x

    def at(self, x: np.ndarray, times: np.ndarray) -> np.ndarray:
        """(n, m) predicted readings at `times` (n,) [s] of the scene, instead of those of the data."""
        return self._models([x], times)[0]

    def residuals(self, x: np.ndarray) -> np.ndarray:
        """(r,) computed minus measured values, divided by sigma, without gaps."""
        return self.residuals_of(self.model(x))

    def evaluated(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """(r,) residuals, and with them their derivatives (r, p) if all runs go in one vector of lanes, else None."""
        key, own = x.tobytes(), self.of_runs
        if key not in self.slopes and self.chained is None and self.models.in_lanes and len(own) < WIDTH:
            moved = [self.moved(x, k, 1.0, False) for k in own]
            here, *others = self._models([x, *moved])
            self.newest.clear()
            self.slopes.clear()
            self.newest[key] = here
            self.slopes[key] = self._differences(x, self.residuals_of(here), moved, others)
        return self.residuals(x), self.slopes.get(key)

    def sensitivities(self, x: np.ndarray, base: np.ndarray | None = None) -> np.ndarray:
        """(r, p) derivatives of the residuals by differences of simultaneous runs (runs.py).

        base: (r,) the residuals at `x`, for one-sided differences; without them they are central, or one-sided where
        one side is invalid. Derivatives to offsets and scales of columns need no run.
        """
        if self.chained is not None:
            return self.chained(self, x)
        own = self.of_runs
        signs = (1.0, -1.0) if base is None else (1.0,)
        moved = [self.moved(x, k, sign, base is None) for k in own for sign in signs]
        runs = self._models([*moved, x] if base is None else moved)
        return self._differences(x, self.residuals_of(runs.pop()) if base is None else base, moved, runs)

    def _differences(
        self, x: np.ndarray, middle: np.ndarray, moved: Sequence[np.ndarray], runs: Sequence[np.ndarray]
    ) -> np.ndarray:
        """(r, p) derivatives of the residuals, `middle` (r,) at `x` (p,), by readings (n, m) at each of `moved`."""
        own, found = self.of_runs, np.empty((len(middle), len(x)))
        sides = len(moved) // max(len(own), 1)
        for index, k in enumerate(own):
            beside = range(index * sides, (index + 1) * sides)
            found[:, k] = _slope(k, x, middle, [(moved[j], self.residuals_of(runs[j])) for j in beside])
        for k in sorted({*range(len(x))} - {*own}):
            found[:, k] = self.of_sensor(x, k, middle)
        return found

    @property
    def of_runs(self) -> list[int]:
        """Indices of the unknowns that change the run, or when its values are read."""
        return [k for k, name in enumerate(self.unknowns.names) if not SENSOR.fullmatch(name)]

    def moved(self, x: np.ndarray, k: int, sign: float, is_central: bool) -> np.ndarray:
        """`x` (p,) with a displaced unknown `k`, in the other direction at a bound."""
        lower, upper = self.unknowns.limits
        step = sign * (STEP if is_central else ONE_SIDED) * max(1.0, abs(x[k]))
        moved = x.copy()
        moved[k] += step
        if not lower[k] <= moved[k] <= upper[k]:
            moved[k] = x[k] - step / 2
        return moved

    def _run(self, x: np.ndarray, times: np.ndarray | None = None) -> ObservedRun | None:
        """The run at `times` (n,) [s], by default those of the data; None if `x` (p,) is invalid."""
        self.progress(len(self.times))
        compiled = self.models.compiled(x * self.unknowns.scales)
        return None if compiled is None else whole_run(compiled, self.times_of_run(x) if times is None else times)

    def _models(self, wanted: Sequence[np.ndarray], times: np.ndarray | None = None) -> list[np.ndarray]:
        """(n, m) readings at several x (p,), at `times` (n,) [s], by default those of the data."""
        found = runs_of([partial(self._run, x, times) for x in wanted], self.observed.chosen, self.models.in_lanes)
        missing = np.full((len(self.times if times is None else times), len(self.columns)), np.nan)
        values = self.values if times is None else missing
        return [
            missing if each is None else self.readings(x, self.observed.of_columns(each.columns, each.compiled), values)
            for x, each in zip(wanted, found, strict=True)
        ]

    def times_of_run(self, x: np.ndarray) -> np.ndarray:
        """(n,) [s] times of the scene at which the data were read."""
        scale, offset = self.unknowns.clock(x * self.unknowns.scales)
        return np.maximum(scale * self.times + offset, 0.0)

    def readings(self, x: np.ndarray, quantities: np.ndarray, values: np.ndarray) -> np.ndarray:
        """(n, m) readings of the sensors at quantities (n, m), with the whole turns that are nearest to values (n, m).

        A sensor that counts turns reads on beyond a half turn, where an angle of a run jumps.
        """
        factors, shifts = self.unknowns.sensors(self.columns, x * self.unknowns.scales)
        found, turn = (quantities - shifts) / factors, self.observed.periods / factors
        turns = np.nan_to_num(np.round((values - found) / np.where(turn == 0.0, np.inf, turn)))
        return np.asarray(found + turns * turn)

    def residuals_of(self, readings: np.ndarray) -> np.ndarray:
        """(r,) residuals of predicted readings (n, m)."""
        return ((readings - self.values) / self.sigma)[self.is_there]

    def of_sensor(self, x: np.ndarray, k: int, base: np.ndarray) -> np.ndarray:
        """(r,) derivatives to the offset or scale of a column: r = (q - o) / s, dr/do = -1/s, dr/ds = -r/s."""
        found = SENSOR.fullmatch(self.unknowns.names[k])
        assert found is not None
        at = self.columns.index(found[1])
        factors, _ = self.unknowns.sensors(self.columns, x * self.unknowns.scales)
        slope = np.zeros(self.values.shape)
        if found[2] == "offset":
            slope[:, at] = -1.0 / factors[at]
        else:
            readings = np.full(self.values.shape, np.nan)
            readings[self.is_there] = base
            slope[:, at] = -(readings * self.sigma + self.values)[:, at] / factors[at]
        return (slope / self.sigma)[self.is_there] * self.unknowns.scales[k]


def _slope(k: int, x: np.ndarray, base: np.ndarray, sides: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """(r,) derivatives to the unknown `k`, from runs on both sides of `x`, or from one of them and the run at `x`."""
    finite = [(moved[k], run) for moved, run in sides if np.isfinite(run).all()]
    if len(finite) == 1:
        finite.append((x[k], base))
    if len(finite) < 2:
        return np.full(len(sides[0][1]), np.nan)
    (one, first), (other, second) = finite
    return (first - second) / (one - other)


def fit_task(
    unknowns: Unknowns,
    data: MeasuredData,
    mapping: Mapping[str, str],
    meshes: Meshes,
    progress: Callable[[int], None] = lambda _rows: None,
) -> FitTask:
    """Map columns of data onto quantities of the run.

    mapping: name of a quantity (core/polhode/fitting/quantities/) by that of the column of the data

    Raises InputError for unknown names, and for times before the start.
    """
    models = FitModels(unknowns, meshes)
    problems = []
    for quantity in mapping.values():
        try:
            quantity_of(quantity, models.first)
        except InvalidValue as error:
            problems.append(error.problem.at("mapping"))
    if not mapping:
        rule = Message("no column of the data is mapped")
        problems.append(Problem("mapping", rule, Message("map a column to a quantity")))
    if problems:
        raise InputError(data.source, problems)
    values = np.stack([data.column(name).values for name in mapping], axis=1)
    start = np.array([unknown.start for unknown in unknowns.each])
    scale, offset = unknowns.clock(start)
    if scale * data.times[0] + offset < 0.0:
        rule = Message("begins at {time:g} s, before the scene", time=data.times[0])
        raise InputError.of(data.source, rule, Message("make {name} free", name="data.time_offset"), "free")
    spread = np.nanstd(values, axis=0)
    sigma = np.where(spread > 0.0, spread, np.maximum(np.nanmax(np.abs(values), axis=0), 1e-12))
    observed = observe(tuple(mapping.values()), models.first)
    return FitTask(unknowns, data.times, values, tuple(mapping), observed, sigma, models, progress)
