"""Simulated seconds per second, and frames per second, of a window that draws the scene on the same cores.

python benchmarks/window_speed.py            the default scene with plots, and scenes with short steps or many parts
python benchmarks/window_speed.py --all      every built-in scene
python benchmarks/window_speed.py flag ...   some of them

Goals: real time, and 15 frames per second in a view of 1280 x 720. What the processor spends tells whether other
programs were in the way: the time of all threads for a second, and that of the window's thread for a frame. The last
lines are bodies that no machine runs in real time, as fast as they go.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, thread_time
from typing import TYPE_CHECKING, NamedTuple

from lab import on_screen, opened, pause, wait
from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QApplication
from springs import lattice
from timing import report, seconds

from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.scene.scene_writing import write_scene
from polhode.simulation.simulation import Simulation

if TYPE_CHECKING:
    from polhode_app.main_window import MainWindow

SIZE = (1280, 720)
WARM, SECONDS = 2.0, 8.0  # [s] of a measurement
FRAMES, KEPT = 15.0, 0.95  # goals: frames per second, and the share of real time
SPEED = 1e6  # simulated seconds per second: more than any machine reaches
ALONE = 0.5  # [s] of simulated time without a window
WITH_PLOTS = "magnet_pendulum"
SCENES = (
    *("break_shot", "cloth_on_ball", "heavy_top", "t_handle", "dominoes", "marionette"),
    *("flag", "jelly_pendulum", "needle_lattice", "roller_coaster", "course_9_stiff_floor"),
)


class Pace(NamedTuple):
    """Work of a window in a second of a run at real time."""

    simulated: float  # [s]
    frames: float
    work: float  # [s] processor time of all threads
    frame_work: float  # [s] processor time of the window's thread for a frame


def pace(window: MainWindow, warm: float = WARM, length: float = SECONDS) -> Pace:
    """Measure a window whose scene runs, for `length` [s] after `warm` [s]."""
    frames = []
    window.view.drawn.connect(lambda: frames.append(window.session.frame.snapshot.time))
    pause(1000 * warm)
    wait(lambda: frames)
    count, first, begun, works, own = len(frames), frames[-1], perf_counter(), process_time(), thread_time()
    pause(1000 * length)
    wall, drawn = perf_counter() - begun, len(frames) - count
    simulated = window.session.frame.snapshot.time - first
    return Pace(simulated / wall, drawn / wall, (process_time() - works) / wall, (thread_time() - own) / max(drawn, 1))


def at_real_time(name: str, docks: tuple[str, ...] = ()) -> None:
    """Print how fast a built-in scene runs at the speed at which it opens."""
    window = opened(gallery.path(name), docks)
    window.resize(window.size() + QSize(*SIZE) - window.view.size())
    found = pace(window)
    window.close()
    verdict = "ok" if found.simulated >= KEPT and found.frames >= FRAMES else "MISS"
    title = f"{name} with {', '.join(docks)}" if docks else name
    print(
        f"{title:<34} {found.simulated:5.2f} of real time, {found.frames:5.1f} frames/s  {verdict:<4}"
        f"  processor {found.work:.2f} s/s, window {1e3 * found.frame_work:.1f} ms/frame",
        flush=True,
    )


def at_full_speed(name: str, path: Path) -> None:
    """Print how fast a scene runs when nothing limits it, beside real time."""
    scene = read_scene(path)
    simulation = Simulation(scene)
    simulation.advance(0.01)
    alone = ALONE / seconds(lambda: simulation.advance(ALONE))
    window, found = opened(path), []
    window.session.set_speed(SPEED)
    timer = QTimer()
    timer.timeout.connect(lambda: found.append(scene.solver.time_step * window.session.frame.steps_per_second))
    pause(1000 * WARM)
    timer.start(100)
    pause(1000 * SECONDS)
    timer.stop()
    window.close()
    detail = f"least {min(found):.2f} x, without a window {alone:.2f} x"
    report(f"{name} beside the window / real time", median(found), 1.0, detail)


def main() -> None:
    on_screen()
    application = QApplication(sys.argv[:1])
    names = gallery.scene_names() if "--all" in sys.argv else sys.argv[1:]
    if not names:
        at_real_time(WITH_PLOTS, ("plots",))
    for name in names or SCENES:
        at_real_time(name)
    if not names:
        with tempfile.TemporaryDirectory() as folder:
            body = Path(folder) / "body.toml"
            write_scene(lattice(8, "axial"), body)
            at_full_speed("8 x 8 points", body)
            at_full_speed("break shot", gallery.path("break_shot"))
    application.quit()


if __name__ == "__main__":
    main()
