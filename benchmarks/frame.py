"""A frame of ours (write a moment in place, draw) beside VTK's bare Render() of the same things standing still.

The last line is a window with every dock open and live plots: all that its thread works for a frame, but for what draws
the view, beside that bare Render(). The processor's time counts there, for the physics has a thread of its own.
"""

from __future__ import annotations

import sys
from statistics import median
from time import thread_time

from lab import DOCKS, Watched, on_screen, opened, wait
from PySide6.QtTest import QTest
from timing import best_times, seconds

from app.export.picture import offscreen
from app.viewport.edges import smooth_edges
from app.viewport.view import SceneView
from core import gallery
from core.mesh import Meshes
from core.scene_file import read_scene
from core.simulation import Simulation
from core.snapshot import Snapshot

SIZE = (1280, 720)
FRAMES = 100


def moments(simulation: Simulation, count: int) -> list[Snapshot]:
    """Consecutive moments at 60 Hz; they are made beforehand, for the physics runs in another thread."""
    made = []
    for _ in range(count):
        simulation.advance(1 / 60)
        made.append(simulation.snapshot())
    return made


def compare(name: str) -> None:
    scene, meshes = read_scene(gallery.path(name)), Meshes()
    plotter = offscreen(SIZE)
    view = SceneView(plotter, meshes)
    view.show(scene)
    view.reset_camera()
    coming = iter(moments(Simulation(scene, meshes), 60) * 20)
    window = plotter.render_window
    window.Render()
    smooth_edges(window)

    def bare() -> None:
        for _ in range(5):
            window.Render()
            window.WaitForCompletion()

    def ours() -> None:
        for _ in range(5):
            view.update(next(coming))
            window.Render()
            window.WaitForCompletion()

    ours_time, bare_time = (time / 5 for time in best_times(ours, bare))
    verdict = "ok" if ours_time <= 1.10 * bare_time else "MISS"
    print(
        f"{name:<18} frame / bare {ours_time / bare_time:5.3f} (goal 1.10) {verdict:<5}"
        f" ours {1e3 * ours_time:.1f} ms, bare {1e3 * bare_time:.1f} ms"
    )
    plotter.close()


def with_docks() -> None:
    """Print what the window works for each frame that it draws."""
    application = Watched()
    window = opened(docks=DOCKS)
    view, drawn, spent = window.view, [0], [0.0]
    view.drawn.connect(lambda: drawn.__setitem__(0, drawn[0] + 1))
    rendered = view.plotter.render_window
    rendered.AddObserver("StartEvent", lambda *_: spent.__setitem__(0, spent[0] - thread_time()))
    rendered.AddObserver("EndEvent", lambda *_: spent.__setitem__(0, spent[0] + thread_time()))
    QTest.qWait(3000)
    drawn[0], spent[0], begun = 0, 0.0, thread_time()
    wait(lambda: drawn[0] >= FRAMES)
    ours = (thread_time() - begun - spent[0]) / drawn[0]
    window.session.play(False)
    QTest.qWait(500)
    rendered.MakeCurrent()
    bare = median(seconds(lambda: (rendered.Render(), rendered.WaitForCompletion())) for _ in range(FRAMES))
    verdict = "ok" if ours <= 0.10 * bare else "MISS"
    print(
        f"{'with every dock':<18} frame / bare {1 + ours / bare:5.3f} (goal 1.10) {verdict:<5}"
        f" works {1e3 * ours:.1f} ms beside the view's frame, bare {1e3 * bare:.1f} ms"
    )
    window.close()
    application.processEvents()


if __name__ == "__main__":
    on_screen()
    for name in sys.argv[1:] or gallery.names():
        compare(name)
    with_docks()
