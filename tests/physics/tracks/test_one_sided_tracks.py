"""Beads that a track holds from one side: where they leave it, how they fly, and what they lose where they land."""

from math import acos, cos, pi, sin, sqrt

import numpy as np
import pytest
from bead_reference import squared_speed_in_a_loop
from meaning import Meaning
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from polhode.analysis.columns import columns
from polhode.integrators import METHODS
from polhode.scene.problem import InputError
from polhode.simulation.simulation import Simulation
from scenes import G, bead_scene, scene

R = 0.5
CIRCLE = {"kind": "circle", "radius": R}
STEP_DOWN = {"kind": "formula", "x": "q", "z": "-0.1 - 4*(q - 0.2)/sqrt(1 + (40*(q - 0.2))^2)", "range": [0, 40]}
HILL = {"kind": "parabola", "coefficient": -1.0, "range": [-3, 3]}  # z = -x^2
LOW = {"path": CIRCLE, "one_sided": "inside", "parameter": -pi / 2, "speed": sqrt(2 * G * 2.2 * R)}
"""A bead at the bottom of a loop, as fast as from a height of 2.2 R."""


def run(*beads, **settings):
    return Simulation(bead_scene(*beads, **settings))


def kept(simulation):
    """Energy less ledger [J], which is constant."""
    now = simulation.snapshot()
    return now.energy.total - now.ledger.total


def until_it(holds, simulation, longest=3.0):
    """Advance step by step to the first snapshot in which the bead is on its track, or not."""
    while simulation.snapshot().beads.is_held[0] != holds and simulation.time < longest:
        simulation.advance_steps(1)
    return simulation.snapshot()


def departure(now, place, velocity):
    """(t, x, z) of a free fall that leads through a position and a velocity of the snapshot `now`, where its path
    meets a departure `place` (x, z) with `velocity` (x, z): the time by the horizontal motion.
    """
    x, v = now.bodies.position[0], now.bodies.velocity[0]
    since = (x[0] - place[0]) / v[0]
    return now.time - since, v[0], v[2] + G * since, x[2] - v[2] * since - G * since**2 / 2


@pytest.mark.parametrize("method", ["rk4", "dormand_prince_8"])
def test_a_bead_leaves_the_top_of_a_ball_where_the_cosine_is_two_thirds(method):
    """From rest at the angle a: cos = 2/3 cos a, v^2 = 2 g R (cos a - cos). The time there is that of the pendulum.

    The step is 1e-3: (w dt)^4/120 with w = 6 1/s is 1e-11 of the lengths; the time of departure is then good to 1e-9.
    """
    start = 0.05
    leaves = acos(2 / 3 * cos(start))
    simulation = run({"path": CIRCLE, "one_sided": "outside", "parameter": pi / 2 - start}, method=method)
    before = kept(simulation)
    now = until_it(False, simulation)
    speed = sqrt(2 * G * R * (cos(start) - cos(leaves)))
    np.testing.assert_allclose(now.beads.parameter[0], pi / 2 - leaves, rtol=0, atol=1e-9)
    np.testing.assert_allclose(now.beads.speed[0], -speed, rtol=1e-9)

    def fall(t, y):
        return [y[1], G / R * sin(y[0])]

    def at_departure(t, y):
        return y[0] - leaves

    at_departure.terminal = True
    time = solve_ivp(fall, (0, 3), [start, 0], "DOP853", events=at_departure, rtol=1e-12, atol=1e-13).t[-1]
    place, velocity = (R * sin(leaves), R * cos(leaves)), (speed * cos(leaves), -speed * sin(leaves))
    left, vx, vz, z = departure(now, place, velocity)
    np.testing.assert_allclose([left, vx, vz, z], [time, *velocity, place[1]], rtol=0, atol=2e-9)
    simulation.advance(0.2)  # a parabola
    since, end = simulation.time - time, simulation.snapshot()
    expected = [place[0] + velocity[0] * since, 0, place[1] + velocity[1] * since - G * since**2 / 2]
    np.testing.assert_allclose(end.bodies.position[0], expected, rtol=0, atol=2e-9)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-10)


