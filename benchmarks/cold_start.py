"""Cold start of the lab on built-in scenes, with nothing compiled yet: seconds to the first frame that moves.

Each start is a process of its own with an empty folder of machine code. Without names it starts the scenes that differ
most in what they compile; with `--all` every one. Beside the wall's time stands that of the processors, of the window
and of all that compiled for it, for a machine that does other things as well; and the longest hold of the window by one
event in the meantime, without the drawing, by the processor time of its thread.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from lab import Watched, on_screen, wait

from polhode.scene import gallery
from polhode_app.compilation.processes import start_early

DIFFERENT = (
    "magnet_pendulum",
    "heavy_top",
    "jelly_magnet",
    "catching_magnets",
    "bead_cradle",
    "cloth_by_modes",
    "flag",
)
GOALS = {"magnet_pendulum": 15.0}  # [s] of the default scene
GOAL = 25.0  # [s] of any other
HOLD = 0.050  # [s]
MOVES = 0.01  # [s] of simulated time


def start(name: str) -> None:
    """This process is the start; it prints when the first frame was there, and the longest hold of the window."""
    start_early()
    from PySide6.QtCore import QSettings

    from polhode_app.application import open_window
    from polhode_app.session.settings import Settings

    application = Watched()
    window = open_window(Settings(QSettings(os.devnull, QSettings.Format.IniFormat)), gallery.path(name))
    seen: list[float] = []
    window.view.drawn.connect(lambda: seen.append(time.time()))
    wait(lambda: seen)
    application.longest()
    wait(lambda: window.session.frame is not None and window.session.frame.snapshot.time > MOVES)
    count = len(seen)
    wait(lambda: len(seen) > count)
    print(seen[0], seen[-1], application.longest().work, flush=True)
    wait(lambda: all(thread.name != "compiler" for thread in threading.enumerate()))  # their processes' time counts
    window.close()
    application.processEvents()


def measured(name: str) -> tuple[float, float, float, float]:
    """First frame [s], first frame that moves [s], processor time [s] of all, longest hold [s]."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder, "PYTHONPATH": str(Path(__file__).parents[1])}
        before, begun = _spent(), time.time()
        words = [sys.executable, __file__, "--start", name]
        done = subprocess.run(words, env=environment, check=True, capture_output=True, text=True)
        first, moving, hold = map(float, done.stdout.split()[-3:])
        return first - begun, moving - begun, _spent() - before, hold


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    on_screen()
    if sys.argv[1:2] == ["--start"]:
        start(sys.argv[2])
        return
    named = gallery.scene_names() if "--all" in sys.argv else sys.argv[1:] or DIFFERENT
    for name in named:
        first, moving, spent, hold = measured(name)
        goal = GOALS.get(name, GOAL)
        print(
            f"{name:<28} first frame {first:5.1f} s, moving {moving:5.1f} s (goal {goal:.0f} s)"
            f" {'ok' if moving <= goal else 'MISS':<4}  processors {spent:5.1f} s,"
            f" longest hold {1e3 * hold:3.0f} ms {'ok' if hold <= HOLD else 'MISS'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
