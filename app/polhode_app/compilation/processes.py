"""Child processes that compile kernels, some of them started before the scene is known. No Qt, no numba."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from queue import SimpleQueue

from polhode.jit.storage.code_folder import KERNELS, cache_folder
from polhode.jit.storage.shipped_code import environment_of_this_processor, is_generic
from polhode.process.child_process import ChildProcess
from polhode.process.cores import cores
from polhode.process.messages import Message

BACKGROUND = "--background"  # option: with the lowest priority
SERVER = "polhode.compilation.compile_units"
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


class CompilerProcess:
    """A child process that compiles units.

    The queue `compiled` receives the name of each compiled unit, and None when the process has ended.
    """

    def __init__(self, *options: str):
        """Start a process with command line options of polhode.compilation.compile_units. Raises OSError.

        With BACKGROUND among them it compiles for this processor, also where this process uses shipped code.
        """
        self.compiled: SimpleQueue[str | None] = SimpleQueue()
        self.current: str | None = None  # unit ordered last, until its completion is handled
        self.part = 0.0  # done of it, as far as it says so
        given = environment_of_this_processor() if BACKGROUND in options else None
        self._process = ChildProcess(SERVER, *options, environment=given, listener=self._listen)
        self.kill = self._process.close
        self.is_dismissed = False

    @classmethod
    def ready(cls, *options: str) -> CompilerProcess:
        """A process from `start_early`, or a new one."""
        _first.clear()  # from now on the caller orders the units
        return _early.pop(0) if _early and not options else cls(*options)

    def _listen(self, answer: Message | None) -> None:
        """Take an answer, and order an early unit; called in a thread of the process."""
        if answer is not None and "part" in answer[0]:
            self.part = answer[0]["part"]
            return
        self.compiled.put(answer[0]["unit"] if answer is not None else None)
        if answer is not None:
            with suppress(IndexError):  # no early unit is left
                self.order(_first.popleft())

    def dismiss(self) -> None:
        """Let the process end by itself, once it has compiled what was ordered."""
        self.is_dismissed = True
        self._process.end_input()

    def order(self, name: str, request: Message | None = None) -> None:
        """Order a unit by name, or by its request. If the process has ended this has no effect; `compiled` then
        delivers None.
        """
        self.current, self.part = name, 0.0
        self._process.send(*(request or ({"unit": name}, [])))


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
        for _ in range(min(MAX_PROCESSES, max(cores() - 1, 1))):  # one CPU is left to the window
            _early.append(child := CompilerProcess())
            child.order(_first.popleft())
    except OSError:
        return  # Preparation handles the lack of processes


def stop_early() -> None:
    """Kill the early processes that were not used."""
    _first.clear()
    while _early:
        _early.pop().kill()