@pytest.mark.parametrize("height", [1.2, 1.7, 2.2, 2.45])
def test_a_loop_loses_a_bead_let_go_below_five_halves_of_its_radius(height):
    """It leaves where cos = 2 (h - R)/(3 R) from the top, with v^2 = g R cos, and flies on a parabola to the loop
    again, where it keeps the speed along the loop and loses the energy of the other one.
    """
    top = 2 * (height - 1) / 3
    simulation = run(LOW | {"speed": sqrt(2 * G * height * R)})
    before = kept(simulation)
    now = until_it(False, simulation)
    np.testing.assert_allclose(sin(now.beads.parameter[0]), top, rtol=0, atol=1e-9)
    np.testing.assert_allclose(now.beads.speed[0] ** 2, G * R * top, rtol=0, atol=1e-8)
    angle, speed = pi - np.arcsin(top), sqrt(G * R * top)
    if now.bodies.position[0, 0] > 0:
        angle = np.arcsin(top)
    x0, z0 = R * cos(angle), R * sin(angle)
    vx, vz = -speed * sin(angle), speed * cos(angle)
    left, *_ = departure(now, (x0, z0), (vx, vz))

    def outside(t):
        return (x0 + vx * t) ** 2 + (z0 + vz * t - G * t * t / 2) ** 2 - R**2

    flight = brentq(outside, 0.02, 2.0, xtol=1e-14)
    x, z, fall = x0 + vx * flight, z0 + vz * flight - G * flight**2 / 2, vz - G * flight
    along, across = (-z * vx + x * fall) / R, (x * vx + z * fall) / R
    simulation.advance(left + flight - 1e-6 - simulation.time)
    assert not simulation.snapshot().beads.is_held[0]
    simulation.advance(2e-6)
    now = simulation.snapshot()
    assert now.beads.is_held[0]
    np.testing.assert_allclose(now.bodies.position[0], [x, 0, z], rtol=0, atol=2e-5)
    np.testing.assert_allclose(now.beads.speed[0], along, rtol=0, atol=2e-5)
    np.testing.assert_allclose(now.ledger.contact, -0.5 * across**2, rtol=0, atol=1e-7)
    simulation.advance(0.3)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-9)


def test_a_bead_let_go_above_five_halves_of_the_radius_stays_on_the_loop():
    simulation = run(LOW | {"speed": sqrt(2 * G * 2.51 * R)})
    for _ in range(40):
        simulation.advance(0.05)
        now = simulation.snapshot()
        assert now.beads.is_held[0]
        assert now.beads.pressure[0] > 0
    assert now.beads.parameter[0] > 4 * pi


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_the_departure_with_its_order(method):
    """Half the step makes the error of the place of departure smaller by two to the order.

    Adams and Bashforth's steps are not divided, since its history needs equal ones: the bead leaves at the end of one,
    up to u dt = 6 mm late, which is 7e-3 of the height above the middle.
    """
    if method == "adams_bashforth_2":
        now = until_it(False, run(LOW, time_step=2e-3, method=method))
        assert 0 <= sin(now.beads.parameter[0]) - 0.8 < 7.2e-3
        return
    order, errors = METHODS[method].ORDER, []
    for step in (4e-3, 2e-3):
        now = until_it(False, run(LOW, time_step=step, method=method))
        errors.append(abs(sin(now.beads.parameter[0]) - 0.8))
    assert errors[1] < {1: 2e-2, 2: 2e-4, 4: 1e-9, 8: 1e-9}[order]
    if order < 4:
        assert np.log2(errors[0] / errors[1]) > order - 0.4


