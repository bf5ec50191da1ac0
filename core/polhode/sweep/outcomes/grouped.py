"""Attractors by groups of features: runs whose means, extremes or deviations of quantities agree are on one attractor.

This also separates limit cycles, rotations and chaotic motions, where a feature differs. (Stender and Hoffmann, bSTAB,
Nonlinear Dyn. 107, 1451, 2022, group features as well.)
"""

from __future__ import annotations

import numpy as np

from polhode.analysis.columns import columns
from polhode.engine.compiled_scene import CompiledScene
from polhode.run.loop import FINISHED
from polhode.run.observers.features import HIGHEST, LOWEST, SQUARES, SUM, Features, no_features, observe_features
from polhode.run.observers.table_row import empty_row
from polhode.run.runner import equal_steps
from polhode.scene.problem import Problem
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.checks import Checks
from polhode.sweep.maps.map import Results
from polhode.sweep.maps.similarity import TOLERANCE
from polhode.sweep.outcomes.outcome_runner import End, OutcomeRunner, OutcomeRuns, run_checked, unknown_columns

SAMPLES = 4000  # of the time that counts, at most


class GroupedRunner(OutcomeRunner):
    """Features of cells."""

    def __init__(self, compiled: CompiledScene, sweep: SweepSettings):
        super().__init__(compiled, sweep)
        known, self._checks, self._asked = list(columns(compiled)), Checks(compiled, sweep), sweep.outcome.features
        self._watched = np.array([known.index(feature.quantity) for feature in self._asked], dtype=np.int64)
        self._tolerances = np.array([feature.tolerance for feature in self._asked])

    def run(self, states: np.ndarray) -> Results:
        """Numbers: features of the motions from `states` (n, k), scaled so that those of a group differ by TOLERANCE.

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

        return run_checked(states, len(self._asked), run, agree, self._checks, lambda: self._runner.is_cancelled)

    @staticmethod
    def _agree(some: np.ndarray, others: np.ndarray) -> bool:
        """Whether scaled features (f,) agree."""
        return bool((np.abs(some - others) < TOLERANCE).all())

    def _features(self, state: np.ndarray, parts: int) -> np.ndarray | None:
        """(2, f) features over both halves of the time that counts, with step / `parts`; None if ended early."""
        count, step = equal_steps(self._sweep.until, self._built.scene.solver.time_step, parts)
        first = int(self._sweep.outcome.after / step)
        record = Features(
            first,
            count,
            max(1, (count - first) // SAMPLES),
            np.zeros(1, dtype=np.int64),
            self._watched,
            empty_row(self._runner.work),
            no_features(1, len(self._asked)),
            np.zeros((1, 2)),
        )
        stop = self._runner.run(state[None].copy(), step, count, observe_features, record)[1]
        found, counts = record.found[0], record.counts[0]
        if stop[0] != FINISHED or not np.isfinite(found).all():
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


def _problems(compiled: CompiledScene, sweep: SweepSettings, where: str) -> list[Problem]:
    return unknown_columns(compiled, sweep.outcome.features, f"{where}.outcome.features")


RUNS = OutcomeRuns(GroupedRunner, observe_features, _problems, lambda _, sweep: len(sweep.outcome.features))
