"""What a runner of cells returns, and what all runners of quantities have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

import numpy as np

from polhode.run.status import DIVERGED, PENDING, SETTLED, UNCERTAIN, UNSETTLED
from polhode.scene.message import Message
from polhode.scene.problem import Problem
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
