"""One step that is divided where a law switches (core/polhode/engine/events.py).

The earliest zero of the switching functions within the step is found by Brent's method, each trial being one step of
the method from the start of the rest; the state at the zero is the start of the next part. So no part of the step
extends over a discontinuity, and the method keeps its order. Of a step with more than MOST zeros the rest is taken
whole. Velocities that jump at a zero, such as that of a bead at an end of its path, are changed there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from polhode.engine.events import KEEP, apply_impacts
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.integrators import AS_PRINTED
from polhode.simulation.diverged import Cancelled

MOST = 16  # zeros within a step
RESOLUTION = 1e-13  # of a zero, in steps
UNDIVIDED = ("adams_bashforth_2", *AS_PRINTED)
"""Methods that extend over the zeros: those whose history holds rates at the ends of equal steps, and the printed."""


class DividedStep:
    """A step of a method from `state` (k,) at `time` [s], divided at the zeros of switching functions.

    `work.events.before` holds the values at the start, and afterwards those at the end.
    """

    def __init__(self, method: Any, model: Model, inputs: Inputs, history: np.ndarray, work: Work):
        self._method, self._given, self._work = method, (model, inputs), work
        self._history, self._events = history, work.events

    def take(self, state: np.ndarray, time: float, step: float) -> bool:
        """Advance `state` by `step` [s]; False, and `state` is unchanged, if a part diverged or was cancelled."""
        events, current, end = self._events, state.copy(), time + step
        events.mode[0], events.found[0] = KEEP, 0
        for _ in range(MOST):
            if not self._try(current.copy(), time, end - time):
                return False
            changed = np.flatnonzero((events.before > 0) != (events.after > 0))
            if not len(changed):
                break
            sides = events.after.copy()
            try:
                part, first = self._first_zero(current, time, end - time, changed)
            except Cancelled:
                return False
            if part > RESOLUTION * step:
                if not self._try(current, time, part):
                    return False
                time += part
                events.before[:] = events.after
            events.before[first] = sides[first]
            self._impact(current, time)
        if not self._advance(current, time, end - time):  # the last part counts as the step: it may be sampled
            return False
        events.before[:] = events.after
        self._impact(current, end)
        state[:] = current
        return True

    def _impact(self, state: np.ndarray, time: float) -> None:
        """Change `state` at `time` [s] by the impacts of functions that have become negative."""
        apply_impacts(*self._given, time, state, self._work)

    def _first_zero(self, start: np.ndarray, time: float, step: float, changed: np.ndarray) -> tuple[float, int]:
        """Time [s] from the start to the earliest zero of the functions `changed`, and the function.

        Raises Cancelled where a trial was not taken for that reason, since its sign is not known then.
        """
        part, first = step, int(changed[0])
        for k in changed:

            def value(length: float, k: int = k) -> float:
                known = length > 0.0 and self._try(start.copy(), time, length)
                if self._work.cancel[0] != 0:
                    raise Cancelled
                return float(self._events.after[k] if known else self._events.before[k])

            if (value(part) > 0.0) != (value(0.0) > 0.0):
                part, first = float(scipy.optimize.brentq(value, 0.0, part, xtol=RESOLUTION * step)), int(k)
        return part, first

    def _try(self, state: np.ndarray, time: float, step: float) -> bool:
        """Advance `state` by one part that is not sampled; False if it has no finite end."""
        samples = self._work.samples
        every, samples.count[0] = int(samples.count[0]), 0
        good = self._advance(state, time, step)
        samples.count[0] = every
        return good

    def _advance(self, state: np.ndarray, time: float, step: float) -> bool:
        clock, self._work.step[0] = Clock(time, step, 0), step
        return bool(self._method.advance(*self._given, state, self._history, self._work, clock, 1) == 1)
