"""Hands: closed forms of what hangs on one, and the ledger, which knows all that a hand does."""

import numpy as np
import pytest

from polhode.physics.grab.interaction_forces import CARRIED, DAMPING, FREQUENCY
from polhode.physics.grab.interactions import Carry, Grab, PullAll, PullBody, PullPoint, Twist
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

BLOCK = {
    "name": "block",
    "kind": "lattice",
    "counts": (3, 3, 2),
    "spacing": (0.1, 0.1, 0.1),
    "position": (0, 0, 0.5),
    "particle_mass": 0.1,
    "stiffness": 400.0,
    "damping": 0.5,
}
FLOOR = {"name": "floor", "stiffness": 2000.0, "damping": 2.0}
BALL = {"name": "ball", "mass": 2.0}
STICK = {"kind": "cuboid", "size": (0.4, 0.1, 0.2), "mass": 3.0}


def simulation(method="rk4", time_step=1e-4, gravity=0.0, **parts):
    world = {"gravity": (0, 0, -gravity)}
    solver = {"method": method, "time_step": time_step}
    return Simulation(Scene.model_validate({"world": world, "solver": solver, **parts}))


def hanging(time):
    """x(t) of x'' = -w^2 x - 2 z w x' from x = 1 at rest."""
    decay, w = DAMPING * FREQUENCY, FREQUENCY * np.sqrt(1 - DAMPING**2)
    return np.exp(-decay * time) * (np.cos(w * time) + decay / w * np.sin(w * time))


@pytest.mark.parametrize(
    ("method", "error"),
    [("rk4", 1e-6), ("adams_bashforth_2", 2e-3), ("verlet", 1e-4), ("splitting", 1e-4), ("implicit", 1e-4)],
)
def test_the_ledger_closes_while_a_point_is_dragged_about(method, error):
    """Jumps of the place and of the velocity, work against springs, floor and weight: all of it is the hand's.

    What is left is the methods' own error, in parts of the energy that goes in; that of Adams and Bashforth is that of
    the Euler step with which every new history begins.
    """
    run = simulation(method, gravity=9.8, soft=[BLOCK], wall=[FLOOR])
    before = run.snapshot()
    for moved in range(30):
        angle = 0.2 * moved
        place = (0.4 * np.sin(angle), 0.1 * angle, 0.5 + 0.2 * np.cos(angle))
        run.grab(Grab(3, place, (0.5 * np.cos(angle), 0.1, -0.3 * np.sin(angle))))
        run.advance(0.01)
    run.release()
    run.advance(0.1)
    after = run.snapshot()
    drift = (after.energy.total - after.ledger.total) - (before.energy.total - before.ledger.total)
    assert abs(after.ledger.hand) > 1.0
    assert abs(drift) < error * abs(after.ledger.hand)


def test_a_grabbed_point_goes_as_it_is_led_and_keeps_its_velocity_when_it_is_let_go():
    run = simulation(particle=[BALL])
    run.grab(Grab(0, (1.0, 0.0, 0.0), (0.0, 2.0, 0.0)))
    run.advance(0.5)
    held = run.snapshot()
    assert np.allclose(held.points.position[0], (1.0, 1.0, 0.0))
    assert np.allclose(held.interaction_marker.attachment, (1.0, 1.0, 0.0))
    assert held.energy.kinetic == 0.0
    run.release()
    run.advance(0.5)
    free = run.snapshot()
    assert free.interaction_marker is None
    assert np.allclose(free.points.position[0], (1.0, 2.0, 0.0))
    assert free.ledger.hand == pytest.approx(free.energy.kinetic) == pytest.approx(4.0)


def test_a_fixed_point_can_be_moved_and_stays_where_it_was_left():
    run = simulation(gravity=9.8, particle=[BALL | {"fixed": True}])
    run.grab(Grab(0, (1.0, 0.0, 0.0), (0.0, 2.0, 0.0)))
    run.release()
    run.advance(0.2)
    assert np.allclose(run.snapshot().points.position[0], (1.0, 0.0, 0.0))
    run.reset()
    assert np.allclose(run.snapshot().points.position[0], 0.0)


@pytest.mark.parametrize(("mass", "time"), [(2.0, 0.1), (2e-6, 0.3)])
@pytest.mark.parametrize(("method", "error"), [("rk4", 1e-9), ("implicit", 1e-5)])  # (w dt)^2/12 or so of order two
def test_a_pulled_ball_hangs_on_the_hand_as_a_damped_oscillator_whatever_it_weighs(mass, time, method, error):
    run = simulation(method, particle=[BALL | {"mass": mass, "position": (0, 0, 1)}])
    run.grab(PullPoint(0, (0.0, 0.0, 0.0)))
    run.advance(time)
    now = run.snapshot()
    assert now.points.position[0, 2] == pytest.approx(hanging(time), abs=error)
    put_in = 0.5 * mass * FREQUENCY**2  # what the hand has taken out again does not count less
    assert now.energy.total == pytest.approx(now.ledger.total, abs=error * put_in)


