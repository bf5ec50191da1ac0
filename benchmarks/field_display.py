"""Field lines and slice of 100 dipoles while the physics runs at full load and frames are drawn, on and off in turns.

Goals: the display is new 10 times per second, and physics and frames are as fast as without it.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from time import perf_counter, sleep

import numpy as np
from timing import best_times

from polhode.mesh.mesh import Meshes
from polhode.physics.magnets import field_in_space
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.color_map import color_map
from polhode_app.viewport.base.opengl import smooth_edges
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.field.field_lines import drawn, plan
from polhode_app.viewport.field.field_slice import cut, cut_through
from polhode_app.viewport.view import SceneView

BARS, EACH = 10, 10
DIPOLES = BARS * EACH
NAMES = ("field_lines", "field_slice")
SIZE = (1280, 720)
PERIOD = 1.5  # [s] of each turn
TURNS = 6
BATCH = 0.008  # [s]
RATE = 60.0  # frames per second at most, as in the window


def bars() -> Scene:
    """Few bodies with many magnets: what is drawn beside the field costs little."""
    shape = {"kind": "cuboid", "size": (0.18, 0.01, 0.01), "mass": 0.05}
    dipoles = [{"position": (0.02 * (k - (EACH - 1) / 2), 0, 0), "moment": (0.1, 0, 0.2)} for k in range(EACH)]
    bodies = [
        {"name": f"bar{k}", "position": (0.25 * (k % 3), 0.25 * (k // 3), 0), "shape": [shape], "dipole": dipoles}
        for k in range(BARS)
    ]
    return Scene.model_validate({"body": bodies})


class Physics(threading.Thread):
    """Batches as the lab's worker thread does them, without a pause."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.simulation = Simulation(bars())
        self.simulation.advance_steps(1)  # loads or compiles
        self.snapshot = self.simulation.snapshot()
        self.steps, self.ended = 0, False

    def run(self) -> None:
        count = 1
        while not self.ended:
            begun = perf_counter()
            self.simulation.advance_steps(count)
            self.snapshot = self.simulation.snapshot()
            self.steps += count
            count = max(1, int(count * BATCH / max(perf_counter() - begun, 1e-4)))


def turn(physics: Physics, view: SceneView, on: bool) -> tuple[float, float]:
    """Physics steps and frames per second of one period."""
    for name in NAMES:
        view.set_visible(name, on)
    steps, frames, begun = physics.steps, 0, perf_counter()
    window = view.plotter.render_window
    while perf_counter() - begun < PERIOD:
        frame = perf_counter()
        view.update(physics.snapshot)
        window.Render()
        window.WaitForCompletion()
        frames += 1
        sleep(max(0.0, 1 / RATE - (perf_counter() - frame)))
    elapsed = perf_counter() - begun
    return (physics.steps - steps) / elapsed, frames / elapsed


def counted(take: Callable[[str], object], taken: Counter[str]) -> Callable[[str], object]:
    """`take`, which notes what it gave."""

    def noting(name: str) -> object:
        result = take(name)
        taken[name] += result is not None
        return result

    return noting


def main() -> None:
    physics, plotter = Physics(), offscreen(SIZE)
    view = SceneView(plotter, Meshes())
    view.show(physics.simulation.scene, physics.snapshot, compiled=physics.simulation.compiled)
    view.reset_camera()
    plotter.render_window.Render()
    smooth_edges(plotter.render_window)
    taken: Counter[str] = Counter()
    view.job.poll = counted(view.job.poll, taken)  # type: ignore[method-assign]
    while not all(taken[name] for name in NAMES):  # loads or compiles
        turn(physics, view, True)
    now = physics.snapshot
    lines, cut_plane = plan(view.stage), cut_through(view.stage)
    of_lines, of_slice = best_times(
        lambda: drawn(lines, now.bodies, now.time, field_in_space),
        lambda: cut(cut_plane, color_map(), now.bodies, now.time, field_in_space),
    )
    physics.start()
    turn(physics, view, True)
    taken.clear()
    rates = [(turn(physics, view, True), turn(physics, view, False)) for _ in range(TURNS)]
    physics.ended = True
    physics.join()
    view.close()
    (steps, frames), (steps_off, frames_off) = np.median(np.array(rates), axis=0)
    most = 1 / ((1 + view.job.rest) * (of_lines + of_slice))
    print(f"lines {1e3 * of_lines:.1f} ms, slice {1e3 * of_slice:.1f} ms: both {most:.0f} times per second at most")
    for name in NAMES:
        hertz = taken[name] / (TURNS * PERIOD)
        print(f"{name:<12} of {DIPOLES} dipoles: {hertz:5.1f} Hz (goal 10)  {'ok' if hertz >= 10 else 'MISS'}")
    print(f"physics with / without {steps / steps_off:5.2f}   {steps:.3g} steps/s, without {steps_off:.3g}")
    print(f"frames  with / without {frames / frames_off:5.2f}   {frames:.0f} per second, without {frames_off:.0f}")
    plotter.close()


if __name__ == "__main__":
    main()
