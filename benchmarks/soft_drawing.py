"""10 000 points and 40 000 springs, written and drawn, beside VTK's bare Render() of the same standing still.

Goal: to write it costs less than 2 ms, upload to the graphics card included.
"""

from __future__ import annotations

from timing import best_times

from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.opengl import smooth_edges
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.view import SceneView

SIZE = (1280, 720)
GOAL = 2e-3  # [s]
COUNTS = (102, 100, 1)  # 10 200 points, 40 394 springs
VIEWS = ("springs", "tension", "shadows")
FRAMES = 5


def cloth() -> Scene:
    soft = {
        "name": "cloth",
        "kind": "lattice",
        "counts": COUNTS,
        "spacing": (0.02, 0.02, 0.02),
        "position": (0, 0, 1),
        "particle_mass": 1e-3,
        "stiffness": 10.0,
        "fixed": (0, COUNTS[0] - 1),
    }
    return Scene.model_validate({"soft": [soft]})


def main() -> None:
    simulation, plotter = Simulation(cloth()), offscreen(SIZE)
    view = SceneView(plotter, Meshes())
    start = simulation.snapshot()
    view.show(simulation.scene, start, compiled=simulation.compiled)
    view.reset_camera()
    window = plotter.render_window
    window.Render()
    smooth_edges(window)
    simulation.advance(0.01)
    moments = [start, simulation.snapshot()]
    number = 0

    def bare() -> None:
        for _ in range(FRAMES):
            window.Render()
            window.WaitForCompletion()

    def ours() -> None:
        nonlocal number
        for _ in range(FRAMES):
            number += 1
            view.update(moments[number % 2])
            window.Render()
            window.WaitForCompletion()

    springs = len(simulation.compiled.springs.rest)
    print(f"{len(start.points.position)} points, {springs} springs")
    for shown in ((), ("springs",), ("springs", "tension"), VIEWS):
        for name in VIEWS:
            view.set_visible(name, name in shown)
        ours_time, bare_time = (time / FRAMES for time in best_times(ours, bare))
        cost = ours_time - bare_time
        names = " + ".join(("points", *shown))
        verdict = "ok" if cost < GOAL else "MISS"
        print(f"{names:<36} written in {1e3 * cost:5.2f} ms (goal 2) {verdict:<5} bare {1e3 * bare_time:.1f} ms")
    plotter.close()


if __name__ == "__main__":
    main()
