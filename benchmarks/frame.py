"""A frame of ours (write a moment in place, draw) beside VTK's bare Render() of the same things standing still.

The last lines are a window with every dock open and live plots: the same there, and all that its thread works for a
frame, but for what draws the view, beside that bare Render(): also the docks' own drawing, for which there is no rival.
The processor's time counts there, for the physics has a thread of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from statistics import median
from time import thread_time
from typing import TYPE_CHECKING, Any

from lab import DOCKS, on_screen, opened, pause, wait
from PySide6.QtWidgets import QApplication
from timing import best_times, seconds

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport import widget
from polhode_app.viewport.base.opengl import smooth_edges
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.view import SceneView

if TYPE_CHECKING:
    from polhode_app.main_window import MainWindow

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


class Spent:
    """Time [s] that the thread of a window has spent on the frames that it has drawn."""

    def __init__(self, window: MainWindow):
        view, scene_view = window.view, window.scene_view
        view.drawn.connect(self._count)
        view.plotter.render_window.AddObserver("StartEvent", lambda *_: self._draws(-1))
        view.plotter.render_window.AddObserver("EndEvent", lambda *_: self._draws(1))
        scene_view.update, scene_view.follow = self._timed(scene_view.update), self._timed(scene_view.follow)
        widget.see_all = self._timed(widget.see_all)
        self.begin()

    def begin(self) -> None:
        """Count from here."""
        self.frames, self.drawing, self.writing, self.begun = 0, 0.0, 0.0, thread_time()

    def _count(self) -> None:
        self.frames += 1

    def _draws(self, sign: int) -> None:
        self.drawing += sign * thread_time()

    def _timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def result(*given: Any, **named: Any) -> Any:
            begun = thread_time()
            answer = call(*given, **named)
            self.writing += thread_time() - begun
            return answer

        return result


def with_docks() -> None:
    """Print what the window works for each frame that it draws."""
    application = QApplication([])
    window = opened(docks=DOCKS)
    rendered, spent = window.view.plotter.render_window, Spent(window)
    pause(3000)
    spent.begin()
    wait(lambda: spent.frames >= FRAMES)
    works = (thread_time() - spent.begun - spent.drawing) / spent.frames
    writes = spent.writing / spent.frames
    window.session.play(False)
    pause(500)
    rendered.MakeCurrent()
    bare = median(seconds(lambda: (rendered.Render(), rendered.WaitForCompletion())) for _ in range(FRAMES))
    for name, ours in (("with every dock", writes), ("  and their work", works)):
        verdict = "ok" if ours <= 0.10 * bare else "MISS"
        print(
            f"{name:<18} frame / bare {1 + ours / bare:5.3f} (goal 1.10) {verdict:<5}"
            f" {1e3 * ours:.1f} ms beside Render(), bare {1e3 * bare:.1f} ms"
        )
    window.close()
    application.processEvents()


if __name__ == "__main__":
    on_screen()
    for name in sys.argv[1:] or gallery.scene_names():
        compare(name)
    with_docks()
