"""Estimation of stable and accurate steps in a background thread: with hundreds of bodies it takes seconds. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from polhode.analysis.steps.limits import judged, recommended_step
from polhode.engine.compiled_scene import CompiledScene
from polhode_app.jobs import CheckCancelled, Job
from polhode_app.messages import StepLimitsFound

Answer = Callable[[StepLimitsFound], None]
QUIET = 0.3  # [s] without further requests: of the edits of a drag only the last one is evaluated
PATIENCE = 3.0  # [s]
MOST_BODIES = 1000  # larger scenes are not evaluated, it would take minutes; the answer is empty


class StepLimits:
    """Evaluates the newest request in a background thread.

    `answer` is called in that thread, with no limits where none can be estimated, and again with the recommended step
    of the scene's method, which takes longer.
    """

    def __init__(self, answer: Answer):
        self._answer = answer
        self._job = Job("step limits")

    def request(self, compiled: CompiledScene, time: float, state: np.ndarray) -> None:
        """Request the largest stable step of each method at a state (k,); replaces an older request."""

        def work(check_cancelled: CheckCancelled) -> None:
            check_cancelled.wait(QUIET)
            for found in self._estimates(compiled, time, state, check_cancelled):
                check_cancelled()
                self._answer(found)

        self._job.start(work)

    def close(self) -> None:
        """End the thread, and wait for that at most PATIENCE."""
        self._job.close(PATIENCE)

    @staticmethod
    def _estimates(
        compiled: CompiledScene, time: float, state: np.ndarray, check_cancelled: CheckCancelled
    ) -> Iterator[StepLimitsFound]:
        """The verdict about the scene's step with the stable steps of all methods, then the recommended one, if any."""
        scene, method, step = compiled.scene, compiled.scene.solver.method, compiled.scene.solver.time_step
        if len(scene.bodies) > MOST_BODIES or not np.isfinite(state).all():
            yield StepLimitsFound(scene)
            return
        with suppress(np.linalg.LinAlgError):  # the eigenvalues of a state that is about to diverge may not exist
            found = judged(compiled, method, step, time, state, check_cancelled)
            causes = {name: limit.cause for name, limit in found.limits.items() if limit.cause is not None}
            largest = {name: limit.step for name, limit in found.limits.items()}
            first = StepLimitsFound(scene, largest, causes, verdict=found.verdict)
            yield first
            better = recommended_step(compiled, found, time, state, check_cancelled)
            yield replace(first, accurate={} if better is None else {method: better}, is_complete=True)
            return
        yield StepLimitsFound(scene)
