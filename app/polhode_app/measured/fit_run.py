"""Comparisons and fits of measured data, as work for a background thread. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.fitting.checks.data_checks import check_length
from polhode.fitting.fit import PreparedFit, prepare, solve
from polhode.fitting.forward import computed
from polhode.fitting.profile import ProfileCurve, profile_curve
from polhode.fitting.quantities.known import Observed, observe
from polhode.fitting.result import FitResult
from polhode.fitting.suggested_measurements import SuggestedMeasurement, suggested_measurements
from polhode.fitting.units import units_of_comparisons, units_of_fits
from polhode.mesh.mesh import Meshes
from polhode.scene.problem import InputError, InvalidValue
from polhode.scene.scene import Scene
from polhode_app.compilation.background_job import Breathe
from polhode_app.compilation.missing_units import compile_missing
from polhode_app.measured.measured_layer import Comparison, MeasuredLayer, compare

Bounds = Mapping[str, tuple[float, float]]


@dataclass
class Progress:
    """How far a fit is; written by its thread, read by the window."""

    rows: int = 0  # of the window of data that is fitted now
    all_rows: int = 1
    runs: int = 0


@dataclass(frozen=True)
class FitOrder:
    """Scene, data, unknowns and options of a fit."""

    scene: Scene
    layer: MeasuredLayer
    free: tuple[str, ...]
    bounds: Bounds = field(default_factory=dict)
    loss: str = "linear"
    hold_out: float = 0.0

    def asks_the_same(self, other: FitOrder, applied: Scene | None) -> bool:
        """Whether a result for `other` is one for this order, too; `applied` is the scene with the values found."""
        mine, theirs = self.layer, other.layer
        same = mine.data is theirs.data and mine.mapping == theirs.mapping and self.free == other.free
        if self.scene != applied:  # that has new numbers of the data as well
            same = same and self.scene == other.scene and mine.stated == theirs.stated
        return same and (self.bounds, self.loss, self.hold_out) == (other.bounds, other.loss, other.hold_out)


def compare_run(layer: MeasuredLayer, scene: Scene, breathe: Breathe) -> Comparison:
    """The run of a scene beside the data. Raises InputError, also where a quantity is none of the scene."""
    compile_missing(units_of_comparisons(), breathe)
    breathe()

    def values(shown: Scene, names: list[str], times: np.ndarray) -> np.ndarray:
        built = build(shown.model_copy(update={"sweep": (), "ghost": ()}), Meshes())
        check_length(layer.data.source, times, built)
        observed = observed_in(layer, names, built)
        return observed.of_columns(computed(built, times, observed.chosen), built)

    return compare(layer, scene, values)


def observed_in(layer: MeasuredLayer, names: list[str], built: CompiledScene) -> Observed:
    """Quantities of a scene. Raises InputError where it has none of that name."""
    try:
        return observe(names, built)
    except InvalidValue as error:
        raise InputError(layer.data.source, [error.problem]) from None


def look(order: FitOrder, breathe: Breathe) -> tuple[FitOrder, PreparedFit | InputError]:
    """Identifiability of the unknowns by the data, before any fit."""
    compile_missing(units_of_fits(), breathe)
    try:
        return order, _prepared(order, lambda _rows: breathe())
    except InputError as error:
        return order, error


def plan_further(prepared: PreparedFit, breathe: Breathe) -> tuple[PreparedFit, tuple[SuggestedMeasurement, ...]]:
    """Suggested measurements besides the data of a fit."""
    return prepared, suggested_measurements(prepared.with_progress(lambda _rows: breathe()))


def profile_of(found: FitResult, name: str, breathe: Breathe) -> ProfileCurve:
    """The profile of an unknown."""
    return profile_curve(found, name, lambda _rows: breathe())


def fit_order(order: FitOrder, progress: Progress, breathe: Breathe) -> FitResult:
    """The fit itself. Raises InputError."""
    compile_missing(units_of_fits(), breathe)
    progress.all_rows = len(order.layer.data.times)

    def told(rows: int) -> None:
        progress.rows, progress.runs = rows, progress.runs + 1
        breathe()

    prepared = _prepared(order, told)
    if prepared.determination.problems:
        raise InputError(order.layer.data.source, list(prepared.determination.problems))
    return solve(prepared, order.loss)


def _prepared(order: FitOrder, told: Callable[[int], None]) -> PreparedFit:
    layer = order.layer
    return prepare(
        order.scene, layer.data, layer.mapping, order.free, order.bounds, order.hold_out, None, layer.stated, told
    )
