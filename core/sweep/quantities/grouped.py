"""Attractors by features that are grouped: two runs are one if means, extremes or deviations of quantities agree.

So limit cycles, rotations and chaotic motions are told apart, too, as long as a feature differs. (Stender and Hoffmann,
bSTAB, Nonlinear Dyn. 107, 1451, 2022, group features as well.)
"""

from __future__ import annotations

import numpy as np

from core.analysis.columns import columns
from core.analysis.diagnostics import write_row
from core.engine.compile import CompiledScene
from core.engine.model import Clock, Inputs, Model, Work
from core.jit.calls import call_advance, call_on_state
from core.jit.kernel import kernel
from core.scene.variants.sweep import SweepSettings
from core.sweep.cells import PENDING, SETTLED, UNCERTAIN, UNSETTLED
from core.sweep.likeness import TOLERANCE
from core.sweep.quantities.results import Results, failed
from core.sweep.quantities.steps import Steps

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
    advance, measure = addresses
    steps, stride, step, first = plan
    done = 0
    while done < steps:
        count = min(stride, steps - done)
        taken = call_advance(advance, model, inputs, state, history, work, Clock(0.0, step, done), count)
        done += taken
        if taken < count:
            break
        if done <= first:
            continue
        call_on_state(measure, model, inputs, done * step, state, work)
        write_row(model, inputs, done * step, state, work, row)
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

    def __init__(self, built: CompiledScene, sweep: SweepSettings, is_checked: bool):
        """Prepare for runs as the sweep asks for them; is_checked: each run is repeated with half of the step."""
        known = list(columns(built))
        self._built, self._sweep, self._is_checked = built, sweep, is_checked
        self._asked = sweep.outcome.features
        self._watched = np.array([known.index(feature.quantity) for feature in self._asked], dtype=np.int64)
        self._tolerances = np.array([feature.tolerance for feature in self._asked])
        self._steps = Steps(built, built.scene.solver.time_step)

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self._steps.cancel()

    def run(self, states: np.ndarray) -> Results:
        """Features of the motions from `states` (n, k): numbers are these, scaled so that TOLERANCE parts two groups.

        Settled: those of both halves of the time that counts agree. Uncertain: those with half of the step do not.
        """
        results = Results.empty(len(states), len(self._asked))
        for cell, state in enumerate(states):
            halves = self._features(state, 1)
            if halves is None:
                results.status[cell] = failed(self._steps.is_cancelled)
            else:
                results.numbers[cell] = halves.mean(axis=0) * TOLERANCE / self._tolerances
                results.status[cell] = SETTLED if self._agree(*halves) else UNSETTLED
            if halves is not None and self._is_checked:
                again = self._features(state, 2)
                if again is None:
                    results.status[cell] = PENDING if self._steps.is_cancelled else UNCERTAIN
                elif not self._agree(again.mean(axis=0), halves.mean(axis=0)):
                    results.status[cell] = UNCERTAIN
            if self._steps.is_cancelled:
                break
        return results

    def _agree(self, some: np.ndarray, others: np.ndarray) -> bool:
        """Whether features (f,) agree within the tolerances."""
        return bool((np.abs(some - others) < self._tolerances).all())

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
