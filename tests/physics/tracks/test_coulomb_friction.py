"""Coulomb friction of beads: closed forms on an incline and in a loop, and a twin on curves in space by scipy."""

from math import atan, cos, pi, sin, sqrt

import numpy as np
import pytest
from bead_reference import Waves, squared_speed_in_a_loop
from meaning import Meaning
from scipy.integrate import solve_ivp

from polhode.engine.work import make_work
from polhode.integrators import METHODS
from polhode.physics.paths.arrays import HOLD
from polhode.physics.tracks.part import PART
from polhode.scene.problem import InputError
from polhode.simulation.simulation import Simulation
from polhode.simulation.state_transfer import transfer_state
from scenes import G, bead_scene, scene

INCLINE = 0.5  # [rad]
SLOPE = {"kind": "line", "start": [0, 0, 0], "end": [8 * cos(INCLINE), 0, -8 * sin(INCLINE)]}


def run(*beads, **settings):
    return Simulation(bead_scene(*beads, **settings))


def kept(simulation):
    """Energy less ledger [J], which is constant."""
    now = simulation.snapshot()
    return now.energy.total - now.ledger.total


@pytest.mark.parametrize("method", METHODS)
def test_a_bead_slides_up_an_incline_stops_and_slides_down_as_the_closed_form_says(method):
    """Forces are constant but for the jump where it stops, in the middle of a step; so the order of the method does not
    matter, except that order 1 is wrong by dt u/2 in q. The implicit method knows its rates to 1e-6. The steps of
    Adams-Bashforth are not divided, since its history needs equal ones: the bead turns up to a step late, and the
    method begins before and after with a step of Euler.
    """
    friction = 0.3
    simulation = run(
        {"path": SLOPE, "kinetic_friction": friction, "parameter": 4.0, "speed": -3.0}, time_step=7e-3, method=method
    )
    simulation.advance(1.05)
    up, down = G * (sin(INCLINE) + friction * cos(INCLINE)), G * (sin(INCLINE) - friction * cos(INCLINE))
    left = 1.05 - 3.0 / up
    now = simulation.snapshot().beads
    known = {"implicit": 3e-6, "adams_bashforth_2": 7e-3 * down}.get(method, 1e-12)
    late = 7e-3**2 * up + 7e-3 * down * left
    begun = {1: 7e-3 * 3.0}.get(METHODS[method].ORDER, late if method == "adams_bashforth_2" else known)
    np.testing.assert_allclose(now.speed[0], down * left, rtol=0, atol=known)
    expected = 4.0 - 3.0**2 / (2 * up) + down * left**2 / 2
    np.testing.assert_allclose(now.parameter[0], expected, rtol=0, atol=begun)


@pytest.mark.parametrize(("beside", "slides"), [(-1e-9, True), (1e-9, False)])
def test_a_bead_rests_on_an_incline_up_to_the_angle_of_friction(beside, slides):
    """tan of the angle is the coefficient; 1e-9 beside it the force left over moves the bead by 1e-9 g t^2/2."""
    ratio = sin(INCLINE) / cos(INCLINE) * (1 + beside)
    assert atan(ratio) == pytest.approx(INCLINE, abs=1e-8)
    simulation = run({"path": SLOPE, "kinetic_friction": ratio, "parameter": 4.0})
    simulation.advance(1.0)
    moved = simulation.snapshot().beads.parameter[0] - 4.0
    if slides:
        np.testing.assert_allclose(moved, G * sin(INCLINE) * 1e-9 / 2, rtol=1e-3)
    else:
        assert moved == 0.0


def test_a_bead_that_has_stopped_does_not_creep():
    simulation = run({"path": SLOPE, "kinetic_friction": 0.8, "parameter": 4.0, "speed": 1.7}, time_step=1e-2)
    before = kept(simulation)
    simulation.advance(1.7 / (G * (0.8 * cos(INCLINE) - sin(INCLINE))) + 0.01)
    place = simulation.snapshot().beads.parameter[0]
    np.testing.assert_allclose(place, 4.0 + 1.7**2 / (2 * G * (0.8 * cos(INCLINE) - sin(INCLINE))), rtol=1e-13)
    simulation.advance(20.0)
    now = simulation.snapshot()
    assert (now.beads.parameter[0], now.beads.speed[0]) == (place, 0.0)
    np.testing.assert_allclose(now.beads.constraint[0], [0, 0, G], rtol=0, atol=1e-13)  # it carries the weight
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-12)