def test_a_bead_on_a_hill_flies_where_the_hill_falls_faster_and_meets_it_again():
    """Over the top of z = -x^2 with v: it flies at once if v^2 > g/2, on z = -g x^2/(2 v^2). Slower, it stays.

    Fast beads leave the hill for good, since their parabola is wider.
    """
    fast, slow = (
        run({"path": HILL, "one_sided": "below", "parameter": 0.0, "speed": speed}, time_step=2e-3)
        for speed in (1.02 * sqrt(G / 2), 0.98 * sqrt(G / 2))
    )
    fast.advance(0.3)
    slow.advance(0.3)
    expected = 0.3 * 1.02 * sqrt(G / 2)
    np.testing.assert_allclose(fast.snapshot().bodies.position[0], [expected, 0, -G * 0.045], rtol=0, atol=1e-10)
    assert not fast.snapshot().beads.is_held[0]
    assert slow.snapshot().beads.is_held[0]


@pytest.mark.parametrize(("one_sided", "pressed"), [("below", False), ("above", True)])
def test_on_the_upper_side_of_a_bowl_a_bead_rolls_on_and_from_its_lower_side_it_falls(one_sided, pressed):
    bowl = {"kind": "parabola", "coefficient": 0.5}
    simulation = run({"path": bowl, "one_sided": one_sided, "parameter": 0.5, "rolling": True})
    simulation.advance(0.2)
    now = simulation.snapshot()
    assert now.beads.is_held[0] != pressed
    if pressed:
        np.testing.assert_allclose(now.bodies.position[0], [0.5, 0, 0.125 - G * 0.02], rtol=0, atol=1e-12)


@pytest.mark.parametrize("restitution", [0.3, 0.8])
def test_a_bead_bounces_on_its_track_by_the_restitution_of_its_contact(restitution):
    """Down a step of 0.2 m it bounces with e of its speed, shorter and shorter, until it slides on."""
    contact = {"stiffness": 1e4, "restitution": restitution}
    simulation = run({"path": STEP_DOWN, "one_sided": "below", "speed": 2.0, "mass": 0.3, "contact": contact})
    before = kept(simulation)
    last, ratios = until_it(False, simulation), []
    while not (now := simulation.snapshot()).beads.is_held[0]:
        if last.bodies.velocity[0, 2] < 0 < now.bodies.velocity[0, 2]:
            ratios.append(now.bodies.velocity[0, 2] / -last.bodies.velocity[0, 2])
        last = now
        simulation.advance_steps(1)
    assert len(ratios) >= 2
    np.testing.assert_allclose(ratios[0], restitution, rtol=0, atol=0.02)  # a step of fall is 0.5 % of the speed
    simulation.advance(0.2)
    now = simulation.snapshot()
    assert now.beads.is_held[0]
    np.testing.assert_allclose(now.bodies.position[0, 2], -0.2, rtol=0, atol=1e-4)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-8)
    assert now.ledger.contact < -0.9 * 0.3 * G * 0.2 * (1 - restitution**2)
    assert simulation._work.events.divided[0] <= len(ratios) + 4  # departure, impacts, and no other step


def test_a_bead_thrown_up_by_a_shaken_track_comes_down_on_it():
    """A level track that is shaken by more than g: the bead leaves where a0 = -g, and the work of the track closes.

    x0 = A sin(w t), so it leaves at sin(w t) = g/(A w^2) with the velocity of the track.
    """
    level = {"kind": "line", "start": [-1, 0, 0], "end": [1, 0, 0]}
    shaken = {"kind": "formula", "z": "0.02*sin(30*t)"}
    simulation = run({"path": level, "path_motion": shaken, "parameter": 1.0, "one_sided": "below"}, time_step=1e-3)
    before = kept(simulation)
    now = until_it(False, simulation)
    left = np.arcsin(G / (0.02 * 900)) / 30
    since = now.time - left
    height = 0.02 * sin(30 * left) + 0.6 * cos(30 * left) * since - G * since**2 / 2
    np.testing.assert_allclose(now.bodies.position[0, 2], height, rtol=0, atol=1e-11)

    def above(t):
        return 0.02 * sin(30 * left) + 0.6 * cos(30 * left) * t - G * t * t / 2 - 0.02 * sin(30 * (left + t))

    flight = brentq(above, 1e-2, 0.3, xtol=1e-14)
    simulation.advance(left + flight - simulation.time - 1e-6)
    assert not simulation.snapshot().beads.is_held[0]
    simulation.advance(2e-6)
    now = simulation.snapshot()
    lost = 0.6 * cos(30 * left) - G * flight - 0.6 * cos(30 * (left + flight))
    assert now.beads.is_held[0]
    np.testing.assert_allclose(now.ledger.contact, -(lost**2) / 2, rtol=1e-6)
    simulation.advance(1.0)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-8)


