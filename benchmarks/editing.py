"""From an edit to its frame on the screen, everything running: a body's mass, and a lattice of 300 x 300 points.

Beside it stands a bare rebuild of the same scene by the physics, without a window. Goals: 100 ms for the body, 1 s for
the lattice, and no work of the window on one event, without what draws, above 50 ms.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time

EDITS = 12
LATTICE = """
format = 1
title = "A cloth"
[solver]
time_step = 1e-4
[[soft]]
name = "cloth"
kind = "lattice"
counts = [300, 300, 1]
spacing = [0.01, 0.01, 0.01]
position = [0, 0, 1]
particle_mass = 1e-4
stiffness = 50.0
damping = 0.01
fixed = [0, 299]
"""
CASES = {
    "a body, its density": ("", "body[0].shape[0].density", 0.100),
    "a lattice of 300 x 300, its stiffness": (LATTICE, "soft[0].stiffness", 1.0),
    "the same, gravity": (LATTICE, "world.gravity[2]", 1.0),
}


def edited(text: str, place: str) -> tuple[list[float], list[float], list[float]]:
    """Times [s] from edits to frames, of the longest work of the window on one event meanwhile, and of rebuilds."""
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication
    from timing import seconds

    from app.main_window import LabWindow
    from app.settings import Settings
    from core.build import build
    from core.mesh import Meshes
    from core.scene_fields import at, place_in, with_value

    class Application(QApplication):
        """Notes how long the window works on each event, without what draws and what others do meanwhile."""

        depth, drawing, longest = 0, 0.0, 0.0

        def notify(self, receiver, event):  # type: ignore[no-untyped-def]
            draws = event.type() in (event.Type.UpdateRequest, event.Type.Paint)
            if self.depth and not draws:
                return super().notify(receiver, event)
            if not self.depth:
                self.drawing = 0.0
            self.depth += 1
            begun = thread_time()
            result = super().notify(receiver, event)
            spent = thread_time() - begun
            self.depth -= 1
            if draws:
                self.drawing += spent
            if not self.depth:
                self.longest = max(self.longest, spent - self.drawing)
            return result

    application = QApplication.instance() or Application([])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.toml"
        path.write_text(text)
        window = LabWindow(Settings(QSettings(os.devnull, QSettings.Format.IniFormat)), path if text else None)
        window.show()
        while window.session.moment is None:
            application.processEvents()
        where, shown, drawn = place_in(place), [], []
        window.session.select(where[:2])
        window.session.shown.connect(lambda _document: shown.append(perf_counter()))
        window.view.drawn.connect(lambda: drawn.append(perf_counter()))
        waits, holds = [], []
        for number in range(EDITS):
            pause = perf_counter()
            while perf_counter() - pause < 0.3:
                application.processEvents()
            value = at(window.session.scene, where)
            application.longest = 0.0
            begun = perf_counter()
            shown.clear()
            window.session.edit(with_value(window.session.scene, where, value * (1.01 if number % 2 else 1 / 1.01)))
            while not shown or not drawn or drawn[-1] <= shown[-1]:
                application.processEvents()
            waits.append(perf_counter() - begun)
            holds.append(application.longest)
        scene = window.session.scene
        window.close()
        application.processEvents()
    meshes = Meshes()
    bare = [seconds(lambda: build(scene, meshes)) for _ in range(EDITS)]
    return waits[1:], holds[1:], bare[1:]


def main() -> None:
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        screen = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"]
        if shutil.which(screen[0]) is None:
            sys.exit("no screen: install xvfb")
        sys.exit(subprocess.call([*screen, sys.executable, *sys.argv]))
    for name, (text, place, goal) in CASES.items():
        waits, holds, bare = edited(text, place)
        wait, rebuild = median(waits), median(bare)
        print(
            f"{name:<38} {1e3 * wait:5.0f} ms to the frame (goal {1e3 * goal:.0f} ms), {wait / rebuild:5.1f} x a bare"
            f" rebuild of {1e3 * rebuild:.1f} ms; the window works {1e3 * max(holds):.0f} ms at a stretch"
        )


if __name__ == "__main__":
    main()
