"""Output of the commands to the terminal: messages and progress go to stderr, results alone to stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from polhode.process.messages import send
from polhode.scene.message import Message, printable
from polhode.scene.problem import Problem
from polhode_app.cli.terminal import interrupts
from polhode_app.environment import PROGRESS
from polhode_app.i18n.translation import translate

if TYPE_CHECKING:
    from polhode_app.cli.terminal.progress_options import ProgressOptions  # with it comes the parser

LONGEST = 1e9  # [s] that are printed as the time left


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


class ProgressLines:
    """Prints progress where there is no terminal, as a line at most every `every` seconds."""

    def __init__(self, title: str, total: float, unit: str, options: ProgressOptions):
        """`total` is in `unit`: "s" of simulated time, or "" for a part of the work; 0 where it is not known."""
        self._title, self._total, self._unit, self._options = title, total, unit, options
        self._begun = self._last = monotonic()
        self._first: tuple[float, float] | None = None  # [s] wall time, and the amount done, at the first report

    def compiling(self, done: int, count: int) -> None:
        """Report the compilation that precedes the work."""
        if self._is_due():
            say(_compiling(self._title, done, count))

    def report(self, done: float) -> None:
        """Report the amount done."""
        self._first = self._first or (monotonic(), done)
        if self._is_due():
            say(self._line(done))

    def end(self) -> None:
        """Report how long all took, if that is wanted."""
        if self._options.verbose:
            say(Message("{title}: {spent} in total", title=self._title, spent=_duration(monotonic() - self._begun)))

    def _is_due(self) -> bool:
        """Whether the last line is old enough; the next one is then counted from now."""
        now = monotonic()
        if now - self._last < self._options.every:
            return False
        self._last = now
        return True

    def _line(self, done: float) -> Message:
        """Time or part done, speed, and the time left as the speed has been so far."""
        since, first = self._first or (self._begun, 0.0)
        spent = max(monotonic() - since, 1e-9)
        speed = (done - first) / spent
        if not self._total:
            return Message("{title}: {spent} so far", title=self._title, spent=_duration(monotonic() - self._begun))
        left = _duration((self._total - done) / speed) if speed > 0.0 else "?"
        if not self._unit:
            percent = 100 * done / self._total
            return Message("{title}: {percent:.0f} %, {left} left", title=self._title, percent=percent, left=left)
        return Message(
            "{title}: {done:.4g} of {total:g} s, {speed:.3g} simulated seconds per second, {left} left",
            title=self._title,
            done=done,
            total=self._total,
            speed=speed,
            left=left,
        )


def _duration(seconds: float) -> str:
    """Hours, minutes and seconds, such as 0:01:30."""
    return str(timedelta(seconds=round(min(seconds, LONGEST))))


def _compiling(title: str, done: int, count: int) -> Message:
    """Progress of the compilation."""
    return Message(
        "{title}: compiling the physics, once ({done} of {count})",
        title=title,
        done=done,
        count=count,
    )


class Cancellable(Protocol):
    """Work that other threads may cancel."""

    def cancel(self) -> None:
        """Request the end of the work."""


@contextmanager
def progress(
    title: str, total: float, options: ProgressOptions | None = None, unit: str = ""
) -> Iterator[ProgressListener]:
    """Context manager with a progress bar on a terminal, and lines on stderr elsewhere, if there are `options`.

    Yields the listener to be called with the amount done, out of `total` in `unit` (ProgressLines).

    Ctrl-C ends the process at once until the first call of the listener; then the next call raises KeyboardInterrupt.
    """
    with _shown(title, total, options, unit) as listener, interrupts.work():
        yield listener


@contextmanager
def _shown(title: str, total: float, options: ProgressOptions | None, unit: str) -> Iterator[ProgressListener]:
    """Yield the listener that suits the output: a parent process, a terminal, or neither."""
    if os.environ.get(PROGRESS):
        yield ProgressListener(_progress_messages(total))
        return
    if options is not None and options.quiet:
        yield ProgressListener(lambda done: None)
        return
    from rich.console import Console  # imported here, because the window starts without bars
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        if options is None:
            yield ProgressListener(lambda done: None)
            return
        lines = ProgressLines(title, total, unit, options)
        yield ProgressListener(lines.report, lines.compiling)
        lines.end()
        return
    parts = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*parts, console=console, transient=True) as bars:
        task = bars.add_task(translate(Message("{title}: preparing", title=title)), total=None)

        def report(done: float) -> None:
            bars.update(task, description=printable(title), total=total or 1.0, completed=done if total else 1.0)

        def compiling(done: int, count: int) -> None:
            bars.update(task, description=translate(_compiling(title, done, count)), total=count, completed=done)

        yield ProgressListener(report, compiling)
