"""Limits, strings, dry friction and breaking of joints: closed forms, conservation, orders, every method."""

from __future__ import annotations

import tomllib
from math import asin, cos, pi, sin, sqrt
from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning
from scipy.integrate import quad

from polhode.engine.model import Clock
from polhode.integrators import METHODS
from polhode.physics.joints.arrays import AT_LOWER, AT_UPPER, BROKEN, FREE, SLIDES_BACKWARD, SLIDES_FORWARD, STUCK
from polhode.run.events import divide_step, find_sides
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of
from polhode.simulation.diverged import Cancelled
from polhode.simulation.scene_from_snapshot import scene_from_snapshot
from polhode.simulation.simulation import Simulation

G = 9.80665
DIVIDED = [name for name in METHODS if name != "adams_bashforth_2" and not name.endswith("as_printed")]


def block(name="a", mass=1.0, size=0.1, **more):
    return {"name": name, "support": "free", "shape": [{"kind": "cuboid", "size": [size] * 3, "mass": mass}]} | more


def slider(axis=(0, 0, 1), **more):
    """The first body is the block, so that the displacement is minus its own way along the axis."""
    return {"name": "s", "kind": "slider", "first": "a", "axis": list(axis), "anchor_second": [0, 0, 0]} | more


def simulated(bodies, joints, gravity=(0, 0, -G), **solver):
    data = {"format": 1, "world": {"gravity": list(gravity)}, "solver": {"time_step": 1e-3} | solver}
    return Simulation(scene_of(data | {"body": bodies, "joint": joints}, ""))


def status(simulation, joint=0):
    return int(simulation.snapshot().joints.status[joint])


def ledger_closes(simulation, start, tolerance=1e-9):
    now = simulation.snapshot()
    assert now.energy.total - now.ledger.total == pytest.approx(start, abs=tolerance)


# Limits


@pytest.mark.parametrize("method", DIVIDED)
def test_a_block_on_a_slider_bounces_as_the_closed_form_says(method):
    """From rest at the height h above its limit: impact at T = sqrt(2 h/g), then e times the speed, and so on."""
    height, e = 0.3, 0.7
    simulation = simulated(
        [block()], [slider(limits={"upper": height, "restitution": e})], method=method, time_step=2e-3
    )
    start = simulation.snapshot().energy.total
    fall = sqrt(2 * height / G)
    speed, begin = e * G * fall, fall
    for _ in range(2):  # the second flight ends at begin
        begin, speed = begin + 2 * speed / G, speed * e
    until = 0.95
    assert begin < until < begin + 2 * speed / G
    simulation.advance_steps(round(until / simulation.time_step))
    after = until - begin
    now = simulation.snapshot()
    exact = 0.03 if METHODS[method].ORDER == 1 else 1e-9
    assert now.bodies.position[0] == pytest.approx([0, 0, -height + speed * after - G * after**2 / 2], abs=exact)
    assert now.bodies.velocity[0, 2] == pytest.approx(speed - G * after, abs=5 * exact)
    assert status(simulation) == FREE
    if METHODS[method].ORDER > 1:
        ledger_closes(simulation, start)
        assert now.ledger.contact < -0.5


def test_a_block_comes_to_rest_on_its_limit_with_its_weight():
    simulation = simulated([block(mass=2.0)], [slider(limits={"upper": 0.2, "restitution": 0.5})])
    start = simulation.snapshot().energy.total
    simulation.advance_steps(3000)
    now = simulation.snapshot()
    assert status(simulation) == AT_UPPER
    assert now.bodies.position[0] == pytest.approx([0, 0, -0.2], abs=1e-15)
    assert now.joints.force[0] == pytest.approx([0, 0, -2 * G], rel=1e-12)  # on the laboratory
    assert now.joints.coordinate[0] == pytest.approx(0.2, abs=1e-15)
    assert now.ledger.contact == pytest.approx(-2 * G * 0.2, rel=1e-6)
    ledger_closes(simulation, start)


def test_a_hinge_between_two_free_bodies_stops_and_keeps_angular_momentum():
    """Two equal plates turn against each other until the limit; then they turn as one with the sum of L."""
    plates = [
        block("a", angular_velocity=[0, 0, 3.0]),
        block("b", angular_velocity=[0, 0, 5.0], size=0.2),
    ]
    hinge = {"name": "h", "kind": "hinge", "first": "a", "second": "b", "axis": [0, 0, 1], "anchor": [0, 0, 0]}
    simulation = simulated(plates, [hinge | {"limits": {"lower": -1.0, "upper": 7.0}}], gravity=(0, 0, 0))
    before = simulation.snapshot()
    simulation.advance_steps(4000)  # 8 rad without the limit, more than a turn
    now = simulation.snapshot()
    assert np.array(now.angular_momentum) == pytest.approx(np.array(before.angular_momentum), abs=1e-14)
    assert now.joints.coordinate[0] == pytest.approx(7.0, abs=1e-13)
    common = (3.0 * 0.1**2 + 5.0 * 0.2**2) / (0.1**2 + 0.2**2)
    assert now.bodies.angular_velocity[:, 2] == pytest.approx([common, common], rel=1e-12)
    ledger_closes(simulation, before.energy.total)


