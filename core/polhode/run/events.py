"""One step that is divided where a law switches (core/polhode/engine/events.py).

The earliest zero of the switching functions within the step is bracketed and found by inverse quadratic interpolation
and bisection, each trial being one step of the method from the start of the rest; the state at the zero is the start of
the next part. So no part of the step extends over a discontinuity, and the method keeps its order. Of a step with more
than MOST zeros the rest is taken whole. Velocities that jump at a zero, such as that of a bead at an end of its path,
are changed there. (Chandrupatla, Advances in Engineering Software 28, 145, 1997)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.events import DETECT, FREE, KEEP, apply_impacts, evaluate_switches
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import copy
from polhode.jit.calls import call_advance
from polhode.jit.kernel import kernel
from polhode.run.method import CompiledMethod

MOST = 16  # zeros within a step
RESOLUTION = 1e-13  # of a zero, in steps
NONE = -1  # in place of the index of a switching function


@kernel
def find_sides(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Find the sides of all laws that switch for `state` (k,) at `time` [s]; an impact that is due happens at once.

    After a whole step they are those at its end. Where something acted from outside since then, `work.events.known` is
    0, and they are evaluated.
    """
    events = work.events
    if events.known[0] != 0:
        return
    events.mode[0] = FREE
    evaluate_switches(model, inputs, time, state, work)
    events.mode[0] = DETECT
    copy(events.after, events.before)
    apply_impacts(model, inputs, time, state, work)
    events.known[0] = 1


@kernel
def take_part(
    method: CompiledMethod, model: Model, inputs: Inputs, time: float, length: float, state: np.ndarray, work: Work
) -> bool:
    """Advance `state` (k,) at `time` [s] by one step of `length` [s] that is not sampled; whether it is taken."""
    left, work.step[0] = work.samples.count[1], length
    work.samples.count[1] = 0
    clock = Clock(time, length, 0)
    taken = call_advance(method.advance, model, inputs, state, method.history, work, clock, 1)
    work.samples.count[1] = left
    return taken == 1


@kernel
def value_at(
    method: CompiledMethod,
    model: Model,
    inputs: Inputs,
    time: float,
    length: float,
    k: int,
    start: np.ndarray,
    work: Work,
) -> float:
    """Switching function k, `length` [s] after `start` (k,) at `time` [s]; that at the start without a finite end."""
    events = work.events
    copy(start, events.trial)
    if length > 0.0 and take_part(method, model, inputs, time, length, events.trial, work):
        return events.after[k]
    return events.before[k]


@kernel
def first_zero(
    method: CompiledMethod,
    model: Model,
    inputs: Inputs,
    time: float,
    longest: float,
    k: int,
    start: np.ndarray,
    work: Work,
    near: float,
) -> float:
    """Time [s] from `start` (k,) at `time` [s] to a zero of function k, up to `near` [s].

    Its sign at `longest` [s] must be another one than at the start. `longest` where it was cancelled.
    """
    a, at_a = longest, value_at(method, model, inputs, time, longest, k, start, work)
    b, at_b = 0.0, work.events.before[k]
    c, at_c, part = a, at_a, 0.5
    while work.cancel[0] == 0:
        # a: the newest point; the zero is between a and b; c: the point before
        best = a if abs(at_a) < abs(at_b) else b
        tolerance = near / abs(b - a)
        if tolerance > 0.5 or min(abs(at_a), abs(at_b)) == 0.0:
            return best
        x = a + min(max(part, tolerance), 1.0 - tolerance) * (b - a)
        at_x = value_at(method, model, inputs, time, x, k, start, work)
        if (at_x > 0.0) == (at_a > 0.0):
            c, at_c = a, at_a
        else:
            c, at_c, b, at_b = b, at_b, a, at_a
        a, at_a = x, at_x
        ratio, share = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
        part = 0.5
        if share * share < ratio and (1.0 - share) * (1.0 - share) < 1.0 - ratio:
            quadratic = (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
            part = at_a / (at_b - at_a) * at_c / (at_b - at_c) + quadratic
    return longest


@kernel
def earliest_zero(
    method: CompiledMethod,
    model: Model,
    inputs: Inputs,
    time: float,
    longest: float,
    start: np.ndarray,
    work: Work,
    near: float,
) -> tuple[float, int]:
    """Time [s] from `start` (k,) at `time` [s] to the earliest zero of a switching function, and its index, or NONE.

    `work.events.ends` holds the values after `longest` [s].
    """
    events, found, first = work.events, longest, NONE
    for k in range(len(events.before)):
        if (events.before[k] > 0.0) == (events.ends[k] > 0.0):
            continue
        after = value_at(method, model, inputs, time, found, k, start, work) if first != NONE else events.ends[k]
        if (events.before[k] > 0.0) != (after > 0.0):
            found = first_zero(method, model, inputs, time, found, k, start, work, near)
            first = k
    return found, first


@kernel
def divide_step(
    method: CompiledMethod, model: Model, inputs: Inputs, clock: Clock, state: np.ndarray, work: Work
) -> bool:
    """Take the step of `state` (k,) that begins at `clock`, divided at the zeros of switching functions.

    `work.events.before` holds the values at the start, and afterwards those at the end. False, and `state` is
    unchanged, if a part has no finite end or was cancelled.
    """
    events, now = work.events, work.events.now
    time = clock.start + clock.done * clock.step
    end, near = time + clock.step, RESOLUTION * abs(clock.step)
    copy(state, now)
    events.mode[0], events.found[0] = KEEP, 0
    for _ in range(MOST):
        copy(now, events.trial)
        if not take_part(method, model, inputs, time, end - time, events.trial, work):
            return False
        copy(events.after, events.ends)
        part, first = earliest_zero(method, model, inputs, time, end - time, now, work, near)
        if work.cancel[0] != 0:
            return False
        if first == NONE:
            break
        if abs(part) > near:
            if not take_part(method, model, inputs, time, part, now, work):
                return False
            time += part
            copy(events.after, events.before)
        events.before[first] = events.ends[first]
        apply_impacts(model, inputs, time, now, work)
    work.step[0] = end - time
    last = Clock(time, end - time, 0)  # counts as the step: it may be sampled
    if call_advance(method.advance, model, inputs, now, method.history, work, last, 1) < 1:
        return False
    copy(events.after, events.before)
    apply_impacts(model, inputs, end, now, work)
    copy(now, state)
    events.divided[0] += 1
    return True