def test_more_beads_than_a_step_is_divided_for_land_at_the_same_time():
    """Forty beads that leave their tracks within one step and come down within another: none falls through."""
    level = {"kind": "line", "start": [-1, 0, 0], "end": [1, 0, 0]}
    bead = {"path": level, "parameter": 1.0, "one_sided": "below"}
    amplitudes = 0.02 + 1e-6 * np.arange(40)
    shaken = [bead | {"path_motion": {"kind": "formula", "z": f"{one}*sin(30*t)"}} for one in amplitudes]
    simulation = run(*shaken, time_step=1e-3)
    held = []
    while simulation.time < 0.18:
        simulation.advance_steps(1)
        held.append(simulation.snapshot().beads.is_held.sum())
    assert set(held) == {0, 40}
    heights = simulation.snapshot().bodies.position[:, 2]
    np.testing.assert_allclose(heights, amplitudes * sin(30 * simulation.time), rtol=0, atol=1e-12)


def test_a_rolling_bead_takes_its_spin_along_and_lands_with_the_angular_momentum_about_its_line_of_contact():
    """Over a step of a track: it keeps its spin in flight, and after the landing f u = v.t + (2/5) r omega.e, since the
    impulse of the track has no moment about the line of contact. In a step of 1 ms the fall adds 4e-5 m/s to v.t.
    """
    simulation = run({"path": STEP_DOWN, "one_sided": "below", "speed": 2.0, "rolling": True, "radius": 0.1})
    before = kept(simulation)
    now = until_it(False, simulation)
    spin = now.bodies.angular_velocity[0].copy()
    np.testing.assert_allclose(spin, [0, now.beads.speed[0] / 0.1, 0], rtol=0, atol=1e-3)
    while not (landed := simulation.snapshot()).beads.is_held[0]:
        now = landed
        simulation.advance_steps(1)
    along = now.bodies.velocity[0] @ landed.beads.tangent[0]
    np.testing.assert_allclose(landed.beads.speed[0], (along + 0.4 * 0.1 * spin[1]) / 1.4, rtol=0, atol=5e-5)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-8)


def test_beside_its_track_or_beyond_its_end_a_bead_falls_on():
    """The end of a ramp leaves it, below which it falls past the ramp; a push to the side makes it miss the track."""
    ramp = {"kind": "line", "start": [0, 0, 0], "end": [1, 0, 0.2]}
    simulation = run({"path": ramp, "one_sided": "below", "parameter": 0.9, "speed": 1.0, "ends": "leave"})
    simulation.advance(1.5)  # its foot on the line of the ramp passes the end while it is far below
    now = simulation.snapshot()
    assert not now.beads.is_held[0]
    assert now.bodies.position[0, 2] < -6
    assert simulation._work.events.divided[0] <= 2  # it is behind the ramp for many steps
    blown = Simulation(scene(bead=[LOW | {"name": "bead"}], gravity=[0, 2, -G]))
    blown.advance(1.5)
    now = blown.snapshot()
    assert not now.beads.is_held[0]
    assert now.bodies.position[0, 1] > 0.5