def test_a_cylindrical_joint_bounces_along_its_axis_and_turns_on():
    """A spinning block falls to the limit of its displacement; its rotation knows nothing of it."""
    joint = slider(kind="cylindrical", limits={"upper": 0.3, "restitution": 0.7})
    simulation = simulated([block(angular_velocity=[0, 0, 5.0])], [joint])
    start = simulation.snapshot().energy.total
    fall = sqrt(2 * 0.3 / G)
    simulation.advance_steps(400)
    after, speed = 0.4 - fall, 0.7 * G * fall
    now = simulation.snapshot()
    assert now.bodies.position[0] == pytest.approx([0, 0, -0.3 + speed * after - G * after**2 / 2], abs=1e-9)
    assert now.bodies.angular_velocity[0] == pytest.approx([0, 0, 5.0], abs=1e-12)
    assert now.joints.coordinate[0] == pytest.approx(-2.0, abs=1e-10)  # of the laboratory about the block
    ledger_closes(simulation, start)


def test_two_limits_that_are_reached_together_are_solved_together():
    """Block a stops at the laboratory when block b stops at a: each rate is reversed with its own restitution."""
    blocks = [
        block("a", mass=1.0, velocity=[1.0, 0, 0]),
        block("b", mass=2.0, velocity=[1.5, 0, 0], position=[-1.0, 0, 0]),
    ]
    joints = [
        slider((1, 0, 0), limits={"lower": -0.1, "restitution": 0.5}),
        {
            "name": "t",
            "kind": "slider",
            "first": "a",
            "second": "b",
            "axis": [1, 0, 0],
            "anchor_first": [0, 0, 0],
            "anchor_second": [1.0, 0, 0],
            "limits": {"upper": 0.05, "restitution": 0.8},
        },
    ]
    simulation = simulated(blocks, joints, gravity=(0, 0, 0))
    start = simulation.snapshot().energy.total
    simulation.advance_steps(101)
    now = simulation.snapshot()
    assert now.bodies.velocity[:, 0] == pytest.approx([-0.5, -0.9], abs=1e-12)
    assert now.ledger.contact == pytest.approx(0.5 * (0.25 + 2 * 0.81) - 0.5 * (1 + 2 * 2.25), abs=1e-12)
    ledger_closes(simulation, start)


def test_a_limit_lets_go_where_the_force_turns():
    """A motor presses against the lower limit until cos(t) changes its sign."""
    joint = slider((1, 0, 0), limits={"lower": 0.0}, motor={"torque": "-cos(t)"})
    simulation = simulated([block()], [joint], gravity=(0, 0, 0))
    simulation.advance_steps(1500)
    assert status(simulation) == AT_LOWER
    assert simulation.snapshot().joints.coordinate[0] == 0.0
    simulation.advance_steps(700)
    assert status(simulation) == FREE
    t = 2.2  # dv/dt = -cos t from pi/2 on
    assert simulation.snapshot().joints.coordinate[0] == pytest.approx(cos(t) + (t - pi / 2), abs=1e-11)


# Strings


def string(length=None, **more):
    found = {"name": "s", "kind": "distance", "first": "a", "anchor_second": [0, 0, 0], "pull_only": True} | more
    return found if length is None else found | {"length": length}


@pytest.mark.parametrize("e", [0.0, 0.6])
def test_a_string_becomes_taut_with_an_impulse(e):
    """Thrown sideways at half the length: straight on to the circle, then only the radial speed is reflected."""
    ball = {"name": "a", "support": "free", "shape": [{"kind": "sphere", "radius": 0.05, "mass": 0.5}]}
    ball |= {"position": [0, -0.3, 0], "velocity": [1.0, 0, 0]}
    simulation = simulated([ball], [string(0.5, restitution=e)], gravity=(0, 0, 0))
    start = simulation.snapshot().energy.total
    simulation.advance_steps(600)  # it meets the circle after 0.4 s at (0.4, -0.3)
    now = simulation.snapshot()
    place, normal, along = np.array([0.4, -0.3, 0]), np.array([0.8, -0.6, 0]), np.array([0.6, 0.8, 0])
    if e == 0.0:
        angle = 0.6 / 0.5 * 0.2
        wanted = 0.5 * (normal * cos(angle) + along * sin(angle))
        assert status(simulation) == AT_UPPER
        assert np.linalg.norm(now.joints.force[0]) == pytest.approx(0.5 * 0.6**2 / 0.5, rel=1e-9)
    else:
        wanted = place + 0.2 * (0.6 * along - e * 0.8 * normal)
        assert status(simulation) == FREE
        assert now.joints.force[0] == pytest.approx([0, 0, 0])
    assert now.bodies.position[0] == pytest.approx(wanted, abs=1e-9)
    ledger_closes(simulation, start)


