"""Lyapunov exponents against independent variational equations, closed forms, and each other."""

import time

import numpy as np
import pytest
from driven_compass import FIELD, INERTIA, NEEDLE, compass
from meaning import Meaning, refuses
from scipy.integrate import solve_ivp

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.run.neighbours import SIZE, Scales, chart_of, difference, dimension, displace
from polhode.run.status import SETTLED
from polhode.scene.variants.sweep import SweepSettings
from polhode.simulation.simulation import Simulation
from polhode.sweep.measure import check_sweeps
from polhode.sweep.outcomes import lyapunov
from polhode.sweep.outcomes.lyapunov import LyapunovRunner
from polhode.sweep.outcomes.reduced_axle import reduced_axle
from polhode.sweep.sweep import Sweep
from scenes import scene, sphere


def asked(until: float, exponents="all", after: float = 0.0, **more) -> SweepSettings:
    axis = {"parameter": "solver.time_step", "range": [0.001, 0.01], "count": 2}
    outcome = {"kind": "lyapunov", "exponents": exponents, "after": after}
    return SweepSettings.model_validate({"until": until, "axes": [axis], "outcome": outcome} | more)


def exponents(given, settings: SweepSettings) -> np.ndarray:
    compiled = build(given, Meshes())
    return LyapunovRunner(compiled, settings).run(compiled.start[None]).features[0]


def exponents_by_dop853(frequency: float, until: int, after: int, angles: np.ndarray) -> np.ndarray:
    """(2,) of theta'' = -g theta' - k cos(w t) sin(theta) by scipy: both tangent vectors, QR once in a time of 1 s.

    The mean over runs from all `angles` (n,) [rad] at once.
    """
    g, k, count = 5e-7 / INERTIA, 0.1 * FIELD / INERTIA, len(angles)

    def rates(t, y):
        x, v, p, q = np.split(y.reshape(6, count), [1, 2, 4])  # tangent vectors (p, q), both at once
        pull = -k * np.cos(frequency * t)
        return np.concatenate([v, pull * np.sin(x) - g * v, q, pull * np.cos(x) * p - g * q]).ravel()

    one, none = np.ones(count), np.zeros(count)
    y, sums = np.concatenate([angles, none, one, none, none, one]), np.zeros(2)
    for n in range(until):
        y = solve_ivp(rates, (n, n + 1), y, method="DOP853", rtol=1e-8, atol=1e-10).y[:, -1]
        q, r = np.linalg.qr(np.moveaxis(y.reshape(6, count)[2:].reshape(2, 2, count), 2, 0))
        y = np.concatenate([y[: 2 * count], np.moveaxis(q, 0, 2).ravel()])
        if n >= after:
            sums += np.log(np.abs(np.diagonal(r, axis1=1, axis2=2))).mean(axis=0)
    return sums / (until - after)


def by_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lyapunov, "reduced_axle", lambda compiled, scratch: None)


@pytest.mark.parametrize(
    ("until", "seconds", "runs", "error"),
    [(20_000.0, 200, 200, 0.03), pytest.param(200_000.0, 200, 200, 0.01, marks=pytest.mark.nightly)],
)
def test_a_chaotic_compass_has_the_exponents_of_the_variational_equation(until, seconds, runs, error):
    """Two integrations of one chaotic motion part after some 30 s: their exponents agree as means over it do.

    Means over 20 000 s have a spread of 0.43 %, so the standard error of one over 200 000 s is 0.14 %; that of the
    twin, over other angles, 200 runs of 200 s, is 0.1 %. The error is six of both. A twin of 80 runs of 50 s is 3 %
    too high by its starts alone.
    """
    found = exponents(compass(4.0), asked(until, after=100.0))
    twin = exponents_by_dop853(4.0, 50 + seconds, 50, np.linspace(0.2, 2.9, runs))
    assert found[0] > 0.9
    assert found == pytest.approx(twin, rel=error)
    assert found.sum() == pytest.approx(-5e-7 / INERTIA, abs=1e-5)


def test_a_periodic_compass_has_the_exponents_of_the_variational_equation():
    found = exponents(compass(6.0), asked(200.0, after=50.0))
    twin = exponents_by_dop853(6.0, 200, 50, np.array([0.3]))
    # A mean of an oscillating quantity over a time T that is no whole number of periods: up to a few 1/T.
    assert found == pytest.approx(twin, abs=4 / 150)
    assert found.sum() == pytest.approx(twin.sum(), rel=1e-5)


def test_copies_and_the_equation_of_motion_agree(monkeypatch):
    given, settings = compass(6.0), asked(300.0, after=60.0)
    by_equation = exponents(given, settings)
    by_copies(monkeypatch)
    found = exponents(given, settings)
    assert found == pytest.approx(by_equation, abs=1 / 240)
    assert found.sum() == pytest.approx(-5e-7 / INERTIA, rel=1e-4)  # SIZE times the curvature, per turn of 1 rad