def test_a_bead_without_forces_stays_on_its_track_and_divides_no_step():
    """Nothing presses it against the track, nor away from it."""
    line = {"path": {"kind": "line", "start": [0, 0, 0], "end": [1, 0, 0]}, "one_sided": "below"}
    rests, slides = line | {"kinetic_friction": 0.2}, line | {"kinetic_friction": 0.2, "speed": 0.5}
    simulation = run(rests, slides, gravity=0)
    simulation.advance(0.5)
    now = simulation.snapshot().beads
    assert now.is_held.all()
    np.testing.assert_allclose(now.parameter, [0.0, 0.25], rtol=0, atol=1e-12)
    assert simulation._work.events.divided[0] == 0


def test_a_method_whose_steps_are_not_divided_lands_too():
    """By Adams and Bashforth's method it falls behind its track by less than a step, u dt, and is put back on it."""
    simulation = run(LOW, time_step=1e-3, method="adams_bashforth_2")
    until_it(False, simulation)
    now = until_it(True, simulation)
    by_rk4 = run(LOW)
    until_it(False, by_rk4)
    landed = until_it(True, by_rk4)
    np.testing.assert_allclose(np.hypot(*now.bodies.position[0, [0, 2]]), R, rtol=0, atol=1e-12)
    np.testing.assert_allclose(now.beads.parameter[0], landed.beads.parameter[0], rtol=0, atol=2e-2)
    np.testing.assert_allclose(simulation.time, by_rk4.time, rtol=0, atol=4e-3)


def test_friction_and_one_side_together_lose_the_bead_where_the_twin_does():
    """In the loop with friction v^2 solves a linear equation; the bead leaves at v^2 = g R sin a."""
    simulation = run(LOW | {"kinetic_friction": 0.1, "speed": 5.4})
    before = kept(simulation)
    now = until_it(False, simulation)
    angle = brentq(lambda a: squared_speed_in_a_loop(a, 0.1, R, -pi / 2, 5.4**2) - G * R * sin(a), 0.2, 1.5)
    np.testing.assert_allclose(now.beads.parameter[0], angle, rtol=0, atol=1e-9)
    simulation.advance(1.5)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-8)


def test_a_bead_on_a_turning_track_flies_off_and_the_motor_stops_working():
    """A hoop about a vertical axis, the bead outside it: beyond the angle where the hoop would have to pull inwards."""
    hoop = {"path": CIRCLE, "path_motion": {"kind": "spin", "angular_velocity": 9.0}, "one_sided": "outside"}
    simulation = run(hoop | {"parameter": pi / 2 - 0.05})
    before = kept(simulation)
    until_it(False, simulation)
    simulation.advance(0.2)  # behind the hoop it falls back on it once
    now = simulation.snapshot()
    assert not now.beads.is_held[0]
    drive = now.ledger.drive
    simulation.advance(0.2)
    now = simulation.snapshot()
    assert now.ledger.drive == pytest.approx(drive, abs=1e-12)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=1e-9)


def test_a_turning_track_that_grazes_its_bead_does_so_at_the_same_place_at_any_step():
    """Beside the turning path it touches its track again just after the departure, with hardly any speed across."""
    hill = {"path": HILL | {"coefficient": -0.7}, "path_motion": {"kind": "spin", "angular_velocity": 4.0}}
    places = []
    for step in (1e-3, 2.5e-4):
        simulation = run(hill | {"one_sided": "below", "parameter": 0.3, "speed": 1.2}, time_step=step)
        simulation.advance(1.0)
        places.append(simulation.snapshot().bodies.position[0])
    np.testing.assert_allclose(places[0], places[1], rtol=0, atol=1e-4)


def test_the_column_says_when_the_track_holds_the_bead():
    simulation = run(LOW, {"path": CIRCLE})
    names = list(columns(simulation.compiled))
    assert names.count("bead0.on_track") == 1
    assert "bead1.on_track" not in names
    place = names.index("bead0.on_track")
    assert simulation.snapshot().numbers[place] == 1.0
    until_it(False, simulation)
    assert simulation.snapshot().numbers[place] == 0.0
    until_it(True, simulation)
    assert simulation.snapshot().numbers[place] == 1.0


