"""Warning about steps that take long, and the means to cancel them. No Qt.

A step takes long by the processor time of its thread, without compiling: neither other programs nor the compiler are
its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from polhode.jit.processor_time import worked_by
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.simulation.diverged import Cancelled
from polhode.simulation.simulation import Simulation
from polhode_app.i18n.field_names import METHODS
from polhode_app.jobs import CheckCancelled, Job

SLOW = 2.0  # [s] processor time of a step above which it is reported
LOOK = 0.25  # [s] between two looks
WAITED = 0.2  # [s] that a command of the window waits for a step


def slow_step(simulation: Simulation) -> Problem:
    """The warning about a step that takes longer than SLOW."""
    name = simulation.scene.solver.method
    rule = Message(
        "a step of {step:g} s by {method} takes longer than {limit:g} s",
        step=simulation.time_step,
        method=Message(METHODS.get(name, name)),
        limit=SLOW,
    )
    return Problem(
        "solver.time_step", rule, Message("the run continues; a shorter step or another method may be faster")
    )


@contextmanager
def watching(simulation: Simulation, warn: Callable[[Problem], None]) -> Iterator[None]:
    """Context of a run, in which a thread warns once if no step ends for SLOW seconds."""
    runs = threading.get_ident()

    def look(check_cancelled: CheckCancelled) -> None:
        steps, since = simulation.steps, worked_by(runs)
        while True:
            check_cancelled.wait(LOOK)
            if simulation.steps != steps:
                steps, since = simulation.steps, worked_by(runs)
            elif worked_by(runs) - since > SLOW:
                warn(slow_step(simulation))
                return

    job = Job("slow steps")
    job.start(look)
    try:
        yield
    finally:
        job.close()


class StepGuard:
    """Knows since when steps are taken, so that the thread of the window can cancel and report long ones."""

    def __init__(self) -> None:
        self._taken: tuple[float, tuple[Simulation, ...]] | None = None
        self._step = 0, 0.0, 0  # thread that takes steps, and when its newest one began: [s] of work, and its number
        self._reported: Simulation | None = None

    @contextmanager
    def __call__(self, *simulations: Simulation) -> Iterator[None]:
        """Context in which simulations take steps; it ends without an error where they are cancelled."""
        thread = threading.get_ident()
        self._step = thread, worked_by(thread), simulations[0].steps
        self._taken = monotonic(), simulations
        try:
            with suppress(Cancelled):
                yield
        finally:
            self._taken = None

    def cancel(self) -> None:
        """Give up the step that is taken, if any. May be called by any thread."""
        taken = self._taken
        for simulation in () if taken is None else taken[1]:
            simulation.cancel()

    def check(self, waiting: bool) -> Problem | None:
        """Cancel a step that takes longer than WAITED if a command is `waiting`.

        Returns the warning about one that takes longer than SLOW, once for each simulation.
        """
        taken = self._taken
        if taken is None:
            return None
        seconds = monotonic() - taken[0]
        if waiting and seconds > WAITED:
            self.cancel()
        thread, since, steps = self._step
        first, now = taken[1][0], worked_by(thread)
        if first.steps != steps:
            self._step = thread, now, first.steps
        elif now - since > SLOW and self._reported is not first:
            self._reported = first
            return slow_step(first)
        return None
