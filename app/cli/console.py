"""Output of the commands to the terminal: messages and progress go to stderr, results alone to stdout."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from app.environment import PROGRESS
from app.i18n.translation import translate
from core.scene.message import Message
from core.scene.problem import Problem, printable


def say(message: Message) -> None:
    """Print a translated message to stderr, with control characters replaced so that the terminal executes none of
    them.
    """
    print("\n".join(map(printable, translate(message).split("\n"))), file=sys.stderr, flush=True)


def warning_about(source: str) -> Callable[[Problem], None]:
    """Return a function that prints warnings about the scene named `source`."""
    return lambda problem: say(Message("{file}: warning: {problem}", file=source, problem=problem.message))


def _telling(total: float) -> Callable[[float], None]:
    """Return a function that prints progress for a parent process.

    It prints the fraction done, 0 to 1, one line whenever the number of whole thousandths has changed.
    """
    told = -1

    def hear(done: float) -> None:
        nonlocal told
        share = int(1000 * done / total) if total else 1000
        if share != told:
            told = share
            print(share / 1000, flush=True)

    return hear


class ProgressListener:
    """Receives the progress of a command.

    Called with the amount done; `compiling(done, total)` reports the compilation that precedes the work.
    """

    def __init__(self, hear: Callable[[float], None], compiling: Callable[[int, int], None] = lambda done, total: None):
        self._hear, self.compiling = hear, compiling

    def __call__(self, done: float) -> None:
        self._hear(done)


@contextmanager
def progress(title: str, total: float) -> Iterator[ProgressListener]:
    """Context manager with a progress bar on a terminal, and without output elsewhere.

    Yields the listener to be called with the amount done, out of `total`.

    Ctrl-C inside raises KeyboardInterrupt at the latest in the next call of the listener: Python discards an exception
    that is raised while it runs a destructor.
    """
    pressed = threading.Event()

    def press(_number: int, _frame: FrameType | None) -> None:
        pressed.set()
        raise KeyboardInterrupt

    with _shown(title, total) as show:

        def hear(done: float) -> None:
            if pressed.is_set():
                raise KeyboardInterrupt
            show(done)

        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield show  # the parent process has installed another handler, or ignores the signal
            return
        signal.signal(signal.SIGINT, press)
        try:
            yield ProgressListener(hear, show.compiling)
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _shown(title: str, total: float) -> Iterator[ProgressListener]:
    """Yield the listener that suits the output: a parent process, a terminal, or neither."""
    if os.environ.get(PROGRESS):
        yield ProgressListener(_telling(total))
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        yield ProgressListener(lambda done: None)
        return
    parts = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*parts, console=console, transient=True) as bars:
        task = bars.add_task(translate(Message("{title}: preparing", title=printable(title))), total=None)

        def hear(done: float) -> None:
            bars.update(task, description=printable(title), total=total or 1.0, completed=done if total else 1.0)

        def compiling(done: int, count: int) -> None:
            words = Message(
                "{title}: compiling the physics, once ({done} of {count})",
                title=printable(title),
                done=done,
                count=count,
            )
            bars.update(task, description=translate(words), total=count, completed=done)

        yield ProgressListener(hear, compiling)
