"""Poincare sections against an independent integration and closed forms, their cycles, and their table and picture."""

from zipfile import ZipFile

import numpy as np
import pytest
from driven_compass import FIELD, INERTIA, NEEDLE, compass
from meaning import refuses
from scipy.integrate import solve_ivp

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.run.status import INVALID, SETTLED, UNSETTLED
from polhode.scene.problem import InputError
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.map_file import MapWriter, read_map
from polhode.sweep.measure import check_sweeps
from polhode.sweep.outcomes.section import cycle
from polhode.sweep.sweep import Sweep
from polhode_app.data.maps.map_picture import figure_of, write_picture
from polhode_app.data.maps.map_table import write_table
from polhode_app.i18n.parameter_names import parameter_name
from scenes import scene, sphere

FREQUENCY = "world.magnetic_field.angular_frequency"
RATE = "needle.angular_velocity.z"


def asked(low: float, high: float, count: int, until: float, parameter=FREQUENCY, **outcome) -> SweepSettings:
    axis = {"parameter": parameter, "range": [low, high], "count": count}
    return SweepSettings.model_validate({"until": until, "axes": [axis], "outcome": {"kind": "section"} | outcome})


def rates_by_dop853(frequency: float, times: np.ndarray) -> np.ndarray:
    """(n,) [rad/s] of theta'' = -g theta' - k cos(w t) sin(theta) from theta = 0.3 at rest."""
    g, k = 5e-7 / INERTIA, 0.1 * FIELD / INERTIA

    def rates(t, y):
        return [y[1], -g * y[1] - k * np.cos(frequency * t) * np.sin(y[0])]

    return solve_ivp(rates, (0, times[-1]), [0.3, 0], "DOP853", times, rtol=1e-11, atol=1e-12).y[1]


def test_points_are_taken_once_in_each_period_of_the_field():
    given = compass(6.0, method="dormand_prince_8")
    made = Sweep(given, asked(10.0, 14.0, 3, 20.0, quantity=RATE, after=4.0, points=16)).run()
    for frequency, points in zip(made.axis_values[0], made.features, strict=True):
        period = 2 * np.pi / frequency
        times = period * np.arange(1, int(20.0 / period) + 1)
        times = times[times > 4.0][-16:]
        # Regular motions over 20 s.
        assert points[: len(times)] == pytest.approx(rates_by_dop853(frequency, times), abs=2e-3)


def test_points_of_an_undamped_swing_are_its_largest_rate():
    """At upward passages through the lowest place the rate is that of the fall, sqrt(2 m g l (1 - cos a)/I)."""
    bob = {"name": "bob", "support": "axle", "axis": [0, 1, 0], "shape": [sphere(0.02, 0.3, (0, 0, -0.5))]}
    given = scene(bob, method="dormand_prince_8", time_step=2e-3)
    sweep = asked(0.3, 2.0, 4, 12.0, "body[0].tilt[1]", quantity="bob.angular_velocity.y", of="bob.u1.z", points=4)
    made = Sweep(given, sweep).run()
    inertia = build(given, Meshes()).properties[0].about(np.zeros(3))[1, 1]
    fastest = np.sqrt(2 * 0.3 * 9.80665 * 0.5 * (1 - np.cos(made.axis_values[0])) / inertia)
    assert (made.status == SETTLED).all()
    assert (made.value == 1).all()
    # u1.z = -sin(angle) rises while the angle falls. Linear interpolation errs by (w dt)^2/8.
    assert made.features == pytest.approx(np.repeat(-fastest[:, None], 4, axis=1), rel=5e-5)


def test_a_period_that_is_stated():
    """Rates of a wheel with friction c decay by exp(-c T/I) from point to point."""
    wheel = {"name": "wheel", "support": "axle", "axis": [0, 0, 1], "angular_velocity": [0, 0, 3.0], "friction": 1e-3}
    wheel["shape"] = [{"kind": "cylinder", "radius": 0.1, "length": 0.02, "mass": 0.5}]
    outcome = {"quantity": "wheel.angular_velocity.z", "period": 0.5, "points": 3, "after": 1.0}
    made = Sweep(scene(wheel, time_step=0.01), asked(1e-3, 2e-3, 2, 5.0, "body[0].friction", **outcome)).run()
    expected = 3.0 * np.exp(-np.outer(made.axis_values[0] / 2.5e-3, [4.0, 4.5, 5.0]))
    assert made.features == pytest.approx(expected, rel=1e-7)
    assert (made.status == UNSETTLED).all()
    assert np.isnan(made.value).all()


