"""Beads: against Hamilton's equations, Newton's law under S, and closed forms."""

import numpy as np
import pytest
from bead_reference import Waves, bead_motion, free_flight
from meaning import Meaning
from scipy.integrate import quad
from scipy.interpolate import CubicSpline

from polhode.analysis.columns import columns
from polhode.analysis.steps.stability import largest_step
from polhode.formulas.cubic_spline import cubic_pieces
from polhode.integrators import METHODS
from polhode.physics.grab.interactions import PullBody
from polhode.physics.paths.path_geometry import points_on
from polhode.scene.problem import InputError
from polhode.scene.scene import UniformField
from polhode.scene.scene_file import read_scene, scene_of
from polhode.scene.scene_writing import write_scene
from polhode.simulation.simulation import Simulation
from scenes import G, bead_scene

SINE = {"kind": "sine", "direction": [0.6, 0, 0.8], "amplitude": 0.2, "period": 0.7}


def run(*beads, **settings):
    return Simulation(bead_scene(*beads, **settings))


def waves(seed, **bead):
    path = Waves.random(seed)
    return path, {"path": {"kind": "formula", **path.texts(), "range": [-60, 60]}, **bead}


def weight(mass):
    return lambda place: mass * G * place[2]


@pytest.mark.parametrize("rolling", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_bead_on_any_formula_moves_as_hamilton_says(seed, rolling):
    """The order 8 leaves rounding alone: 1e-9 is what some 1e3 roundings and the twin's own 1e-12 grow to."""
    path, bead = waves(seed, mass=0.7, parameter=0.3, speed=1.5, rolling=rolling)
    simulation = run(bead, method="dormand_prince_8", time_step=2e-3)
    times = np.linspace(0, 2, 21)
    q, speed = bead_motion(path, weight(0.7), 0.7, 0.3, 1.5, times, factor=1.4 if rolling else 1.0)
    for k in range(1, 21):
        simulation.advance(0.1)
        beads = simulation.snapshot().beads
        np.testing.assert_allclose([beads.parameter[0], beads.speed[0]], [q[k], speed[k]], rtol=0, atol=1e-9 * 20)


def test_a_bead_on_a_moving_path_moves_as_hamilton_says():
    path, bead = waves(5, mass=0.7, parameter=0.3, speed=-1.0, rolling=True)
    moving = Waves.random(11)
    start = moving(0.0)
    simulation = run(bead | {"path_motion": {"kind": "formula", **moving.texts("t")}}, time_step=5e-4)
    simulation.advance(2.0)
    q, speed = bead_motion(path, weight(0.7), 0.7, 0.3, -1.0, [0, 2], 1.4, moving, moving.rate)
    now = simulation.snapshot()
    np.testing.assert_allclose([now.beads.parameter[0], now.beads.speed[0]], [q[-1], speed[-1]], rtol=0, atol=1e-7)
    np.testing.assert_allclose(now.bodies.position[0], path(q[-1]) + moving(2.0), rtol=0, atol=1e-7)
    np.testing.assert_allclose(now.beads.shift[0], moving(2.0), atol=1e-12)
    assert np.linalg.norm(start) > 0.1  # it need not begin where the path is drawn


def test_newton_s_law_under_the_constraint_force_leads_along_the_path():
    """S between moments by a cubic is good to 1e-9; twice summed up over 1 s."""
    _, bead = waves(2, mass=1.3, parameter=0.0, speed=2.0)
    simulation = run(bead | {"path_motion": SINE}, time_step=1e-3)
    moments = [simulation.snapshot()]
    for _ in range(1000):
        simulation.advance_steps(1)
        moments.append(simulation.snapshot())
    times = np.array([moment.time for moment in moments])
    force = CubicSpline(times, [moment.beads.constraint[0] for moment in moments])
    start = moments[0].bodies
    flown = free_flight(
        lambda t: force(t) - np.array([0, 0, 1.3 * G]), 1.3, start.position[0], start.velocity[0], times[::100]
    )
    np.testing.assert_allclose(flown.T, [moment.bodies.position[0] for moment in moments[::100]], rtol=0, atol=1e-8)


@pytest.mark.parametrize("rolling", [False, True])
def test_the_constraint_force_on_a_circle(rolling):
    """S.n = m v^2/R - F.n towards the centre; across the circle's plane nothing."""
    circle = {"kind": "circle", "radius": 0.5}
    simulation = run({"mass": 2.0, "path": circle, "parameter": 0.3, "rolling": rolling})
    for _ in range(7):
        simulation.advance(0.17)
        now = simulation.snapshot()
        inward, force = -now.bodies.position[0] / 0.5, now.beads.constraint[0]
        np.testing.assert_allclose(
            force @ inward, 2.0 * now.beads.speed[0] ** 2 / 0.5 - 2.0 * -G * inward[2], rtol=1e-12
        )
        assert force[1] == 0
        if not rolling:
            assert abs(force @ now.beads.tangent[0]) < 1e-12


def test_a_rolling_sphere_keeps_two_sevenths_of_its_energy_in_its_turn():
    line = {"kind": "line", "start": [0, 0, 0], "end": [3, 0, -4]}
    simulation = run({"radius": 0.1, "rolling": True, "path": line})
    simulation.advance(1.0)
    now = simulation.snapshot()
    np.testing.assert_allclose(now.beads.speed, 5 / 7 * G * 0.8, rtol=1e-12)
    np.testing.assert_allclose(now.bodies.angular_velocity[0], [0, now.beads.speed[0] / 0.1, 0], atol=1e-10)
    np.testing.assert_allclose(now.energy.kinetic, 0.7 * now.beads.speed[0] ** 2, rtol=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_keeps_its_order_on_a_path(name):
    """Of a rolling bead on a moving path: its place and the ledger, half a step against a whole one."""
    method = METHODS[name]
    path, bead = waves(4, mass=0.7, parameter=0.2, speed=1.0, rolling=True)
    bead |= {"path_motion": SINE}
    errors, residuals = [], []
    q = bead_motion(path, weight(0.7), 0.7, 0.2, 1.0, [0, 0.5], 1.4, sine, sine_rate)[0, -1]
    step = {1: 5e-4, 2: 2e-3, 4: 5e-3, 8: 5e-2}[method.ORDER]
    for halves in (1, 2):
        simulation = run(bead, method=name, time_step=step / halves)
        before = simulation.snapshot()
        simulation.advance(0.5)
        now = simulation.snapshot()
        errors.append(abs(now.beads.parameter[0] - q))
        residuals.append(abs(now.energy.total - now.ledger.total - before.energy.total))
    assert np.log2(errors[0] / errors[1]) > method.ORDER - 0.35  # of the next order of the error, at such steps
    assert np.log2(residuals[0] / residuals[1]) > method.ORDER - 0.45


def sine(t):
    return 0.2 * np.sin(2 * np.pi * t / 0.7) * np.array([0.6, 0, 0.8])


def sine_rate(t):
    return 0.2 * 2 * np.pi / 0.7 * np.cos(2 * np.pi * t / 0.7) * np.array([0.6, 0, 0.8])


def test_friction_of_the_path_slows_a_bead_down():
    """u = u0 exp(-c t/(f m)); what the energy loses stands in the ledger."""
    line = {"kind": "line", "start": [0, 0, 0], "end": [10, 0, 0]}
    rolling = {"mass": 2.0, "path": line, "speed": 3.0, "friction": 0.7, "rolling": True}
    simulation = run(rolling)
    before = simulation.snapshot()
    simulation.advance(2.0)
    now = simulation.snapshot()
    np.testing.assert_allclose(now.beads.speed, 3.0 * np.exp(-0.7 * 2 / 2.8), rtol=1e-12)
    np.testing.assert_allclose(now.ledger.friction, now.energy.total - before.energy.total, rtol=1e-10)


LINE = {"kind": "line", "start": [0, 0, 0], "end": [0.8, 0, -0.6]}


@pytest.mark.parametrize("rolling", [False, True])
@pytest.mark.parametrize("name", ["rk4", "verlet", "splitting", "dormand_prince_8", "implicit"])
def test_a_bead_on_a_slope_bounces_as_a_ball_does(name, rolling):
    """From 0.7 m above the end it is back every 2 sqrt(2 h/a): these methods are exact where a force is constant."""
    simulation = run({"path": LINE, "parameter": 0.3, "rolling": rolling}, method=name)
    fall = np.sqrt(2 * 0.7 / (0.6 * G / (1.4 if rolling else 1.0)))
    simulation.advance(14 * fall)
    now = simulation.snapshot()
    np.testing.assert_allclose([now.beads.parameter[0], now.beads.speed[0]], [0.3, 0.0], atol=1e-11)
    simulation.advance(fall / 2)
    np.testing.assert_allclose(simulation.snapshot().beads.parameter[0], 0.3 + 0.7 / 4, atol=1e-11)


@pytest.mark.parametrize(("name", "loss"), [("rk4", 1e-9), ("dormand_prince_8", 1e-12), ("verlet", 1e-5)])
def test_bouncing_off_both_ends_of_a_curve_costs_no_energy(name, loss):
    """Some 80 bounces in 10 s, at 9 m/s against slopes that change along the path; in parts of the energy."""
    bowl = {"kind": "parabola", "coefficient": 1.0, "range": [-0.6, 0.8]}
    simulation = run({"path": bowl, "parameter": 0.5, "speed": 9.0}, method=name)
    before, turns = simulation.snapshot().energy.total, 0
    for _ in range(1000):
        speed = simulation.snapshot().beads.speed[0]
        simulation.advance(0.01)
        turns += simulation.snapshot().beads.speed[0] * speed < 0
    assert turns > 50
    np.testing.assert_allclose(simulation.snapshot().energy.total, before, rtol=loss)


def test_adams_and_bashforth_begin_anew_after_a_bounce():
    """With the rates from before the bounce each would cost some dt a u of energy: 1e-2 of it."""
    simulation = run({"path": LINE, "parameter": 0.3}, method="adams_bashforth_2")
    before = simulation.snapshot().energy.total
    simulation.advance(5.0)
    assert abs(simulation.snapshot().energy.total - before) < 1e-3


def test_a_bead_that_lies_on_an_end_stays_there():
    simulation = run({"path": LINE, "parameter": 1.0})
    simulation.advance(1.0)
    now = simulation.snapshot()
    np.testing.assert_allclose(now.bodies.position[0], [0.8, 0, -0.6], atol=1e-15)
    np.testing.assert_allclose(now.bodies.velocity[0], 0, atol=1e-15)


def test_a_bead_that_stops_stands_at_the_end_for_good():
    """Its energy is added to the ledger; on a moving path it continues with the path."""
    simulation = run({"path": LINE, "speed": 2.0, "ends": "stop", "rolling": True, "path_motion": SINE})
    before = simulation.snapshot()
    simulation.advance(2.0)
    now = simulation.snapshot()
    np.testing.assert_allclose(now.bodies.position[0], [0.8, 0, -0.6] + sine(2.0), atol=1e-12)
    np.testing.assert_allclose(now.bodies.velocity[0], sine_rate(2.0), atol=1e-12)
    assert now.ledger.contact < -1.0
    # the crossing is found to the second order of the step
    np.testing.assert_allclose(now.energy.total - now.ledger.total, before.energy.total, atol=1e-5)


@pytest.mark.parametrize("rolling", [False, True])
def test_a_bead_that_leaves_flies_on_and_lands(rolling):
    floor = {"name": "floor", "point": [0, 0, -2], "stiffness": 1e5, "friction": 5.0}
    simulation = run({"radius": 0.1, "path": LINE, "ends": "leave", "rolling": rolling}, wall=[floor], time_step=1e-4)
    along = 0.6 * G / (1.4 if rolling else 1.0)
    simulation.advance(np.sqrt(2 / along) + 0.3)
    speed = np.sqrt(2 * along)
    now = simulation.snapshot()
    assert not now.beads.is_held[0]
    flown = np.array([0.8, 0, -0.6]) * (1 + 0.3 * speed) - [0, 0, G / 2 * 0.3**2]
    np.testing.assert_allclose(now.bodies.position[0], flown, atol=1e-10)
    np.testing.assert_allclose(now.bodies.velocity[0], speed * np.array([0.8, 0, -0.6]) - [0, 0, G * 0.3], atol=1e-10)
    np.testing.assert_allclose(now.bodies.angular_velocity[0], [0, speed / 0.1 if rolling else 0, 0], atol=1e-9)
    np.testing.assert_array_equal(now.beads.constraint, 0)
    simulation.advance(2.0)
    landed = simulation.snapshot()
    assert landed.bodies.position[0, 2] > -2.0
    assert landed.bodies.position[0, 0] > flown[0]
    # it touches the floor within a step, where the force has a kink: some 1e-4 of the 7 J each time
    np.testing.assert_allclose(landed.energy.total - landed.ledger.total, 0.0, atol=5e-3)


def test_the_pressure_on_a_loop_changes_its_sign_where_a_track_on_one_side_would_lose_the_bead():
    """Inside a ring of radius R: m u^2/R = m g cos(angle from the top) at the height where it lets go."""
    circle = {"kind": "circle", "radius": 0.5}
    speed = np.sqrt(3.5 * G * 0.5)  # at the lowest place: it lets go above the middle and below the top
    simulation = run({"path": circle, "parameter": -np.pi / 2, "speed": speed})
    height = None
    before = simulation.snapshot()
    while height is None:
        simulation.advance(1e-3)
        now = simulation.snapshot()
        if now.beads.pressure[0] < 0 < before.beads.pressure[0]:
            height = now.bodies.position[0, 2]
        before = now
    np.testing.assert_allclose(height, 0.5 * 0.5, atol=3e-3)  # (u0^2 - 2 g R)/(3 g): a step of the search is 2 mm long


def test_other_laws_act_on_a_bead():
    """A spring along a straight wire: period 2 pi sqrt(m/k); and what the hand pulls comes."""
    wire = {"kind": "line", "start": [-2, 0, 0], "end": [2, 0, 0]}
    spring = {"from": "bead0", "to": [0, 0, 0], "rest_length": 0.0, "stiffness": 50.0}
    simulation = run({"mass": 2.0, "path": wire, "parameter": 2.4}, spring=[spring])
    simulation.advance(2 * np.pi * np.sqrt(2.0 / 50.0))
    np.testing.assert_allclose(simulation.snapshot().bodies.position[0], [0.4, 0, 0], atol=1e-10)


def test_the_hand_pulls_a_bead_along_its_path():
    simulation = run({"mass": 2.0, "path": {"kind": "circle", "radius": 0.5}, "parameter": -np.pi / 2}, gravity=0.0)
    before = simulation.snapshot()
    simulation.grab(PullBody(0, (0, 0, 0), (1.0, 0.0, 0.0)))
    simulation.advance(3.0)
    now = simulation.snapshot()
    np.testing.assert_allclose(now.bodies.position[0], [0.5, 0, 0], atol=1e-3)
    np.testing.assert_allclose(now.interaction_marker.attachment, now.bodies.position[0])
    assert abs(now.energy.total - now.ledger.total - before.energy.total) < 1e-6


def test_a_rolling_magnet_feels_a_torque_along_its_path():
    """In a uniform field, on a level line: f m r^2 phi'' = -p B sin phi, a compass needle with more inertia."""
    wire = {"kind": "line", "start": [-2, 0, 0], "end": [2, 0, 0]}
    bead = {"mass": 0.2, "radius": 0.1, "rolling": True, "path": wire, "parameter": 2.0, "moment": [0.3, 0, 0.01]}
    field = {"value": [0.02, 0, 0]}
    simulation = run(bead, gravity=0.0)
    assert simulation.snapshot().beads.speed[0] == 0
    described = bead_scene(bead, gravity=0.0)
    world = described.world.model_copy(update={"magnetic_field": UniformField.model_validate(field)})
    simulation = Simulation(described.model_copy(update={"world": world}))
    strength, angle = np.hypot(0.3, 0.01), np.arctan2(0.01, 0.3)
    frequency = np.sqrt(strength * 0.02 / (1.4 * 0.2 * 0.1**2))
    simulation.advance(2 * np.pi / frequency / 2)
    now = simulation.snapshot()
    # half a swing, to the other side: rolling by 2 angle; the period is longer by angle^2/16 = 7e-5
    np.testing.assert_allclose(abs(now.bodies.position[0, 0]), 0.1 * 2 * angle, rtol=1e-6)
    np.testing.assert_allclose(now.energy.total, -strength * 0.02 * np.cos(angle), rtol=1e-9)


def test_an_edit_keeps_a_bead_moving():
    described = bead_scene(
        {"path": {"kind": "circle", "radius": 0.5}, "parameter": 0.3, "rolling": True}, {"path": LINE}
    )
    simulation = Simulation(described)
    simulation.advance(0.2)
    before = simulation.snapshot()
    heavier = described.bead[0].model_copy(update={"mass": 3.0, "ends": "stop"})
    other = described.bead[1].model_copy(update={"parameter": 0.5})
    simulation.load(described.model_copy(update={"bead": (heavier, other)}))
    now = simulation.snapshot()
    np.testing.assert_allclose(now.bodies.position[0], before.bodies.position[0], atol=1e-15)
    np.testing.assert_allclose(now.bodies.velocity[0], before.bodies.velocity[0], atol=1e-15)
    np.testing.assert_allclose(now.beads.parameter[1], 0.5)


def test_a_step_limit_is_that_of_the_swing():
    """A bead at the bottom of a ring is x'' = -(g/R) x."""
    simulation = run({"path": {"kind": "circle", "radius": 0.5}, "parameter": -np.pi / 2})
    compiled = simulation.compiled
    limit = largest_step(compiled.model, compiled.inputs, 0.0, simulation.state, "verlet")
    np.testing.assert_allclose(limit, 2 / np.sqrt(G / 0.5), rtol=1e-4)


def test_columns_of_a_bead():
    cycloid = {"kind": "cycloid", "radius": 0.2}
    simulation = run({"path": cycloid, "parameter": 1.0, "speed": 0.3})
    simulation.advance(0.1)
    now, names = simulation.snapshot(), columns(simulation.compiled)
    table = dict(zip(names, now.numbers, strict=True))
    assert table["bead0.speed"] == now.beads.speed[0]
    q = table["bead0.parameter"]
    np.testing.assert_allclose(now.bodies.position[0], 0.2 * np.array([q - np.sin(q), 0, 1 + np.cos(q)]), atol=1e-14)
    force = [table[f"bead0.constraint_force.{x}"] for x in "xyz"]
    np.testing.assert_array_equal(force, now.beads.constraint[0])
    assert [names[f"bead0.{what}"] for what in ("parameter", "speed", "constraint_force.x")] == ["rad", "m/s", "N"]
    units = {"acceleration": "m/s^2", "tangent.x": "", "curvature.z": "1/m"}
    assert {what: names[f"bead0.{what}"] for what in units} == units


def test_columns_of_the_curve_at_a_bead_are_those_of_the_cycloid():
    """x = r (q - sin q), z = r (1 + cos q): t = (sin q/2, -cos q/2), |chi| = 1/(4 r sin q/2) across it, and the length
    from the cusp 4 r (1 - cos q/2).

    d^2 l/dt^2 = g.t of a point that slides without friction; the curve is concave upwards.
    """
    simulation = run({"path": {"kind": "cycloid", "radius": 0.2}, "parameter": 1.0, "speed": 0.3})
    simulation.advance(0.1)
    table = dict(zip(columns(simulation.compiled), simulation.snapshot().numbers, strict=True))
    q = table["bead0.parameter"]
    tangent = np.array([np.sin(q / 2), 0.0, -np.cos(q / 2)])
    curvature = np.array([np.cos(q / 2), 0.0, np.sin(q / 2)]) / (4 * 0.2 * np.sin(q / 2))
    np.testing.assert_allclose([table[f"bead0.tangent.{x}"] for x in "xyz"], tangent, atol=1e-14)
    np.testing.assert_allclose([table[f"bead0.curvature.{x}"] for x in "xyz"], curvature, atol=1e-12)
    np.testing.assert_allclose(table["bead0.acceleration"], G * np.cos(q / 2), rtol=1e-12)
    np.testing.assert_allclose(table["bead0.curvature"], 1 / (4 * 0.2 * np.sin(q / 2)), rtol=1e-12)
    np.testing.assert_allclose(table["bead0.length"], 4 * 0.2 * (1 - np.cos(q / 2)), rtol=1e-13)


def length_of(path: dict, q: float) -> float:
    """Column of a bead at rest at a parameter of a path."""
    simulation = run({"path": path, "parameter": q})
    return dict(zip(columns(simulation.compiled), simulation.snapshot().numbers, strict=True))["bead0.length"]


def test_lengths_count_from_the_start_of_a_path():
    """Of a circle R q, also in further rounds; of a parabola by its integral; of a spline by a polygon through it."""
    circle = {"kind": "circle", "radius": 0.3}
    for q in (-1.0, 0.5, 3.0, 6.0):
        assert length_of(circle, q) == pytest.approx(0.3 * q, rel=1e-13)
    parabola = {"kind": "parabola", "coefficient": 1.5, "range": [-1.0, 2.0]}
    for q in (0.7, 1.9):
        exact, _ = quad(lambda x: np.hypot(1.0, 3.0 * x), -1.0, q, epsabs=1e-13)
        assert length_of(parabola, q) == pytest.approx(exact, rel=1e-12)
    points = [[0, 0, 0], [0.2, 0, 0.1], [0.5, 0.1, 0], [0.7, 0, 0.3], [1, 0, 0]]
    spline = {"kind": "spline", "points": points}
    polygon = points_on(bead_scene({"path": spline, "parameter": 0.9}).bead[0].path, np.linspace(0.0, 0.9, 20001))
    exact = np.linalg.norm(np.diff(polygon, axis=0), axis=1).sum()
    assert length_of(spline, 0.9) == pytest.approx(exact, rel=1e-8)


def test_a_cycloid_is_isochronous_from_its_very_cusp():
    beads = [{"path": {"kind": "cycloid", "radius": 0.2}, "parameter": q} for q in (0.0, 1.0, 2.0, 3.0)]
    simulation = run(*beads)
    simulation.advance(4 * np.pi * np.sqrt(0.2 / G))
    np.testing.assert_allclose(simulation.snapshot().beads.parameter, [0.0, 1.0, 2.0, 3.0], atol=2e-6)


@pytest.mark.parametrize(
    ("bead", "said"),
    [
        (
            {"path": LINE, "parameter": 1.5},
            Meaning("bead[0].parameter", parameter=1.5, name="bead0", low=0, high=1),
        ),
        (
            {"path": {"kind": "spline", "points": [[0, 0, 0], [1, 0, 0], [0, 0, 0.0]]}},
            Meaning("bead[0].path", q=1, point=1),
        ),
    ],
)
def test_a_bead_that_cannot_start_says_why(bead, said):
    with pytest.raises(InputError) as error:
        run(bead)
    assert said.of(str(error.value.problems[0]))


def test_splines_are_those_of_scipy():
    random = np.random.default_rng(7)
    for count in (4, 5, 40):
        places = random.normal(size=(count, 3))
        knots = np.concatenate([[0], random.uniform(0.1, 1.0, count - 1).cumsum()])
        ring = np.vstack([places[:-1], places[:1]])
        for through, closed, ends in ((places, False, "natural"), (ring, True, "periodic")):
            expected = CubicSpline(knots, through, bc_type=ends).c.transpose(1, 2, 0)
            found = cubic_pieces(knots, through, closed)
            np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max())


PLACES = [
    LINE,
    {"kind": "circle", "radius": 0.5, "center": [1, 2, 3], "normal": [1, 1, 0.3]},
    {"kind": "cycloid", "radius": 0.2, "position": [1, 2, 3], "orientation": {"axis": [1, 2, 0], "angle": 0.4}},
    {"kind": "spline", "points": [[0, 0, 0], [1, 0, 0.3], [1, 1, 0.0], [0.3, 2, 1]]},
    {"kind": "spline", "points": [[0, 0, 0], [0.3, 0, 0.3], [0.2, 0.4, 0.0]], "closed": True},
    {"kind": "formula", "x": "cos(q)", "z": "q^2", "range": [0.1, 3]},
]


@pytest.mark.parametrize("path", PLACES)
def test_a_bead_is_described_where_the_physics_puts_it(path):
    described = bead_scene({"path": path, "parameter": 0.7, "path_motion": {"kind": "formula", "x": "cos(t)"}})
    now = Simulation(described).snapshot()
    np.testing.assert_allclose(described.bodies[0].position, now.bodies.position[0], atol=1e-14)


@pytest.mark.parametrize(("path", "parameter"), [({"kind": "parabola", "coefficient": 0.01}, 0.5), (PLACES[1], 50.0)])
def test_where_a_bead_is_on_its_path_counts_in_the_units_of_the_file(path, parameter, tmp_path):
    """A parabola's q is a length, a circle's an angle."""
    file = tmp_path / "scene.toml"
    bead = {"name": "bead", "path": path, "parameter": 50.0, "speed": 100.0}
    written = scene_of({"units": {"length": 0.01}, "bead": [bead]}, "")
    assert (written.bead[0].parameter, written.bead[0].speed) == (parameter, 1.0)
    write_scene(written, file)
    assert "parameter = 50.0" in file.read_text()
    assert read_scene(file).bead == written.bead


@pytest.mark.parametrize("rolling", [False, True])
def test_air_slows_a_bead_as_it_does_a_ball(rolling):
    """f m dv/dt = -d v - e v^2 from v0: v = d v0 E/(d + e v0 (1 - E)), E = exp(-d t/(f m)); without e: v0 E."""
    level = {"kind": "line", "start": [0, 0, 0], "end": [50, 0, 0]}
    bead = {"path": level, "speed": 3.0, "mass": 0.2, "rolling": rolling}
    simulation = run(bead | {"drag": 0.1}, bead | {"drag": 0.1, "quadratic_drag": 0.07}, gravity=0.0)
    before = simulation.snapshot()
    simulation.advance(2.0)
    left = np.exp(-0.1 * 2.0 / (0.2 * (1.4 if rolling else 1.0)))
    now = simulation.snapshot()
    np.testing.assert_allclose(now.beads.speed, [3 * left, 0.3 * left / (0.1 + 0.21 * (1 - left))], rtol=1e-10)
    np.testing.assert_allclose(now.energy.total, before.energy.total + now.ledger.air, rtol=1e-10)
