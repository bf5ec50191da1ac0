"""Simulated seconds per second while the window draws the same scene on the same cores. Goal: real time.

python benchmarks/window_speed.py            the course's body of 8 x 8 points, and built-in scenes
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from lab import on_screen, opened, wait
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from springs import lattice
from timing import report, seconds

from core.scene import gallery
from core.scene.scene_file import read_scene, write_scene
from core.simulation.simulation import Simulation

WARM, SECONDS = 2.0, 8.0
SPEED = 1e6  # simulated seconds per second: more than any machine reaches
ALONE = 0.5  # [s] of simulated time without a window


def speeds(path: Path, time_step: float) -> list[float]:
    """What the window says ten times a second."""
    window, found = opened(path), []
    window.session.set_speed(SPEED)
    timer, begun = QTimer(), []
    timer.timeout.connect(lambda: found.append(time_step * window.session.moment.steps_per_second))
    QTimer.singleShot(int(1000 * WARM), lambda: timer.start(100))
    QTimer.singleShot(int(1000 * (WARM + SECONDS)), lambda: begun.append(True))
    wait(lambda: begun)
    window.close()
    return found


def cases(folder: str) -> Iterator[tuple[str, Path]]:
    body = Path(folder) / "body.toml"
    write_scene(lattice(8, "axial"), body)
    yield "8 x 8 points", body
    for name in ("break_shot", "cloth_on_ball", "magnet_pendulum"):
        yield name.replace("_", " "), gallery.path(name)


def main() -> None:
    on_screen()
    application = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        for name, path in cases(folder):
            scene = read_scene(path)
            simulation = Simulation(scene)
            simulation.advance(0.01)
            alone = ALONE / seconds(lambda s=simulation: s.advance(ALONE))
            found = speeds(path, scene.solver.time_step)
            detail = f"least {min(found):.2f} x, without a window {alone:.2f} x"
            report(f"{name} beside the window / real time", median(found), 1.0, detail)
    application.quit()


if __name__ == "__main__":
    main()
