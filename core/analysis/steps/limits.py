"""Largest stable steps of a scene: of its motion now, and of contacts and strings that may act later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.steps.contacts import Touch, touches
from core.analysis.steps.stability import largest_of, modes, unstable
from core.analysis.steps.strings import TautString, taut_strings
from core.engine.compile import CompiledScene
from core.integrators import AS_PRINTED, METHODS
from core.scene.message import Message
from core.scene.problem import Problem

Later = Touch | TautString
"""What may limit the step later in a run."""


@dataclass(frozen=True)
class Limit:
    """Largest stable step of a method."""

    step: float  # [s]; 0: no step is stable, inf: all are
    cause: Message | None = None  # what may limit it later, None where the present motion does


def may_act_later(built: CompiledScene) -> list[Later]:
    """Contacts that may close and strings that may become taut."""
    return [*touches(built), *taut_strings(built)]


def shortest(later: Sequence[Later], method: str) -> tuple[float, Later | None]:
    """The largest stable step [s] of a method for all that may act later, and what sets it; inf, None for nothing."""
    found = [(largest_of(each.eigenvalues, method), each) for each in later]
    return min(found, key=lambda each: each[0], default=(np.inf, None))


def step_limits(
    built: CompiledScene, time: float, state: np.ndarray, breathe: Callable[[], None] = lambda: None
) -> dict[str, Limit]:
    """Largest stable steps about `state` (k,) and later, of every method by name. `breathe` as in `modes`."""
    found, later = modes(built.model, built.inputs, time, state, breathe), may_act_later(built)
    limits = {}
    for method in METHODS | AS_PRINTED:
        now, (then, what) = largest_of(found, method), shortest(later, method)
        limits[method] = Limit(then, what.cause) if what is not None and then < now else Limit(now)
    return limits


def step_warnings(
    built: CompiledScene, method: str, step: float, breathe: Callable[[], None] = lambda: None
) -> list[Problem]:
    """Warnings about a step [s] that is longer than the largest stable one of a method at the start of a scene, or than
    that of a contact which may close, or of a string which may become taut later. `breathe` as in `modes`.
    """
    found = modes(built.model, built.inputs, 0.0, built.start, breathe)
    longest = largest_of(found, method)
    problems = [unstable(found, method, step, longest)] if step > longest else []
    for each in (touches(built), taut_strings(built)):
        allowed, what = shortest(each, method)
        if what is not None and step > allowed:
            problems.append(what.problem(step, allowed))
    return problems
