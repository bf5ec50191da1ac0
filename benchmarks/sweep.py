"""A map of basins: the gallery's pendulum over three magnets, per cell beside scipy and beside programs for maps.

Cells are checked with half of the step, which is part of their time. scipy has the same law in numpy, and ends at
the same energy as ours; dynlib and pynamicalsys, where they are installed, have the model that such programs are shown
with: a point on a plane that point magnets attract, which has no orientation and far fewer terms. Cells by processor
time of all threads; then, by the clock, two cores beside one, two dask workers beside one, the first picture, and the
whole map.

    python benchmarks/sweep.py [--whole]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from time import perf_counter, process_time

import numpy as np
from scipy.integrate import solve_ivp
from timing import report

from polhode.scene.scene_file import read_scene
from polhode.sweep.order import strides_known
from polhode.sweep.sweep import Sweep

SCENE = "scenes/basins_of_three_magnets.toml"
SIDE = 512
RIVALS_CELLS, TOLERANCE = 6, 1e-8
STEP = 0.02  # [s] of the rivals with a fixed one
SPRING, FRICTION, HEIGHT, UNTIL = 0.5, 0.2, 0.3, 50.0  # of the point-magnet model: w^2 = 0.25, decay, d, time
MAGNETS = np.array([[1.0, 0.0], [-0.5, np.sqrt(0.75)], [-0.5, -np.sqrt(0.75)]])


def sweep(side: int, workers: int) -> Sweep:
    """The gallery's sweep with `side` cells along each axis, compiled."""
    scene = read_scene(SCENE)
    axes = tuple(axis.model_copy(update={"count": side}) for axis in scene.sweep[0].axes)
    made = Sweep(scene, scene.sweep[0].model_copy(update={"axes": axes}), workers=workers)
    made.chunks.run(np.arange(16))
    return made


def per_cell(side: int, workers: int, clock: Callable[[], float] = perf_counter) -> tuple[float, Sweep]:
    """Time [s] of a cell of a whole map."""
    run = sweep(side, workers)
    begin = clock()
    run.run()
    return (clock() - begin) / side**2, run