def test_a_string_that_leaves_its_circle_flies_a_parabola_as_the_closed_form_says():
    """Started below with 2 g l < v^2 < 5 g l, it becomes slack where cos a = -(v^2 - 2 g l)/(3 g l)."""
    length, speed = 0.4, sqrt(3.5 * G * 0.4)
    ball = {"name": "a", "support": "free", "shape": [{"kind": "sphere", "radius": 0.02, "mass": 0.5}]}
    ball |= {"position": [0, 0, -length], "velocity": [speed, 0, 0]}
    simulation = simulated([ball], [string()], time_step=1e-4)
    while status(simulation) != AT_UPPER:
        simulation.advance_steps(1)
    while status(simulation) == AT_UPPER:
        simulation.advance_steps(1)
    place = simulation.snapshot().bodies.position[0]
    assert place[2] == pytest.approx(length * 0.5, abs=2e-4)  # -cos a = 1.5/3, within a step
    simulation.advance_steps(200)
    assert np.linalg.norm(simulation.snapshot().bodies.position[0]) < length - 1e-5


def marionette(**world):
    path = Path(__file__).parents[3] / "scenes/marionette.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    data["body"][0]["motion"] = {"kind": "still"}
    return Simulation(scene_of(data | {"world": world}, ""))


def test_redundant_strings_at_rest_divide_few_steps():
    """Seven strings hold a puppet at rest, four of them slack at just their length: rounding switches none of them.

    Each string may become taut once at the start.
    """
    simulation = marionette(gravity=[0, 0, -G])
    start = simulation.snapshot().bodies.position.copy()
    simulation.advance_steps(400)
    assert simulation._work.events.divided[0] <= 7
    np.testing.assert_allclose(simulation.snapshot().bodies.position, start, rtol=0, atol=1e-9)


def test_a_step_that_is_cancelled_while_it_is_divided_is_not_taken():
    """The ball meets its string within the first step."""
    ball = {"name": "a", "support": "free", "shape": [{"kind": "sphere", "radius": 0.05, "mass": 0.5}]}
    ball |= {"position": [0, 0, -0.4999], "velocity": [0, 0, -1.0]}
    simulation = simulated([ball], [string(0.5)])
    given = simulation.compiled.model, simulation.inputs
    find_sides(*given, 0.0, simulation._state, simulation._work)
    before, first = simulation.state, Clock(0.0, simulation.time_step, 0)
    simulation.cancel()
    assert not divide_step(simulation._method, *given, first, simulation._state, simulation._work)
    np.testing.assert_array_equal(simulation.state, before)
    with pytest.raises(Cancelled):
        simulation.advance_steps(1)
    simulation.advance_steps(1)
    assert status(simulation) == AT_UPPER
    assert simulation._work.events.divided[0] == 1


# Dry friction


def test_a_block_slides_and_stops_as_coulomb_says():
    """v - mu t until it stops after v^2/(2 F/m); the energy is friction's."""
    body, joint = block(mass=2.0, velocity=[1.5, 0, 0]), slider((1, 0, 0), dry_friction=3.0)
    simulation = simulated([body], [joint], gravity=(0, 0, 0))
    simulation.advance_steps(500)
    assert status(simulation) == SLIDES_BACKWARD
    assert simulation.snapshot().bodies.velocity[0, 0] == pytest.approx(1.5 - 1.5 * 0.5, rel=1e-12)
    simulation.advance_steps(1000)
    now = simulation.snapshot()
    assert status(simulation) == STUCK
    assert now.bodies.position[0, 0] == pytest.approx(1.5**2 / (2 * 1.5), abs=1e-12)
    assert now.ledger.joint_friction == pytest.approx(-0.5 * 2 * 1.5**2, rel=1e-11)