def test_a_bead_at_rest_slips_where_the_driving_force_passes_the_static_one():
    """A level path that is pushed ever more, x0 = 0.05 t^3: it slips where 0.3 t = mu_s g, then u' = mu_k g - 0.3 t.

    Before, it moves with the path. The time is not that of a step.
    """
    level, shaken = {"kind": "line", "start": [0, 0, 0], "end": [9, 0, 0]}, {"kind": "formula", "x": "0.05*t^3"}
    bead = {"path": level, "path_motion": shaken, "parameter": 5.0, "kinetic_friction": 0.1, "static_friction": 0.13}
    simulation = run(bead, time_step=1e-2)
    before = kept(simulation)
    slip = 0.13 * G / 0.3
    simulation.advance(slip - 1e-9)
    assert simulation.snapshot().beads.parameter[0] == 5.0
    simulation = run(bead, time_step=1e-2)
    simulation.advance(5.0)
    now = simulation.snapshot()
    since = 5.0 - slip
    expected = 0.1 * G * since - 0.15 * (5.0**2 - slip**2)
    np.testing.assert_allclose(now.beads.speed[0], expected, rtol=0, atol=1e-11)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-10)
    assert now.ledger.friction < -0.01 < 0.1 < now.ledger.drive


@pytest.mark.parametrize("one_sided", [None, "inside"])
def test_the_speed_in_a_loop_is_that_of_the_linear_equation_for_its_square(one_sided):
    """RK4, order 4: some (w dt)^4/120 of v^2 with w = u/R = 16 1/s; at half the step a sixteenth."""
    errors = []
    for step in (4e-3, 2e-3):
        bead = {"path": {"kind": "circle", "radius": 0.5}, "kinetic_friction": 0.1, "parameter": -pi / 2, "speed": 8.0}
        simulation = run(bead | {"one_sided": one_sided}, time_step=step)
        before = kept(simulation)
        simulation.advance(0.6)
        now = simulation.snapshot().beads
        assert now.parameter[0] > 1.2 * pi  # beyond the top
        expected = squared_speed_in_a_loop(now.parameter[0], 0.1, 0.5, -pi / 2, 8.0**2)
        errors.append(abs(now.speed[0] ** 2 - expected))
        np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=2e-6 * (step / 4e-3) ** 4)
    assert errors[1] < 1e-7
    assert 3.5 < np.log2(errors[0] / errors[1]) < 5.5


def twin(path, mass, friction, viscous, q, speed, until):
    """q and u at `until` of a bead with Coulomb friction: curvature by the complex step, stops as events of DOP853.

    It turns back where the force along the path exceeds the friction of the force across, else it rests.
    """
    weight = np.array([0.0, 0.0, -mass * G])

    def parts(q, u):
        first = path.rate(q)
        second = path.rate(q + 1e-30j).imag / 1e-30
        length = np.linalg.norm(first)
        tangent = first / length
        bend = (second - tangent * (tangent @ second)) / length**2
        force = mass * u * u * bend - weight
        across = force - tangent * (force @ tangent)
        return length, weight @ tangent, np.linalg.norm(across)

    def stops(t, y, sign):
        return y[1]

    stops.terminal = True
    t, y = 0.0, np.array([q, speed])
    sign = np.sign(speed)
    while t < until:

        def rate(t, y, sign):
            length, along, across = parts(*y)
            return [y[1] / length, (along - viscous * y[1] - sign * friction * across) / mass]

        stops.direction = -sign
        found = solve_ivp(rate, (t, until), y, "DOP853", events=stops, args=(sign,), rtol=1e-12, atol=1e-12)
        t, y = found.t[-1], found.y[:, -1]
        if found.status == 1:
            _, along, across = parts(y[0], 0.0)
            y[1] = 0.0
            if abs(along) <= friction * across:
                return y
            sign = np.sign(along)
    return y


