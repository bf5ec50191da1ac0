"""Evaluations per second of loose boxes and spheres beside their number, and the exponent of its growth.

They lie at random turns in a cube of the same density, near each other and hardly touching: the time is that of finding
out what touches, with the list of neighbours made again every tenth evaluation, and without a list by all pairs.
Processor time, medians of alternating turns.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from time import process_time

import numpy as np

from polhode.engine.rates import rates
from polhode.engine.work import make_work
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

COUNTS = (10, 100, 300, 1000)
TURNS = 7
MOST = 1.3  # exponent from 100 on: n log n has 1.2 there
SHAPES = {"boxes": {"kind": "cuboid", "size": [0.1] * 3}, "spheres": {"kind": "sphere", "radius": 0.05}}


def loose(shape: dict[str, object], count: int) -> Scene:
    """Bodies of a shape at random in a cube, a twelfth of which they fill."""
    rng, side = np.random.default_rng(1), int(np.ceil(count ** (1 / 3)))
    contact = {"stiffness": 2e4, "restitution": 0.3}
    bodies = []
    for k in range(count):
        place = 0.23 * np.array([k % side, k // side % side, k // side**2]) + rng.uniform(-0.03, 0.03, 3)
        basis, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        basis *= np.linalg.det(basis)
        body = {"name": f"b{k}", "support": "free", "position": place.tolist(), "shape": [shape | {"density": 500.0}]}
        bodies.append(body | {"orientation": {"basis": basis.tolist()}, "contact": contact})
    return Scene.model_validate({"body": bodies})


def times(scene: Scene) -> tuple[float, float]:
    """Processor time [s] of an evaluation of all rates, with the list and by all pairs."""
    simulation = Simulation(scene)
    model, inputs, state = simulation.compiled.model, simulation.inputs, simulation.state
    count, rate = len(scene.body), np.zeros_like(state)
    listed = make_work(model, inputs)
    rates(model, inputs, 0.0, state, listed, rate)
    every = listed.with_members(neighbours=replace(listed.neighbours, is_listed=np.zeros(1, dtype=np.int64)))
    rounds = max(1, 2000 // count)

    def turn(is_listed: bool) -> float:
        work, start = listed if is_listed else every, process_time()
        for k in range(10 * rounds):
            if is_listed and k % 10 == 0:
                work.neighbours.center[:] = np.nan
            rates(model, inputs, 0.0, state, work, rate)
        return (process_time() - start) / (10 * rounds)

    pairs = [(turn(True), turn(False)) for _ in range(TURNS)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def main() -> None:
    for name, shape in SHAPES.items():
        found = [times(loose(shape, count)) for count in COUNTS]
        for count, (listed, every) in zip(COUNTS, found, strict=True):
            print(f"{count:5} {name:<8} {1 / listed:9.0f} evaluations per second, by all pairs {1 / every:9.0f}")
        span = np.log(COUNTS[-1] / COUNTS[1])
        mine, theirs = (float(np.log(found[-1][k] / found[1][k]) / span) for k in range(2))
        verdict = "ok" if mine <= MOST else "MISS"
        print(
            f"exponent of {name} from {COUNTS[1]} on: {mine:.2f} (goal {MOST:g} {verdict}), by all pairs {theirs:.2f}"
        )


if __name__ == "__main__":
    main()
