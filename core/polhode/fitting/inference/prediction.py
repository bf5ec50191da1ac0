"""Prediction intervals: where the readings of a further run are expected.

A reading differs from the fitted run by its own noise, by the errors of the values, and by the noise of measured inputs
of that run:

    var = sigma^2 + g^T C_x g + (J_u (d^2 1) J_u^T)

with g the sensitivities of the reading to the unknowns, C_x their covariance, and J_u the tangents of input_noise.py.
An uncertain number that the fit held moves the values found and, where the scene has it, the run itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from pydantic import Field
from scipy.stats import t as students_t

from polhode.data.input_checks import check_until
from polhode.fitting.inference.held_numbers import by_held_numbers
from polhode.fitting.inference.input_noise import tangents_of, variance_of_readings
from polhode.fitting.models import FitModels
from polhode.fitting.quantities.known import observe
from polhode.fitting.result import FitResult
from polhode.fitting.task import FitTask
from polhode.fitting.unknowns import Unknowns
from polhode.run.starts import is_start
from polhode.scene.checks.arguments import Array, Finite, check_array, checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue
from polhode.scene.scene import Scene
from polhode.scene.variants.alone import alone
from polhode.scene.variants.numbers import number_at, scene_with

Level = Annotated[Finite, Field(gt=0, lt=1)]


@dataclass(frozen=True, eq=False)
class Prediction:
    """Predicted readings of a run with their intervals; arrays are (n, m), in the units of the quantities."""

    times: np.ndarray  # (n,) [s]
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: np.ndarray  # (n, m)
    lower: np.ndarray  # (n, m)
    upper: np.ndarray  # (n, m)


@checked
def prediction(
    found: FitResult,
    times: Array | None = None,
    scene: Scene | None = None,
    level: Level = 0.95,
    progress: Callable[[int], None] = lambda _rows: None,
) -> Prediction:
    """The readings at `times` (n,) [s] of a further run, by default those of the data of the first run.

    scene: with other starts or inputs, by default that of the fit; its shared numbers are replaced by those found, and
    its starts count as known. level: probability that a reading is within its interval. progress: called before each
    run with its number of rows, may raise to end the prediction

    Raises InputError for a scene without one of the numbers or quantities, for times before the start or after the end
    of measured inputs, and if the run diverges.
    """
    run, x = next(found.task.pieces(np.array([each.value for each in found.estimates]) / found.task.unknowns.scales))
    run = replace(run, progress=progress)
    chosen = list(range(len(x)))
    if scene is not None:
        own = [each.path is not None and is_start(run.unknowns.scene, each.path) for each in run.unknowns.each]
        chosen = [k for k in chosen if not own[k]]
        try:
            run = _of_scene(run, scene, x, chosen)
        except InvalidValue as error:
            raise InputError("prediction", [error.problem.at("scene")]) from None
        x = x[chosen]
    if times is not None:
        run = _at_times(run, times, x)
    check_until(run.unknowns.scene, run.models.first.data_end, float(np.max(run.times_of_run(x), initial=0.0)))
    readings = run.model(x)
    if not np.isfinite(readings).all():
        rule = Message("the run diverges before {time:g} s", time=float(run.times[-1]))
        raise InputError.of("polhode", rule, Message("give earlier times, or a shorter time step"), "times")
    run = replace(run, values=readings)  # each reading counts, also in gaps of the data
    variance = _variances(found, run, x, chosen)
    half = students_t.ppf(0.5 + level / 2, found.covariance.freedom) * np.sqrt(variance)
    names, units = run.observed.names, run.observed.units
    return Prediction(run.times, names, units, readings, readings - half, readings + half)


def _variances(found: FitResult, run: FitTask, x: np.ndarray, chosen: list[int]) -> np.ndarray:
    """(n, m) variances of the readings of a run, whose unknowns `x` (q,) are the chosen ones of the fit."""
    slopes = run.sensitivities(x).reshape(*run.values.shape, len(x)) * run.sigma[:, None]
    matrix = found.covariance.matrix[np.ix_(chosen, chosen)]
    variance = found.covariance.variance * run.sigma**2
    held = by_held_numbers(run, x * run.unknowns.scales)
    for name in dict.fromkeys([*held, *found.covariance.by_held]):  # in one order: sums have the same bits
        change = found.covariance.by_held.get(name, np.zeros(len(found.estimates)))[chosen]
        moved = held[name].reshape(run.values.shape) * run.sigma if name in held else 0.0
        matrix = matrix - np.outer(change, change)
        variance = variance + (slopes @ change + moved) ** 2
    variance = variance + np.einsum("nmp,pq,nmq->nm", slopes, matrix, slopes)
    tangents = tangents_of(run, x * run.unknowns.scales)
    return variance if tangents is None else variance + variance_of_readings(tangents, run)


def _at_times(run: FitTask, times: np.ndarray, x: np.ndarray) -> FitTask:
    """The task at other `times` (n,) [s] of the data, without readings. Raises InputError."""
    check_array("prediction", "times", times, (-1,))
    scale, offset = run.unknowns.clock(x * run.unknowns.scales)
    if len(times) == 0 or np.any(np.diff(times) < 0.0):
        rule = Message("has no times, or some that do not increase")
        raise InputError.of("prediction", rule, Message("sort them"), "times")
    if scale * times[0] + offset < 0.0:
        rule = Message("begins at {time:g} s, before the scene", time=float(times[0]))
        raise InputError.of("prediction", rule, Message("leave out times before the start"), "times")
    return replace(run, times=times.astype(float), values=np.full((len(times), len(run.columns)), np.nan))


def _of_scene(run: FitTask, scene: Scene, x: np.ndarray, chosen: list[int]) -> FitTask:
    """The task of another scene, with the values found of the chosen unknowns.

    Raises InvalidValue for a scene without one of the numbers or quantities.
    """
    for k in chosen:
        if run.unknowns.each[k].path is not None:
            number_at(scene, run.unknowns.each[k].name)
    values = x * run.unknowns.scales
    paths = [(each.path, values[k]) for k, each in enumerate(run.unknowns.each) if k in chosen and each.path]
    made = scene_with(alone(scene), tuple(path for path, _ in paths if path), np.array([value for _, value in paths]))
    each = tuple(replace(run.unknowns.each[k], start=float(values[k])) for k in chosen)
    unknowns = Unknowns(made, each, run.unknowns.stated)
    models = FitModels(unknowns, run.models.meshes)
    return replace(
        run, unknowns=unknowns, models=models, observed=observe(run.observed.names, models.first), chained=None
    )
