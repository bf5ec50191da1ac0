"""Warm start of the lab to its first frame, against an import of pyvistaqt and an empty view. Goal: at most 1.5 times.

Both are whole processes, alternating; each says how long it lived when its first frame was on the screen.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time

RUNS = 5
FIRST_FRAME = "first frame"

EMPTY = """
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
from pyvistaqt import QtInteractor

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, end)
        return False

def end():
    print("first frame", flush=True)
    app.quit()

app = QApplication([])
window = QMainWindow()
view = QtInteractor(window, auto_update=False)
watch = Watch()
view.installEventFilter(watch)
window.setCentralWidget(view)
window.resize(1180, 700)
window.show()
app.exec()
view.close()
"""

LAB = """
from PySide6.QtWidgets import QApplication
from polhode_app import application

open_window = application.open_window

def watched(settings, path):
    window = open_window(settings, path)
    window.view.drawn.connect(end)
    return window

def end():
    print("first frame", flush=True)
    QApplication.closeAllWindows()

application.open_window = watched
application.run_application()
"""


def first_frame(program: str) -> float:
    """Seconds from the start of a Python process to its first frame."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # a warm start has the bytecode
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(FIRST_FRAME):
                return time.perf_counter() - begun
    raise RuntimeError("no first frame came")


def main() -> None:
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        screen = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"]
        if shutil.which(screen[0]) is None:
            sys.exit("no screen: install xvfb")
        sys.exit(subprocess.call([*screen, sys.executable, *sys.argv]))
    for program in (EMPTY, LAB):
        first_frame(program)  # files into the system's memory, bytecode and kernels onto the disk
    times = [(first_frame(EMPTY), first_frame(LAB)) for _ in range(RUNS)]
    empty, lab = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"empty view {empty:.2f} s, lab {lab:.2f} s: {lab / empty:.2f} times (goal: at most 1.5)")


if __name__ == "__main__":
    main()
