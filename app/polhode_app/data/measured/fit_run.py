"""Comparisons and fits of measured data, as work for a background thread. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count

import numpy as np

from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.fitting.checks.data_checks import check_length
from polhode.fitting.fit import PreparedFit, prepare, solve
from polhode.fitting.forward import computed
from polhode.fitting.profile import ProfileCurve, profile_curve
from polhode.fitting.quantities.known import Observed, observe
from polhode.fitting.result import FitResult
from polhode.fitting.several import check_other_model
from polhode.fitting.suggested_measurements import SuggestedMeasurement, suggested_measurements
from polhode.fitting.units import units_of_comparisons, units_of_fits
from polhode.fitting.unknowns import unknowns_of
from polhode.fitting.unstated import with_stated
from polhode.mesh.mesh import Meshes
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue
from polhode.scene.scene import Scene
from polhode.scene.variants.alone import alone
from polhode_app.compilation.missing_units import compile_missing
from polhode_app.data.measured.compared_model import ComparedModel, compared_model
from polhode_app.data.measured.fit_models import OtherModels
from polhode_app.data.measured.measured_layer import MeasuredLayer, RunComparison, compare
from polhode_app.jobs import CheckCancelled

Bounds = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Progress:
    """How far a fit is."""

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
    segments: int = 1
    models: OtherModels = OtherModels()  # noqa: RUF009  # it is immutable

    def asks_the_same(self, other: FitOrder, applied: Scene | None) -> bool:
        """Whether a result for `other` is one for this order, too; `applied` is the scene with the values found."""
        mine, theirs = self.layer, other.layer
        same = mine.data is theirs.data and mine.mapping == theirs.mapping and self.free == other.free
        if self.scene != applied:  # that has new numbers of the data as well
            same = same and self.scene == other.scene and mine.stated == theirs.stated
        options, others = (
            (each.bounds, each.loss, each.hold_out, each.segments, each.models) for each in (self, other)
        )
        return same and options == others

    def of_unknowns(self, names: tuple[str, ...]) -> FitOrder:
        """The same with some of the unknowns. Raises InputError for none of them."""
        if not names:
            rule = Message("a model without any unknown can't be fitted")
            raise InputError.of(self.layer.data.source, rule, Message("compare with one that keeps an unknown"))
        return replace(self, free=names, bounds={name: each for name, each in self.bounds.items() if name in names})


def compare_run(layer: MeasuredLayer, scene: Scene, check_cancelled: CheckCancelled) -> RunComparison:
    """The run of a scene beside the data. Raises InputError, also where a quantity is none of the scene."""
    compile_missing(units_of_comparisons(), check_cancelled)
    check_cancelled()

    def values(shown: Scene, names: list[str], times: np.ndarray) -> np.ndarray:
        compiled = build(alone(shown), Meshes())
        check_length(layer.data.source, times, compiled)
        observed = observed_in(layer, names, compiled)
        return observed.of_columns(computed(compiled, times, observed.chosen), compiled)

    return compare(layer, scene, values)


def observed_in(layer: MeasuredLayer, names: list[str], compiled: CompiledScene) -> Observed:
    """Quantities of a scene. Raises InputError where it has none of that name."""
    try:
        return observe(names, compiled)
    except InvalidValue as error:
        raise InputError(layer.data.source, [error.problem]) from None


def look(order: FitOrder, check_cancelled: CheckCancelled) -> tuple[FitOrder, PreparedFit | InputError]:
    """Identifiability of the unknowns by the data, before any fit."""
    compile_missing(units_of_fits(), check_cancelled)
    try:
        return order, _prepared(order, lambda _rows: check_cancelled())
    except InputError as error:
        return order, error


def plan_further(
    prepared: PreparedFit, check_cancelled: CheckCancelled
) -> tuple[PreparedFit, tuple[SuggestedMeasurement, ...]]:
    """Suggested measurements besides the data of a fit."""
    return prepared, suggested_measurements(prepared.with_progress(lambda _rows: check_cancelled()))


def profile_of(found: FitResult, name: str, check_cancelled: CheckCancelled) -> ProfileCurve:
    """The profile of an unknown."""
    return profile_curve(found, name, lambda _rows: check_cancelled())


def fit_order(order: FitOrder, check_cancelled: CheckCancelled) -> tuple[FitResult, tuple[ComparedModel, ...]]:
    """The fit itself, which reports its Progress, and comparisons with its other models.

    Raises InputError, before the fit also for a model without unknowns, and for a scene of another model that can't be
    read or lacks one of the unknowns. A model that can't be fitted is among the comparisons, with its problems.
    """
    compile_missing(units_of_fits(), check_cancelled)
    others, runs = _others(order), count(1)

    def progress(rows: int) -> None:
        check_cancelled.report(Progress(rows, len(order.layer.data.times), next(runs)))

    def fitted(wanted: FitOrder) -> FitResult:
        prepared = _prepared(wanted, progress)
        if prepared.determination.problems:
            raise InputError(order.layer.data.source, list(prepared.determination.problems))
        return solve(prepared, order.loss)

    found = fitted(order)
    return found, tuple(
        compared_model(without, scene, found, partial(fitted, other)) for without, scene, other in others
    )


def _others(order: FitOrder) -> list[tuple[tuple[str, ...], str, FitOrder]]:
    """The fits of the other models, each with the unknowns that it holds and the name of its scene.

    Raises InputError for a model without unknowns, and for a scene that can't be read or lacks one of the unknowns.
    """
    models, others = order.models, []
    if models.without:
        kept = tuple(name for name in order.free if name not in models.without)
        others.append((models.without, "", order.of_unknowns(kept)))
    if models.against is not None:
        other = replace(order, scene=models.scene_against())
        check_other_model(order.scene, other.scene)
        layer, scene = order.layer, with_stated(other.scene, order.free, Meshes())
        unknowns_of(scene, order.free, order.bounds, layer.data, tuple(layer.mapping), layer.stated)
        others.append(((), models.against.name, other))
    return others


def _prepared(order: FitOrder, progress: Callable[[int], None]) -> PreparedFit:
    layer = order.layer
    options = order.bounds, order.hold_out, None, layer.stated, progress, order.segments
    runs = order.models.runs(order.scene)
    own = [name for name in order.models.own if name in order.free] if runs else []
    return prepare(order.scene, layer.data, layer.mapping, order.free, *options, runs, own)
