"""Search for equilibria in a background thread. No Qt."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence

from app.compilation.preparation import CompilerPool
from core.equilibria.equilibria import Equilibria, find_equilibria
from core.equilibria.pose import Pose
from core.jit.kept import FILES
from core.scene.message import Message
from core.scene.problem import InputError
from core.scene.scene import Scene
from core.simulation.units import Unit, missing, units_of_equilibria

log = logging.getLogger(__name__)

PAUSE = 1e-3  # [s] that the thread gives way before each evaluation of the stiffness
POLLED = 0.05  # [s] between looks at the compilers


class Stopped(Exception):
    """The search was cancelled."""


def compile_units(breathe: Callable[[], None]) -> None:
    """Have the kernels of equilibria compiled, see `compile_missing`."""
    compile_missing(units_of_equilibria(), breathe)


def compile_missing(units: Sequence[Unit], breathe: Callable[[], None]) -> None:
    """Have kernels compiled in another process, because numba would hold the interpreter's lock.

    `breathe` is called meanwhile, and may raise. Where no process can be started they are compiled at first use.
    """
    needed = missing(units) if FILES.usable else []
    if not needed:
        return
    try:
        pool = CompilerPool(needed, 1)
    except OSError:
        return
    try:
        while not pool.over:
            pool.poll()
            breathe()
            time.sleep(POLLED)
    finally:
        pool.kill()


class EquilibriaSearch:
    """At most one search at a time: `start`, `poll` once per frame, `cancel`. To be called from one thread."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._result: Equilibria | InputError | None = None
        self._found: Equilibria | None = None  # so far, since the last look
        self.progress = 0.0  # part that is done

    @property
    def is_running(self) -> bool:
        """Whether a search is under way."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, scene: Scene, starts: int, time_limit: float, present: Pose | None = None) -> None:
        """Search in a scene, also from the pose `present`; a search that is under way is cancelled."""
        self.cancel()
        self._stop, self._result, self.progress = threading.Event(), None, 0.0
        arguments = scene, starts, time_limit, present, self._stop
        self._thread = threading.Thread(target=self._search, args=arguments, name="equilibria", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """End the search; its result is dropped."""
        self._stop.set()
        self._result = self._found = None

    def poll(self) -> Equilibria | InputError | None:
        """What a search has found, or why it can't, once."""
        result, self._result = self._result, None
        return result

    def found(self) -> Equilibria | None:
        """What a search has found so far, if that is more than at the last call."""
        found, self._found = self._found, None
        return found

    def close(self, patience: float = 5.0) -> None:
        """End the thread, and wait for that at most `patience` [s]."""
        self.cancel()
        if self._thread is not None:
            self._thread.join(patience)

    def _search(
        self, scene: Scene, starts: int, time_limit: float, present: Pose | None, stop: threading.Event
    ) -> None:
        """Body of the thread."""

        def breathe() -> None:
            if stop.is_set():
                raise Stopped
            time.sleep(PAUSE)  # frames of the window have priority

        def progressed(part: float) -> None:
            breathe()
            self.progress = part

        def found(so_far: Equilibria) -> None:
            if not stop.is_set():
                self._found = so_far

        try:
            compile_units(breathe)
            result: Equilibria | InputError = find_equilibria(
                scene, starts, time_limit=time_limit, progress=progressed, breathe=breathe, present=present, found=found
            )
        except Stopped:
            return
        except InputError as error:
            result = error
        except Exception:  # the thread boundary: the window goes on without a result
            log.exception(Message("the equilibria could not be computed"))
            return
        if not stop.is_set():
            self._result = result
