"""Lyapunov exponents: mean rates at which neighbouring motions part, the largest one first.

Tangent vectors are carried along a run (tangents.py), and made orthonormal again every few steps; the mean of the
logarithms of the lengths before that, divided by the time, are the exponents. (Benettin, Galgani, Giorgilli and
Strelcyn, Meccanica 15, 9, 1980; Shimada and Nagashima, Prog. Theor. Phys. 61, 1605, 1979)

Where one body on an axle is all that moves, its equation of motion is integrated instead (axle_motion.py).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compile import CompiledScene
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.calls import call_advance
from polhode.jit.kernel import kernel
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.variants.sweep import MOST_EXPONENTS, SweepSettings
from polhode.sweep.maps.status import DIVERGED, SETTLED, UNSETTLED
from polhode.sweep.quantities.axle_motion import axle_exponents
from polhode.sweep.quantities.reduced_axle import ReducedAxle, reduced_axle
from polhode.sweep.quantities.results import Results, failed
from polhode.sweep.quantities.steps import Steps
from polhode.sweep.runs.tangents import Chart, Scales, chart_of, difference, dimension, displace, extent, orthonormalise

STRIDE = 5  # steps between two times at which vectors are made orthonormal
LIFE = 50  # steps: the scale of times
GONE = 1e-3  # of a vector's length, left after STRIDE steps: a direction that constraints take away
CLOSE, OF_ONE = 0.1, 4.0  # exponents of both halves of a run agree within CLOSE of them, and OF_ONE by its time
SEED = 20_001


@kernel
def run_exponents(
    advance: int,
    model: Model,
    inputs: Inputs,
    states: np.ndarray,
    history: np.ndarray,
    work: Work,
    chart: Chart,
    vectors: np.ndarray,
    lengths: np.ndarray,
    plan: tuple[int, int, float, int],
    sums: np.ndarray,
) -> int:
    """Run states[0] and its copies, and add logarithms of the lengths; returns the steps that were taken.

    advance: address of the method; states: (1 + n, k), the first one is that of the motion; vectors: (n, d) tangent
    vectors, orthonormal at the start and at the end; lengths: (n,) of the last time; plan: steps, step [s], the first
    step that counts; sums: (2, n) over both halves of the steps that count
    """
    begin, steps, step, first = plan
    done = begin
    while done < steps:
        count = min(STRIDE, steps - done)
        for i in range(len(vectors)):
            displace(chart, states[0], vectors[i], states[1 + i])
        for i in range(len(states)):
            if call_advance(advance, model, inputs, states[i], history, work, Clock(0.0, step, done), count) < count:
                return done
        for i in range(len(vectors)):
            difference(chart, states[0], states[1 + i], vectors[i])
        orthonormalise(vectors, lengths)
        half = 0 if 2 * (done - first) < steps - first else 1
        if done >= first:
            for i in range(len(vectors)):
                sums[half, i] += np.log(max(lengths[i], 1e-300))
        done += count
    return done


class LyapunovRunner:
    """Lyapunov exponents of cells of one compiled scene, with scratch arrays of its own: one for each thread."""

    def __init__(self, built: CompiledScene, sweep: SweepSettings):
        """Prepare for runs as the sweep asks for them, which `check_exponents` has accepted."""
        self._built, self._sweep = built, sweep
        count = max(2, round(sweep.until / built.scene.solver.time_step))
        self._step, self._count = sweep.until / count, count
        self._first = STRIDE * round(sweep.outcome.after / (self._step * STRIDE))
        self.axle = reduced_axle(built)
        self._steps = Steps(built, self._step) if self.axle is None else None
        self._chart = chart_of(built, Scales(extent(built), min(LIFE * self._step, sweep.until / 10)))
        self._wanted = exponents_of(built, sweep)
        self._is_cancelled = False

    @property
    def width(self) -> int:
        """Number of exponents of each cell."""
        return self._wanted

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self._is_cancelled = True
        if self._steps is not None:
            self._steps.cancel()

    def run(self, states: np.ndarray) -> Results:
        """Exponents of the motions from `states` (n, k): value is the largest, numbers are all, the largest first.

        Settled: the largest ones of both halves of a run agree. Time is nan.
        """
        results = Results.empty(len(states), self._wanted)
        for cell, state in enumerate(states):
            if self._is_cancelled:
                break
            found = self._of_axle(self.axle, state) if self.axle is not None else self._of_copies(state)
            if found is None:
                results.status[cell] = failed(self._is_cancelled)
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
        results.value[cell], results.numbers[cell, : len(exponents)] = exponents[0], exponents
        allowed = CLOSE * abs(exponents[0]) + OF_ONE / spans.min()
        results.status[cell] = SETTLED if abs(halves[0] - halves[1]) <= allowed else UNSETTLED

    def _of_axle(self, axle: ReducedAxle, state: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Sums of logarithms and times of both halves, by the equation of motion of a body on an axle."""
        steps = max(2, int(np.ceil(self._sweep.until / axle.step(state))))
        step = self._sweep.until / steps
        first = round(self._sweep.outcome.after / step)
        sums, spans = np.zeros((2, 2)), np.zeros(2)
        axle_exponents(axle.harmonics, axle.rates, axle.start(state), (steps, step, first), sums, spans)
        return (sums[:, : self._wanted], spans) if np.isfinite(sums).all() else None

    def _of_copies(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Sums of logarithms and times of both halves, by copies; None if the run ends before its time."""
        assert self._steps is not None
        size = dimension(self._chart)
        random = np.random.default_rng(SEED).standard_normal((size, self._wanted))
        vectors = np.ascontiguousarray(np.linalg.qr(random)[0].T)
        left = len(vectors)
        for _ in range(2):  # again without the directions that constraints take away
            vectors, lengths = np.ascontiguousarray(vectors[:left]), np.zeros(left)
            sums, states = np.zeros((2, left)), np.tile(state, (1 + left, 1))
            if not self._advance(states, vectors, lengths, (0, min(STRIDE, self._count), self._step, 0), sums):
                return None
            left = int((lengths > GONE * lengths.max(initial=0.0)).sum())
            if left == len(vectors):
                break
        sums[:] = 0.0
        if not self._advance(states, vectors, lengths, (STRIDE, self._count, self._step, self._first), sums):
            return None
        counted = self._count - max(self._first, STRIDE)
        middle = STRIDE * int(np.ceil(0.5 * (self._count - self._first) / STRIDE)) - max(STRIDE - self._first, 0)
        return sums, self._step * np.array([middle, counted - middle])

    def _advance(
        self,
        states: np.ndarray,
        vectors: np.ndarray,
        lengths: np.ndarray,
        plan: tuple[int, int, float, int],
        sums: np.ndarray,
    ) -> bool:
        """Whether `run_exponents` took all steps of its plan."""
        assert self._steps is not None
        steps = self._steps
        self._steps.set_step(self._step)
        built, chart = self._built, self._chart
        taken = run_exponents(
            steps.advance,
            built.model,
            built.inputs,
            states,
            steps.history,
            steps.work,
            chart,
            vectors,
            lengths,
            plan,
            sums,
        )
        return bool(taken == plan[1])


def exponents_of(built: CompiledScene, sweep: SweepSettings) -> int:
    """Number of exponents that a sweep asks for."""
    asked = sweep.outcome.exponents
    return dimension(chart_of(built, Scales(1.0, 1.0))) if asked == "all" else asked


def check_exponents(built: CompiledScene, sweep: SweepSettings, where: str) -> list[Problem]:
    """Problems of a sweep that asks for exponents which the scene has not; `where` is the place of the sweep."""
    size, wanted = dimension(chart_of(built, Scales(1.0, 1.0))), exponents_of(built, sweep)
    place = f"{where}.outcome.exponents"
    if size == 0:
        rule = Message("nothing of the scene moves, so that it has no Lyapunov exponents")
        return [Problem(place, rule, Message("add a part that moves"))]
    if wanted > MOST_EXPONENTS:
        rule = Message("the scene has {count} Lyapunov exponents, more than {most}", count=size, most=MOST_EXPONENTS)
        return [Problem(place, rule, Message("ask for the largest ones only, such as exponents = 1"))]
    if wanted > size:
        rule = Message("the scene has {count} Lyapunov exponents, not {wanted}", count=size, wanted=wanted)
        return [Problem(place, rule, Message("ask for fewer"))]
    return []