def test_a_checkpoint_in_flight_is_returned_to_exactly():
    simulation = run(LOW)
    until_it(False, simulation)
    kept_state = simulation.checkpoint()
    simulation.advance(0.5)
    end = simulation.state
    simulation.return_to(kept_state)
    simulation.advance(0.5)
    np.testing.assert_array_equal(simulation.state, end)


@pytest.mark.parametrize(
    ("path", "side", "said"),
    [
        (
            CIRCLE,
            "below",
            Meaning("bead[0].one_sided", "upright", side="below"),
        ),
        (
            {"kind": "line", "start": [0, 0, 0], "end": [1, 0, 0]},
            "inside",
            Meaning("bead[0].one_sided", "straight", side="inside"),
        ),
        (CIRCLE, "left", Meaning("bead[0].one_sided", "known", value="'left'")),
    ],
)
def test_a_side_that_a_path_does_not_have_is_refused(path, side, said):
    with pytest.raises(InputError) as error:
        run({"path": path, "one_sided": side})
    assert said.of(str(error.value.problems[0]))


PATHS = (
    {"kind": "circle", "radius": 0.5, "normal": [0.3, 1.0, 0.4]},
    {"kind": "parabola", "coefficient": -0.7, "range": [-2, 2]},
    {"kind": "helix", "radius": 0.4, "pitch": 0.3, "turns": 4},
    {"kind": "line", "start": [0, 0, 0], "end": [0.9, 0.4, -0.5]},
    {"kind": "lissajous", "amplitudes": [0.5, 0.3, 0.4], "frequencies": [1, 2, 1], "phases": [0, 0.3, 1.2]},
)
MOTIONS = (
    {"kind": "still"},
    {"kind": "sine", "direction": [0, 0.3, 1], "amplitude": 0.05, "period": 0.3},
    {"kind": "spin", "angular_velocity": 4.0},
)


def any_bead(random):
    """A bead on any path and with any track that is possible there, in moving air."""
    path = PATHS[random.integers(len(PATHS))]
    sides = {"circle": ["inside", "outside"], "line": ["below", "above"]}.get(
        path["kind"], ["inside", "below", "above"]
    )
    bead = {"path": path, "path_motion": MOTIONS[random.integers(3)], "one_sided": str(random.choice(sides))}
    bead |= {"speed": float(2 * random.normal()), "mass": float(random.uniform(0.1, 1)), "parameter": 0.3, "drag": 0.1}
    bead |= {"ends": ["bounce", "stop", "leave"][random.integers(3)], "rolling": bool(random.random() < 0.3)}
    return bead if bead["rolling"] else bead | {"kinetic_friction": float(random.uniform(0, 0.8))}


@pytest.mark.parametrize("seed", range(12))
def test_in_any_scene_the_energy_is_that_of_the_ledger(seed):
    """Two beads that leave, land, slip, stop and reach ends: some (w dt)^4/120 of 3 J at 1e-3, w some 30 1/s: 1e-6."""
    random = np.random.default_rng(seed)
    simulation = run(any_bead(random), any_bead(random), wind={"velocity": [0.5, -0.3, 0.0]})
    before = kept(simulation)
    simulation.advance(1.5)
    np.testing.assert_allclose(kept(simulation), before, rtol=0, atol=2e-6)


def test_a_path_that_is_upright_between_its_samples_is_found_out_and_a_close_helix_is_not():
    """Forty waves, upright at points that no even sample meets, and a helix of forty turns."""
    waves = {"kind": "formula", "x": "0.1*q + 0.1*sin(2*q)", "z": "0.5*sin(q)", "range": [0, 251]}
    with pytest.raises(InputError, match="upright"):
        run({"path": waves, "one_sided": "below"})
    run({"path": {"kind": "helix", "radius": 0.4, "pitch": 0.1, "turns": 40}, "one_sided": "below"})
