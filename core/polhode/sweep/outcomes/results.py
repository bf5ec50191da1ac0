"""Outcomes with runners of their own: what these return, and what all of them have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from polhode.analysis.columns import columns
from polhode.engine.compiled_scene import CompiledScene
from polhode.run.status import DIVERGED, PENDING, SETTLED, UNCERTAIN, UNSETTLED
from polhode.run.units import Unit, units_of_observer
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.variants.outcome import KINDS, WAYS, Feature, GridAxis, OutcomeRow
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.checks import Checks
from polhode.sweep.maps.map_layout import NO_LABEL


@dataclass(eq=False)
class Results:
    """Results of some cells, in the order of their starts."""

    label: np.ndarray  # (n,) int32
    value: np.ndarray  # (n,) [SI]
    time: np.ndarray  # (n,) [s]
    status: np.ndarray  # (n,) uint8
    numbers: np.ndarray  # (n, f) as of SweepMap.features

    @classmethod
    def empty(cls, count: int, width: int) -> Results:
        """Results of pending cells, with `width` numbers each."""
        return cls(
            np.full(count, NO_LABEL, dtype=np.int32),
            np.full(count, np.nan),
            np.full(count, np.nan),
            np.full(count, PENDING, dtype=np.uint8),
            np.full((count, width), np.nan),
        )


class QuantityRunner(Protocol):
    """Runs cells of one compiled scene, with scratch arrays of its own: one for each thread."""

    def run(self, states: np.ndarray) -> Results:
        """The results of all starts `states` (n, k), which are not changed; pending ones after `cancel`."""

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""


@dataclass(frozen=True, eq=False)
class OutcomeRuns:
    """How the cells of an outcome run; its module has one of the name RUNS."""

    runner: Callable[[CompiledScene, SweepSettings], QuantityRunner]
    """A runner for cells of a compiled scene; `problems` has found none."""
    observer: Any
    """Observer of the runs (core/polhode/run/observers)."""
    problems: Callable[[CompiledScene, SweepSettings, str], list[Problem]]
    """Problems of a sweep at a place; besides a quantity that is no column of the table."""
    width: Callable[[CompiledScene, SweepSettings], int] = lambda built, sweep: 0
    """How many numbers each cell has besides its value."""
    further_units: Callable[[CompiledScene | None], list[Unit]] = lambda built: []
    """Units of a scene besides those of its methods, hooks and the observer; of None: those of any scene."""

    def units(self, built: CompiledScene | None) -> list[Unit]:
        """Units that its cells need besides those of the scene, or that those of any scene may need."""
        return [*self.further_units(built), *units_of_observer(self.observer)]


def runs_of(row: OutcomeRow) -> OutcomeRuns | None:
    """How cells of an outcome with a runner of its own run; None of one that is read from the end of a run."""
    if not row.module:
        return None
    found: OutcomeRuns = import_module(f"{__package__}.{row.module}").RUNS
    return found


def all_runs() -> list[OutcomeRuns]:
    """Those of every outcome with a runner of its own."""
    return [runs for row in (*KINDS.values(), *WAYS.values()) if (runs := runs_of(row)) is not None]


def failed(cancelled: bool) -> int:
    """Status of a run that took fewer steps than it should."""
    return PENDING if cancelled else DIVERGED


@dataclass(frozen=True, eq=False)
class End:
    """What one run has come to."""

    numbers: np.ndarray  # (f,) by which attractors are told apart
    time: float  # [s] after which it is on its attractor; nan where that is not known
    is_settled: bool


def run_checked(
    states: np.ndarray,
    width: int,
    run: Callable[[np.ndarray, int], End | None],
    agree: Callable[[End, End], bool],
    checks: Checks,
    is_cancelled: Callable[[], bool],
) -> Results:
    """Results of runs from `states` (n, k), whose numbers (width,) tell attractors apart.

    run: a run from a start (k,), whose step is divided by a number; None of one that ends before its time;
    agree: whether two runs are on one attractor. Settled runs whose repetitions end elsewhere are uncertain.
    """
    results = Results.empty(len(states), width)
    for cell, state in enumerate(states):
        end = run(state, 1)
        if end is None:
            results.status[cell] = failed(is_cancelled())
        else:
            results.numbers[cell], results.time[cell] = end.numbers, end.time
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


def unknown_column(name: str, known: list[str], place: str) -> list[Problem]:
    """The problem of a name that is no column of the table, of which there are `known` ones; none of others."""
    if not name or name in known:
        return []
    close = get_close_matches(name, known, 1) or known[1:2]
    rule = Message("the table has no column '{name}'", name=name)
    return [Problem(place, rule, Message("did you mean '{near}'?", near=close[0]))]


def unknown_columns(built: CompiledScene, asked: Sequence[Feature | GridAxis], place: str) -> list[Problem]:
    """Problems of quantities of a list at `place` that are no columns of the table."""
    known = list(columns(built))
    problems = (unknown_column(one.quantity, known, f"{place}[{k}].quantity") for k, one in enumerate(asked))
    return [problem for each in problems for problem in each]
