"""Time of a call of the library besides the steps: advance, snapshot, field and set, in microseconds."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from polhode import Simulation, read_scene

CALLS, TRIALS = 300, 7


def cost(call: object, *arguments: object) -> float:
    """Shortest mean time [us] of a call."""
    times = []
    for _ in range(TRIALS):
        begun = perf_counter()
        for _ in range(CALLS):
            call(*arguments)
        times.append((perf_counter() - begun) / CALLS)
    return 1e6 * min(times)


def main() -> None:
    """Print the cost of each call, and the ratio of an advance to its single step."""
    simulation = Simulation(read_scene("heavy_top"))
    one, many = cost(simulation.advance_steps, 1), cost(simulation.advance_steps, 101)
    step = (many - one) / 100
    points = np.zeros((1, 3)) + 0.1
    rows = {
        "advance, besides the step": one - step,
        "snapshot": cost(lambda: (simulation.advance_steps(1), simulation.snapshot())) - one,
        "field at a point": cost(simulation.field, points),
        "set of a friction": cost(simulation.set, {"body[0].friction": 1e-5}),
    }
    for name, time in rows.items():
        print(f"{name:28}{time:8.1f} us")
    print(f"{'advance / step':28}{one / step:8.2f} x")


if __name__ == "__main__":
    main()
