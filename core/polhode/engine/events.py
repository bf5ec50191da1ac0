"""Switching functions of laws, and the detection of steps in which one of them changes its sign.

A law that switches, such as that of a string that becomes taut, is smooth on either side of the zero of a function
g(t, y). A method keeps its order only if no step extends over a zero. So during a step the laws stay on the side where
the step began, also beyond a zero; a step that changes the sign of a switching function is not accepted, and the loop
of steps divides it there (core/polhode/run/events.py; Hairer, Norsett and Wanner, Solving Ordinary Differential
Equations I, section II.6). A scene without switching functions has none of this.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.engine.model import Inputs, Model, Step, Work
from polhode.engine.part import Part
from polhode.engine.program import IMPACT, SWITCH
from polhode.engine.rates import add_forces, place
from polhode.jit.calls import call_hook
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct

FREE, DETECT, KEEP = range(3)
"""Modes: laws switch at each evaluation; they stay on their sides, and a step that changes a sign is not accepted; they
stay on their sides, and every step is accepted."""
UNKNOWN, PLACED, SUMMED = range(3)
"""Part of `work` that is evaluated for the state of SWITCH: nothing, positions and velocities, all forces as well."""


class EventWork(KernelStruct):
    """Scratch of the detection of events, for n switching functions of a scene; without any, all are empty."""

    mode: np.ndarray
    """(1,) int64 FREE, DETECT or KEEP. Written by the loop of steps."""
    found: np.ndarray
    """(1,) int64 not 0: the last step was not accepted for that reason. Written by FINISH, read by `finish_step`."""
    before: np.ndarray
    """(n,) values at the start of the step; their signs are the sides on which the laws stay."""
    after: np.ndarray
    """(n,) values at the end of the step."""
    ends: np.ndarray
    """(n,) values at the end of the rest of a step that is divided."""
    evaluated: np.ndarray
    """(1,) int64 UNKNOWN, PLACED or SUMMED, of the state of SWITCH."""
    known: np.ndarray
    """(1,) int64 0: `before` does not belong to the current state, on which something acted from outside."""
    divided: np.ndarray
    """(1,) int64 number of steps that were divided."""
    now: np.ndarray
    """(k,) state at the start of the rest of a step that is divided."""
    trial: np.ndarray
    """(k,) state after a part of it."""


def make_event_work(switches: int, size: int) -> EventWork:
    """Scratch arrays for a number of switching functions and a state of `size` components, in mode FREE."""
    flags = (np.zeros(1, dtype=np.int64) for _ in range(5))
    values, states = (np.zeros(switches) for _ in range(3)), (np.zeros(size if switches else 0) for _ in range(2))
    return EventWork(next(flags), next(flags), *values, *flags, *states)


@kernel
def is_on(events: EventWork, k: int, value: float) -> bool:
    """Whether a law is on the positive side of switching function k, whose present value is given."""
    return events.before[k] > 0.0 if events.mode[0] != FREE else value > 0.0


@kernel
def evaluate_switches(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Write the values of all switching functions at `time` [s] and `state` (k,) into `work.events.after`."""
    place(model, inputs, time, state, work)
    work.events.evaluated[0] = PLACED
    program = work.program
    for k in range(program.first[SWITCH], program.first[SWITCH + 1]):
        values = work.events.after[program.column[k] :]
        call_hook(program.address[k], Step(model, inputs, time, state, work, values))
    work.events.evaluated[0] = UNKNOWN


@kernel
def sum_forces(s: Step) -> None:
    """Sum all forces on the state of SWITCH, once for all its hooks that need them."""
    evaluated = s.work.events.evaluated
    if evaluated[0] == UNKNOWN:
        place(s.model, s.inputs, s.time, s.state, s.work)
    if evaluated[0] != SUMMED:
        add_forces(s.model, s.inputs, s.time, s.state, s.work)
    if evaluated[0] == PLACED:
        evaluated[0] = SUMMED


@kernel
def apply_impacts(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """IMPACT: change `state` (k,) at `time` [s] where values of `work.events.before` have become negative.

    What jumps there, such as a velocity, is back on the positive side afterwards. Laws that only switch have no such
    hook.
    """
    program = work.program
    for k in range(program.first[IMPACT], program.first[IMPACT + 1]):
        values = work.events.before[program.column[k] :]
        call_hook(program.address[k], Step(model, inputs, time, state, work, values))


@kernel
def find_event(s: Step) -> None:
    """FINISH: whether a sign has changed by the next state; if not, its values are those before the next step."""
    events = s.work.events
    if events.mode[0] == FREE:
        return
    evaluate_switches(s.model, s.inputs, s.time, s.state, s.work)
    if events.mode[0] != DETECT:
        return
    for k in range(len(events.after)):
        if (events.before[k] > 0.0) != (events.after[k] > 0.0):
            events.found[0] = 1
    if events.found[0] == 0:
        for k in range(len(events.after)):
            events.before[k] = events.after[k]


def event_detection(subjects: Sequence[Part]) -> Part:
    """The hook that detects events of the subjects; it comes after their own hooks."""

    def switches(model: Model) -> int:
        return sum(part.switches(model) for part in subjects)

    return Part(
        "events",
        is_in=lambda model, inputs: switches(model) > 0,
        work=lambda model: {"events": make_event_work(switches(model), len(model.is_momentum))},
        finish=(find_event,),
    )