def test_dry_friction_holds_up_to_its_force_and_lets_go():
    """A force 2 t against 1 N: at rest until 0.5 s, then m x = (t - 0.5)^3/3."""
    joint = slider((1, 0, 0), dry_friction=1.0, motor={"torque": "2*t"})
    simulation = simulated([block()], [joint], gravity=(0, 0, 0))
    simulation.advance_steps(499)
    assert status(simulation) == STUCK
    assert simulation.snapshot().joints.coordinate[0] == 0.0
    simulation.advance_steps(501)
    assert status(simulation) == SLIDES_FORWARD
    assert simulation.snapshot().joints.coordinate[0] == pytest.approx(0.5**3 / 3, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_pendulum_with_dry_friction_loses_the_same_angle_every_half_swing(method):
    """Small swings: the turning points shrink by 2 T/(m g l) each; then it is held off the vertical."""
    rod = block(position=[0.02, 0, -0.5], size=0.05)
    hinge = {"name": "h", "kind": "hinge", "first": "a", "axis": [0, 1, 0], "anchor": [0, 0, 0], "dry_friction": 0.01}
    simulation = simulated([rod], [hinge], method=method, time_step=1e-3)
    angles = []
    for _ in range(3000):
        simulation.advance_steps(1)
        x, _, z = simulation.snapshot().bodies.position[0]
        angles.append(asin(x / sqrt(x * x + z * z)))
    turns = [
        a for before, a, after in zip(angles, angles[1:], angles[2:], strict=False) if (a - before) * (after - a) < 0
    ]
    loss = 2 * 0.01 / (G * sqrt(0.02**2 + 0.5**2))
    sizes = np.abs([asin(0.02 / sqrt(0.02**2 + 0.5**2)), *turns])
    coarse = method.endswith("as_printed") or method in ("euler", "adams_bashforth_2")
    np.testing.assert_allclose(-np.diff(sizes)[:2], loss, rtol=0.2 if coarse else 2e-3)
    assert status(simulation) in (STUCK, SLIDES_FORWARD, SLIDES_BACKWARD)


# Breaking, largest forces


def test_a_rod_breaks_at_its_force_and_the_weight_falls():
    """A pendulum released at the horizontal pulls with 3 m g sin a below it: 2 m g is reached at sin a = 2/3."""
    ball = {"name": "a", "support": "free", "position": [0.5, 0, 0]}
    ball |= {"shape": [{"kind": "sphere", "radius": 1e-3, "mass": 1.0}]}
    rod = {"name": "r", "kind": "distance", "first": "a", "anchor_second": [0, 0, 0], "breaks_at": 2 * G}
    simulation = simulated([ball], [rod], time_step=1e-4)
    start = simulation.snapshot().energy.total
    while status(simulation) != BROKEN:
        simulation.advance_steps(1)
    now = simulation.snapshot()
    assert Meaning("joint[0].breaks_at", name="r", force=19.6133).of(simulation.warnings[0])
    assert now.bodies.position[0, 2] == pytest.approx(-0.5 * 2 / 3, abs=3e-4)
    assert now.joints.largest_force[0] == pytest.approx(2 * G, rel=1e-3)
    velocity = now.bodies.velocity[0]
    simulation.advance_steps(1000)
    assert simulation.snapshot().bodies.velocity[0] == pytest.approx(velocity - [0, 0, 0.1 * G], abs=1e-12)
    ledger_closes(simulation, start)
    scene, _ = scene_from_snapshot(simulation.compiled, simulation.snapshot())
    assert scene.joint == ()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["distance", "ball", "hinge"])
def test_a_joint_breaks_at_its_force_whatever_is_written(kind, method):
    """From the horizontal, with k = 2 r^2/(5 l^2) where the ball turns with the rod: v^2 = 2 g l sin a/(1 + k) and
    T = m g sin a (1 + 2/(1 + k)), which reaches `breaks_at` at a; then it flies. To the first order alone by methods of
    that order and by Adams-Bashforth's, which takes whole steps.
    """
    length, radius, breaks_at, until = 0.8, 0.02, 7.845, 0.6
    slower = 1.0 + (0.4 * radius**2 / length**2 if kind != "distance" else 0.0)
    down = breaks_at / (0.4 * G * (1 + 2 / slower))
    swing = quad(lambda s: sqrt(slower * length / (2 * G * s**2)) / sqrt(1 - s**4) * 2 * s, 0, sqrt(down))[0]
    speed, left = sqrt(2 * G * length * down / slower), until - swing
    along, across = -speed * down * left, -speed * sqrt(1 - down**2) * left - G * left**2 / 2
    wanted = length * sqrt(1 - down**2) + along, -length * down + across

    ball = {"name": "a", "support": "free", "position": [length, 0, 0]}
    ball |= {"shape": [{"kind": "sphere", "radius": radius, "mass": 0.4}]}
    joint = {"name": "j", "kind": kind, "first": "a", "anchor_second": [0, 0, 0], "breaks_at": breaks_at}
    joint |= {"axis": [0, 1, 0]} if kind == "hinge" else {}
    for rows in (1, 600):
        simulation = simulated([ball], [joint], method=method)
        while simulation.steps < 600:
            simulation.advance_steps(rows)
        coarse = METHODS[method].ORDER == 1 or method not in DIVIDED
        found = simulation.snapshot().bodies.position[0]
        assert found[[0, 2]] == pytest.approx(wanted, abs=5e-3 if coarse else 1e-5)
        assert status(simulation) == BROKEN