def test_a_body_pulled_at_its_middle_moves_as_a_ball_does():
    run = simulation(body=[{"name": "stick", "support": "free", "position": (0, 0, 1), "shape": [STICK]}])
    run.grab(PullBody(0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
    run.advance(0.2)
    assert run.snapshot().bodies.position[0] == pytest.approx([0, 0, hanging(0.2)], abs=1e-9)


@pytest.mark.parametrize("mass", [0.001, 20.0])
def test_a_carried_body_hangs_at_the_pointer_whatever_it_weighs(mass):
    """Its weight is borne, so x'' = -w^2 (x - p) - 2 h w x' at its centre: no sag by g/w^2."""
    run = simulation(gravity=9.8, body=[{"name": "stick", "support": "free", "shape": [STICK | {"mass": mass}]}])
    run.grab(Carry(0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.3), (0.0, 0.0, 0.0)))
    run.advance(0.05)
    decay, w = DAMPING * CARRIED, CARRIED * np.sqrt(1 - DAMPING**2)
    left = np.exp(-decay * 0.05) * (np.cos(0.05 * w) + decay / w * np.sin(0.05 * w))
    assert run.snapshot().bodies.position[0, 2] == pytest.approx(0.3 * (1 - left), abs=1e-8)
    run.advance(0.95)
    now = run.snapshot()
    assert now.bodies.position[0] == pytest.approx([0, 0, 0.3], abs=1e-8)
    assert now.energy.total == pytest.approx(now.ledger.total, abs=1e-6 * mass)


def test_a_carried_body_follows_a_moving_pointer_without_lag():
    """Moved at 0.5 m/s in frames of 1/60 s; a pull that damps the velocity itself would lag by 2 h/w v = 22 mm."""
    run = simulation(gravity=9.8, body=[{"name": "stick", "support": "free", "shape": [STICK]}])
    for frame in range(60):
        run.grab(Carry(0, (0.0, 0.0, 0.0), (0.5 * frame / 60, 0.0, 0.0), (0.5, 0.0, 0.0)))
        run.advance(1 / 60)
    lag = 0.5 - run.snapshot().bodies.position[0, 0]
    assert abs(lag) < 0.5 / 60  # the pointer stays where it is for a frame


@pytest.mark.parametrize("support", ["free", "pivot"])
def test_what_a_pull_at_an_edge_does_stands_in_the_ledger(support):
    body = {"name": "stick", "support": support, "shape": [STICK | {"position": (0.1, 0.0, -0.2)}]}
    run = simulation(gravity=9.8, body=[body])
    start = run.snapshot()
    run.grab(PullBody(0, (0.3, 0.05, -0.1), (0.5, 0.5, 0.2)))
    run.advance(0.4)
    now = run.snapshot()
    assert np.allclose(
        now.interaction_marker.attachment, now.bodies.position[0] + (0.3, 0.05, -0.1) @ now.bodies.basis[0]
    )
    assert abs(now.ledger.hand) > 0.1
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, abs=1e-8)


def test_a_twist_turns_a_body_up_to_a_rate():
    """I w' = I w0^2 theta - 2 z w0 I w about a principal axis: w = (w0 theta/2 z)(1 - exp(-2 z w0 t))."""
    run = simulation(body=[{"name": "stick", "support": "free", "shape": [STICK]}])
    run.grab(Twist(0, (0.0, 0.5, 0.0)))
    run.advance(0.1)
    now = run.snapshot()
    rate = FREQUENCY * 0.5 / (2 * DAMPING) * (1 - np.exp(-2 * DAMPING * FREQUENCY * 0.1))
    assert now.bodies.angular_velocity[0] == pytest.approx([0, rate, 0], abs=1e-8)
    assert now.energy.kinetic == pytest.approx(now.ledger.hand, rel=1e-9)


def test_all_things_come_to_a_hand_together_light_or_heavy():
    balls = [BALL, BALL | {"name": "crumb", "mass": 1e-3}]
    stick = {"name": "stick", "support": "free", "shape": [STICK]}
    still = {"name": "still", "support": "fixed", "position": (0, 0, 3), "shape": [STICK]}
    run = simulation(particle=balls, body=[stick, still])
    run.grab(PullAll((0.0, 0.0, -1.0)))
    run.advance(0.15)
    now = run.snapshot()
    heights = [*now.points.position[:, 2], now.bodies.position[0, 2]]
    assert heights == pytest.approx([hanging(0.15) - 1] * 3, abs=1e-9)
    assert now.bodies.position[1, 2] == 3.0
    assert now.energy.kinetic == pytest.approx(now.ledger.hand, rel=1e-9)


@pytest.mark.parametrize("ratio", [0.0, 0.25])
def test_everything_is_pulled_by_the_stiffness_of_the_scene(ratio: float) -> None:
    """x'' = -w^2 x - 2 h w x' with w = sqrt(K/m) of each mass: x = x0 e^(-h w t) (cos u t + h w/u sin u t)."""
    masses, stiffness, t = np.array([0.5, 2.0, 3.0]), 50.0, 0.3
    balls = [{"name": f"ball{i}", "mass": m, "position": (i, 0, 0)} for i, m in enumerate(masses[:2])]
    stick = {"name": "stick", "support": "free", "position": (2, 0, 0), "shape": [STICK]}
    run = simulation(particle=balls, body=[stick], grab={"stiffness": stiffness, "damping_ratio": ratio})
    run.grab(PullAll((0.0, 0.0, -1.0)))
    run.advance(t)
    now = run.snapshot()
    w = np.sqrt(stiffness / masses)
    u = w * np.sqrt(1 - ratio**2)
    left = np.exp(-ratio * w * t) * (np.cos(u * t) + ratio * w / u * np.sin(u * t))
    assert [*now.points.position[:, 2], now.bodies.position[0, 2]] == pytest.approx(left - 1, abs=1e-9)


@pytest.mark.parametrize(("grab", "said"), [({"stiffness": 0}, "stiffness"), ({"damping_ratio": -1}, "damping_ratio")])
def test_a_pull_that_is_none_is_refused(grab: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        simulation(grab=grab)
