"""Output of the commands to the terminal: messages and progress go to stderr, results alone to stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from polhode.process.messages import send
from polhode.scene.message import Message, printable
from polhode.scene.problem import Problem
from polhode_app.cli import interrupts
from polhode_app.environment import PROGRESS
from polhode_app.i18n.translation import translate


def say(message: Message) -> None:
    """Print a translated message to stderr, with control characters replaced so that the terminal executes none of
    them. Where stderr is closed or full nothing is printed.
    """
    with suppress(OSError):
        if sys.stderr is not None:
            print("\n".join(map(printable, translate(message).split("\n"))), file=sys.stderr, flush=True)


def warning_about(source: str) -> Callable[[Problem], None]:
    """Return a function that prints warnings about the scene named `source`."""
    return lambda problem: say(Message("{file}: warning: {problem}", file=source, problem=problem.message))


def _progress_messages(total: float) -> Callable[[float], None]:
    """Return a function that reports progress to a parent process.

    It sends the fraction done, 0 to 1, whenever the number of whole thousandths has changed.
    """
    last = -1

    def report(done: float) -> None:
        nonlocal last
        share = int(1000 * done / total) if total else 1000
        if share != last:
            last = share
            send(sys.stdout.buffer, {"done": share / 1000})

    return report


class ProgressListener:
    """Receives the progress of a command.

    Called with the amount done, it raises KeyboardInterrupt after Ctrl-C. `compiling(done, total)` reports the
    compilation that precedes the work, `running(simulation)` the simulation that then begins: Ctrl-C cancels its batch.
    """

    def __init__(
        self, report: Callable[[float], None], compiling: Callable[[int, int], None] = lambda done, total: None
    ):
        self._report, self.compiling = report, compiling

    def __call__(self, done: float) -> None:
        interrupts.begin_work()
        interrupts.check()
        self._report(done)

    def running(self, *simulations: Cancellable) -> None:
        """Simulations that the command advances from now on."""
        interrupts.cancels += [simulation.cancel for simulation in simulations]
        interrupts.begin_work()


class Cancellable(Protocol):
    """Work that other threads may cancel."""

    def cancel(self) -> None:
        """Request the end of the work."""


@contextmanager
def progress(title: str, total: float) -> Iterator[ProgressListener]:
    """Context manager with a progress bar on a terminal, and without output elsewhere.

    Yields the listener to be called with the amount done, out of `total`.

    Ctrl-C ends the process at once until the first call of the listener; then the next call raises KeyboardInterrupt.
    """
    with _shown(title, total) as listener, interrupts.work():
        yield listener


@contextmanager
def _shown(title: str, total: float) -> Iterator[ProgressListener]:
    """Yield the listener that suits the output: a parent process, a terminal, or neither."""
    if os.environ.get(PROGRESS):
        yield ProgressListener(_progress_messages(total))
        return
    from rich.console import Console  # imported here, because the window starts without bars
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield ProgressListener(lambda done: None)
        return
    parts = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*parts, console=console, transient=True) as bars:
        task = bars.add_task(translate(Message("{title}: preparing", title=title)), total=None)

        def report(done: float) -> None:
            bars.update(task, description=printable(title), total=total or 1.0, completed=done if total else 1.0)

        def compiling(done: int, count: int) -> None:
            words = Message(
                "{title}: compiling the physics, once ({done} of {count})",
                title=title,
                done=done,
                count=count,
            )
            bars.update(task, description=translate(words), total=count, completed=done)

        yield ProgressListener(report, compiling)
