"""From an edit to its frame on the screen, everything running: a body's mass, and a lattice of 300 x 300 points.

Beside it stands a bare rebuild of the same scene by the physics, without a window. Goals: 100 ms for the body, 1 s for
the lattice, and no work of the window on one event, without what draws, above 50 ms.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from lab import Watched, on_screen, opened, pause
from timing import seconds

if TYPE_CHECKING:
    from polhode.scene.fields import FieldPath
    from polhode.scene.scene import Scene
    from polhode_app.main_window import MainWindow

EDITS = 12
PAUSE = 300  # [ms] between two edits
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


def waited(window: MainWindow, where: FieldPath) -> list[float]:
    """Times [s] from edits of a number to the frames that show them."""
    from polhode.scene.fields import at, with_value

    shown: list[float] = []
    drawn: list[float] = []
    window.session.scene_changed.connect(lambda _document: shown.append(perf_counter()))
    window.view.drawn.connect(lambda: drawn.append(perf_counter()))
    waits = []
    for number in range(EDITS):
        pause(PAUSE)
        scene = window.session.scene
        shown.clear()
        begun = perf_counter()
        window.session.edit(with_value(scene, where, at(scene, where) * (1.01 if number % 2 else 1 / 1.01)))
        while not shown or not drawn or drawn[-1] <= shown[-1]:
            pause(1)
        waits.append(drawn[-1] - begun)
    return waits[1:]


def measured(application: Watched, text: str, parameter: str) -> tuple[list[float], float, Scene]:
    """Times [s] from edits to frames, the window's longest work [s] on one event meanwhile, and the edited scene."""
    from polhode.scene.fields import parse_path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.toml"
        path.write_text(text)
        window = opened(path if text else None)
        where = parse_path(parameter)
        window.session.select(where[:2])
        pause(1000)
        application.longest()
        waits = waited(window, where)
        hold, scene = application.longest().work, window.session.scene
        window.close()
        application.processEvents()
    return waits, hold, scene


def main() -> None:
    on_screen()
    from polhode.engine.compile import build
    from polhode.mesh.mesh import Meshes

    application, meshes = Watched(), Meshes()
    for name, (text, parameter, goal) in CASES.items():
        waits, hold, scene = measured(application, text, parameter)
        rebuilds = [seconds(partial(build, scene, meshes)) for _ in range(EDITS)]
        wait, rebuild = median(waits), median(rebuilds)
        print(
            f"{name:<38} {1e3 * wait:5.0f} ms to the frame (goal {1e3 * goal:.0f} ms, best {1e3 * min(waits):.0f} ms),"
            f" {wait / rebuild:5.1f} x a bare rebuild of {1e3 * rebuild:.1f} ms;"
            f" the window works {1e3 * hold:.0f} ms at a stretch"
        )


if __name__ == "__main__":
    main()
