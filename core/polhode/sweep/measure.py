"""Labels of attractors and values of quantities of cells, from the ends of runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from polhode.analysis.columns import columns
from polhode.data.input_checks import check_until
from polhode.engine.compiled_scene import CompiledScene
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, AXLE, BASIS, BODY_SIZE, DRIVEN, FIXED, PIVOT, POSITION
from polhode.run.neighbours import extent
from polhode.run.observers.rest import CROSSINGS, FIRST_CROSSING, HIGHEST, LAST, LAST_CROSSING, LOWEST, SAMPLES, SUM
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.variants.outcome import Outcome
from polhode.sweep.outcomes.outcome_runner import runs_of, unknown_column
from polhode.sweep.variation import Variation, resolve

BETWEEN = 0.1  # part by which the nearest body must be nearer than the next one, for a rest at it
LEAST_ARM = 1e-9  # of the size of the scene: shorter arms count as zero


class Measure:
    """Evaluates the outcome of a sweep at the ends of its runs. Raises InputError for names that the scene lacks."""

    def __init__(self, variation: Variation, compiled: CompiledScene, where: str = "sweep[0]"):
        self.outcome = variation.sweep.outcome
        varied = [axis.parameter for axis in variation.sweep.axes]
        check_until(compiled.scene, compiled.data_end, variation.sweep.until, varied)
        names = [body.name for body in compiled.scene.bodies]
        problems = []
        of = self.outcome.of if self.outcome.of and self.outcome.kind == "attractor" else ""
        for name in (*self.outcome.near, *([of] if of else [])):
            if name not in names:
                rule = Message("'{name}' is no body of the scene", name=name)
                remedy = Message("name one of {names}", names=", ".join(names[:20]))
                problems.append(Problem(f"{where}.outcome", rule, remedy))
        known = list(columns(compiled))
        problems += unknown_column(self.outcome.quantity, known, f"{where}.outcome.quantity")
        runs = runs_of(self.outcome.row)
        problems += runs.problems(compiled, variation.sweep, where) if runs is not None else []
        if problems:
            raise InputError(compiled.scene.title or "scene", problems)
        self.column = known.index(self.outcome.quantity) if self.outcome.quantity else -1
        self.near = [names.index(name) for name in self.outcome.near]
        self.of = names.index(of) if of else _first_moving(variation, compiled)

    def labels(self, compiled: CompiledScene, ends: np.ndarray) -> np.ndarray:
        """(n,) index in `near` of the body that is nearest to the centre of mass of `of` in states `ends` (n, k)."""
        return np.argmin(self._distances(compiled, ends), axis=1)

    def are_between(self, compiled: CompiledScene, ends: np.ndarray) -> np.ndarray:
        """(n,) bool: ends (n, k) about equally far from the two nearest bodies of `near`."""
        near = np.sort(self._distances(compiled, ends), axis=1)
        return near[:, 0] > (1.0 - BETWEEN) * near[:, 1] if near.shape[1] > 1 else np.zeros(len(ends), dtype=bool)

    def _distances(self, compiled: CompiledScene, ends: np.ndarray) -> np.ndarray:
        """(n, m) [m] between the centre of mass of `of` and those of the bodies of `near`."""
        points = centers(compiled, ends)
        return np.asarray(np.linalg.norm(points[:, self.near] - points[:, self.of, None], axis=2))

    def values(self, series: np.ndarray, rest: np.ndarray) -> np.ndarray:
        """(n,) values of the outcome, or nan.

        series: (n, SERIES) as of core/polhode/sweep/cells.py; rest: (n,) [s] after which the runs rest, or nan
        """
        value = VALUES.get(self.outcome.kind)
        return value(series, rest, self.outcome) if value is not None else np.full(len(series), np.nan)


def _extreme(series: np.ndarray, _rest: np.ndarray, outcome: Outcome) -> np.ndarray:
    return series[:, HIGHEST if outcome.extreme == "maximum" else LOWEST]


def _mean(series: np.ndarray, _rest: np.ndarray, _outcome: Outcome) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.asarray(series[:, SUM] / series[:, SAMPLES])


def _period(series: np.ndarray, _rest: np.ndarray, _outcome: Outcome) -> np.ndarray:
    periods = np.maximum(series[:, CROSSINGS] - 1, 1)
    found = (series[:, LAST_CROSSING] - series[:, FIRST_CROSSING]) / periods
    return np.where(series[:, CROSSINGS] > 1, found, np.nan)


VALUES: dict[str, Callable[[np.ndarray, np.ndarray, Outcome], np.ndarray]] = {
    "final": lambda series, _rest, _outcome: series[:, LAST],
    "extreme": _extreme,
    "mean": _mean,
    "period": _period,
    "settled": lambda _series, rest, _outcome: rest,
}
"""Values (n,) by kind: from the numbers (n, SERIES) of a column, the times (n,) [s] of rest and the outcome."""


def check_sweeps(scene: Scene, compiled: CompiledScene) -> None:
    """Raise InputError with all problems of the sweeps of a scene."""
    problems: list[Problem] = []
    for number, sweep in enumerate(scene.sweep):
        try:
            Measure(resolve(scene, sweep, f"sweep[{number}]"), compiled, f"sweep[{number}]")
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(scene.title or "scene", problems)


def centers(compiled: CompiledScene, states: np.ndarray) -> np.ndarray:
    """(n, bodies, 3) [m] centres of mass of all bodies in the states (n, k), laboratory frame."""
    bodies = compiled.model.bodies
    rows = states[:, : BODY_SIZE * len(bodies.mass)].reshape(len(states), len(bodies.mass), BODY_SIZE)
    turns = rows[:, :, BASIS:ANGULAR_MOMENTUM].reshape(*rows.shape[:2], 3, 3)  # rows u1, u2, u3
    return np.asarray(rows[:, :, POSITION : POSITION + 3] + np.einsum("bk,nbki->nbi", bodies.center, turns))


def features(compiled: CompiledScene, states: np.ndarray, length: float) -> np.ndarray:
    """(n, f) pure numbers that identify rests: positions of moving bodies and points, and directions of magnets.

    The centre of mass of each body, divided by its distance from its pivot or axle, or else by `length` [m] of the
    sweep; the direction of its first dipole, or u3 of a body with neither arm nor dipole. A turn about an axis of
    symmetry does not change them. Points are divided by `length`, too.
    """
    bodies, dipoles = compiled.model.bodies, compiled.model.dipoles
    points, least = centers(compiled, states), LEAST_ARM * extent(compiled)
    rows = states[:, : BODY_SIZE * len(bodies.mass)].reshape(len(states), len(bodies.mass), BODY_SIZE)
    turns = rows[:, :, BASIS:ANGULAR_MOMENTUM].reshape(*rows.shape[:2], 3, 3)
    found = [np.zeros((len(states), 0))]
    for number, support in enumerate(bodies.support.tolist()):
        if support in (FIXED, DRIVEN):
            continue
        arm, turns_about_point = float(np.linalg.norm(bodies.center[number])), support in (PIVOT, AXLE)
        if not turns_about_point or arm > least:
            found.append(points[:, number] / (arm if turns_about_point else length))
        moments = dipoles.moment[dipoles.first[number] : dipoles.first[number + 1]]
        moments = moments[moments.any(axis=1)]
        if len(moments) or (turns_about_point and arm <= least):
            direction = moments[0] / np.linalg.norm(moments[0]) if len(moments) else np.array([0.0, 0.0, 1.0])
            found.append(np.einsum("k,nki->ni", direction, turns[:, number]))
    first, count = compiled.model.points.at, len(compiled.model.points.mass)
    found.append(states[:, first : first + 3 * count] / length)
    return np.concatenate(found, axis=1)


def has_lengths(compiled: CompiledScene) -> bool:
    """Whether `features` depend on `length`: something moves without a pivot or axle."""
    held = (PIVOT, AXLE, FIXED, DRIVEN)
    return bool(len(compiled.model.points.mass) or np.isin(compiled.model.bodies.support, held, invert=True).any())


def _first_moving(variation: Variation, compiled: CompiledScene) -> int:
    """Index of the body of the first axis that varies one, else of the first moving body; 0 without any."""
    for path in variation.paths:
        if path[0] == "body":
            return int(path[1])
    support = compiled.model.bodies.support
    moving = np.flatnonzero((support != FIXED) & (support != DRIVEN))
    return int(moving[0]) if len(moving) else 0