def test_exponents_at_an_upright_pendulum_are_those_of_its_linear_equation():
    """x'' = -g x' + w^2 x has the exponents -g/2 +- sqrt(g^2/4 + w^2)."""
    rod = {"name": "bob", "support": "pivot", "friction": 0.02, "shape": [sphere(0.02, 0.3, (0, 0, 0.5))]}
    compiled = build(scene(rod, time_step=5e-4), Meshes())
    found = LyapunovRunner(compiled, asked(20.0, after=5.0)).run(compiled.start[None]).features[0]
    inertia = compiled.properties[0].about(np.zeros(3))[0, 0]
    about_own = compiled.properties[0].about(np.zeros(3))[2, 2]
    g, square = 0.02 / inertia, 0.3 * 9.80665 * 0.5 / inertia
    root = np.sqrt(g * g / 4 + square)
    expected = sorted(
        [-g / 2 + root, -g / 2 + root, -g / 2 - root, -g / 2 - root, 0.0, -0.02 / about_own], reverse=True
    )
    assert found == pytest.approx(expected, rel=2e-4, abs=1e-3)


@pytest.mark.parametrize("method", ["rk4", "dormand_prince_8", "verlet", "adams_bashforth_2"])
def test_a_free_body_has_exponents_in_pairs_of_sum_zero(method):
    """Hamiltonian flows: exponents are +-; those of positions and momenta of a free body are all zero."""
    tumbling = {
        "name": "box",
        "support": "free",
        "angular_velocity": [0.01, 4.0, 0.02],
        "shape": [{"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 1.0}],
    }
    found = exponents(scene(tumbling, gravity=[0, 0, 0], time_step=5e-3, method=method), asked(100.0))
    assert len(found) == 12
    assert found == pytest.approx(-found[::-1], abs=0.02)
    assert abs(found).max() < 0.15  # ln(T)/T: tangent vectors grow in proportion to the time


def test_a_double_pendulum_with_joints_has_exponents_in_pairs():
    """Of 24 coordinates of two bodies the joints leave 4, found by what is left of the vectors after a few steps."""
    rods = [
        {
            "name": name,
            "support": "free",
            "position": [0, 0, -0.5 * k - 0.25],
            "shape": [{"kind": "cuboid", "size": [0.02, 0.02, 0.5], "mass": 1.0}],
        }
        for k, name in enumerate(("upper", "lower"))
    ]
    joints = [
        {"name": "top", "kind": "hinge", "first": "upper", "anchor": [0, 0, 0], "axis": [0, 1, 0]},
        {
            "name": "elbow",
            "kind": "hinge",
            "first": "upper",
            "second": "lower",
            "anchor": [0, 0, -0.5],
            "axis": [0, 1, 0],
        },
    ]
    rods[0]["angular_velocity"] = [0, 9.0, 0]
    rods[0]["velocity"] = [-9.0 * 0.25, 0, 0]
    rods[1]["angular_velocity"] = [0, -9.0, 0]
    rods[1]["velocity"] = [-9.0 * 0.25, 0, 0]
    given = scene(*rods, joint=joints, time_step=2e-3, gravity=[0, 0, -9.81])
    found = exponents(given, asked(60.0, after=5.0))
    found = found[~np.isnan(found)]
    assert len(found) == 4
    assert found[0] > 0.5
    assert found == pytest.approx(-found[::-1], abs=0.15)


def test_charts_lead_there_and_back():
    """For bodies on pivots, axles and free, rods without inertia about themselves, points, and beads on paths."""
    rod = {
        "name": "rod",
        "support": "pivot",
        "shape": [{"kind": "rod", "length": 0.4, "mass": 0.2, "position": [0, 0, -0.2]}],
    }
    free = {
        "name": "free",
        "support": "free",
        "position": [0, 0, 2],
        "shape": [{"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 1.0}],
        "angular_velocity": [1, 2, 3],
    }
    bead = {"name": "bead", "mass": 0.1, "radius": 0.01, "path": {"kind": "circle", "radius": 1.0}, "parameter": 0.5}
    points = [
        {"name": "a", "mass": 1.0, "position": [1, 0, 0]},
        {"name": "b", "mass": 1.0, "position": [2, 0, 0], "fixed": True},
    ]
    compiled = build(scene(NEEDLE, rod, free, bead=[bead], particle=points), Meshes())
    chart = chart_of(compiled, Scales(1.0, 0.1))
    size = dimension(chart)
    assert size == 2 + 4 + 12 + 2 + 6
    random = np.random.default_rng(3)
    copy, back = np.empty_like(compiled.start), np.empty(size)
    for _ in range(5):
        along = random.standard_normal(size)
        displace(chart, compiled.start, along, copy)
        difference(chart, compiled.start, copy, back)
        assert back == pytest.approx(along, abs=20 * SIZE * 1e-3 + 1e-8)
        for row in copy[: 18 * 3].reshape(3, 18):
            basis = row[6:15].reshape(3, 3)
            assert basis @ basis.T == pytest.approx(np.eye(3), abs=1e-15)


def test_laws_that_are_not_those_of_the_reduced_equation_are_told_apart():
    assert reduced_axle(build(compass(4.0), Meshes())) is not None
    dry = scene(NEEDLE | {"dry_friction": 1e-6}, magnetic_field={"kind": "uniform", "value": [FIELD, 0, 0]})
    assert reduced_axle(build(dry, Meshes())) is None
    by_formula = {"kind": "formula", "x": "1e-3*cos(4*t)", "y": "0", "z": "0"}
    assert reduced_axle(build(scene(NEEDLE, magnetic_field=by_formula), Meshes())) is None
    near = {
        "name": "magnet",
        "support": "fixed",
        "position": [0.06, 0.02, 0],
        "dipole": [{"moment": [0.2, 0, 0]}],
        "shape": [sphere(0.005, 0.01)],
    }
    assert reduced_axle(build(scene(NEEDLE, near), Meshes())) is not None
    two = scene(NEEDLE, NEEDLE | {"name": "other", "position": [0.1, 0, 0]})
    assert reduced_axle(build(two, Meshes())) is None


def test_a_needle_near_a_magnet_by_its_series_and_by_copies(monkeypatch):
    near = {
        "name": "magnet",
        "support": "fixed",
        "position": [0.09, 0.02, 0],
        "dipole": [{"moment": [0.2, 0, 0]}],
        "shape": [sphere(0.005, 0.01)],
    }
    field = {"kind": "rotating", "cosine": [FIELD, 0, 0], "sine": [0, FIELD, 0], "angular_frequency": 9.0}
    given = scene(NEEDLE | {"friction": 4e-6}, near, magnetic_field=field, time_step=2e-3)
    settings = asked(60.0, after=20.0)
    by_series = exponents(given, settings)
    by_copies(monkeypatch)
    assert exponents(given, settings) == pytest.approx(by_series, abs=4 / 40)


def test_exponents_of_a_driven_compass_take_as_long_as_its_motion():
    """1.1 s for 10 000 periods where the motion alone takes 1.1 s, on a slow core; both are measured in turn."""
    compiled = build(compass(2 * np.pi), Meshes())
    runner, simulation = LyapunovRunner(compiled, asked(2_000.0)), Simulation(compiled.scene)
    runner.run(compiled.start[None])
    simulation.advance(1.0)
    spent = []
    for _ in range(6):
        begun = time.thread_time()
        runner.run(compiled.start[None])
        between = time.thread_time()
        simulation.advance(2_000.0)
        spent.append((between - begun, time.thread_time() - between))
    exponents_took, motion_took = map(min, zip(*spent, strict=True))
    assert exponents_took < 2 * motion_took


def test_a_map_of_exponents_holds_all_of_them_and_no_nan():
    axis = {"parameter": "world.magnetic_field.angular_frequency", "range": [3.0, 9.0], "count": 5}
    sweep = asked(200.0, after=50.0, axes=[axis])
    made = Sweep(compass(4.0), sweep).run()
    assert made.features.shape == (5, 2)
    assert np.isfinite(made.value).all()
    assert np.array_equal(made.features[:, 0], made.value)
    assert made.features.sum(axis=1) == pytest.approx(-5e-7 / INERTIA, abs=1e-5)
    assert (made.status == SETTLED).sum() >= 4
    again = Sweep(compass(4.0), sweep, workers=1).run()
    assert again.features.tobytes() == made.features.tobytes()


def test_exponents_that_a_scene_has_not():
    still = {"name": "still", "support": "fixed", "shape": [sphere()]}
    for given, wanted, text in (
        (scene(still), 1, Meaning("sweep[0].outcome.exponents", "nothing", "exponents")),
        (compass(4.0), 3, Meaning("sweep[0].outcome.exponents", "Lyapunov", count=2)),
    ):
        axis = {"parameter": "solver.time_step", "range": [0.001, 0.01], "count": 2}
        sweep = {"until": 1.0, "axes": [axis], "outcome": {"kind": "lyapunov", "exponents": wanted}}
        whole = given.model_copy(update={"sweep": (SweepSettings.model_validate(sweep),)})
        with refuses(text):
            check_sweeps(whole, build(given, Meshes()))
