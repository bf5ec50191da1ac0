"""Built-in scenes of shapes that press as they look: what happens in them, beside closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import polhode
from polhode.scene.checks.story_rules import tried
from polhode.scene.scene import Scene

LEAD, MEAN, FLANK = 0.012, 0.008, np.radians(15.0)  # of the thread: [m], [m], and half the angle of its flanks
SLOPE = LEAD / (2 * np.pi * MEAN)
LARGEST = SLOPE * np.cos(np.arctan(np.tan(FLANK) * np.cos(np.arctan(SLOPE))))  # friction up to which a nut turns down


def nut_with(friction: float) -> Scene:
    """The nut on its screw with a coefficient of friction."""
    values = {f"body[{k}].contact.kinetic_friction": friction for k in (0, 1)}
    return polhode.read_scene("nut_on_a_screw").with_values(values)


@pytest.mark.nightly
@pytest.mark.parametrize(("part", "turns"), [(0.95, True), (1.05, False)])
def test_a_nut_turns_by_its_weight_up_to_the_friction_of_its_thread(part: float, turns: bool) -> None:
    """After 0.3 s, in which it settles: 5 % above the limit friction brakes it slowly."""
    run = polhode.Simulation(nut_with(part * LARGEST)).run(until=0.6, every=0.02)
    fall = run["nut.position.z"][15] - run["nut.position.z"][-1]
    assert fall > 1e-4 if turns else abs(fall) < 2e-6


@pytest.mark.nightly
def test_a_nut_advances_by_its_lead_in_each_turn() -> None:
    simulation = polhode.Simulation(nut_with(0.0))
    simulation.advance(0.1)  # it settles on its flanks
    run = simulation.run(until=0.35, every=0.001)
    angle = 0.001 * np.cumsum(run["nut.angular_velocity.z"])[-1]
    assert run["nut.position.z"][-1] - run["nut.position.z"][0] == pytest.approx(LEAD * angle / (2 * np.pi), rel=0.01)


def test_a_ball_falls_into_a_cup_and_stays_in_it() -> None:
    simulation = polhode.Simulation(polhode.read_scene("kendama"))
    simulation.advance(2.0)
    x, y, z = simulation.snapshot().bodies.position[1]
    assert z == pytest.approx(0.022 - np.sqrt((0.022 - 0.016) ** 2 - x**2 - y**2), abs=2e-4)  # it rolls at the bottom


def test_a_ball_lies_on_the_hull_of_a_cup_or_beside_it() -> None:
    scene = polhode.read_scene("kendama").with_values({"body[0].contact.shape": "hull"})
    simulation = polhode.Simulation(scene)
    for _ in range(40):
        simulation.advance(0.05)
        x, y, z = simulation.snapshot().bodies.position[1]
        assert np.hypot(x, y) > 0.022 or not -0.004 < z < 0.03  # the inside of the cup


@pytest.mark.nightly
def test_marbles_run_through_a_funnel_and_stay_in_a_bowl() -> None:
    scene = polhode.read_scene("funnel_of_marbles")
    simulation = polhode.Simulation(scene)
    simulation.advance(4.0)
    at = simulation.snapshot().bodies.position[2:]
    in_bowl = (at[:, 2] < 0.08) & (np.hypot(at[:, 0], at[:, 1]) < 0.08)
    assert in_bowl.mean() > 0.9
    assert at[:, 2].min() > 0.003  # none falls through the bowl, or the floor


def test_a_key_comes_to_rest_in_a_bowl() -> None:
    simulation = polhode.Simulation(polhode.read_scene("key_in_a_bowl"))
    simulation.advance(1.5)
    now = simulation.snapshot().bodies
    assert np.linalg.norm(now.velocity[1]) < 1e-3
    assert 0.004 < now.position[1][2] < 0.03


@pytest.mark.parametrize("number", range(3))
def test_no_thing_to_try_lets_the_key_through_its_bowl(number: int) -> None:
    scene = polhode.read_scene("key_in_a_bowl")
    simulation = polhode.Simulation(tried(scene, scene.story.try_[number]))
    simulation.advance(0.8)
    assert simulation.snapshot().bodies.position[1][2] > 0.004
