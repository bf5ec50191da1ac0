"""Every support against the independent integration, and against what it must not do."""

import numpy as np
import pytest

from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from scenes import AXLE, FIXED, FREE, OTHER, TILTED, independent_motion, scene


def assert_moves_as(simulation, expected, times, tolerance):
    places, turns = expected
    for k, time in enumerate(times):
        simulation.advance(time - simulation.time)
        found = simulation.snapshot().bodies
        assert found.position == pytest.approx(places[k], abs=tolerance)
        assert np.swapaxes(found.basis, 1, 2) == pytest.approx(turns[k], abs=tolerance)


@pytest.mark.nightly
def test_free_bodies_axles_and_pivots_with_magnets_agree_with_an_independent_integration():
    """As for pivots: RK4 at 1e-4 s leaves 1e-10 and the bodies' sensitivity grows it by at most a hundred in 1 s."""
    s = scene(FREE, OTHER, AXLE, FIXED, time_step=1e-4)
    times = np.linspace(0.0, 1.0, 3)
    assert_moves_as(Simulation(s), independent_motion(s, times), times, 1e-8)


def test_rotating_field_agrees_with_an_independent_integration():
    cosine, sine, w = np.array([3e-3, 0, 1e-3]), np.array([0, 2e-3, 0]), 11.0
    turning = {"kind": "rotating", "cosine": cosine.tolist(), "sine": sine.tolist(), "angular_frequency": w}
    s = scene(TILTED, FREE, time_step=1e-4, magnetic_field=turning)
    times = np.linspace(0.0, 1.0, 3)
    expected = independent_motion(s, times, field=lambda t: cosine * np.cos(w * t) + sine * np.sin(w * t))
    assert_moves_as(Simulation(s), expected, times, 1e-8)


def test_velocity_of_the_origin_is_the_change_of_its_position():
    simulation = Simulation(scene(FREE, time_step=1e-4))
    before = simulation.snapshot().bodies.position
    simulation.advance_steps(1)
    now = simulation.snapshot().bodies.velocity
    simulation.advance_steps(1)
    after = simulation.snapshot().bodies.position
    assert now == pytest.approx((after - before) / 2e-4, abs=1e-6)  # dt^2/6 of a third derivative of about 100 m/s^3


def test_an_axle_keeps_its_direction_and_turns_about_it_alone():
    simulation = Simulation(scene(AXLE, FIXED))
    n = np.array(AXLE["axis"]) / np.linalg.norm(AXLE["axis"])
    axis_in_body = simulation.snapshot().bodies.basis[0] @ n
    simulation.advance(3.0)
    found = simulation.snapshot().bodies
    assert axis_in_body @ found.basis[0] == pytest.approx(n, abs=1e-12)
    assert np.cross(found.angular_velocity[0], n) == pytest.approx(np.zeros(3), abs=1e-12)
    turn = found.basis[0].T
    inertia = simulation.compiled.model.bodies.inertia[0]
    assert found.angular_momentum[0] == pytest.approx(turn @ inertia @ turn.T @ found.angular_velocity[0], abs=1e-15)


def test_driven_bodies_follow_their_script_and_drive_the_others():
    ellipse = {"kind": "ellipse", "r1": [0.1, 0, 0], "r2": [0, 0.05, 0.02], "angular_frequency": 7.0, "phase": 0.3}
    hand = {**FREE, "name": "hand", "support": "driven", "velocity": [0, 0, 0], "motion": ellipse}
    cart = {**hand, "name": "cart", "position": [1, 0, 0], "motion": {"kind": "uniform", "velocity": [0.1, 0.2, 0]}}
    simulation = Simulation(scene(hand, cart, OTHER))
    simulation.advance(1.234)
    found, t = simulation.snapshot().bodies, 1.234
    r1, r2, angle = np.array(ellipse["r1"]), np.array(ellipse["r2"]), 7.0 * t + 0.3
    assert found.position[0] == pytest.approx(hand["position"] + r1 * np.cos(angle) + r2 * np.sin(angle), abs=1e-14)
    assert found.velocity[0] == pytest.approx(7.0 * (-r1 * np.sin(angle) + r2 * np.cos(angle)), abs=1e-13)
    assert found.position[1] == pytest.approx([1 + 0.1 * t, 0.2 * t, 0], abs=1e-14)
    assert found.angular_velocity[0] == pytest.approx(hand["angular_velocity"], abs=1e-12)
    alone = Simulation(scene(OTHER))
    alone.advance(1.234)
    assert np.abs(alone.snapshot().bodies.basis[0] - found.basis[2]).max() > 1e-6


def test_the_pendulum_wave_stands_together_again_after_thirty_seconds():
    """Lengths are worked out for whole swings; RK4 at 1e-3 s adds a phase of (w dt)^4/120 w t < 1e-8."""
    simulation = Simulation(read_scene(gallery.path("pendulum_wave")))
    start = simulation.snapshot().bodies.basis
    simulation.advance(15.0)
    assert np.abs(simulation.snapshot().bodies.basis - start).max() > 0.1
    simulation.advance(15.0)
    assert simulation.snapshot().bodies.basis == pytest.approx(start, abs=1e-7)
