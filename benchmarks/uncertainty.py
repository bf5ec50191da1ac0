"""Cost of the uncertainty of 6 numbers by tangents, in runs of the same scene with the same table.

Three scenes: one body, bodies with joints, and a soft body. Runs and tangents alternate; the smallest ratio of the
pairs is that with the least disturbance by other programs. Both by wall clock and by processor time.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from polhode import Simulation, read_scene, uncertainties
from polhode.scene.fields import at, written
from polhode.scene.scene import Scene
from polhode.scene.variants.drivable_parameters import parameters

SCENES = {"heavy_top": 20.0, "double_rod_pendulum": 20.0, "jelly_pendulum": 3.0}  # and the length of the run [s]
PAIRS, COUNT, LIMIT = 3, 6, 8.0


def uncertain(scene: Scene) -> Scene:
    """The scene with COUNT numbers of its world and things that are uncertain by a thousandth."""
    stated = {written(path): float(at(scene, path)) for path, _ in parameters(scene)}
    chosen = [(name, number) for name, number in stated.items() if number and "permeability" not in name]
    return scene.with_values({name: f"{number!r} +- {1e-3 * abs(number)!r}" for name, number in chosen[:COUNT]})


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by wall clock and of the processor."""
    begun, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begun, time.process_time() - used


def main() -> None:
    """Print the ratios of each scene."""
    for name, until in SCENES.items():
        scene = uncertain(read_scene(name))
        uncertainties(scene, until=0.05)  # compiles
        ratios = []
        for _ in range(PAIRS):
            alone = timed(lambda scene=scene, until=until: Simulation(scene).run(until=until))
            found = timed(lambda scene=scene, until=until: uncertainties(scene, until=until))
            ratios.append([one / other for one, other in zip(found, alone, strict=True)])
        wall, processor = (min(each) for each in zip(*ratios, strict=True))
        print(f"{name}: {wall:.2f} runs by wall clock, {processor:.2f} of the processor (at most {LIMIT:g})")


if __name__ == "__main__":
    main()
