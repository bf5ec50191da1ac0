"""A frame of ours (write a moment in place, draw) beside VTK's bare Render() of the same things standing still.

The last lines are a window with every dock open and live plots: the same there, and all that its thread works for a
frame, but for what draws the view, beside that bare Render(): also the docks' own drawing, for which there is no rival.
The processor's time counts there, for the physics has a thread of its own.

With --places: processor time of Render() during a run with and without floors and the place of each scene.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time, thread_time
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
BLOCK, BLOCKS = 6, 7  # frames with and without a place in turn, the first two of which do not count
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


def place_cost(name: str) -> float | None:
    """Processor time of a frame with floors and place over that of one without; None where a scene has neither."""
    scene, meshes = read_scene(gallery.path(name)), Meshes()
    plotter = offscreen(SIZE)
    view = SceneView(plotter, meshes)
    view.show(scene)
    view.reset_camera()
    window = plotter.render_window
    window.Render()
    smooth_edges(window)
    ours = [view.views[part] for part in ("place", "walls")]
    is_there = bool(scene.wall or any(part.scenery for part in ours))
    simulation, times = Simulation(scene, meshes), ([], [])
    for number in range(2 * BLOCKS if is_there else 0):
        on = number % 2 == 0
        for part in ours:
            part.set_visible(on)
        for frame in range(BLOCK):
            simulation.advance(1 / 60)
            view.update(simulation.snapshot())
            begun = process_time()
            window.Render()
            window.WaitForCompletion()
            if frame > 1:
                times[on].append(process_time() - begun)
    plotter.close()
    if not is_there:
        return None
    without, with_place = (median(each) for each in times)
    ratio = with_place / without
    verdict = "ok" if ratio <= 1.10 else "MISS"
    print(f"{name:<28} place {ratio:5.3f} (goal 1.10) {verdict:<5} {1e3 * with_place:.1f} ms, {1e3 * without:.1f} ms")
    return ratio


def all_places(names: Sequence[str]) -> None:
    """Print the costs of the places of scenes, and the largest one."""
    found = {name: ratio for name in names if (ratio := place_cost(name)) is not None}
    worst = max(found, key=lambda name: found[name])
    print(f"worst of {len(found)}: {worst} {found[worst]:.3f}; over the goal: {sum(x > 1.10 for x in found.values())}")


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
    chosen = [name for name in sys.argv[1:] if name != "--places"] or gallery.scene_names()
    if "--places" in sys.argv:
        all_places(chosen)
        sys.exit()
    on_screen()
    for name in chosen:
        compare(name)
    with_docks()
