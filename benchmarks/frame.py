"""A frame of ours (write a moment in place, draw) beside VTK's bare Render() of the same things standing still."""

from __future__ import annotations

import sys

from timing import best_times

from app.export.picture import offscreen
from app.viewport.edges import smooth_edges
from app.viewport.view import SceneView
from core import gallery
from core.mesh import Meshes
from core.scene_file import read_scene
from core.simulation import Simulation
from core.snapshot import Snapshot

SIZE = (1280, 720)


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


if __name__ == "__main__":
    for name in sys.argv[1:] or gallery.names():
        compare(name)
