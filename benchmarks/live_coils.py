"""A magnet that falls through a shorted coil beside scipy with the formulas of a textbook; many coils in real time.

The rival is DOP853 at the tolerance that gives the accuracy of our step: the flux of a point dipole on the axis of a
ring, its derivative, and the equations of motion and of the circuit in Python. Then 200 magnets and 20 coils that feel
each other: processor time per simulated second.

    python benchmarks/live_coils.py
"""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from timing import best_times, report

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

MU0, TURNS, RADIUS, MOMENT, MASS, GRAVITY = 1.25663706127e-6, 100, 0.02, 1.0, 0.01, 9.80665
RESISTANCE, INDUCTANCE, HEIGHT, UNTIL = 1.0, 1e-3, 0.05, 0.2
STEP, TOLERANCE = 4e-4, 1e-5  # both end within 2e-9 m of the place that finer steps give
MAGNETS, COILS, SLOW_STEP = 200, 20, 2e-3


def fall() -> Scene:
    """A magnet over a shorted ring of wire."""
    ball = {"kind": "sphere", "radius": 0.003, "mass": MASS, "magnet": {"moment": [0, 0, MOMENT]}}
    ring = {"kind": "loop", "radius": RADIUS, "wire_radius": 0.0005}
    coil = {"winding": ring, "turns": TURNS, "resistance": RESISTANCE, "inductance": INDUCTANCE}
    body = {"name": "magnet", "support": "free", "position": [0, 0, HEIGHT], "shape": [ball]}
    return Scene.model_validate({"solver": {"time_step": STEP}, "body": [body], "coil": [{"name": "coil", **coil}]})


def by_scipy() -> float:
    """Height [m] of the magnet at the end."""
    strength = MU0 * TURNS * MOMENT * RADIUS**2 / 2

    def rates(_: float, y: np.ndarray) -> list[float]:
        z, v, linkage = y
        square = RADIUS**2 + z * z
        flux, slope = strength * square**-1.5, -3 * strength * z * square**-2.5
        current = (linkage - flux) / INDUCTANCE
        return [v, current * slope / MASS - GRAVITY, -RESISTANCE * current]

    start = [HEIGHT, 0.0, strength * (RADIUS**2 + HEIGHT**2) ** -1.5]
    found = solve_ivp(rates, (0, UNTIL), start, method="DOP853", rtol=TOLERANCE, atol=TOLERANCE * 1e-3)
    return float(found.y[0, -1])


def many() -> Scene:
    """Magnets on pivots between shorted coils on a lattice."""
    side = int(np.ceil(MAGNETS ** (1 / 2)))
    turned = np.random.default_rng(1).normal(size=(MAGNETS, 3))
    ball = {"kind": "sphere", "radius": 0.003, "mass": 0.001, "magnet": {"moment": [0, 0, 0.05]}}
    bodies: list[dict[str, Any]] = [
        {
            "name": f"needle{k}",
            "position": [k % side * 0.03, k // side * 0.03, 0],
            "orientation": {"axis": turned[k].tolist(), "angle": 1.0},
            "shape": [ball],
        }
        for k in range(MAGNETS)
    ]
    winding = {"kind": "loop", "radius": 0.02, "wire_radius": 0.001}
    coils = [
        {
            "name": f"coil{k}",
            "position": [k % 5 * 0.09, k // 5 * 0.1, -0.03],
            "winding": winding,
            "turns": 100,
            "resistance": 0.05,
        }
        for k in range(COILS)
    ]
    return Scene.model_validate({"solver": {"time_step": SLOW_STEP}, "body": bodies, "coil": coils})


def main() -> None:
    simulation = Simulation(fall())
    simulation.advance(UNTIL)
    ends = float(simulation.snapshot().bodies.position[0, 2]), by_scipy()

    def ours() -> None:
        simulation.reset()
        simulation.advance(UNTIL)

    own, rival = best_times(ours, by_scipy)
    report(
        "fall through a coil / scipy",
        rival / own,
        None,
        f"{own * 1e3:.2f} ms, ends differ by {ends[0] - ends[1]:.1e} m",
    )
    crowd = Simulation(many())
    crowd.advance(0.1)
    times = []
    for _ in range(3):
        start = process_time()
        crowd.advance(0.2)
        times.append((process_time() - start) / 0.2)
    took = min(times)
    report(
        f"{MAGNETS} magnets, {COILS} coils",
        1 / took,
        1.0,
        f"{took:.2f} s of processor time per second at {SLOW_STEP:g} s",
    )


if __name__ == "__main__":
    main()
