"""The physics thread, which owns the Simulation. No Qt.

Commands come in by a queue, the newest frame goes out by a slot that the window polls.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from typing import TYPE_CHECKING

from polhode.scene.message import Message
from polhode.scene.problem import InputError, message_of
from polhode_app.messages import (
    ColumnSamples,
    Command,
    Event,
    FrameData,
    RunHalted,
    StopThread,
    WarningRaised,
)
from polhode_app.runner.passed_frames import PassedFrames

if TYPE_CHECKING:
    from polhode_app.runner.loop import SimulationLoop

log = logging.getLogger(__name__)

BATCHES = 4096  # of samples, kept for a window that polls too seldom; older ones are dropped


class SimulationThread:
    """Interface of the GUI thread to the physics thread.

    Call `start`, then `send` commands, and poll `frame`, `events`, `new_frames` and `samples` from the GUI thread. No
    other state is shared.
    """

    def __init__(self) -> None:
        self.frame: FrameData | None = None  # newest frame; assigned atomically, so readers need no lock
        self._passed = PassedFrames()
        self._samples: deque[ColumnSamples] = deque(maxlen=BATCHES)
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._run: SimulationLoop | None = None  # created by the thread; others use its `step_guard` only
        self._thread = threading.Thread(target=self._work, name="physics", daemon=True)

    def start(self) -> None:
        """Start the thread; commands sent earlier are executed first."""
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def send(self, command: Command) -> None:
        """Queue a command; it is executed before the next batch of steps."""
        self._commands.put(command)

    def events(self) -> list[Event]:
        """Take the events since the last call, in order; steps that take too long are cancelled or reported."""
        happened: list[Event] = []
        slow = self._run.step_guard.check(not self._commands.empty()) if self._run is not None else None
        if slow is not None:
            happened.append(WarningRaised(slow))
        while not self._events.empty():
            happened.append(self._events.get())
        return happened

    def new_frames(self) -> list[FrameData]:
        """Take the frames since the last call, oldest first; trails need those between two redraws of a slow view."""
        return self._passed.take()

    def samples(self) -> list[ColumnSamples]:
        """Take the samples since the last call, oldest first."""
        return [self._samples.popleft() for _ in range(len(self._samples))]

    def stop(self, patience: float = 5.0) -> bool:
        """End the thread; True if it ended within `patience` [s]. A compilation in progress cannot be interrupted."""
        if self.alive:
            self._commands.put(StopThread())
            if self._run is not None:
                self._run.step_guard.cancel()
            self._thread.join(patience)
        return not self.alive

    def _work(self) -> None:
        """Body of the thread. Exceptions are logged and reported as RunHalted."""
        try:
            # Imported here because it loads or compiles the kernels, and the window should appear before.
            from polhode_app.runner.loop import SimulationLoop
        except Exception as error:  # the thread boundary: every failure is reported to the window
            log.exception(Message("the physics could not be loaded"))
            self._events.put(RunHalted("", 0.0, _failure(error)))
            return
        run = self._run = SimulationLoop(self._events.put, self._publish, self._samples.append)
        while not run.stopped:
            try:
                for command in self._waiting(run.patience):
                    run.execute(command)
                run.batch()
            except InputError as error:  # a later part of a recording is damaged
                run.halt("", error.message)
            except Exception as error:  # the thread boundary
                log.exception(Message("the physics thread failed"))
                run.halt("", _failure(error))

    def _publish(self, frame: FrameData) -> None:
        self.frame = frame
        self._passed.add(frame)

    def _waiting(self, patience: float | None) -> list[Command]:
        """Take all queued commands.

        If there are none, wait for one up to `patience` [s]; None waits without limit.
        """
        commands: list[Command] = []
        try:
            commands.append(self._commands.get(block=patience != 0, timeout=patience or None))
            while True:
                commands.append(self._commands.get_nowait())
        except queue.Empty:
            return commands


def _failure(error: Exception) -> Message:
    """Text of an unexpected exception, with its type."""
    return Message("{kind}: {reason}", kind=type(error).__name__, reason=message_of(error))
