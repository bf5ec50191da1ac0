"""Estimation of stable and accurate steps in a background thread: with hundreds of bodies it takes seconds. No Qt."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from polhode.analysis.steps.limits import judged, recommended_step
from polhode.engine.compiled_scene import CompiledScene
from polhode_app.messages import StepLimitsFound

Answer = Callable[[StepLimitsFound], None]
QUIET = 0.3  # [s] without further requests: of the edits of a drag only the last one is evaluated
MOST_BODIES = 1000  # larger scenes are not evaluated, it would take minutes; the answer is empty


class _Superseded(Exception):
    """A newer request has replaced the one being evaluated."""


class StepLimits:
    """Evaluates the newest request in a thread, which is started on first use.

    `answer` is called in that thread, with no limits where none can be estimated, and again with the recommended step
    of the scene's method, which takes longer.
    """

    def __init__(self, answer: Answer):
        self._answer = answer
        self._change = threading.Condition()
        self._question: tuple[CompiledScene, float, np.ndarray] | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    def request(self, built: CompiledScene, time: float, state: np.ndarray) -> None:
        """Request the largest stable step of each method at a state (k,); replaces an older request."""
        with self._change:
            self._question = built, time, state
            self._change.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="step limits", daemon=True)
            self._thread.start()

    def close(self, patience: float = 3.0) -> None:
        """End the thread, and wait for that at most `patience` [s]."""
        with self._change:
            self._question, self._closed = None, True
            self._change.notify()
        if self._thread is not None:
            self._thread.join(patience)

    def _work(self) -> None:
        """Body of the thread."""
        while (asked := self._next()) is not None:

            def breathe(asked: object = asked) -> None:
                if self._question is not asked:
                    raise _Superseded

            built, time, state = asked
            with suppress(_Superseded):
                for found in self._estimates(built, time, state, breathe):
                    with self._change:
                        if self._question is not asked:
                            raise _Superseded
                    self._answer(found)
            with self._change:
                if self._question is asked:
                    self._question = None

    @staticmethod
    def _estimates(
        built: CompiledScene, time: float, state: np.ndarray, breathe: Callable[[], None]
    ) -> Iterator[StepLimitsFound]:
        """The verdict about the scene's step with the stable steps of all methods, then the recommended one, if any."""
        scene, method, step = built.scene, built.scene.solver.method, built.scene.solver.time_step
        if len(scene.bodies) > MOST_BODIES or not np.isfinite(state).all():
            yield StepLimitsFound(scene)
            return
        with suppress(np.linalg.LinAlgError):  # the eigenvalues of a state that is about to diverge may not exist
            found = judged(built, method, step, time, state, breathe)
            causes = {name: limit.cause for name, limit in found.limits.items() if limit.cause is not None}
            largest = {name: limit.step for name, limit in found.limits.items()}
            told = StepLimitsFound(scene, largest, causes, verdict=found.verdict)
            yield told
            better = recommended_step(built, found, time, state, breathe)
            yield replace(told, accurate={} if better is None else {method: better}, is_complete=True)
            return
        yield StepLimitsFound(scene)

    def _next(self) -> tuple[CompiledScene, float, np.ndarray] | None:
        """The newest request, after no other has come for QUIET seconds; None on shutdown."""
        with self._change:
            self._change.wait_for(lambda: self._question is not None or self._closed)
            while self._change.wait(QUIET) and not self._closed:
                pass
            return self._question
