"""Dipole pairs and whole steps of needles on pivots beside the same in C at -O3 -march=native, on one core.

pairs.c is the bare pair loop, needles.c the whole step: place the dipoles, pairs, torques, rates, Runge-Kutta's sums
and the repair of the bases. A step has four rounds of pairs; the rest is most of the work where there are few.
"""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable

import numba
import numpy as np
from c_code import compiled
from timing import best_times, report

from polhode.engine.model import Model, Work
from polhode.engine.work import make_work
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, body_states
from polhode.physics.magnets.magnetic import add_pairs
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

PAIRS_PER_RUN = 4e6
TOGETHER = 50  # steps after which both programs are compared
# Sums of 1000 terms in another order, rounded with and without fused products, over 50 steps of 1 ms: less than a tenth
# of the needles' swing, in which no difference grows. 1e-15 of the largest times 1000 at the very most.
ALIKE = 1e-12


def needles(n: int) -> Scene:
    """n needles on pivots, 5 cm apart on a square lattice, that point and spin in all directions.

    Their dipoles are off the pivots, so that forces count as well as fields.
    """
    rod = {"kind": "cylinder", "radius": 0.003, "length": 0.02, "mass": 0.01}
    side = int(np.ceil(np.sqrt(n)))
    anyhow = np.random.default_rng(1).normal(size=(n, 2, 3))
    bodies = [
        {
            "name": f"needle{k}",
            "position": [k % side * 0.05, k // side * 0.05, 0],
            "orientation": {"axis": axis.tolist(), "angle": 1.0},
            "angular_velocity": (3 * spin).tolist(),
            "shape": [rod],
            "dipole": [{"position": [0, 0, 0.004], "moment": [0, 0, 0.1]}],
        }
        for k, (axis, spin) in enumerate(anyhow)
    ]
    return Scene.model_validate({"body": bodies})


class Needles(ctypes.Structure):
    """As in needles.c."""

    _fields_ = (
        ("n", ctypes.c_int),
        ("permeability", ctypes.c_double),
        *((name, ctypes.c_void_p) for name in ("pivot", "arm", "moment", "inverse_inertia", "work")),
    )


def c_programs(folder: str) -> ctypes.CDLL:
    return compiled(folder, "pairs.c", "needles.c")


@numba.njit
def repeat_pairs(times: int, model: Model, work: Work) -> None:
    for _ in range(times):
        add_pairs(model.dipoles, model.permeability, work.dipoles)


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def compare_loops(n: int, simulation: Simulation, library: ctypes.CDLL) -> None:
    model, work = simulation.compiled.model, make_work(simulation.compiled.model, simulation.compiled.inputs)
    places = np.array([body.position for body in simulation.scene.body])
    work.dipoles.position[:], work.dipoles.moment[:] = places, model.dipoles.moment
    arrays = [places, model.dipoles.moment.copy(), np.zeros((n, 3)), np.zeros((n, 3))]
    pairs = n * (n - 1) // 2
    times = max(1, int(PAIRS_PER_RUN / pairs))

    def rival() -> None:
        library.repeat_pairs(times, n, ctypes.c_double(model.permeability), *map(pointer, arrays))

    ours, c = best_times(lambda: repeat_pairs(times, model, work), rival)
    speed, speed_of_c = times * pairs / ours / 1e6, times * pairs / c / 1e6
    report(f"{n} needles, loop / C", c / ours, 0.8, f"{speed:.0f} M pairs/s, C {speed_of_c:.0f} M pairs/s")


def compare_steps(n: int, simulation: Simulation, library: ctypes.CDLL) -> None:
    state = body_states(simulation.compiled.model.bodies, simulation.state)[:, BASIS:].copy()
    rival = rival_steps(n, simulation, library, state)
    simulation.advance_steps(TOGETHER), rival(TOGETHER)
    apart = np.abs(body_states(simulation.compiled.model.bodies, simulation.state)[:, BASIS:] - state)
    momentum = ANGULAR_MOMENTUM - BASIS
    difference = max(apart[:, :momentum].max(), apart[:, momentum:].max() / np.abs(state[:, momentum:]).max())
    assert difference < ALIKE, f"after {TOGETHER} steps the two programs differ by {difference:.1e}"
    steps = max(1, int(PAIRS_PER_RUN / (2 * n * (n - 1))))
    ours, c = best_times(lambda: simulation.advance_steps(steps), lambda: rival(steps))
    detail = f"{ours / steps * 1e6:.1f} us a step, C {c / steps * 1e6:.1f} us; they differ by {difference:.0e}"
    report(f"{n} needles, whole steps / C", c / ours, 0.77 if n >= 100 else 1.0, detail)


def rival_steps(
    n: int, simulation: Simulation, library: ctypes.CDLL, state: np.ndarray | None = None
) -> Callable[[int], None]:
    """Steps of the C program from where the simulation is; `state` (n, 12) is changed by them."""
    model, dt = simulation.compiled.model, simulation.time_step
    if state is None:
        state = body_states(model.bodies, simulation.state)[:, BASIS:].copy()
    places = np.array([body.position for body in simulation.scene.body])
    constant = [places, model.dipoles.position, model.dipoles.moment, model.bodies.inverse_inertia, np.empty((n, 15))]
    same = Needles(n, model.permeability, *map(pointer, constant))
    scratch = np.empty((3, state.size))

    def rival(steps: int) -> None:
        # `constant` and `scratch` are named here so that they live as long as C reads them.
        assert len(constant) == len(Needles._fields_) - 2
        library.advance(ctypes.byref(same), steps, ctypes.c_double(dt), pointer(state), *map(pointer, scratch))

    return rival


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        library = c_programs(folder)
        for n in (10, 100, 1000):
            compare_loops(n, Simulation(needles(n)), library)
            compare_steps(n, Simulation(needles(n)), library)


if __name__ == "__main__":
    main()
