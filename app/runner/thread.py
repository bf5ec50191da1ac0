"""The worker thread that owns the Simulation: commands in by a queue, the newest Moment out by one slot. No Qt."""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque

from app.messages import ColumnSamples, Command, Event, FrameData, RunHalted, StopThread
from core.scene.message import Message
from core.scene.problem import InputError, message_of

log = logging.getLogger(__name__)

MAX_FRAMES = 64  # moments that are kept for a window that looks too seldom
BATCHES = 4096  # of samples, likewise


class SimulationThread:
    """Start it, `send` commands, look at `moment`, take `events()` and `passed()`. Nothing else is shared."""

    def __init__(self) -> None:
        self.moment: FrameData | None = None  # the slot: one assignment, so a reader sees the old or the new one whole
        self._passed: deque[FrameData] = deque(maxlen=MAX_FRAMES)
        self._samples: deque[ColumnSamples] = deque(maxlen=BATCHES)
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="physics", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def send(self, command: Command) -> None:
        self._commands.put(command)

    def events(self) -> list[Event]:
        """What happened since the last call, in order."""
        happened = []
        while not self._events.empty():
            happened.append(self._events.get())
        return happened

    def new_frames(self) -> list[FrameData]:
        """The moments since the last call, oldest first: a slow frame would turn a trail into a polygon."""
        return [self._passed.popleft() for _ in range(len(self._passed))]

    def samples(self) -> list[ColumnSamples]:
        """The samples since the last call, oldest first."""
        return [self._samples.popleft() for _ in range(len(self._samples))]

    def stop(self, patience: float = 5.0) -> bool:
        """End the thread; True if it ended within `patience` seconds (it may be deep in a compilation)."""
        if self.alive:
            self._commands.put(StopThread())
            self._thread.join(patience)
        return not self.alive

    def _work(self) -> None:
        try:
            # Here and not at the top: this import loads or compiles the kernels, and the window is to be seen before.
            from app.runner.loop import SimulationLoop
        except Exception as error:  # the thread boundary: whatever it is, the window must hear of it
            log.exception(Message("the physics could not be loaded"))
            self._events.put(RunHalted("", 0.0, _failure(error)))
            return
        run = SimulationLoop(self._events.put, self._publish, self._samples.append)
        while not run.stopped:
            try:
                for command in self._waiting(run.patience):
                    run.execute(command)
                run.batch()
            except InputError as error:  # a recording is damaged farther on
                run.halt("", error.message)
            except Exception as error:  # the thread boundary
                log.exception(Message("the physics thread failed"))
                run.halt("", _failure(error))

    def _publish(self, moment: FrameData) -> None:
        self.moment = moment
        self._passed.append(moment)

    def _waiting(self, patience: float | None) -> list[Command]:
        """All commands that wait; the first is waited for up to `patience` seconds, None: as long as it takes."""
        commands: list[Command] = []
        try:
            commands.append(self._commands.get(block=patience != 0, timeout=patience or None))
            while True:
                commands.append(self._commands.get_nowait())
        except queue.Empty:
            return commands


def _failure(error: Exception) -> Message:
    return Message("{kind}: {reason}", kind=type(error).__name__, reason=message_of(error))
