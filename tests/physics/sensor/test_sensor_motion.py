"""Followers of the sensor target: they never jump, and their work is in the ledger."""

from __future__ import annotations

import numpy as np
import pytest
from meaning import Meaning

from polhode.physics.grab.interactions import PullPoint
from polhode.physics.paths.path_geometry import path_pose
from polhode.scene.problem import InputError
from polhode.simulation.simulation import Simulation
from scenes import scene

STEP, BATCH = 1e-3, 0.008  # [s] of time; between two words of the hand
WITHIN = 0.03  # [s]
FLOOR = {"name": "floor", "stiffness": 2000.0, "damping": 10.0, "motion": {"kind": "sensor"}}
BALL = {"name": "ball", "mass": 1.0, "radius": 0.1, "position": [0, 0, 0.4 - 9.80665 / 2000.0]}


def ball_on_floor(sensor=None, floor=None, **parts):
    sensor, walls = {"amplitude": 0.0, **(sensor or {})}, [{**FLOOR, **(floor or {})}]
    return scene(**{"time_step": STEP, "particle": [BALL], "wall": walls, "sensor": sensor, **parts})


def led(simulation, hand, seconds):
    """Ways (n,) [m] of the first wall at every step, while the hand is at hand(t) [m] and moves as fast."""
    ways = []
    while simulation.time < seconds - STEP / 2:
        place, ahead = hand(simulation.time), hand(simulation.time + 1e-6)
        simulation.track(place, (ahead - place) / 1e-6, WITHIN)
        for _ in range(round(BATCH / STEP)):
            simulation.advance_steps(1)
            ways.append(simulation.snapshot().walls[0])
    return np.array(ways)


def test_a_simulated_hand_moves_a_wall_like_a_sine():
    """By scale x + offset: 0.5 (0.3 + 0.1 sin(2 pi t/0.7)) - 0.15 = 0.05 sin(2 pi t/0.7)."""
    follows = {"motion": {"kind": "sensor", "scale": 0.5, "offset": -0.15}, "point": [0, 0, 0.3]}
    swings = {"motion": {"kind": "sine", "amplitude": 0.05, "period": 0.7}, "point": [0, 0, 0.3]}
    sensor = {"centre": 0.3, "amplitude": 0.1, "period": 0.7}
    by_hand, by_sine = Simulation(ball_on_floor(sensor, follows)), Simulation(ball_on_floor(None, swings))
    for _ in range(10):
        by_hand.advance(0.1)
        by_sine.advance(0.1)
        seen, expected = by_hand.snapshot(), by_sine.snapshot()
        assert seen.walls == pytest.approx(expected.walls, abs=1e-15)
        # rounding of the way, 1e-17 m, is multiplied at most by exp(sqrt(k/m) t) = e^45 in theory, by 1e4 in bouncing
        assert seen.points.position == pytest.approx(expected.points.position, abs=1e-9)


def test_lifting_a_ball_slowly_costs_its_weight():
    """m g h is what the floor gives, beside what the damper and the last of the motion take; and nothing is made up."""
    simulation = Simulation(ball_on_floor())
    start = simulation.snapshot()
    led(simulation, lambda t: 0.3 + 0.05 * (1 - np.cos(np.pi * min(t, 2.0) / 2)), 2.0)
    simulation.advance(3.0)  # it has come to rest
    now = simulation.snapshot()
    assert now.walls[0] == pytest.approx(0.4, abs=6e-5)  # the last word is a velocity, for 30 ms: 0.12 m/s^2 WITHIN^2/2
    height = now.walls[0] - start.walls[0]
    assert now.points.position[0, 2] - start.points.position[0, 2] == pytest.approx(height, abs=1e-9)
    assert now.ledger.drive + now.ledger.contact == pytest.approx(9.80665 * height, rel=1e-6)
    # The force has a corner wherever the hand says something new: order 1 in the step there, 1e-3 of the work of each.
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, abs=1e-5)


def test_a_steady_hand_is_followed_exactly_and_at_its_velocity():
    simulation = Simulation(ball_on_floor())
    ways = led(simulation, lambda t: 0.3 + 0.2 * t, 0.4)
    late = ways - (0.3 + 0.2 * STEP * np.arange(1, len(ways) + 1))
    assert np.abs(late).max() < 0.2 * WITHIN / 4  # at first it is at rest
    assert late[-100:] == pytest.approx(np.zeros(100), abs=1e-9)  # 1e-6 s of its velocity


