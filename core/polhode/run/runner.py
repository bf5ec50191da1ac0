"""Runs of many starts of one compiled scene, one after the other, in one compiled call."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.work import make_work
from polhode.jit.kernel_struct import KernelStruct
from polhode.run.loop import CANCELLED, method_of, run_each
from polhode.run.method import observer_types, set_step

WHOLE = 1e-6  # [steps] distance to an integer below which a number of steps counts as whole, for rounding of seconds


def equal_steps(seconds: float, time_step: float, parts: int = 1) -> tuple[int, float]:
    """Number and length [s] of the steps in which a time is run: those of `time_step` [s], each in `parts` parts.

    Where it does not divide the time, equal smaller ones.
    """
    steps = seconds / time_step
    is_whole = abs(steps - round(steps)) <= WHOLE
    count = round(steps) if is_whole else ceil(steps)
    return count * parts, (time_step if is_whole else seconds / count) / parts


class Runner:
    """Runs states of one compiled scene, with scratch arrays of its own: one for each thread."""

    def __init__(self, compiled: CompiledScene, method: str = ""):
        """Link the hooks of the scene, which compiles them if necessary. method: a name, by default the scene's"""
        self.compiled, self.work = compiled, make_work(compiled.model, compiled.inputs)
        self.method = method_of(compiled, method)

    def run(
        self,
        states: np.ndarray,
        step: float,
        last: np.ndarray | int,
        kernel: Any,
        record: KernelStruct,
        first: np.ndarray | int = 0,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Run `states` (n, k) in place, with steps of `step` [s], from step `first` to step `last` of each.

        kernel: an observer (core/polhode/run/observers), with its record. Returns the step after which each run
        stopped (n,) and why (n,); after `cancel` the others are CANCELLED.
        """
        count = len(states)
        steps = np.empty((2, count), dtype=np.int64)
        steps[0], steps[1] = first, last
        done, stop = steps[0].copy(), np.full(count, CANCELLED, dtype=np.int64)
        observe = kernel.native.address(observer_types(record))
        set_step(self.work, step)
        model, inputs = self.compiled.model, self.compiled.inputs
        run_each(self.method, model, inputs, states, self.work, step, steps, observe, record, (done, stop))
        return done, stop

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self.work.cancel[0] = 1

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return bool(self.work.cancel[0])
