"""A real window, on a screen that is there or on one that is made for it, and how long each event holds it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QEventLoop, QObject, QSettings, QTimer
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from polhode_app.main_window import MainWindow

DOCKS = ("tree", "inspector", "plots", "sensor", "modes", "maps")
SCREEN = ("xvfb-run", "-a", "-s", "-screen 0 1600x1000x24")
DRAWS = (QEvent.Type.UpdateRequest, QEvent.Type.Paint)


def on_screen() -> None:
    """Run this file again on a screen that is made for it, where there is none, and end with it."""
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        if shutil.which(SCREEN[0]) is None:
            sys.exit("no screen: install xvfb")
        sys.exit(subprocess.call([*SCREEN, sys.executable, *sys.argv]))


def pause(milliseconds: float) -> None:
    """Run the event loop as the program does; QTest.qWait would hold the GIL while it sleeps."""
    loop = QEventLoop()
    QTimer.singleShot(int(milliseconds), loop.quit)
    loop.exec()


def wait(condition: Callable[[], object]) -> None:
    while not condition():
        pause(5)


def opened(path: Path | None = None, docks: tuple[str, ...] = ()) -> MainWindow:
    """A window that runs a scene, its own first one without a path."""
    from polhode_app.main_window import (
        MainWindow,  # a benchmark that is run again on a screen does not wait for it twice
    )
    from polhode_app.session.settings import Settings

    window = MainWindow(Settings(QSettings(os.devnull, QSettings.Format.IniFormat)), path)
    window.show()
    wait(lambda: window.session.frame is not None)
    for name in docks:
        window.action_table[name].setChecked(True)
    return window


class Hold(NamedTuple):
    """An event of the window, without what draws [s]."""

    wall: float
    work: float  # processor time of the window's thread


class Watched(QApplication):
    """Notes how long each event holds the window.

    What the noting itself takes is subtracted: an event in which a dock is laid out sends a thousand others.
    """

    def __init__(self) -> None:
        super().__init__([])
        self.holds: list[Hold] = []
        self.drawn = Hold(0.0, 0.0)  # what all drawing has taken
        self._depth = 0
        self._draws = False
        self._inner = 0  # events within others
        self._cost = self._inner_cost()

    def _inner_cost(self, count: int = 2000) -> float:
        """Processor time [s] that watching adds to an event within another one."""
        receiver, event = QObject(), QEvent(QEvent.Type.User)
        self._depth = 1
        times = []
        for send in (lambda: QApplication.sendEvent(receiver, event), lambda: receiver.event(event)):
            begun = thread_time()
            for _ in range(count):
                send()
            times.append(thread_time() - begun)
        self._depth = 0
        return (times[0] - times[1]) / count

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        draws = event.type() in DRAWS
        if self._draws or (self._depth and not draws):
            self._inner += not self._draws
            return super().notify(receiver, event)
        inner = self._inner
        before, began, wall, work = self.drawn, self._draws, perf_counter(), thread_time()
        self._depth, self._draws = self._depth + 1, draws
        result = super().notify(receiver, event)
        spent = Hold(perf_counter() - wall, thread_time() - work)
        self._depth, self._draws = self._depth - 1, began
        if draws:
            self.drawn = Hold(self.drawn.wall + spent.wall, self.drawn.work + spent.work)
        if not self._depth:
            drawn = Hold(self.drawn.wall - before.wall, self.drawn.work - before.work)
            watching = (self._inner - inner) * self._cost
            self.holds.append(Hold(spent.wall - drawn.wall - watching, spent.work - drawn.work - watching))
        return result

    def longest(self) -> Hold:
        """Since the last call, each by itself."""
        holds, self.holds = self.holds, []
        return Hold(max((hold.wall for hold in holds), default=0.0), max((hold.work for hold in holds), default=0.0))