def test_a_hand_that_jumps_is_caught_up_without_a_jump():
    """It goes as fast as it may, with no velocity that jumps, and arrives without going far beyond."""
    simulation = Simulation(ball_on_floor({"fastest": 0.5}))
    ways = np.array([0.3, *led(simulation, lambda _: 0.5, 1.0)])
    speeds = np.diff(ways) / STEP
    assert speeds.max() == pytest.approx(0.5, rel=1e-6)  # it comes nearer to that in every batch
    assert (speeds > 0.45).sum() * STEP == pytest.approx(0.2 / 0.5, abs=WITHIN)
    # A leg lasts WITHIN/2, and from one velocity to the next there is at most twice the fastest.
    assert np.abs(np.diff(speeds)).max() <= 2 * 0.5 * STEP / (WITHIN / 2) * (1 + 1e-9)
    assert ways.max() < 0.5 + 0.02 * 0.5 * WITHIN
    assert ways[-1] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("method", ["rk4", "verlet", "adams_bashforth_2", "implicit"])
def test_a_restless_hand_does_work_that_the_ledger_has(method):
    """A hand that jumps between two places, under a ball that it throws."""
    described = ball_on_floor({"fastest": 1.0}, solver={"time_step": 2e-4, "method": method})
    simulation = Simulation(described)
    start = simulation.snapshot().energy.total
    for turn in range(100):
        simulation.track(0.3 + 0.05 * (turn // 7 % 2), 0.0, WITHIN)
        simulation.advance_steps(40)
    now = simulation.snapshot()
    assert now.ledger.drive > 1.0
    # Of second order while it touches, of first at every touch, leaving and word of the hand: 2e-3 of the work.
    assert now.energy.total - now.ledger.total == pytest.approx(start, abs=5e-3 * now.ledger.drive)


def test_limits_hold():
    follows = {"motion": {"kind": "sensor", "scale": -2.0, "offset": 1.0, "lowest": 0.3, "highest": 0.45}}
    simulation = Simulation(ball_on_floor({"fastest": 100.0}, follows))
    assert simulation.snapshot().walls[0] == pytest.approx(1.0 - 0.6)
    ways = led(simulation, lambda t: 0.3 - 0.3 * np.sin(20 * t), 0.6)
    assert (ways.min(), ways.max()) == (0.3, 0.45)


def test_nothing_else_that_happens_moves_the_wall():
    simulation = Simulation(ball_on_floor())
    led(simulation, lambda t: 0.3 + 0.5 * t, 0.2)
    before = simulation.snapshot()
    state, steps = simulation.state, before.step
    simulation.load(ball_on_floor(floor={"damping": 3.0}))
    assert simulation.snapshot().walls == pytest.approx(before.walls)
    simulation.grab(PullPoint(0, (0.0, 0.0, 1.0)))
    assert simulation.snapshot().walls == pytest.approx(before.walls)
    simulation.release()
    assert simulation.fork(simulation.scene).snapshot().walls == pytest.approx(before.walls)
    simulation.restore(0.05, steps, state)
    assert simulation.snapshot().walls == pytest.approx(before.walls)
    simulation.reset()
    assert simulation.snapshot().walls == pytest.approx([0.3])


def test_a_driven_body_follows_along_its_axis_and_its_work_is_in_the_ledger():
    """A weight on a spring below it is lifted: k is hard, so that the work is that of its weight."""
    lift = {
        "name": "lift",
        "support": "driven",
        "position": [0, 0, 1.0],
        "shape": [{"kind": "sphere", "radius": 0.05, "mass": 1.0}],
        "motion": {"kind": "sensor", "axis": [0, 0, 3], "scale": 2.0, "offset": -0.6},
    }
    rope = {"from": {"body": "lift", "point": [0, 0, 0]}, "to": "ball", "stiffness": 500.0, "damping": 20.0}
    rope["rest_length"] = 0.6 - 9.80665 / 500.0  # the weight stretches it to 0.6 m
    ball = {**BALL, "position": [0, 0, 0.4]}
    simulation = Simulation(ball_on_floor(body=[lift], spring=[rope], wall=[], particle=[ball]))
    start = simulation.snapshot()
    assert start.bodies.position[0] == pytest.approx([0, 0, 1.0])
    for _ in range(100):
        simulation.track(0.4, 0.0, 0.2)
        simulation.advance(0.01)
    simulation.advance(2.0)
    now = simulation.snapshot()
    assert now.bodies.position[0] == pytest.approx([0, 0, 1.2], abs=0.002)  # (1 - 0.01/0.2)^100 of the way is left
    assert now.bodies.velocity[0] == pytest.approx([0, 0, 0], abs=0.01)
    lifted = now.points.position[0, 2] - 0.4 + now.bodies.position[0, 2] - 1.0  # each of 1 kg
    assert now.ledger.drive + now.ledger.damping == pytest.approx(9.80665 * lifted, rel=1e-3)
    # The rest of its velocity, 1e-2 m/s, ends within a step, whose last stage does not see it: c v^2 dt/6 and less.
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, abs=5e-5)


def bead(motion, **more):
    line = {"kind": "line", "start": [-1, 0, 0], "end": [1, 0, 0]}
    return {"name": "bead", "mass": 0.5, "radius": 0.05, "path": line, "parameter": 1.0, "path_motion": motion, **more}


def jump(time):
    return 0.3 + 0.1 * (int(time / 0.15) % 2)


def test_a_path_that_a_hand_shakes_along_itself_leaves_its_bead_where_it_is():
    """Nothing pushes along a line: the bead keeps its place in the room, to the accumulated rounding of the steps."""
    described = ball_on_floor(bead=[bead({"kind": "sensor", "axis": [1, 0, 0]})], world={"gravity": [0, 0, 0]})
    simulation = Simulation(described)
    start = simulation.snapshot()
    assert start.bodies.position[0] == pytest.approx([0.3, 0, 0])
    led(simulation, jump, 0.89)
    now = simulation.snapshot()
    # a leg of the hand has a steady acceleration, which the method has exactly; its ends are half a step off at most
    assert now.bodies.position[0] == pytest.approx([0.3, 0, 0], abs=2e-5)
    assert abs(now.beads.parameter[0] - start.beads.parameter[0]) > 0.05


def test_a_path_follows_a_simulated_hand_as_it_does_its_formula():
    by_hand = {"kind": "sensor", "axis": [0, 3, 4], "scale": 2.0, "offset": -0.6}
    formula = {"kind": "formula", "y": "0.6*0.2*sin(2*pi*t/0.7)", "z": "0.8*0.2*sin(2*pi*t/0.7)"}
    sensor = {"centre": 0.3, "amplitude": 0.1, "period": 0.7}
    circle = {"kind": "circle", "radius": 0.5, "normal": [0, 1, 0]}
    one, other = (Simulation(ball_on_floor(sensor, bead=[bead(motion, path=circle)])) for motion in (by_hand, formula))
    one.advance(1.0), other.advance(1.0)
    assert one.state[:20] == pytest.approx(other.state[:20], abs=1e-11)


def test_a_path_is_slowed_down_before_its_limits_and_its_work_is_in_the_ledger():
    motion = {"kind": "sensor", "axis": [1, 0, 1], "offset": -0.3, "lowest": -0.02, "highest": 0.06}
    described = ball_on_floor(
        {"fastest": 1.0}, {"motion": {"kind": "still"}}, bead=[bead(motion, ends="bounce")], particle=[]
    )
    simulation = Simulation(described)
    start = simulation.snapshot()
    ways = []
    for turn in range(100):
        simulation.track(jump(simulation.time) - 0.02 * (turn // 20), 0.0, WITHIN)
        for _ in range(10):
            simulation.advance_steps(1)
            now = simulation.snapshot()
            expected = path_pose(described.bead[0].path_motion, 0.0, now.distance).offset
            assert now.beads.shift[0] == pytest.approx(expected, abs=1e-15)
            ways.append(np.linalg.norm(now.beads.shift[0]) * np.sign(now.beads.shift[0, 0]))
    assert (min(ways), max(ways)) == pytest.approx((-0.02, 0.06), abs=1e-12)
    speeds = np.diff(ways) / STEP
    # The hand's own acceleration, and v^2/(2 w) about a limit with w of 4 mm: 1 m/s is lost in 8 ms.
    assert np.abs(np.diff(speeds)).max() < STEP * (2 * 1.0 / (WITHIN / 2) + 1.0 / (2 * 0.004))
    gained = now.energy.total - start.energy.total
    assert abs(now.ledger.drive) > 0.1
    # Corners of the hand's velocity and of the limits fall between steps: first order there.
    assert now.ledger.total == pytest.approx(gained, abs=5e-3 * abs(now.ledger.drive))


@pytest.mark.parametrize(
    ("sensor", "motion", "place", "said"),
    [
        ({}, {"scale": 0.0}, "wall[0].motion", Meaning("wall[0].motion", "leads", "nowhere")),
        ({}, {"lowest": 0.2, "highest": 0.1}, "wall[0].motion", Meaning("wall[0].motion", lowest=0.2, unit=" m")),
        ({}, {"axis": [0, 0, 1]}, "wall[0].motion.axis", Meaning("wall[0].motion.axis", "key", value="[0, 0, 1]")),
        ({"source": "recording"}, {}, "sensor", Meaning("sensor", "plays", "file")),
        ({"source": "seriel"}, {}, "sensor.source", Meaning("sensor.source", near="serial")),
        ({"period": 0.0}, {}, "sensor.period", Meaning("sensor.period", "greater", limit=0)),
        ({"fastest": -1.0}, {}, "sensor.fastest", Meaning("sensor.fastest", "greater", limit=0)),
    ],
)
def test_what_leads_to_nothing_is_refused(sensor, motion, place, said):
    with pytest.raises(InputError) as refused:
        ball_on_floor(sensor, {"motion": {"kind": "sensor", **motion}})
    (problem,) = refused.value.problems
    assert problem.place == place
    assert said.of(problem)
