"""Child processes that compile, begun before the scene is known. No Qt and no compiler."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

from core.jit.code_folder import KERNELS

COMMAND = (sys.executable, "-m", "core.simulation.compile_units")
ROOT = Path(__file__).parents[2]
# Units that every scene needs, named like those of core.simulation.units, and the default method: children begin with
# them before anybody has read the scene. What others have in them comes first.
FIRST_UNITS = (
    "core.engine.rates:rates_of_bodies",
    "core.engine.rates:accept_step",
    "core.engine.rates:place",
    "core.engine.rates:rates",
    "core.analysis.diagnostics:energies",
    "core.integrators.runge_kutta_4:advance",
    "core.analysis.diagnostics:observe",
    "core.simulation.take_snapshot:measure",
    "core.physics.magnets.proximity:next_too_near",
    "core.physics.contact.penetration:wall_displacements",
    "core.physics.sensor.sensor_motion:sensor_distance",
)
MAX_PROCESSES = 2  # children: every one of them loads the compiler, and much that is compiled needs what others compile
NO_WINDOW = 0x08000000  # of Windows: a child without a console


def processors() -> int:
    """How many of the machine's processors this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class CompilerProcess:
    """A process that compiles; what it says comes into a queue, None when it has ended."""

    def __init__(self, *options: str):
        self.said: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.current: str | None = None  # the unit that was ordered last, until it is said to be compiled
        paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        self._process = subprocess.Popen(
            [*COMMAND, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": paths},
            creationflags=NO_WINDOW if sys.platform == "win32" else 0,
        )
        threading.Thread(target=self._listen, name="compiler", daemon=True).start()

    @classmethod
    def ready(cls, *options: str) -> CompilerProcess:
        """One that has been begun early, or a new one."""
        _first.clear()  # whoever asks for a child orders by itself
        return _early.pop(0) if _early and not options else cls(*options)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self.said.put(line.strip())
                with suppress(IndexError):  # none is left
                    self.order(_first.popleft())
        self._process.wait()
        self.said.put(None)

    def order(self, name: str) -> None:
        """The next unit; where the child has ended, `said` says so."""
        assert self._process.stdin is not None
        self.current = name
        try:
            self._process.stdin.write(name + "\n")
            self._process.stdin.flush()
        except OSError:
            return

    def dismiss(self) -> None:
        """Let it end when it has done what was ordered."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except OSError:
            return

    def kill(self) -> None:
        self._process.kill()

    @property
    def number(self) -> int:
        """Of the process."""
        return self._process.pid


_early: list[CompilerProcess] = []
_first: deque[str] = deque()  # what those are still to compile by themselves


def start_early() -> None:
    """Where no version has compiled anything yet: children begin while the window opens."""
    if (user_cache_path("polhode") / KERNELS).exists():
        return
    _first.extend(FIRST_UNITS)
    try:
        for _ in range(min(MAX_PROCESSES, max(processors() - 1, 1))):  # one is the window's
            _early.append(child := CompilerProcess())
            child.order(_first.popleft())
    except OSError:
        return  # who needs them finds out


def stop_early() -> None:
    """End those that nobody has needed."""
    _first.clear()
    while _early:
        _early.pop().kill()
