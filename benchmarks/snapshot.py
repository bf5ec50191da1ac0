"""Time of a snapshot of the default scene, in RK4 steps of that scene. Goal: at most 3.

A snapshot makes its parts when they are asked for first; beside its own time stands that with all of them.
"""

from __future__ import annotations

from dataclasses import fields

from timing import best_times

from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot

STEPS, SNAPSHOTS = 20_000, 5_000
GOAL = 3.0
PARTS = [field.name for field in fields(Snapshot)]


def main() -> None:
    simulation = Simulation(read_scene(gallery.path(gallery.DEFAULT)))

    def take(parts: list[str]) -> None:
        for _ in range(SNAPSHOTS):
            snapshot = simulation.snapshot()
            for part in parts:
                getattr(snapshot, part)

    alone, steps = best_times(lambda: take([]), lambda: simulation.advance_steps(STEPS))
    whole, _ = best_times(lambda: take(PARTS), lambda: None)
    step, alone, whole = steps / STEPS, alone / SNAPSHOTS, whole / SNAPSHOTS
    verdict = "ok" if alone <= GOAL * step else "MISS"
    print(f"an RK4 step {1e6 * step:.2f} us")
    print(f"snapshot {1e6 * alone:.1f} us, {alone / step:.1f} steps (goal: at most {GOAL:g}) {verdict}")
    print(f"with all of its parts {1e6 * whole:.1f} us, {whole / step:.1f} steps")


if __name__ == "__main__":
    main()
