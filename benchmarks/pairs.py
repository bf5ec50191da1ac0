"""Dipole pairs per second beside the same loop in C at -O3 -march=native (pairs.c): our loop alone, and in whole steps.

A whole step also places and turns every body, which is most of the work where there are few pairs.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path

import numba
import numpy as np
from timing import best_times, report

from core.forces.magnetic import add_pairs
from core.model import Model, Work, make_work
from core.scene import Scene
from core.simulation import Simulation

PAIRS_PER_RUN = 4e6


def needles(n: int) -> Scene:
    """n needles on pivots, 5 cm apart on a square lattice."""
    rod = {"kind": "cylinder", "radius": 0.003, "length": 0.02, "mass": 0.01}
    side = int(np.ceil(np.sqrt(n)))
    bodies = [
        {
            "name": f"needle{k}",
            "position": [k % side * 0.05, k // side * 0.05, 0],
            "shape": [rod],
            "dipole": [{"moment": [0, 0, 0.1]}],
        }
        for k in range(n)
    ]
    return Scene.model_validate({"body": bodies})


def c_loop(folder: str) -> ctypes.CDLL:
    source, library = Path(__file__).with_name("pairs.c"), Path(folder) / "pairs.so"
    subprocess.run(
        ["gcc", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library), "-lm"], check=True
    )
    return ctypes.CDLL(str(library))


@numba.njit
def repeat_pairs(times: int, model: Model, work: Work) -> None:
    for _ in range(times):
        add_pairs(model, work)


def compare(n: int, library: ctypes.CDLL) -> None:
    pairs = n * (n - 1) // 2
    simulation = Simulation(needles(n))
    dipoles = simulation.built.model.dipoles
    places = np.array([body.position for body in simulation.scene.body])
    arrays = [places, dipoles.moment.copy(), np.zeros((n, 3)), np.zeros((n, 3))]
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    permeability = ctypes.c_double(simulation.scene.world.permeability)
    steps = max(1, int(PAIRS_PER_RUN / (4 * pairs)))

    work = make_work(simulation.built.model)
    work.dipole_position[:], work.dipole_moment[:] = places, dipoles.moment

    def rival() -> None:  # the four evaluations of every step
        library.repeat_pairs(4 * steps, n, permeability, *pointers)

    done = 4 * steps * pairs
    ours, c = best_times(lambda: repeat_pairs(4 * steps, simulation.built.model, work), rival)
    report(
        f"{n} needles, loop / C", c / ours, 0.8, f"{done / ours / 1e6:.0f} M pairs/s, C {done / c / 1e6:.0f} M pairs/s"
    )
    whole, c = best_times(lambda: simulation.advance_steps(steps), rival)
    report(f"{n} needles, whole steps / C", c / whole, None, f"{done / whole / 1e6:.0f} M pairs/s")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        library = c_loop(folder)
        for n in (10, 100, 1000):
            compare(n, library)


if __name__ == "__main__":
    main()
