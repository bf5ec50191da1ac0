"""Memory of a window: during a long run with a full rewind buffer, and after opening many scenes one after another.

    python benchmarks/endurance.py [MINUTES [OPENINGS]]

Goals: less than 1 MB per hour after the first minutes; nothing that grows with the number of scenes.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from lab import on_screen, opened, pause, wait
from PySide6.QtCore import QElapsedTimer
from PySide6.QtWidgets import QApplication

from polhode_app.messages import SetHistorySize

if TYPE_CHECKING:
    from polhode_app.main_window import MainWindow

MINUTES = 20.0
SETTLED = 0.3  # of the time, before memory is looked at
SCENES = ("magnet_pendulum", "t_handle", "course_7_dampers", "roller_coaster", "rolling_10_two_spheres")
OPENINGS = 200
WARM = 100  # openings more, before memory is looked at
EVERY = 2000  # [ms] between two looks
GOAL = 1.0  # [MB] per hour
GOAL_OF_SCENES = 0.01  # [MB] per opening: what the pages of the memory alone may make of the last digits
PAST = 2  # [MB] full within minutes


def resident() -> float:
    """[MB] of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def slope(places: list[float], sizes: list[float]) -> float:
    """[MB per unit of the places] of the lower half of the sizes: what was there for a moment is no growth."""
    x, y = np.array(places), np.array(sizes)
    steady = np.polyfit(x, y, 1)
    below = y <= np.polyval(steady, x)
    return float(np.polyfit(x[below], y[below], 1)[0])


def run_for(window: MainWindow, minutes: float) -> None:
    """Let it run with live plots."""
    window.action_table["plots"].setChecked(True)
    clock, hours, sizes = QElapsedTimer(), [], []
    clock.start()
    while clock.elapsed() < 60_000 * minutes:
        pause(EVERY)
        if clock.elapsed() > SETTLED * 60_000 * minutes:
            hours.append(clock.elapsed() / 3.6e6)
            sizes.append(resident())
    grown = slope(hours, sizes)
    verdict = "ok" if grown <= GOAL else "MISS"
    print(f"run of {minutes:g} minutes: {grown:+.2f} MB per hour at {sizes[-1]:.0f} MB  (goal {GOAL:g})  {verdict}")
    window.action_table["plots"].setChecked(False)


def open_scenes(window: MainWindow, openings: int) -> None:
    """Open scenes one after another, each as often as the others."""
    from polhode.scene import gallery

    counts, sizes = [], []
    for number in range(WARM + openings):
        before = window.session.document
        window.files.open(gallery.path(SCENES[number % len(SCENES)]))
        wait(lambda before=before: window.session.document is not before and window.session.frame is not None)
        pause(20)
        if number >= WARM and number % len(SCENES) == 0:
            counts.append(float(number))
            sizes.append(resident())
    each = slope(counts, sizes)
    verdict = "ok" if each <= GOAL_OF_SCENES else "MISS"
    print(
        f"{openings} scenes opened: {1e3 * each:+.1f} kB each (goal {1e3 * GOAL_OF_SCENES:g}) {verdict},"
        f" {sizes[0]:.1f} MB, then {sizes[-1]:.1f} MB; {threading.active_count()} threads at the end"
    )


def main() -> None:
    on_screen()
    given = [float(each) for each in sys.argv[1:]]
    application = QApplication([])
    window = opened()
    window.session.send(SetHistorySize(PAST * 2**20))
    run_for(window, given[0] if given else MINUTES)
    open_scenes(window, int(given[1]) if len(given) > 1 else OPENINGS)
    window.close()
    application.processEvents()


if __name__ == "__main__":
    main()
