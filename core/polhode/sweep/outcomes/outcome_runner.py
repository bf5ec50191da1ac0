"""Base of outcomes with a runner of their own: results, problems and checks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import numpy as np

from polhode.analysis.columns import columns
from polhode.engine.compiled_scene import CompiledScene
from polhode.run.runner import Runner
from polhode.run.status import DIVERGED, PENDING, SETTLED, UNCERTAIN, UNSETTLED
from polhode.run.units import Unit, units_of_observer
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.variants.outcome import CRITERIA, KINDS, Feature, GridAxis, OutcomeRow
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.checks import Checks
from polhode.sweep.maps.map import Results


class OutcomeRunner(ABC):
    """Runs cells of one compiled scene, with scratch arrays of its own: one for each thread."""

    def __init__(self, compiled: CompiledScene, sweep: SweepSettings, method: str = ""):
        """Link the hooks of the scene. sweep: has no `problems`; method: a name, by default the scene's"""
        self._built, self._sweep, self._outcome = compiled, sweep, sweep.outcome
        self._runner = Runner(compiled, method)

    @abstractmethod
    def run(self, states: np.ndarray) -> Results:
        """The results of all starts `states` (n, k), which are not changed; pending ones after `cancel`."""

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self._runner.cancel()


@dataclass(frozen=True, eq=False)
class OutcomeRuns:
    """How the cells of an outcome run: RUNS of its module."""

    runner: Callable[[CompiledScene, SweepSettings], OutcomeRunner]
    """A runner for cells of a compiled scene; `problems` has found none."""
    observer: Any
    """Observer of the runs (core/polhode/run/observers)."""
    problems: Callable[[CompiledScene, SweepSettings, str], list[Problem]]
    """Problems of a sweep at a path of the scene, except an unknown `quantity`."""
    width: Callable[[CompiledScene, SweepSettings], int] = lambda compiled, sweep: 0
    """Number of features of each cell."""
    further_units: Callable[[CompiledScene | None], list[Unit]] = lambda compiled: []
    """Units besides those of the scene and the observer; None: those that any scene may need."""

    def units(self, compiled: CompiledScene | None) -> list[Unit]:
        """Units that its cells need besides those of the scene; None: those that any scene may need."""
        return [*self.further_units(compiled), *units_of_observer(self.observer)]


def runs_of(row: OutcomeRow) -> OutcomeRuns | None:
    """The OutcomeRuns of an outcome with a runner of its own; None for one that is read from the end of a run."""
    if not row.module:
        return None
    found: OutcomeRuns = import_module(f"{__package__}.{row.module}").RUNS
    return found


def all_runs() -> list[OutcomeRuns]:
    """The OutcomeRuns of every outcome with a runner of its own."""
    return [runs for row in (*KINDS.values(), *CRITERIA.values()) if (runs := runs_of(row)) is not None]


def failed(cancelled: bool) -> int:
    """Status of a run that took fewer steps than it should."""
    return PENDING if cancelled else DIVERGED


@dataclass(frozen=True, eq=False)
class End:
    """End of one run."""

    numbers: np.ndarray  # (f,) that identify its attractor
    time: float  # [s] after which it is on its attractor; nan if unknown
    is_settled: bool


def run_checked(
    states: np.ndarray,
    width: int,
    run: Callable[[np.ndarray, int], End | None],
    agree: Callable[[End, End], bool],
    checks: Checks,
    is_cancelled: Callable[[], bool],
) -> Results:
    """Results of runs from `states` (n, k), whose numbers (width,) identify attractors.

    run: a run from a start (k,), whose step is divided by a number; None of one that ends before its time
    agree: whether two runs are on one attractor; settled runs whose repetitions end elsewhere are uncertain
    """
    results = Results.empty(len(states), width)
    for cell, state in enumerate(states):
        end = run(state, 1)
        if end is None:
            results.status[cell] = failed(is_cancelled())
        else:
            results.features[cell], results.time[cell] = end.numbers, end.time
            results.status[cell] = SETTLED if end.is_settled else UNSETTLED
            for again, parts in checks.repetitions(state[None]):
                other = run(again[0], parts)
                if other is None or not agree(other, end):
                    results.status[cell] = UNCERTAIN
                    break
        if is_cancelled():
            results.status[cell] = PENDING
            break
    return results


def unknown_column(name: str, known: list[str], path: str) -> list[Problem]:
    """The problem of a name that is not "" and not among the `known` columns of the table; [] for a known one."""
    if not name or name in known:
        return []
    close = get_close_matches(name, known, 1) or known[1:2]
    rule = Message("the table has no column '{name}'", name=name)
    return [Problem(path, rule, Message("did you mean '{near}'?", near=close[0]))]


def unknown_columns(compiled: CompiledScene, asked: Sequence[Feature | GridAxis], path: str) -> list[Problem]:
    """Problems of quantities that are no columns of the table, in a list at `path`."""
    known = list(columns(compiled))
    problems = (unknown_column(one.quantity, known, f"{path}[{k}].quantity") for k, one in enumerate(asked))
    return [problem for each in problems for problem in each]
