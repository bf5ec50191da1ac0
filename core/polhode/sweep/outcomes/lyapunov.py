"""Lyapunov exponents: mean rates at which neighbouring motions part, the largest one first.

Tangent vectors are carried along a run by core/polhode/run/observers/tangents.py. If only one body on an axle moves,
by its variational equation (axle_tangents.py there), over steps of RK4 as long as its motion allows (reduced_axle.py).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.integrators import runge_kutta_4
from polhode.physics.bodies.arrays import AXLE
from polhode.run.loop import FINISHED, method_of
from polhode.run.neighbours import Scales, chart_of, dimension, extent
from polhode.run.observers.axle_tangents import AxleTangents, observe_axle_tangents
from polhode.run.observers.tangents import STRIDE, Tangents, observe_tangents
from polhode.run.runner import equal_steps
from polhode.run.status import DIVERGED, SETTLED, UNSETTLED
from polhode.run.units import Unit, unit_of_method, units_of_observer
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.variants.outcome import MOST_EXPONENTS
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.map import Results
from polhode.sweep.outcomes.outcome_runner import OutcomeRunner, OutcomeRuns, failed
from polhode.sweep.outcomes.reduced_axle import ReducedAxle, reduced_axle

LIFE = 50  # steps: the scale of times
GONE = 1e-3  # of a vector's length, left after STRIDE steps: a direction that constraints take away
CLOSE, OF_ONE = 0.1, 4.0  # exponents of both halves of a run agree within CLOSE of them, and OF_ONE by its time
SEED = 20_001
MULTI_STEP = ("adams_bashforth_2", "adams_bashforth_2_as_printed")
"""Methods with a history, which neighbouring states do not share: replaced by RK4."""


class LyapunovRunner(OutcomeRunner):
    """Lyapunov exponents of cells."""

    def __init__(self, compiled: CompiledScene, sweep: SweepSettings):
        method = runge_kutta_4.NAME if compiled.scene.solver.method in MULTI_STEP else compiled.scene.solver.method
        super().__init__(compiled, sweep, method)
        self._count, self._step = equal_steps(sweep.until, compiled.scene.solver.time_step)
        self._first = STRIDE * round(sweep.outcome.after / (self._step * STRIDE))
        self._beside = method_of(compiled, method)
        self.axle = reduced_axle(compiled, self._runner.work)
        if self.axle is not None:
            self._runner.method = method_of(compiled, runge_kutta_4.NAME)
        self._chart = chart_of(compiled, Scales(extent(compiled), min(LIFE * self._step, sweep.until / 10)))
        self._wanted = exponents_of(compiled, sweep)

    def run(self, states: np.ndarray) -> Results:
        """Value: largest exponent of the motions from `states` (n, k); numbers: all, the largest first. Time is nan.

        Settled: the largest ones of both halves of a run agree.
        """
        results = Results.empty(len(states), self._wanted)
        for cell, state in enumerate(states):
            if self._runner.is_cancelled:
                break
            found = self._of_axle(self.axle, state) if self.axle is not None else self._of_copies(state)
            if found is None:
                results.status[cell] = failed(self._runner.is_cancelled)
            else:
                halves, spans = found
                self._enter(results, cell, halves, spans)
        return results

    def _enter(self, results: Results, cell: int, sums: np.ndarray, spans: np.ndarray) -> None:
        """Enter exponents from the sums (2, n) of logarithms over both halves of a run, of `spans` (2,) [s]."""
        exponents = np.sort(sums.sum(axis=0) / spans.sum())[::-1]
        halves = (sums / spans[:, None]).max(axis=1)
        if not np.isfinite(exponents).all():
            results.status[cell] = DIVERGED
            return
        results.value[cell], results.features[cell, : len(exponents)] = exponents[0], exponents
        allowed = CLOSE * abs(exponents[0]) + OF_ONE / spans.min()
        results.status[cell] = SETTLED if abs(halves[0] - halves[1]) <= allowed else UNSETTLED

    def _of_axle(self, axle: ReducedAxle, state: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Sums of logarithms and times of both halves, by the variational equation of a body on an axle."""
        pairs = max(1, int(np.ceil(0.5 * self._sweep.until / axle.step(state))))  # of steps
        step = 0.5 * self._sweep.until / pairs
        first = round(0.5 * self._sweep.outcome.after / step)
        sums = np.zeros((2, 2))
        record = AxleTangents(
            2 * first,
            2 * pairs,
            np.zeros(1, dtype=np.int64),
            *axle.pointer,
            axle.harmonics,
            axle.rates,
            np.zeros(2),
            np.eye(2),
            np.zeros(2),
            sums,
        )
        stop = self._runner.run(state[None].copy(), step, 2 * pairs, observe_axle_tangents, record)[1]
        middle = (pairs - first) // 2
        spans = 2 * step * np.array([middle, pairs - first - middle])
        return (sums[:, : self._wanted], spans) if stop[0] == FINISHED else None

    def _of_copies(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Sums of logarithms and times of both halves, by copies; None if the run ends before its time."""
        size = dimension(self._chart)
        random = np.random.default_rng(SEED).standard_normal((size, self._wanted))
        vectors = np.ascontiguousarray(np.linalg.qr(random)[0].T)
        left = len(vectors)
        for _ in range(2):  # again without the directions that constraints take away
            base = state[None].copy()
            record = self._run(base, np.ascontiguousarray(vectors[:left]), 0, min(STRIDE, self._count))
            if record is None:
                return None
            vectors, lengths = record.vectors, record.lengths
            left = int((lengths > GONE * lengths.max(initial=0.0)).sum())
            if left == len(vectors):
                break
        record = self._run(base, vectors, STRIDE, self._count)
        if record is None:
            return None
        counted = self._count - max(self._first, STRIDE)
        middle = STRIDE * int(np.ceil(0.5 * (self._count - self._first) / STRIDE)) - max(STRIDE - self._first, 0)
        return record.sums, self._step * np.array([middle, counted - middle])

    def _run(self, base: np.ndarray, vectors: np.ndarray, first: int, last: int) -> Tangents | None:
        """The record of a run of `base` (1, k) in place, with tangent vectors (n, d); None if it ends before `last`."""
        count = len(vectors)
        record = Tangents(
            self._first,
            self._count,
            np.zeros(1, dtype=np.int64),
            self._chart,
            vectors.copy(),
            np.zeros(count),
            np.zeros((2, count)),
            np.empty((count, base.shape[1])),
            np.zeros(len(self._runner.work.events.before)),
            self._beside,
            np.full(1, -1, dtype=np.int64),
        )
        stop = self._runner.run(base, self._step, last, observe_tangents, record, first)[1]
        return record if stop[0] == FINISHED else None


def exponents_of(compiled: CompiledScene, sweep: SweepSettings) -> int:
    """Number of exponents that a sweep asks for."""
    asked = sweep.outcome.exponents
    return dimension(chart_of(compiled, Scales(1.0, 1.0))) if asked == "all" else asked


def check_exponents(compiled: CompiledScene, sweep: SweepSettings, where: str) -> list[Problem]:
    """Problems of the sweep at the path `where` that asks for exponents which the scene has not."""
    size, wanted = dimension(chart_of(compiled, Scales(1.0, 1.0))), exponents_of(compiled, sweep)
    path = f"{where}.outcome.exponents"
    if size == 0:
        rule = Message("nothing of the scene moves, so that it has no Lyapunov exponents")
        return [Problem(path, rule, Message("add a part that moves"))]
    if wanted > MOST_EXPONENTS:
        rule = Message("the scene has {count} Lyapunov exponents, more than {most}", count=size, most=MOST_EXPONENTS)
        return [Problem(path, rule, Message("ask for the largest ones only, such as exponents = 1"))]
    if wanted > size:
        rule = Message("the scene has {count} Lyapunov exponents, not {wanted}", count=size, wanted=wanted)
        return [Problem(path, rule, Message("ask for fewer"))]
    return []


def _units(compiled: CompiledScene | None) -> list[Unit]:
    """RK4 in place of methods of several steps, and for a body on an axle."""
    takes_rk4 = compiled is not None and compiled.scene.solver.method in MULTI_STEP
    on_axle = compiled is None or bool((compiled.model.bodies.support == AXLE).any())
    axle = units_of_observer(observe_axle_tangents) if on_axle else []
    return [*([unit_of_method(runge_kutta_4.NAME)] if takes_rk4 or on_axle else []), *axle]


RUNS = OutcomeRuns(LyapunovRunner, observe_tangents, check_exponents, exponents_of, _units)