@pytest.mark.parametrize("friction", [0.05, 0.2, 0.6])
@pytest.mark.parametrize("seed", [1, 4])
def test_a_bead_on_a_curve_in_space_moves_as_the_twin_says(seed, friction):
    """Stops and turns at any time, by order 8."""
    path = Waves.random(seed)
    bead = {"path": {"kind": "formula", **path.texts(), "range": [-60, 60]}, "parameter": 0.3, "speed": 1.5}
    bead |= {"mass": 0.7, "kinetic_friction": friction, "friction": 0.02}
    simulation = run(bead, method="dormand_prince_8", time_step=2e-3)
    before = kept(simulation)
    for until in (0.7, 1.4, 2.1):
        simulation.advance(0.7)
        now = simulation.snapshot().beads
        expected = twin(path, 0.7, friction, 0.02, 0.3, 1.5, until)
        np.testing.assert_allclose([now.parameter[0], now.speed[0]], expected, rtol=0, atol=2e-9)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=2e-9)


@pytest.mark.parametrize("ends", ["bounce", "stop", "leave"])
def test_at_an_end_the_energy_is_that_of_the_ledger(ends):
    """On a path that is carried along: bouncing off it takes work, stopping loses the energy of the relative motion."""
    line = {"kind": "line", "start": [0, 0, 0], "end": [1.2, 0, 0.5]}
    moving = {"kind": "formula", "x": "0.4*t", "z": "0.1*t"}
    bead = {"path": line, "path_motion": moving, "parameter": 0.7, "speed": 4.0, "kinetic_friction": 0.2, "ends": ends}
    simulation = run(bead, time_step=1e-3)
    before = kept(simulation)
    simulation.advance(0.3)
    now = simulation.snapshot()
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-11)
    assert now.beads.is_held[0] == (ends != "leave")
    assert (now.ledger.contact < -1.0) == (ends == "stop")


def test_bounces_between_stops_lose_what_friction_takes():
    """On a level path u^2 falls by 2 mu g per metre whatever its direction, so it rests after u^2/(2 mu g) metres."""
    line = {"kind": "line", "start": [0, 0, 0], "end": [1, 0, 0]}
    simulation = run({"path": line, "parameter": 0.5, "speed": 4.0, "kinetic_friction": 0.2}, time_step=3e-3)
    simulation.advance(2.5)
    way = 4.0**2 / (2 * 0.2 * G) + 0.5
    turns, rest = divmod(way, 1.0)
    now = simulation.snapshot()
    np.testing.assert_allclose(now.beads.parameter[0], rest if turns % 2 == 0 else 1 - rest, rtol=0, atol=1e-12)
    np.testing.assert_allclose(now.ledger.friction, -0.5 * 4.0**2, rtol=1e-12)
    assert simulation._work.events.divided[0] == turns + 1  # no other step has an event


def test_a_bead_that_is_pressed_against_an_end_stays_there():
    """Lossless bounces become shorter than a few steps by friction; then it lies at the end, and loses no more."""
    simulation = run({"path": SLOPE, "parameter": 7.9, "kinetic_friction": 0.2}, time_step=1e-3)
    before = kept(simulation)
    simulation.advance(6.0)
    now = simulation.snapshot()
    np.testing.assert_allclose([now.beads.parameter[0], now.beads.speed[0]], [8.0, 0.0], rtol=0, atol=1e-6)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-6)


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_a_bead_rests_at_an_end_until_the_forces_pull_it_away(friction):
    """A path that is pushed, x0 = 0.2 t^3, under a field along x: the bead is pressed against the end until a0 = g.

    With friction it slips later, where a0 - g is that of the weight. From there on du/dt = g - a0 plus the friction.
    """
    level, pushed = {"kind": "line", "start": [0, 0, 0], "end": [4, 0, 0]}, {"kind": "formula", "x": "0.2*t^3"}
    bead = {"path": level, "path_motion": pushed, "parameter": 4.0, "kinetic_friction": friction}
    bead |= {} if friction else {"one_sided": "below"}
    simulation = Simulation(scene(bead=[bead | {"name": "bead"}], gravity=[2.0, 0, -G]))
    freed = (2.0 + friction * G) / 1.2
    simulation.advance(freed - 1e-9)
    now = simulation.snapshot().beads
    assert (now.parameter[0], now.speed[0]) == (4.0, 0.0)
    assert simulation._work.events.divided[0] <= 2
    before = kept(simulation)
    simulation.advance(1.0)
    now, end = simulation.snapshot().beads, freed - 1e-9 + 1.0
    expected = (2.0 + friction * G) * (end - freed) - 0.6 * (end**2 - freed**2)
    np.testing.assert_allclose(now.speed[0], expected, rtol=0, atol=1e-8)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-8)


