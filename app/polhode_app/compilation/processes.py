"""Child processes that compile kernels, some of them started before the scene is known. No Qt, no numba."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress

from polhode.jit.storage.code_folder import KERNELS, cache_folder
from polhode.jit.storage.shipped_code import environment_of_this_processor, is_generic

BACKGROUND = "--background"  # option: with the lowest priority
COMMAND = (sys.executable, "-m", "polhode.compilation.compile_units")
# Units that every scene needs, by their names in polhode.simulation.units, and the default method: children start with
# them before the scene is read. Units that others depend on come first.
FIRST_UNITS = (
    "polhode.engine.rates:rates_of_bodies",
    "polhode.engine.rates:accept_step",
    "polhode.engine.rates:place",
    "polhode.engine.rates:rates",
    "polhode.engine.diagnostics:energies",
    "polhode.run.method:begin",
    "polhode.run.loop:advance",
    "polhode.integrators.runge_kutta_4:advance",
    "polhode.engine.diagnostics:observe",
    "polhode.simulation.take_snapshot:measure",
    "polhode.physics.magnets.proximity:next_too_near",
    "polhode.physics.contact.penetration:wall_displacements",
    "polhode.physics.sensor.sensor_motion:sensor_distance",
)
MAX_PROCESSES = 2  # more gain little: each loads the compiler, and many units depend on units of other children
NO_WINDOW = 0x08000000  # CREATE_NO_WINDOW of Windows


def processors() -> int:
    """Number of CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class CompilerProcess:
    """A child process that compiles units. A thread reads its output into the queue `said`.

    The queue receives the name of each compiled unit, and None when the process has ended.
    """

    def __init__(self, *options: str):
        """Start a process with command line options of polhode.compilation.compile_units. Raises OSError.

        With BACKGROUND among them it compiles for this processor, also where this process uses shipped code.
        """
        self.said: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.current: str | None = None  # unit ordered last, until its completion is handled
        given = environment_of_this_processor() if BACKGROUND in options else os.environ
        known = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            [*COMMAND, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**given, "PYTHONPATH": known},
            creationflags=NO_WINDOW if sys.platform == "win32" else 0,
        )
        threading.Thread(target=self._listen, name="compiler", daemon=True).start()

    @classmethod
    def ready(cls, *options: str) -> CompilerProcess:
        """A process from `start_early`, or a new one."""
        _first.clear()  # from now on the caller orders the units
        return _early.pop(0) if _early and not options else cls(*options)

    def _listen(self) -> None:
        """Forward the lines of the process to the queue, and order early units; runs in its own thread."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self.said.put(line.strip())
                with suppress(IndexError):  # no early unit is left
                    self.order(_first.popleft())
        self._process.wait()
        self.said.put(None)

    def order(self, name: str) -> None:
        """Order a unit by name. If the process has ended this has no effect; `said` then delivers None."""
        assert self._process.stdin is not None
        self.current = name
        try:
            self._process.stdin.write(name + "\n")
            self._process.stdin.flush()
        except OSError:
            return

    def dismiss(self) -> None:
        """Let the process end after the current unit."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except OSError:
            return

    def kill(self) -> None:
        """Kill the process immediately."""
        self._process.kill()

    @property
    def number(self) -> int:
        """Process id."""
        return self._process.pid


_early: list[CompilerProcess] = []
_first: deque[str] = deque()  # units that the early processes compile without an order


def start_early() -> None:
    """Start compiling FIRST_UNITS while the window opens, if the code cache of this user is empty and none is shipped.

    Without processes to spare nothing is started; `Preparation` then starts its own.
    """
    if (cache_folder() / KERNELS).exists() or is_generic():
        return
    _first.extend(FIRST_UNITS)
    try:
        for _ in range(min(MAX_PROCESSES, max(processors() - 1, 1))):  # one CPU is left to the window
            _early.append(child := CompilerProcess())
            child.order(_first.popleft())
    except OSError:
        return  # Preparation handles the lack of processes


def stop_early() -> None:
    """Kill the early processes that were not used."""
    _first.clear()
    while _early:
        _early.pop().kill()
