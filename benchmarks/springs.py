"""Steps per second of square lattices, Adams and Bashforth's method, beside the same steps in C at -O3 -march=native.

The C program (springs.c) has springs, gravity and the method alone: no ledger of energy, and nothing stops its step
where a number is no longer finite.
"""

from __future__ import annotations

import ctypes
import sys
import tempfile

import numpy as np
from c_code import compiled
from timing import best_times, report

from polhode.mesh.mesh import Meshes
from polhode.physics.points.lattice import pairs
from polhode.physics.points.soft_bodies import soft_runs
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

STIFFNESS, DAMPING, MASS, STEP, GRAVITY, SPACING = 1e4, 100.0, 0.5, 3e-6, 9.8, 0.1
SPRINGS_PER_RUN = 2e7
GOALS = {8: 2.0, 100: 2.0, 300: 2.0}


def lattice(side: int, damper: str) -> Scene:
    """The body of the course, of side x side points, with some spin."""
    soft = {
        "name": "sheet",
        "kind": "lattice",
        "counts": [side, side, 1],
        "spacing": [SPACING, SPACING, SPACING],
        "particle_mass": MASS,
        "stiffness": STIFFNESS,
        "damping": DAMPING,
        "damper": damper,
        "angular_velocity": [0.1, 0.2, 0.3],
    }
    solver = {"method": "adams_bashforth_2", "time_step": STEP}
    return Scene.model_validate({"world": {"gravity": [0, 0, -GRAVITY]}, "solver": solver, "soft": [soft]})


class Rival:
    """The same lattice in C."""

    def __init__(self, library: ctypes.CDLL, scene: Scene, velocities: np.ndarray):
        positions, runs = soft_runs(scene.soft[0], scene, Meshes())
        joined = pairs(runs)
        rest = np.linalg.norm(positions[joined[:, 1]] - positions[joined[:, 0]], axis=1)
        self._steps = library.steps
        ends = np.ascontiguousarray(joined.T, dtype=np.int32)
        self.x, self.v, force = positions.copy(), velocities.copy(), np.zeros_like(positions)
        last_a = np.zeros_like(positions)
        self._arrays = [ends[0], ends[1], rest, self.x, self.v, force, velocities.copy(), last_a]
        self._pointers = [ctypes.c_void_p(array.ctypes.data) for array in self._arrays]
        self.sizes = len(positions), len(joined)
        self._full = scene.soft[0].damper == "full"
        self.run(1, 0.0)  # a step that takes no time: the last rates are those at the start

    def run(self, steps: int, step: float = STEP) -> None:
        number = ctypes.c_double
        self._steps(
            *(steps, number(step), *self.sizes, *self._pointers[:3], number(STIFFNESS), number(DAMPING)),
            *(self._full, number(MASS), number(GRAVITY), *self._pointers[3:]),
        )


def compare(side: int, damper: str, library: ctypes.CDLL) -> None:
    scene = lattice(side, damper)
    simulation = Simulation(scene)
    start = simulation.snapshot().points
    rival = Rival(library, scene, start.velocity.copy())
    springs = rival.sizes[1]
    steps = max(2, int(SPRINGS_PER_RUN / springs))
    ours, c = best_times(lambda: simulation.advance_steps(steps), lambda: rival.run(steps))
    apart = np.abs(simulation.snapshot().points.position - rival.x).max()
    detail = f"{steps / ours:.3g} steps/s, C {steps / c:.3g} steps/s, {apart:.1e} m apart"
    report(f"{side} x {side} points, {damper} / C", c / ours, GOALS.get(side), detail)


def main() -> None:
    sides = [int(word) for word in sys.argv[1:]] or list(GOALS)
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(folder, "springs.c")
        for side in sides:
            for damper in ("axial", "full"):
                compare(side, damper, library)


if __name__ == "__main__":
    main()