def test_an_edit_frees_a_bead_that_rests_at_an_end():
    """Without friction the bead is no longer on a track; as the path is turned over it slides back."""
    rough = {"path": SLOPE, "parameter": 8.0, "kinetic_friction": 0.1}
    simulation = run(rough)
    simulation.advance(0.1)
    now = simulation.snapshot().beads
    assert (now.parameter[0], now.speed[0]) == (8.0, 0.0)
    simulation.load(bead_scene({**rough, "kinetic_friction": 0.0}, gravity=-G))
    simulation.advance(0.5)
    np.testing.assert_allclose(simulation.snapshot().beads.speed[0], -G * sin(INCLINE) * 0.5, rtol=1e-9)


def test_an_edit_gives_and_takes_friction_while_the_bead_moves():
    """A bead that rests by friction starts when the friction is taken away, and one that slides gets it."""
    rough, smooth = ({"path": SLOPE, "parameter": 4.0, "kinetic_friction": number} for number in (0.8, 0.0))
    one, other = run(rough), run(smooth)
    one.advance(0.1)
    other.advance(0.1)
    state = transfer_state(one.compiled, one.state, other.compiled, one.time)
    assert state[one.compiled.model.beads.at + HOLD] == 0.0
    other.load(bead_scene(rough))
    speed = other.snapshot().beads.speed[0]
    other.advance(0.01)
    slower = G * (sin(INCLINE) - 0.8 * cos(INCLINE)) * 0.01
    np.testing.assert_allclose(other.snapshot().beads.speed[0], speed + slower, rtol=1e-12)


def test_friction_grows_with_the_force_of_a_magnet():
    """A field gradient presses a bead with a moment against a level path: F = m dB/dz, and u' = -mu (g + F/mass)."""
    field = {"kind": "formula", "x": "0.1*x", "y": "0.1*y", "z": "-0.2*z"}
    bead = {"path": {"kind": "line", "start": [0, 0, 0], "end": [3, 0, 0]}, "mass": 0.5, "moment": [0, 0, 4.0]}
    simulation = run(bead | {"speed": 2.0, "kinetic_friction": 0.3}, world={"magnetic_field": field})
    simulation.advance(0.4)
    pressed = G + 4.0 * 0.2 / 0.5
    np.testing.assert_allclose(simulation.snapshot().beads.speed[0], 2.0 - 0.3 * pressed * 0.4, rtol=1e-9)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        (
            {"kinetic_friction": 0.3, "static_friction": 0.2},
            Meaning("bead[0]", static_friction=0.2, kinetic_friction=0.3),
        ),
        ({"kinetic_friction": -0.1}, Meaning("bead[0].kinetic_friction", "least", limit=0, value=-0.1)),
        (
            {"rolling": True, "kinetic_friction": 0.1},
            Meaning("bead[0]", "slipping"),
        ),
    ],
)
def test_friction_that_cannot_be_says_why(fields, rule):
    with pytest.raises(InputError) as error:
        run({"path": SLOPE, **fields})
    (problem,) = error.value.problems
    assert rule.of(problem)
    assert str(problem).startswith("bead[0]")


def test_an_equal_static_coefficient_is_the_default():
    assert bead_scene({"path": SLOPE, "kinetic_friction": 0.3}).bead[0].holding_friction == 0.3
    assert sqrt(bead_scene({"path": SLOPE, "static_friction": 0.25}).bead[0].holding_friction) == 0.5


def test_scenes_without_tracks_have_none_of_their_hooks():
    """Without them, beads under their weight keep their idle rows; friction needs the geometry of the path always."""
    smooth, rough = run({"path": SLOPE}), run({"path": SLOPE, "kinetic_friction": 0.1})
    for simulation, present in ((smooth, False), (rough, True)):
        work, model = make_work(simulation.compiled.model, simulation.inputs), simulation.compiled.model
        assert PART.is_in(model, simulation.inputs) == present
        assert bool(work.program.only_beads[0]) != present
        assert bool(work.beads.constraint_requested[0]) == present