def numpy_law(run: Sweep) -> tuple[Callable[[float, np.ndarray], np.ndarray], Callable[[np.ndarray], float]]:
    """Rates of the axis and the angular velocity (6,) of the bob, and its energy [J], as one writes them in numpy."""
    body = run.chunks.lane_body
    assert body is not None
    arm, weight = body.center[2], body.mass * body.gravity
    place, moment, about = body.arm[0, 2], body.moment[0, 2], body.inertia[0, 0]
    pivot, strength = run.compiled.start[18 * body.body : 18 * body.body + 3], body.permeability / (4 * np.pi)

    def field(axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r = pivot + place * axis - body.position
        square = (r * r).sum(axis=1)[:, None]
        p, along, across = moment * axis, (body.source * r).sum(axis=1)[:, None], (r @ (moment * axis))[:, None]
        inner = (body.source @ p)[:, None]
        b_all = strength * (3 * along * r / square - body.source) / square**1.5
        bracket = across * body.source + along * p + inner * r - 5 * along * across * r / square
        return b_all.sum(axis=0), (3 * strength * bracket / square**2.5).sum(axis=0)

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        axis, spin = y[:3], y[3:]
        b_here, force = field(axis)
        torque = np.cross(arm * axis, weight) + np.cross(moment * axis, b_here) + np.cross(place * axis, force)
        return np.concatenate([np.cross(spin, axis), (torque - body.friction * spin) / about])

    def energy(y: np.ndarray) -> float:
        potential = -(pivot + arm * y[:3]) @ weight - moment * y[:3] @ field(y[:3])[0]
        return float(about * (y[3:] @ y[3:]) / 2 + potential)

    return rates, energy


def by_scipy(run: Sweep, cells: np.ndarray) -> float:
    """Time [s] of a cell by DOP853, without a check, until its energy is below the barriers; compares the ends."""
    rates, energy = numpy_law(run)
    limit, magnets = run.chunks.wells.limit.min(), run.chunks.wells.near
    body = run.chunks.lane_body
    assert body is not None
    pivot, arm = run.compiled.start[:3], body.center[2]

    def decided(_: float, y: np.ndarray) -> float:
        return energy(y) - limit

    decided.terminal = True  # type: ignore[attr-defined]
    ours, begin = run.map.label.reshape(-1)[cells], process_time()
    ends = []
    for push in run.variation.values(cells):
        start = np.array([0.0, 0.0, 1.0, *push, 0.0])
        made = solve_ivp(rates, (0, 30), start, "DOP853", rtol=TOLERANCE, atol=TOLERANCE, events=decided)
        ends.append(np.linalg.norm(pivot + arm * made.y[:3, -1] - magnets, axis=1).argmin())
    seconds = (process_time() - begin) / len(cells)
    print(f"    {np.mean(ours == np.array(ends)):.0%} of {len(cells)} labels as by DOP853")
    return seconds


def by_pynamicalsys(side: int) -> float:
    """Time [s] of a cell of the point-magnet model, without compiling."""
    from numba import njit
    from pynamicalsys import ContinuousDynamicalSystem

    magnets = MAGNETS

    @njit
    def motion(_: float, u: np.ndarray, parameters: np.ndarray) -> np.ndarray:
        du = np.empty(4)
        du[0], du[1] = u[2], u[3]
        du[2], du[3] = -parameters[0] * u[0] - parameters[1] * u[2], -parameters[0] * u[1] - parameters[1] * u[3]
        for k in range(3):
            x, y = magnets[k, 0] - u[0], magnets[k, 1] - u[1]
            inverse = (x * x + y * y + parameters[2] ** 2) ** -1.5
            du[2] += x * inverse
            du[3] += y * inverse
        return du

    system = ContinuousDynamicalSystem(equations_of_motion=motion, system_dimension=4, number_of_parameters=3)
    system.integrator("rk4", time_step=STEP)  # its adaptive method takes no list of starts
    places = np.linspace(-2, 2, side)
    starts = np.array([[x, y, 0.0, 0.0] for x in places for y in places])
    asked = {"parameters": [SPRING**2, FRICTION, HEIGHT], "transient_time": UNTIL, "sampling_time": 0.5, "eps": 0.3}
    system.basin_of_attraction(starts[:9], 2, **asked)
    begin = process_time()
    found = system.basin_of_attraction(starts, 2, **asked)
    seconds = process_time() - begin
    print(f"    {len(set(found.tolist()))} basins of the point-magnet model by pynamicalsys")
    return seconds / len(starts)


DYNLIB = f"""inline:
[model]
type = "ode"
name = "point magnets"
[states]
x = 0.0
y = 0.0
u = 0.0
v = 0.0
[params]
k = {SPRING**2}
c = {FRICTION}
h = {HEIGHT**2}
[equations.rhs]
x = "u"
y = "v"
"""


def by_dynlib(side: int) -> float:
    """Time [s] of a cell of the point-magnet model, without compiling; its fixed points are given."""
    from dynlib import setup
    from dynlib.analysis.basin import basin_axis
    from dynlib.analysis.basin_known import FixedPoint, basin_known

    places = MAGNETS.tolist()
    pulls = [
        " + ".join(f"({m[axis]!r} - {'xy'[axis]})*(({m[0]!r} - x)**2 + ({m[1]!r} - y)**2 + h)**(-1.5)" for m in places)
        for axis in range(2)
    ]
    text = DYNLIB + f'u = "-k*x - c*u + {pulls[0]}"\nv = "-k*y - c*v + {pulls[1]}"\n'
    sim = setup(text, stepper="rk4", jit=True)
    at_magnets = [FixedPoint(name=f"m{k}", loc=[*place, 0.0, 0.0], radius=0.3) for k, place in enumerate(MAGNETS)]

    def run(count: int) -> object:
        axes = {"x": basin_axis(-2, 2, n=count), "y": basin_axis(-2, 2, n=count), "u": 0.0, "v": 0.0}
        samples = round(UNTIL / STEP)
        return basin_known(
            sim, at_magnets, ic=axes, mode="ode", dt_obs=STEP, max_samples=samples, signature_samples=0,
            parallel_mode="none", fixed_point_settle_steps=200,
        )  # fmt: skip

    run(4)
    begin = process_time()
    run(side)
    return (process_time() - begin) / side**2


def by_dask(side: int, count: int) -> float:
    """Least time [s] of a map on `count` worker processes of one thread each, which have compiled everything before."""
    from distributed import LocalCluster

    from polhode.sweep.engines.cluster import Cluster

    with LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as workers:
        cluster = Cluster(workers.scheduler_address)
        scene = read_scene(SCENE)
        times = []
        for _ in range(4):  # the first time they compile
            axes = tuple(axis.model_copy(update={"count": side}) for axis in scene.sweep[0].axes)
            run = Sweep(scene, scene.sweep[0].model_copy(update={"axes": axes}), engine=cluster)
            begin = perf_counter()
            run.run()
            times.append(perf_counter() - begin)
        cluster.close()
    return min(times[1:])


def first_picture(workers: int) -> float:
    """Time [s] from the start of the sweep to a whole coarse picture, building included, compiling not."""
    sweep(8, workers)
    begin, found = perf_counter(), []

    def seen(run: Sweep) -> None:
        if not found and strides_known(run.map.shape, run.map.status != 0):
            found.append(perf_counter() - begin)
            run.cancel()

    run = sweep(SIDE, workers)
    run.run(seen)
    return found[0]


def main() -> None:
    """Print all ratios."""
    ours = min(per_cell(96, 1, process_time)[0] for _ in range(3))
    _, run = per_cell(32, 1)
    cells = np.random.default_rng(1).choice(1024, RIVALS_CELLS, replace=False)
    scipy = by_scipy(run, cells)
    report("a cell beside DOP853 in numpy", scipy / ours, 100, f"{ours * 1e6:.0f} us with its check, {scipy:.2f} s")
    for name, rival in (("pynamicalsys", by_pynamicalsys), ("dynlib", by_dynlib)):
        if find_spec(name) is None:
            print(f"{name} is not installed")
            continue
        theirs = rival(40)
        report(f"a cell beside {name}", theirs / ours, 5, f"{theirs * 1e6:.0f} us")
    times = [(per_cell(128, 1)[0], per_cell(128, 2)[0]) for _ in range(3)]
    one, two = (min(each) for each in zip(*times, strict=True))
    report("two cores beside one", one / two / 2, 0.9, f"of twice the speed; {one * 1e6:.0f} and {two * 1e6:.0f} us")
    if find_spec("distributed") is not None:
        one, two = by_dask(192, 1), by_dask(192, 2)
        report("two dask workers beside one", one / two, 1.6, f"{one:.1f} and {two:.1f} s")
    first = min(first_picture(2) for _ in range(2))
    report("first picture within 1 s", 1 / first, 1, f"{first:.2f} s, {SIDE} x {SIDE} cells")
    if "--whole" in sys.argv:
        per, run = per_cell(SIDE, 2)
        whole = per * SIDE**2
        report("whole map within 60 s", 60 / whole, 1, f"{whole:.1f} s, certain = {run.map.certain:.4f}")


if __name__ == "__main__":
    main()
