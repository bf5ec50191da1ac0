"""How long a step may be, estimated beside the run: with hundreds of bodies it takes seconds. No Qt."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

import numpy as np

from core.build import Built
from core.scene import Scene
from core.stability import largest_steps

Answer = Callable[[Scene, Mapping[str, float]], None]
MOST_BODIES = 1000  # beyond that nobody would wait for it


class _Superseded(Exception):
    """Nobody wants the answer any more."""


class StepLimits:
    """Answers the newest question, in a thread that lives as long as there is one."""

    def __init__(self, answer: Answer):
        self._answer = answer
        self._lock = threading.Lock()
        self._question: tuple[Built, float, np.ndarray] | None = None
        self._thread: threading.Thread | None = None

    def ask(self, built: Built, time: float, state: np.ndarray) -> None:
        """How long a step may be in a state, for each method. Older questions are dropped."""
        if len(built.scene.bodies) > MOST_BODIES:
            return
        with self._lock:
            self._question = built, time, state
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="step limits", daemon=True)
                self._thread.start()

    def close(self, patience: float = 3.0) -> None:
        """End the work."""
        with self._lock:
            self._question, thread = None, self._thread
        if thread is not None:
            thread.join(patience)

    def _work(self) -> None:
        while True:
            with self._lock:
                asked = self._question
                if asked is None:
                    self._thread = None
                    return

            def breathe(asked: object = asked) -> None:
                if self._question is not asked:
                    raise _Superseded

            built, time, state = asked
            try:
                limits = largest_steps(built.model, built.inputs, time, state, breathe)
            except _Superseded:
                continue
            except np.linalg.LinAlgError:  # a state so wild that it has no eigenvalues has no limit to be told
                limits = {}
            with self._lock:
                if self._question is asked:
                    self._question = None
            if limits:
                self._answer(built.scene, limits)