def test_the_largest_force_is_that_of_the_lowest_point():
    ball = {"name": "a", "support": "free", "position": [0.5, 0, 0]}
    ball |= {"shape": [{"kind": "sphere", "radius": 1e-3, "mass": 1.0}]}
    rod = {"name": "r", "kind": "distance", "first": "a", "anchor_second": [0, 0, 0]}
    simulation = simulated([ball], [rod])
    simulation.advance_steps(2000)
    assert simulation.snapshot().joints.largest_force[0] == pytest.approx(3 * G, rel=1e-4)
    assert simulation.snapshot().joints.largest_torque[0] == 0.0


def test_an_edit_keeps_what_is_broken_and_the_largest_force():
    rod = {"name": "r", "kind": "distance", "first": "a", "anchor_second": [0, 0, 0], "breaks_at": 5.0}
    simulation = simulated([block(position=[0, 0, -0.3])], [rod])
    simulation.advance_steps(10)
    assert status(simulation) == BROKEN
    largest = simulation.snapshot().joints.largest_force[0]
    changed = simulation.scene.joint[0].model_copy(update={"breaks_at": 100.0})
    simulation.load(simulation.scene.model_copy(update={"joint": (changed,)}))
    assert status(simulation) == BROKEN
    assert simulation.snapshot().joints.largest_force[0] == largest


def test_the_hand_over_the_sensor_drives_a_servo():
    """The rest angle of a stiff, damped spring follows the distance; the hinge follows it."""
    hinge = {"name": "h", "kind": "hinge", "first": "a", "axis": [0, 1, 0], "anchor": [0, 0, 0]}
    hinge["spring"] = {"stiffness": 20.0, "damping": 0.4}
    drive = {"parameter": "joint[0].spring.rest", "scale": 3.0, "offset": -0.9, "lowest": -1, "highest": 1}
    data = {"format": 1, "world": {"gravity": [0, 0, 0]}, "body": [block()], "joint": [hinge]}
    data["sensor"] = {"centre": 0.3, "amplitude": 0.1, "period": 2.0, "drive": [drive]}
    simulation = Simulation(scene_of(data, ""))
    angles, wanted = [], []
    for _ in range(40):
        simulation.advance(0.1)
        now = simulation.snapshot()
        angles.append(now.joints.coordinate[0])
        wanted.append(3.0 * now.distance - 0.9)
    assert np.ptp(angles) > 0.5
    np.testing.assert_allclose(angles[5:], wanted[5:], rtol=0, atol=0.05)


# Bad input


@pytest.mark.parametrize(
    ("joint", "said"),
    [
        (slider(limits={"lower": 0.2, "upper": 0.1}), Meaning("joint[0].limits.upper", "above", upper=0.1, lower=0.2)),
        (slider(limits={}), Meaning("joint[0].limits", "neither", "lower")),
        (slider(limits={"lower": 0.1}), Meaning("joint[0].limits.lower", limit=0.1, unit="m", now=0)),
        (
            slider(limits={"lower": 0.0}, motor={"speed": "1"}),
            Meaning("joint[0].limits", "enforces"),
        ),
        (slider(dry_friction=1.0, motor={"speed": "1"}), Meaning("joint[0].dry_friction", "beside", "motor")),
        (string(0.5, pull_only=False, restitution=0.5), Meaning("joint[0].restitution", "rod", "never")),
        (string(0.1), Meaning("joint[0].length", length=0.1, distance=0.3)),
        (slider(breaks_at=0), Meaning("joint[0].breaks_at", "greater", limit=0)),
    ],
)
def test_bad_input_is_refused_with_place_rule_and_remedy(joint, said):
    place = [0, 0, -0.3] if joint["kind"] == "distance" else [0, 0, 0]
    with pytest.raises(InputError) as error:
        simulated([block(position=place)], [joint])
    assert said.of(error.value)
