"""The loop of steps: the only place where time passes.

A batch of steps is one call of the method's `advance`. It ends where a law switches, where an observer looks next, and
where the next state is not finite. Time is start + steps * step, so that it has no rounding errors that add up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.diagnostics import energies
from polhode.engine.events import DETECT, FREE
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import rates
from polhode.engine.registry import SUBJECTS
from polhode.integrators import AS_PRINTED, METHODS
from polhode.jit.calls import call_advance, call_observer, call_steps
from polhode.jit.kernel import kernel
from polhode.jit.pages import BEHIND, in_large_pages
from polhode.run.events import divide_step, find_sides
from polhode.run.method import UNDIVIDED, CompiledMethod, advance_types, begin, loop_types
from polhode.run.table_types import ROW, step_types

FINISHED, ENDED, DIVERGED, CANCELLED = range(4)
"""Why a run stops: all steps are taken; its observer ends it; the next state is not finite; it was cancelled."""


def method_of(compiled: CompiledScene, name: str = "") -> CompiledMethod:
    """The method of a scene, or the one called `name`, with a history of its own; compiles it if necessary."""
    module = (METHODS | AS_PRINTED)[name or compiled.scene.solver.method]
    is_divided = module.NAME not in UNDIVIDED and any(part.switches(compiled.model) for part in SUBJECTS)
    return CompiledMethod(
        module.advance.native.address(advance_types()),
        rates.address((*step_types(), ROW)),
        energies.address(step_types()),
        advance_divided.native.address(loop_types()) if is_divided else 0,
        module.NAME in AS_PRINTED,
        in_large_pages(np.zeros((module.HISTORY, len(compiled.start))), BEHIND["history"]),
    )


@kernel
def advance(
    method: CompiledMethod, model: Model, inputs: Inputs, state: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` (k,) in place by `steps` steps from `clock` on; returns their number, fewer if the next state is
    not finite or the batch was cancelled.

    Steps in which a law switches are divided there. `work` is prepared by `set_step`, and `begin` was called at the
    start and wherever something acted from outside.
    """
    if method.divided == 0:
        return call_advance(method.advance, model, inputs, state, method.history, work, clock, steps)
    return call_steps(method.divided, method, model, inputs, state, work, clock, steps)


@kernel
def advance_divided(
    method: CompiledMethod, model: Model, inputs: Inputs, state: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """As `advance`, for scenes whose laws switch. Called by its address: others need not compile it."""
    events, done = work.events, 0
    while done < steps:
        now = Clock(clock.start, clock.step, clock.done + done)
        find_sides(model, inputs, now.start + now.done * now.step, state, work)
        events.mode[0], events.found[0] = DETECT, 0
        done += call_advance(method.advance, model, inputs, state, method.history, work, now, steps - done)
        if done == steps or events.found[0] == 0:
            break
        now = Clock(clock.start, clock.step, clock.done + done)
        is_taken = divide_step(method, model, inputs, now, state, work)
        work.step[0] = clock.step
        if not is_taken:
            break
        done += 1
    events.mode[0] = FREE
    if done < steps:
        events.known[0] = 0
    return done


@kernel
def run(
    method: CompiledMethod,
    model: Model,
    inputs: Inputs,
    state: np.ndarray,
    work: Work,
    clock: Clock,
    last: int,
    observe: int,
    record: Any,
) -> tuple[int, int]:
    """Run `state` (k,) in place from `clock` to step `last`; returns the number of that step, and why it stopped.

    observe: address of an observer (core/polhode/run/observers), which is called at the start, and then after as many
    steps as it asked for; it ends the run where it asks for none.
    """
    done = clock.done
    wanted = call_observer(observe, method, model, inputs, clock, state, work, record)
    while done < last:
        if wanted <= 0:
            return done, ENDED
        count = min(wanted, last - done)
        now = Clock(clock.start, clock.step, done)
        taken = advance(method, model, inputs, state, work, now, count)
        done += taken
        if taken < count:
            return done, CANCELLED if work.cancel[0] != 0 else DIVERGED
        now = Clock(clock.start, clock.step, done)
        wanted = call_observer(observe, method, model, inputs, now, state, work, record)
    return done, FINISHED


@kernel
def run_each(
    method: CompiledMethod,
    model: Model,
    inputs: Inputs,
    states: np.ndarray,
    work: Work,
    step: float,
    steps: np.ndarray,
    observe: int,
    record: Any,
    results: tuple[np.ndarray, np.ndarray],
) -> None:
    """Run each row of `states` (n, k) in place as `run` does, one after the other, until one is cancelled.

    step: [s]; steps: (2, n) int64 the first and the last step of each; results: (n,) int64 the step after which each
    stopped, and why, written; `record.row` (1,) holds the row
    """
    done, stop = results
    for row in range(len(states)):
        record.row[0] = row
        clock = Clock(0.0, step, steps[0, row])
        begin(method, model, inputs, clock.done * step, states[row], work)
        done[row], stop[row] = run(method, model, inputs, states[row], work, clock, steps[1, row], observe, record)
        if stop[row] == CANCELLED:
            return
