"""How long a step may be, estimated beside the run: with hundreds of bodies it takes seconds. No Qt."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

import numpy as np

from core.analysis.stability import largest_steps
from core.engine.compile import CompiledScene
from core.scene.scene import Scene

Answer = Callable[[Scene, Mapping[str, float]], None]
QUIET = 0.3  # [s] an edit is to be seen first, and of a drag only the last one counts
MOST_BODIES = 1000  # beyond that nobody would wait for it


class _Superseded(Exception):
    """Nobody wants the answer any more."""


class StepLimits:
    """Answers the newest question, in a thread of its own that begins when nobody has asked for a moment."""

    def __init__(self, answer: Answer):
        self._answer = answer
        self._change = threading.Condition()
        self._question: tuple[CompiledScene, float, np.ndarray] | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    def request(self, built: CompiledScene, time: float, state: np.ndarray) -> None:
        """How long a step may be in a state, for each method. Older questions are dropped."""
        if len(built.scene.bodies) > MOST_BODIES:
            return
        with self._change:
            self._question = built, time, state
            self._change.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="step limits", daemon=True)
            self._thread.start()

    def close(self, patience: float = 3.0) -> None:
        """End the work."""
        with self._change:
            self._question, self._closed = None, True
            self._change.notify()
        if self._thread is not None:
            self._thread.join(patience)

    def _work(self) -> None:
        while (asked := self._next()) is not None:

            def breathe(asked: object = asked) -> None:
                if self._question is not asked:
                    raise _Superseded

            built, time, state = asked
            limits: Mapping[str, float] = {}
            # A state so wild that it has no eigenvalues has no limit to be told.
            with suppress(_Superseded, np.linalg.LinAlgError):
                limits = largest_steps(built.model, built.inputs, time, state, breathe)
            with self._change:
                if self._question is asked:
                    self._question = None
            if limits:
                self._answer(built.scene, limits)

    def _next(self) -> tuple[CompiledScene, float, np.ndarray] | None:
        """The newest question, when there is one that nobody replaces for a while; None at the end."""
        with self._change:
            self._change.wait_for(lambda: self._question is not None or self._closed)
            while self._change.wait(QUIET) and not self._closed:
                pass
            return self._question