def test_cycles():
    assert cycle(np.tile([1.0, 2.0, 1.0, 3.0], 4), 1e-3) == 4
    assert cycle(np.full(8, 0.5), 1e-3) == 1
    assert np.isnan(cycle(np.random.default_rng(0).uniform(size=64), 1e-3))
    assert np.isnan(cycle(np.array([1.0]), 1e-3))
    assert cycle(np.arange(9) * 1e-5, 1e-3) == 1


def test_a_compass_goes_from_one_period_to_more_and_to_chaos():
    made = Sweep(compass(4.0), asked(4.0, 14.0, 6, 300.0, quantity=RATE, after=150.0, points=24)).run()
    assert np.isnan(made.value[0])  # the largest exponent at 4 rad/s is 1.0 per second: test_exponents.py
    assert made.status[0] == UNSETTLED
    assert set(made.value[1:]) <= {1.0, 2.0, 4.0}
    assert (made.status[1:] == SETTLED).all()
    again = Sweep(compass(4.0), made.sweep, workers=1).run()
    assert again.features.tobytes() == made.features.tobytes()


def test_a_cell_without_a_period_is_invalid():
    made = Sweep(compass(4.0), asked(0.0, 6.0, 2, 10.0, quantity=RATE)).run()
    assert made.status[0] == INVALID
    assert made.status[1] != INVALID


def test_sections_that_a_scene_has_not():
    bob = {"name": "bob", "support": "axle", "axis": [0, 1, 0], "shape": [sphere(0.02, 0.3, (0, 0, -0.5))]}
    axis = {"parameter": "body[0].friction", "range": [0, 1], "count": 2}
    outcomes = [
        {"quantity": "bob.position.x"},
        {"quantity": "bob.position.x", "of": "bob.positon.x"},
    ]
    sweeps = [{"until": 1.0, "axes": [axis], "outcome": {"kind": "section"} | outcome} for outcome in outcomes]
    given = scene(bob, sweep=sweeps)
    with pytest.raises(InputError) as caught:
        check_sweeps(given, build(given, Meshes()))
    places = [problem.place for problem in caught.value.problems]
    assert places == ["sweep[0].outcome", "sweep[1].outcome.of"]
    late = {"kind": "section", "quantity": "bob.position.x", "period": 0.1, "after": 2.0}
    with refuses("", after=2, until=1, raised=ValueError):
        SweepSettings.model_validate({"until": 1.0, "axes": [axis], "outcome": late})
    checked = {"until": 3.0, "axes": [axis], "check": "half_step", "outcome": late}
    with refuses("", "none", kind="section", raised=ValueError):
        SweepSettings.model_validate(checked)
    with refuses("", "quantity", kind="section", raised=ValueError):
        SweepSettings.model_validate({"until": 1.0, "axes": [axis], "outcome": {"kind": "section"}})


def test_a_bifurcation_diagram_is_stored_drawn_and_written(tmp_path):
    sweep = asked(4.0, 10.0, 3, 40.0, quantity=RATE, points=5)
    given = compass(4.0).model_copy(update={"sweep": (sweep,)})
    run = Sweep(given)
    writer = MapWriter(tmp_path / "map.h5", given, 0, run.map, "test")
    made = run.run(lambda run: writer.write(run.newest))
    stored = read_map(tmp_path / "map.h5")
    assert stored.map.features.tobytes() == made.features.tobytes()
    write_table(stored, tmp_path / "map.csv")
    head, *rows = (tmp_path / "map.csv").read_text().splitlines()
    assert head == f"{FREQUENCY},label,value,time,status,point0,point1,point2,point3,point4"
    found = np.array([[float(x) for x in row.split(",")[5:]] for row in rows])
    assert np.array_equal(found, made.features)
    write_table(stored, tmp_path / "map.npz")
    with ZipFile(tmp_path / "map.npz") as arrays, arrays.open("points.npy") as points:
        assert np.array_equal(np.lib.format.read_array(points, allow_pickle=False), made.features)
    axes = figure_of(stored.scene, stored.map, (400, 300)).axes[0]
    lines = axes.lines
    assert axes.get_xlabel() == parameter_name(stored.scene, FREQUENCY, stored.map.units[0])
    assert "[" not in axes.get_xlabel().split(" [")[0]  # as in the window, no path
    drawn = np.concatenate([line.get_xydata() for line in lines])
    assert drawn == pytest.approx(np.column_stack([np.repeat(made.axis_values[0], 5), made.features.ravel()]))
    write_picture(stored, tmp_path / "map.png", (400, 300))
    assert (tmp_path / "map.png").read_bytes()[:4] == b"\x89PNG"


def test_needles_are_those_of_the_twin():
    compiled = build(scene(NEEDLE), Meshes())
    assert 1 / compiled.model.bodies.inverse_moments[0].max() == pytest.approx(INERTIA, rel=1e-12)
