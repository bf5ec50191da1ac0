"""Spheres that press on each other: found by a grid, beside a loop over all pairs of the same law; and how it grows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from timing import best_times, report

from core.forces.contact import add_contacts
from core.model import make_work
from core.placement import place
from core.scene import Scene
from core.simulation import Simulation

COUNTS = (100, 300, 1000, 3000, 10_000)
FASTER_FROM = 300
CONTACT = {"stiffness": 1000.0, "damping": 1.0}


def heap(count: int) -> Scene:
    """Balls of 0.5 to 1 cm at random, each in touch with one or two others."""
    rng = np.random.default_rng(1)
    places = rng.uniform(0, 0.017 * count ** (1 / 3), (count, 3)).tolist()
    radii = rng.uniform(0.005, 0.01, count).tolist()
    balls = [
        {"name": f"ball{k}", "mass": 0.01, "radius": radius, "position": at, "contact": CONTACT}
        for k, (at, radius) in enumerate(zip(places, radii, strict=True))
    ]
    return Scene.model_validate({"particle": balls})


def compare(count: int) -> float:
    """Time [s] of one look by the grid."""
    simulation = Simulation(heap(count))
    model, state = simulation.built.model, simulation.state
    contacts = model.contacts
    everything = np.arange(count, dtype=np.int64)
    paired = replace(model, contacts=replace(contacts, wide=everything, narrow=everything[:0]))
    work, pairs_work = make_work(model), make_work(paired)
    place(model, 0.0, state, work)
    place(paired, 0.0, state, pairs_work)
    turns = max(1, 200_000 // count**2)

    def by_grid() -> None:
        for _ in range(turns):
            work.point_force[:] = 0.0
            add_contacts(model, state, work)

    def by_pairs() -> None:
        for _ in range(turns):
            pairs_work.point_force[:] = 0.0
            add_contacts(paired, state, pairs_work)

    ours, rival = best_times(by_grid, by_pairs)
    error = np.abs(work.point_force - pairs_work.point_force).max() / np.abs(pairs_work.point_force).max()
    goal = 1.0 if count >= FASTER_FROM else None
    report(
        f"{count} spheres, all pairs / grid",
        rival / ours,
        goal,
        f"{ours / turns / count * 1e9:.0f} ns each, {error:.0e} apart",
    )
    return ours / turns


def main() -> None:
    times = [compare(count) for count in COUNTS]
    growth = np.log(times[-1] / times[-3]) / np.log(COUNTS[-1] / COUNTS[-3])
    print(f"time grows from {COUNTS[-3]} on as the number to the power {growth:.2f}")


if __name__ == "__main__":
    main()
