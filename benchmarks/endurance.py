"""What a window holds on to: memory of a long run with its past full, and of scenes that are opened one after another.

    python benchmarks/endurance.py [MINUTES]

Goals: less than 1 MB per hour after the first minutes; nothing that grows with the number of scenes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np

MINUTES = 20.0
SETTLED = 0.3  # of the time, before memory is looked at
SCENES = ("magnet_pendulum", "t_handle", "course_7_dampers", "roller_coaster", "rolling_10_two_spheres")
CYCLES = 200
WARM = 50  # of them, before memory is looked at
GOAL = 1.0  # [MB] per hour
PAST = 2 * 2**20  # [bytes]: full within minutes


def resident() -> float:
    """[MB] of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def slope(hours: list[float], sizes: list[float]) -> float:
    """[MB per hour] of the lower half of the sizes: what was there for a moment is no growth."""
    x, y = np.array(hours), np.array(sizes)
    steady = np.polyfit(x, y, 1)
    below = y <= np.polyval(steady, x)
    return float(np.polyfit(x[below], y[below], 1)[0])


def run(minutes: float) -> None:
    from PySide6.QtCore import QElapsedTimer, QSettings
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    import app.past
    from app.main_window import LabWindow
    from app.settings import Settings
    from core import gallery

    app.past.BUDGET = PAST
    application = QApplication([])
    window = LabWindow(Settings(QSettings(os.devnull, QSettings.Format.IniFormat)))
    window.show()

    def wait(condition: Callable[[], object]) -> None:
        while not condition():
            QTest.qWait(5)

    wait(lambda: window.session.moment is not None)
    window.deeds["plots"].trigger()
    clock, hours, sizes = QElapsedTimer(), [], []
    clock.start()
    while clock.elapsed() < 60_000 * minutes:
        QTest.qWait(2000)
        if clock.elapsed() > SETTLED * 60_000 * minutes:
            hours.append(clock.elapsed() / 3.6e6)
            sizes.append(resident())
    grown = slope(hours, sizes)
    verdict = "ok" if grown <= GOAL else "MISS"
    print(f"run of {minutes:g} minutes: {grown:+.2f} MB per hour at {sizes[-1]:.0f} MB  (goal {GOAL:g})  {verdict}")
    window.deeds["plots"].trigger()

    counts, sizes = [], []
    for cycle in range(CYCLES):
        before = window.session.document
        window.files.open(gallery.path(SCENES[cycle % len(SCENES)]))
        wait(lambda before=before: window.session.document is not before and window.session.moment is not None)
        QTest.qWait(20)
        if cycle >= WARM and cycle % len(SCENES) == 0:
            counts.append(float(cycle))
            sizes.append(resident())
    each = slope(counts, sizes)
    total = each * CYCLES
    print(f"{CYCLES} scenes opened: {total:+.1f} MB, {threading.active_count()} threads at the end")
    window.close()
    application.processEvents()


def main() -> None:
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    if os.environ.get("DISPLAY") or not shutil.which("xvfb-run"):
        run(minutes)
        return
    folder = Path(__file__).parents[1]
    subprocess.run(["xvfb-run", "-a", sys.executable, __file__, str(minutes)], check=True, cwd=folder)


if __name__ == "__main__":
    main()
