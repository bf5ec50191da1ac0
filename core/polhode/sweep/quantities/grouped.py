"""Attractors by features that are grouped: two runs are one if means, extremes or deviations of quantities agree.

So limit cycles, rotations and chaotic motions are told apart, too, as long as a feature differs. (Stender and Hoffmann,
bSTAB, Nonlinear Dyn. 107, 1451, 2022, group features as well.)
"""

from __future__ import annotations

import numpy as np

from polhode.analysis.columns import columns
from polhode.engine.compile import CompiledScene
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.calls import call_advance
from polhode.jit.kernel import kernel
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.likeness import TOLERANCE
from polhode.sweep.quantities.results import End, Results, run_checked
from polhode.sweep.quantities.rows import advance_to_row
from polhode.sweep.quantities.steps import Steps
from polhode.sweep.runs.checks import Checks

SAMPLES = 4000  # of the time that counts, at most
LOWEST, HIGHEST, SUM, SQUARES = range(4)


@kernel
def run_features(
    addresses: tuple[int, int],
    model: Model,
    inputs: Inputs,
    state: np.ndarray,
    history: np.ndarray,
    work: Work,
    plan: tuple[int, int, float, int],
    watched: np.ndarray,
    row: np.ndarray,
    found: np.ndarray,
    counts: np.ndarray,
) -> int:
    """Run `state` (k,) in place; returns the steps that were taken.

    addresses: of the method and of `energies`; plan: steps, steps between two samples, step [s], the first step that
    counts; watched: (q,) columns; row: (c,) of the table; found: (2, q, 4) lowest, highest, sum, sum of squares over
    both halves of the time that counts, and counts: (2,) samples, written
    """
    steps, stride, step, first = plan
    done = call_advance(addresses[0], model, inputs, state, history, work, Clock(0.0, step, 0), first)
    while first <= done < steps:
        count = min(stride, steps - done)
        taken = advance_to_row(addresses, model, inputs, state, history, work, (done, count, step), row)
        done += taken
        if taken < count:
            break
        half = 0 if 2 * (done - first) <= steps - first else 1
        for k in range(len(watched)):
            value, numbers = row[watched[k]], found[half, k]
            numbers[LOWEST] = min(numbers[LOWEST], value)
            numbers[HIGHEST] = max(numbers[HIGHEST], value)
            numbers[SUM] += value
            numbers[SQUARES] += value * value
        counts[half] += 1.0
    return done


class GroupedRunner:
    """Features of cells of one compiled scene, with scratch arrays of its own: one for each thread."""

    def __init__(self, built: CompiledScene, sweep: SweepSettings):
        """Prepare for runs as the sweep asks for them."""
        known = list(columns(built))
        self._built, self._sweep, self._checks = built, sweep, Checks(built, sweep)
        self._asked = sweep.outcome.features
        self._watched = np.array([known.index(feature.quantity) for feature in self._asked], dtype=np.int64)
        self._tolerances = np.array([feature.tolerance for feature in self._asked])
        self._steps = Steps(built, built.scene.solver.time_step)

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self._steps.cancel()

    def run(self, states: np.ndarray) -> Results:
        """Features of the motions from `states` (n, k): numbers are these, scaled so that TOLERANCE parts two groups.

        Settled: those of both halves of the time that counts agree. Uncertain: those of a repetition do not.
        """
        scale = TOLERANCE / self._tolerances

        def run(state: np.ndarray, parts: int) -> End | None:
            halves = self._features(state, parts)
            if halves is None:
                return None
            return End(halves.mean(axis=0) * scale, float("nan"), self._agree(*(halves * scale)))

        def agree(one: End, other: End) -> bool:
            return self._agree(one.numbers, other.numbers)

        return run_checked(states, len(self._asked), run, agree, self._checks, lambda: self._steps.is_cancelled)

    @staticmethod
    def _agree(some: np.ndarray, others: np.ndarray) -> bool:
        """Whether scaled features (f,) agree."""
        return bool((np.abs(some - others) < TOLERANCE).all())

    def _features(self, state: np.ndarray, parts: int) -> np.ndarray | None:
        """(2, f) features over both halves of the time that counts, with the step divided by `parts`; None of a run
        that ends before."""
        sweep, steps = self._sweep, self._steps
        count = parts * max(2, round(sweep.until / self._built.scene.solver.time_step))
        step = sweep.until / count
        first = int(sweep.outcome.after / step)
        stride = max(1, (count - first) // SAMPLES)
        found, counts = np.zeros((2, len(self._asked), 4)), np.zeros(2)
        found[..., LOWEST], found[..., HIGHEST] = np.inf, -np.inf
        steps.set_step(step)
        taken = run_features(
            (steps.advance, steps.measure),
            self._built.model,
            self._built.inputs,
            state.copy(),
            steps.history,
            steps.work,
            (count, stride, step, first),
            self._watched,
            steps.row,
            found,
            counts,
        )
        if taken < count or not np.isfinite(found).all():
            return None
        mean = found[..., SUM] / counts[:, None]
        square = np.maximum(found[..., SQUARES] / counts[:, None] - mean**2, 0.0)
        kinds = {
            "mean": mean,
            "minimum": found[..., LOWEST],
            "maximum": found[..., HIGHEST],
            "deviation": np.sqrt(square),
        }
        return np.stack([kinds[feature.of][:, k] for k, feature in enumerate(self._asked)], axis=1)
