"""Runs of fits in SIMD lanes against runs one by one, and sensitivities against slow references."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from made_data import swing

from polhode.analysis.columns import columns
from polhode.data.measured import measured
from polhode.engine.compile import build
from polhode.fitting import runs as module
from polhode.fitting.fit import prepare
from polhode.fitting.forward import ObservedRun, computed, computed_parts, whole_run
from polhode.fitting.runs import body_in_lanes, runs_of
from polhode.fitting.units import units_of_fits
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.columns import WIDTH as OF_BODY
from polhode.run.lanes.observing import observe_lanes
from scenes import TILTED, scene, sphere

MAGNETS = [
    {
        "name": f"magnet{k}",
        "support": "fixed",
        "position": [0.1 * np.cos(2.1 * k), 0.1 * np.sin(2.1 * k), 0.02],
        "shape": [{"kind": "sphere", "radius": 0.01, "density": 7500}],
        "dipole": [{"moment": [0, 0, 3]}, {"moment": [1, 0, 0], "position": [0.005, 0, 0]}],
    }
    for k in range(2)
]
DIPOLES = {"dipole": [{"moment": [0.2, 0, 0.5], "position": [0, 0.01, -0.06]}, {"moment": [0, 0.3, 0]}]}
AIR = {"drag": 0.01, "quadratic_drag": 0.02}
KINDS = {
    "pivot": ({"support": "pivot"} | DIPOLES, MAGNETS),
    "axle in a wind": ({"support": "axle", "axis": [0, 1, 0]} | DIPOLES | AIR, MAGNETS),
    "free in a wind": ({"support": "free", "friction": 0.0, "velocity": [0.1, 0.2, 0.3]} | DIPOLES | AIR, MAGNETS),
    "ball": ({"support": "free", "friction": 0.0, "shape": [sphere()]}, []),
    "gravity alone": ({"support": "pivot"}, []),
    "rotating field": ({"support": "pivot"} | DIPOLES, MAGNETS),
    "rubbing axle": ({"support": "axle", "axis": [0, 1, 0], "dry_friction": 0.004} | DIPOLES, MAGNETS),
    "driven axle": ({"support": "axle", "axis": [0, 1, 0], "dry_friction": 0.004} | AIR, []),
    "driven ball": ({"support": "free", "friction": 0.0, "velocity": [0.1, 0.2, 0.3], "shape": [sphere()]}, []),
}
DRIVEN = {
    "point": [0.02, 0.01, -0.05],
    "force": ["0.1*sin(9*t)", "-0.2*vx", "0.3*z*t"],
    "torque": [0, "0.01*cos(7*t)", 0],
}
ROTATING = {"kind": "rotating", "cosine": [0.1, 0, 0.02], "sine": [0, 0.1, 0], "angular_frequency": 30.0}
WORLD = {"wind": {"velocity": [0.5, -1.0, 0.2]}, "magnetic_field": {"kind": "uniform", "value": [0.01, 0.0, -0.02]}}


def copies(kind, method, count, time_step):
    """Compiled scenes that differ in gravity, mass or density, friction, drag, moments, field and start."""
    given, others = KINDS[kind]
    made = []
    for k in range(count):
        more = 1 + 0.01 * k
        body = dict(TILTED) | given | {"angular_velocity": [1.0 * more, -2.0, 3.0 / more]}
        shapes = [dict(shape) for shape in body["shape"]]
        for name in ("mass", "density"):
            if name in shapes[0]:
                shapes[0][name] *= more
        body |= {"shape": shapes, "friction": body["friction"] * more, "drag": body.get("drag", 0.0) * more}
        if "dipole" in body:
            body["dipole"] = [dict(each) for each in body["dipole"]]
            body["dipole"][0]["moment"] = [0.2 * more, 0, 0.5]
        magnets = [dict(each) for each in others]
        for each in magnets:
            each["position"] = [more * each["position"][0], *each["position"][1:]]
        world = WORLD | {"gravity": [0.1, 0.0, -9.8 * more]}
        if kind == "rotating field":
            world["magnetic_field"] = ROTATING | {"angular_frequency": 30.0 * more}
        more_parts = {"world": world}
        if "driven" in kind:
            push = {"on": body["name"]} | DRIVEN
            more_parts["force"] = [push, push | {"torque": [0, f"0.005*{more}", 0], "force": [0, 0, f"{more}*t"]}]
        if "dry_friction" in body:
            body["dry_friction"] *= more
        made.append(build(scene(body, *magnets, method=method, time_step=time_step, **more_parts), Meshes()))
    return made


def of_bodies(compiled):
    """Indices of the time and of all columns of the motion of bodies."""
    return np.arange(1 + OF_BODY * len(compiled.model.bodies.mass))


def deviation(found, expected):
    """Largest deviation of columns (n, 1 + 3 v), of the time and of v vectors, each by its largest component."""
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    assert np.array_equal(found[:, 0], expected[:, 0], equal_nan=True)
    there = ~np.isnan(expected[:, 0])
    vectors, apart = (each[there, 1:].reshape(there.sum(), -1, 3) for each in (expected, found - expected))
    sizes = np.maximum(np.abs(vectors).max(axis=(0, 2)), 1e-300)
    return (np.abs(apart).max(axis=(0, 2)) / sizes).max()


def side_by_side(runs, chosen):
    """The results in lanes; fails where the runs do not go there."""
    found = module._in_lanes(runs, chosen, {})
    assert found is not None
    return found


@pytest.mark.parametrize("method", ["rk4", "dormand_prince_8"])
@pytest.mark.parametrize("kind", KINDS)
def test_columns_in_lanes_are_those_of_runs_one_by_one(kind, method):
    """Eleven copies, each at times of its own, on the grid and between. Equal but for the order of sums and for roots
    and divisions by estimates: 2e-16 in each of 100 steps, in which it grows little, and 1e-13 leaves room for five
    times that. A constant or a law that is wrong by a part in a million is seen at once.
    """
    dt = 2e-3 if method == "rk4" else 5e-3
    scenes = copies(kind, method, 11, dt)
    random, chosen = np.random.default_rng(3), of_bodies(scenes[0])
    runs = []
    for compiled in scenes:
        times = np.sort(np.concatenate([dt * random.integers(0, 100, 20), random.uniform(0, 100 * dt, 20)]))
        runs.append(whole_run(compiled, times))
    for run, found in zip(runs, side_by_side(runs, chosen), strict=True):
        expected, ends = computed_parts(run, chosen)
        assert np.abs(expected - expected[0]).max() > 0.1
        assert deviation(found.columns, expected) < 1e-13
        np.testing.assert_allclose(found.ends[:, :18], ends[:, :18], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("kind", ["pivot", "rotating field"])
def test_parts_of_runs_begin_and_end_as_one_by_one(kind):
    """Parts with starts of their own, with a time before the first step, without times, with times beyond the last."""
    scenes, dt = copies(kind, "rk4", 3, 2e-3), 2e-3
    steps, rows = np.array([[0, 40], [40, 80], [80, 100], [100, 130]]), np.array([0, 25, 35, 35, 60])
    runs, chosen = [], of_bodies(scenes[0])
    for k, compiled in enumerate(scenes):
        times = np.concatenate([np.linspace(0, 0.08, 25), np.linspace(0.0795, 0.17, 10), np.linspace(0.2, 0.25, 25)])
        starts = np.stack([compiled.start] * 4)
        starts[:, 15:18] *= np.linspace(0.9, 1.1, 4)[:, None]
        runs.append(ObservedRun(compiled, starts, steps, rows, times + 1e-4 * k))
    for run, found in zip(runs, side_by_side(runs, chosen), strict=True):
        expected, ends = computed_parts(run, chosen)
        assert np.isfinite(expected).all()
        assert deviation(found.columns, expected) < 1e-13
        np.testing.assert_allclose(found.ends[:, :18], ends[:, :18], rtol=1e-12, atol=1e-13)
    assert runs[0].steps[1, 1] * dt < runs[0].times[rows[2] - 1]


def test_a_copy_that_diverges_leaves_the_others_as_they_are():
    """A friction for which RK4 is unstable: its values end where they do alone, all others keep their bits."""
    scenes, times = copies("pivot", "rk4", 9, 2e-3), np.linspace(0.0, 0.5, 200)
    chosen = of_bodies(scenes[0])
    body = dict(TILTED) | KINDS["pivot"][0] | {"friction": 0.5}
    wild = build(scene(body, *MAGNETS, method="rk4", time_step=2e-3, world=WORLD), Meshes())
    without = side_by_side([whole_run(compiled, times) for compiled in scenes], chosen)
    scenes[4] = wild
    beside = side_by_side([whole_run(compiled, times) for compiled in scenes], chosen)
    for k in (0, 1, 2, 3, 5, 6, 7, 8):
        assert beside[k].columns.tobytes() == without[k].columns.tobytes()
        assert beside[k].ends.tobytes() == without[k].ends.tobytes()
    expected, ends = computed_parts(whole_run(wild, times), chosen)
    assert 0 < np.isnan(expected[:, 0]).sum() < len(times)
    assert np.array_equal(np.isnan(beside[4].columns), np.isnan(expected))
    assert np.isnan(ends).all()
    assert np.isnan(beside[4].ends).all()


def test_a_run_has_the_same_bits_in_any_lane_beside_any_others():
    scenes, times = copies("free in a wind", "rk4", 11, 2e-3), np.linspace(0.0, 0.3, 50)
    chosen = of_bodies(scenes[0])
    found = side_by_side([whole_run(compiled, times) for compiled in scenes], chosen)
    order = np.random.default_rng(5).permutation(11)
    again = side_by_side([whole_run(scenes[k], times) for k in order], chosen)
    for k, each in zip(order, again, strict=True):
        assert each.columns.tobytes() == found[k].columns.tobytes()
        (alone,) = side_by_side([whole_run(scenes[k], times)], chosen)
        assert alone.columns.tobytes() == found[k].columns.tobytes()


SECOND = {"name": "second", "support": "free", "shape": [sphere()], "position": [1, 1, 1]}


@pytest.mark.parametrize(
    "parts",
    [
        {"body": [SECOND]},
        {"magnetic_field": {"kind": "formula", "x": "0.01 * sin(t)"}},
        {"method": "verlet"},
        {"rotation": [0.0, 0.0, 0.1]},
        {"particle": [{"name": "p", "mass": 1.0, "position": [1, 0, 0]}]},
    ],
)
def test_scenes_of_other_kinds_run_one_by_one(parts):
    compiled, times = build(scene(dict(TILTED) | DIPOLES, time_step=2e-3, **parts), Meshes()), np.linspace(0, 0.1, 20)
    chosen, run = of_bodies(compiled), whole_run(compiled, times)
    assert body_in_lanes(run, chosen) is None
    found = runs_of([lambda: run, lambda: None, lambda: run], chosen)
    expected = computed(compiled, times, chosen)
    assert found[1] is None
    assert found[0].columns.tobytes() == found[2].columns.tobytes() == expected.tobytes()


def test_energies_are_read_from_runs_one_by_one():
    compiled, times = build(scene(TILTED, time_step=2e-3), Meshes()), np.linspace(0, 0.1, 20)
    chosen = np.array([list(columns(compiled)).index("energy.total")])
    assert body_in_lanes(whole_run(compiled, times), chosen) is None
    (found,) = runs_of([lambda: whole_run(compiled, times)], chosen)
    assert found.columns.tobytes() == computed(compiled, times, chosen).tobytes()


def test_copies_that_differ_in_more_than_numbers_run_one_by_one():
    """One of them with another time step, with a support of another kind, or with another number of dipoles."""
    times, body = np.linspace(0, 0.1, 20), dict(TILTED) | DIPOLES
    compiled = build(scene(body, *MAGNETS, time_step=2e-3), Meshes())
    chosen = of_bodies(compiled)
    others = [
        scene(body, *MAGNETS, time_step=1e-3),
        scene(body | {"support": "axle", "axis": [0, 0, 1]}, *MAGNETS, time_step=2e-3),
        scene(body | {"dipole": DIPOLES["dipole"][:1]}, *MAGNETS, time_step=2e-3),
    ]
    for other in others:
        pair = [whole_run(compiled, times), whole_run(build(other, Meshes()), times)]
        assert all(body_in_lanes(run, chosen) is not None for run in pair)
        assert module._in_lanes(pair, chosen, {}) is None
        for run, found in zip(pair, runs_of([partial(lambda run: run, run) for run in pair], chosen), strict=True):
            assert found.columns.tobytes() == computed(run.compiled, times, chosen).tobytes()


FREE = ["world.gravity[2]", "body[0].friction", "body[0].tilt[1]", "data.time_offset", "data.w.scale"]


def pendulum(gravity=9.81, friction=0.002, angle=1.2):
    """The pendulum of made_data.py."""
    body = {"name": "bob", "support": "pivot", "friction": friction, "shape": [sphere(0.03, 0.2, (0, 0, -0.5))]}
    turned = {"axis": [0.0, 1.0, 0.0], "angle": angle}
    return scene(body | {"orientation": turned}, time_step=0.005, gravity=[0, 0, -gravity])


def test_sensitivities_are_those_of_an_independent_integrator():
    """Slopes by DOP853, to 1e-11, on the plain equation, with central differences of h and h/2 extrapolated: good to
    1e-7. RK4 with 5 ms has an error of 1e-6 in the phase after four swings.
    """
    times = np.linspace(0.5, 6.0, 90)
    data = measured("made", times, {"w": swing(times)[1]})
    prepared = prepare(pendulum(), data, {"w": "bob.angular_velocity.y"}, FREE)
    found = prepared.part.sensitivities(prepared.start)
    chosen = prepared.task.observed.chosen
    assert body_in_lanes(whole_run(prepared.task.models.first, times), chosen) is not None

    def readings(gravity, friction, tilt, offset, scale):
        return swing(np.append(times + offset, 8.0), -gravity, friction, 1.2 + tilt)[1][:-1] / scale

    values = np.array([each.start for each in prepared.task.unknowns.each])
    for k, scale in enumerate(prepared.task.unknowns.scales):

        def slope(h, k=k, scale=scale):
            step = h * scale * np.eye(len(values))[k]
            return (readings(*(values + step)) - readings(*(values - step))) / (2 * h)

        expected = (4 * slope(1e-3) - slope(2e-3)) / 3 / prepared.part.sigma
        np.testing.assert_allclose(found[:, k], expected, rtol=0, atol=3e-6 * np.abs(expected).max())


def test_sensitivities_of_a_magnet_are_those_of_scenes_compiled_one_by_one():
    """Differences of the same size by whole runs of scenes that are compiled for each value: off by the rounding of a
    run, 1e-13 at most, divided by the step. One-sided ones have the error of half the step times the curvature.
    """
    body = dict(TILTED) | DIPOLES
    given = scene(body, *MAGNETS, time_step=2e-3)
    free = ["body[0].dipole[0].moment[2]", "body[0].friction", "body[1].position[2]", "body[0].angular_velocity[1]"]
    times, name = np.linspace(0, 0.5, 60), "tilted.angular_velocity.x"
    data = measured("made", times, {"w": np.sin(times)})
    prepared = prepare(given, data, {"w": name}, free)
    unknowns, sigma = prepared.task.unknowns, prepared.part.sigma
    at = np.array([list(columns(build(given, Meshes()))).index(name)])

    def residuals(x):
        return computed(build(unknowns.scene_with(x * unknowns.scales), Meshes()), times, at)[:, 0] / sigma

    start, sizes = prepared.start, np.abs(computed(build(given, Meshes()), times, at)).max() / sigma
    found = prepared.part.sensitivities(start)
    assert body_in_lanes(whole_run(prepared.task.models.first, times), at) is not None
    for k in range(len(free)):
        step = 6e-6 * max(1.0, abs(start[k])) * np.eye(len(free))[k]
        expected = (residuals(start + step) - residuals(start - step)) / (2 * step[k])
        np.testing.assert_allclose(found[:, k], expected, rtol=0, atol=1e-13 * sizes.max() / step[k])
        one_sided = prepared.part.sensitivities(start, prepared.part.residuals(start))[:, k]
        np.testing.assert_allclose(one_sided, expected, rtol=0, atol=1e-4 * np.abs(expected).max())


def test_residuals_and_derivatives_together_are_those_of_separate_runs():
    """Bit by bit, and in one call of the lanes."""
    times = np.linspace(0.5, 6.0, 90)
    data = measured("made", times, {"w": swing(times)[1]})
    task = prepare(pendulum(), data, {"w": "bob.angular_velocity.y"}, FREE).task
    rows = []
    x = 1.01 * np.array([each.start for each in task.unknowns.each]) / task.unknowns.scales
    together, apart = replace(task, progress=rows.append), replace(task)
    residuals, slopes = together.evaluated(x)
    runs = len(rows)
    assert slopes is not None
    assert residuals.tobytes() == apart.residuals(x).tobytes()
    assert slopes.tobytes() == apart.sensitivities(x, residuals).tobytes()
    assert together.evaluated(x)[1] is slopes
    assert len(rows) == runs == 1 + len(task.of_runs)


def test_the_kernel_of_lanes_is_one_of_the_units_of_fits():
    """With the types with which it is called: a run in lanes compiles no further version."""
    unit = next(unit for unit in units_of_fits() if unit.kernel is observe_lanes)
    unit.compile()
    compiled = build(pendulum(), Meshes())
    side_by_side([whole_run(compiled, np.linspace(0, 0.1, 5))], of_bodies(compiled))
    assert set(observe_lanes.overloads) == {unit.kinds}
