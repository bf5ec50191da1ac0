"""Steps per second of the course's body of 8 x 8 points while the window draws it, too. Goal: real time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from springs import STEP, lattice

from core.scene.scene_file import write_scene

SECONDS = 8.0
GOAL = 1 / STEP  # [1/s]
SPEED = 1e6  # simulated seconds per second: more than any machine reaches


def speeds(path: Path) -> list[float]:
    """[1/s] what the window says, once per frame, after the first second."""
    from PySide6.QtCore import QSettings, QTimer
    from PySide6.QtWidgets import QApplication

    from app.main_window import LabWindow
    from app.session.settings import Settings

    application, found = QApplication([]), []
    window = LabWindow(Settings(QSettings(os.devnull, QSettings.Format.IniFormat)), path)
    window.show()
    while window.session.moment is None:
        application.processEvents()
    window.session.at_speed(SPEED)
    timer = QTimer()
    timer.timeout.connect(lambda: found.append(window.session.moment.steps_per_second))
    QTimer.singleShot(1000, lambda: timer.start(100))
    QTimer.singleShot(int(1000 * (SECONDS + 1)), application.quit)
    application.exec()
    window.close()
    return found


def main() -> None:
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        screen = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"]
        if shutil.which(screen[0]) is None:
            sys.exit("no screen: install xvfb")
        sys.exit(subprocess.call([*screen, sys.executable, *sys.argv]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "body.toml"
        write_scene(lattice(8, "axial"), path)
        found = sorted(speeds(path))
    middle = found[len(found) // 2]
    verdict = "ok" if middle >= GOAL else "MISS"
    print(f"{middle:.3g} steps/s with the window drawing (goal {GOAL:.3g}) {verdict}; least {found[0]:.3g}")


if __name__ == "__main__":
    main()
