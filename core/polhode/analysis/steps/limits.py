"""The one rule by which a time step is judged and recommended: `check` and `run`, the window, its bars and notices.

1.  Trial (trials.py): a run with the step from the present state, over HORIZON = 10 s. Up to a drift of SLIGHT = 1 %
    the step is good; beyond BAD = 5 %, and where the run diverges, it is too long, unless half of the step loses the
    same: then no shorter one keeps the energy.
2.  Where nothing moves, or a trial of a large scene can't be finished: the largest stable step of the linearised rates
    (stability.py), of contacts that may close and of strings that may become taut. They also say why a step fails.
3.  Recommended is the longest round step whose trial drifts by 0.3 % at most, within what may act later.
4.  In the run itself: a drift beyond BAD within HORIZON (energy_drift.py), whatever was said before.

A limit of the linearised rates that a trial refutes is not shown: the growth is that of a mode that the motion does not
have, or the rates have no derivative there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from polhode.analysis.steps.contacts import Touch, touches
from polhode.analysis.steps.energy_drift import BAD, HORIZON, SLIGHT
from polhode.analysis.steps.stability import largest_of, modes, unstable
from polhode.analysis.steps.strings import TautString, taut_strings
from polhode.analysis.steps.trials import CheckCancelled, StepErrors, accurate_step, never_cancelled, round_steps, tried
from polhode.engine.compiled_scene import CompiledScene
from polhode.integrators import AS_PRINTED, METHODS
from polhode.scene.message import Message
from polhode.scene.problem import Problem

Later = Touch | TautString
"""Limits of the step later in a run."""
LATER = 0.15  # of its largest stable step, for limits after the trial: rk4 then keeps its energy to 1e-3 per period
BUDGET = 2.0  # [s] processor time of the trials of a verdict, and again of the search for a better step


@dataclass(frozen=True)
class Limit:
    """Largest stable step of a method."""

    step: float  # [s]; 0: no step is stable, inf: all are
    cause: Message | None = None  # later limit, None if the present motion limits it
    is_tried: bool = False  # a trial with this step went well: longer ones may, too


@dataclass(frozen=True)
class Verdict:
    """Verdict about one step of one method, from one state on."""

    method: str
    step: float  # [s]
    drift: float  # of the energy, relative to the energy exchanged; inf: the run diverges
    problem: Problem | None  # the warning about a step that is too long
    keeps_energy: bool = True  # False: energy minus ledger is not constant whatever the step

    @property
    def is_good(self) -> bool:
        """Whether a shorter step has no use."""
        return self.problem is None and (self.drift <= SLIGHT or not self.keeps_energy)

    def holds_for(self, method: str, step: float) -> bool:
        """Whether it is about a method with a step [s]."""
        return (self.method, self.step) == (method, step)


@dataclass(frozen=True)
class Judged:
    """A verdict, with the largest stable steps of all methods by name as far as it does not refute them."""

    verdict: Verdict
    limits: dict[str, Limit]


def may_act_later(compiled: CompiledScene) -> list[Later]:
    """Contacts that may close and strings that may become taut."""
    return [*touches(compiled), *taut_strings(compiled)]


def shortest(later: Sequence[Later], method: str) -> tuple[float, Later | None]:
    """The largest stable step [s] of a method for all that may act later, and what sets it; inf, None for nothing."""
    found = [(largest_of(each.eigenvalues, method), each) for each in later]
    return min(found, key=lambda each: each[0], default=(np.inf, None))


def step_limits(
    compiled: CompiledScene, time: float, state: np.ndarray, check_cancelled: CheckCancelled = never_cancelled
) -> dict[str, Limit]:
    """Largest stable steps about `state` (k,) and later, of every method by name. `check_cancelled` as in `modes`."""
    return _limits(modes(compiled.model, compiled.inputs, time, state, check_cancelled), may_act_later(compiled))


def _limits(found: np.ndarray, later: Sequence[Later]) -> dict[str, Limit]:
    """The limits by eigenvalues (m,) [1/s] and by later contacts and strings."""
    limits = {}
    for method in METHODS | AS_PRINTED:
        now, (then, what) = largest_of(found, method), shortest(later, method)
        limits[method] = Limit(then, what.cause) if what is not None and then < now else Limit(now)
    return limits


def judged(
    compiled: CompiledScene,
    method: str,
    step: float,
    time: float,
    state: np.ndarray,
    check_cancelled: CheckCancelled = never_cancelled,
    horizon: float = HORIZON,
) -> Judged:
    """Judge a step [s] of a method for a run of `horizon` [s] from a state (k,) at `time` [s].

    `check_cancelled` is called between parts of the work, and may raise to end it.
    """
    found, later = modes(compiled.model, compiled.inputs, time, state, check_cancelled), may_act_later(compiled)
    trial = tried(compiled, method, step, time, state, BUDGET, check_cancelled, horizon)
    blamed, limits = True, _limits(found, later)
    if BAD < trial.drift < np.inf:
        finer = tried(compiled, method, step / 2, time, state, 2 * BUDGET, check_cancelled, horizon)
        blamed = trial.differs(finer)
    derived = _derived(found, later, method, step)
    if trial.drift > BAD and blamed:
        return Judged(Verdict(method, step, trial.drift, derived or _drifting(trial)), limits)
    if trial.is_still or not trial.is_whole:
        return Judged(Verdict(method, step, trial.drift, derived, blamed), limits)
    if limits[method].step < step:
        limits[method] = Limit(step, is_tried=True)
    return Judged(Verdict(method, step, trial.drift, None, blamed), limits)


def recommended_step(
    compiled: CompiledScene,
    judged: Judged,
    time: float,
    state: np.ndarray,
    check_cancelled: CheckCancelled = never_cancelled,
) -> float | None:
    """Step [s] for the method of a verdict from the state (k,) that it is about: the longest round one that is found to
    keep the energy, or the judged one if it does and is longer. None where none is found.
    """
    verdict = judged.verdict
    limit = judged.limits[verdict.method]
    longest = limit.step if limit.cause is None else LATER * limit.step
    found = accurate_step(compiled, verdict.method, longest, time, state, BUDGET, check_cancelled)
    if not verdict.is_good or verdict.drift > SLIGHT:
        return found
    return verdict.step if found is None or found < verdict.step else found


def warnings_of(
    compiled: CompiledScene, judged: Judged, check_cancelled: CheckCancelled = never_cancelled
) -> list[Problem]:
    """The warning of a verdict about the start of a scene, if any; its remedy names a step that trials have found to be
    good, or, where the search ended without one, the largest round step within the limit.
    """
    if (problem := judged.verdict.problem) is None:
        return []
    better = recommended_step(compiled, judged, 0.0, compiled.start, check_cancelled)
    if better is None:
        within = next(round_steps(judged.limits[judged.verdict.method].step), None)
        if within is None or within >= judged.verdict.step:
            return [problem]
        return [replace(problem, remedy=Message("shorten it to {step:g} s or less", step=within))]
    if better >= judged.verdict.step:
        return [problem]
    return [replace(problem, remedy=Message("use a step of {step:g} s, which keeps the energy", step=better))]


def _derived(found: np.ndarray, later: Sequence[Later], method: str, step: float) -> Problem | None:
    """The warning by the linearised rates and by later limits, if any."""
    longest, (allowed, what) = largest_of(found, method), shortest(later, method)
    if step > longest:
        return unstable(found, method, step, longest)
    return what.problem(step, allowed) if what is not None and step > allowed else None


def _drifting(trial: StepErrors) -> Problem:
    """The warning about a step of which nothing but its trial is known."""
    if trial.has_diverged:
        rule = Message(
            "{step:g} s is too long: the motion diverges within {seconds:.2g} s",
            step=trial.step,
            seconds=trial.seconds,
        )
    else:
        rule = Message(
            "{step:g} s is too long: the energy drifts by {percent:.2g} % within {seconds:.2g} s",
            step=trial.step,
            percent=100 * trial.drift,
            seconds=trial.seconds,
        )
    return Problem("solver.time_step", rule, Message("shorten it"))
