"""Time for which the opening of a dock holds the window."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCKS = (
    "tree",
    "inspector",
    "modes",
    "sensor",
    "plots",
    "path",
    "maps",
    "equilibria",
    "measured",
    "lesson",
    "hand_ins",
)
OPEN_DOCKS = """
import json, os, sys, threading
from time import thread_time
sys.path.insert(0, "benchmarks")
from lab import Watched, opened, pause, wait
from PySide6.QtCore import QTimer
from polhode.scene import gallery


def slowness():
    begun, total = thread_time(), 0
    for number in range(200_000):
        total += number
    return max(1.0, (thread_time() - begun) / 0.009)


application = Watched()
slow, holds = sys.argv[1:], {}
for _ in range(3):
    window = opened(gallery.path("course_11_hand"))
    wait(lambda: all(thread.name != "ahead" for thread in threading.enumerate()))  # modules are imported beforehand
    for name in slow:
        window.action_table[name].setChecked(False)
    window.session.play(False)  # what a frame takes is measured elsewhere
    pause(200)
    for name in slow:
        longest = 0.0
        for _ in range(2):
            before = slowness()
            application.longest()
            QTimer.singleShot(0, lambda: window.action_table[name].setChecked(True))
            pause(200)
            longest = max(longest, application.longest().work / max(before, slowness()))
            window.action_table[name].setChecked(False)
        holds[name] = min(longest, holds.get(name, longest))
    window.close()
    slow = [name for name in slow if holds[name] > 0.05]
    if not slow:
        break
print(json.dumps(holds), flush=True)
os._exit(0)  # Qt calls `notify` of the application while Python clears it, and crashes
"""


def test_no_event_of_the_opening_of_a_dock_holds_the_window_for_50_ms() -> None:
    """The first time and again, without drawing: processor time of the window's thread, the best of three windows.

    Other processes lengthen that, too, by caches and threads that share a core. It is divided by what 200 000 additions
    take then, in units of 9 ms, which a core of 3 GHz needs.
    """
    command = [sys.executable, "-c", OPEN_DOCKS, *DOCKS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180)
    assert not done.returncode, done.stderr
    holds = json.loads(done.stdout.splitlines()[-1])
    assert tuple(holds) == DOCKS
    assert max(holds.values()) < 0.05, holds
