"""Coulomb friction of pivots and axles beside closed forms, an independent solution, and a slow minimisation."""

from functools import partial

import numpy as np
import pytest
from meaning import refuses
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from polhode.physics.bodies.pivot_dry_friction import holding_torque
from polhode.simulation.simulation import Simulation
from scenes import G, scene

BALL = {"name": "ball", "shape": [{"kind": "sphere", "radius": 0.1, "mass": 0.5}]}
INERTIA = 0.4 * 0.5 * 0.1**2
ROD = {"name": "rod", "support": "axle", "axis": [0, 1, 0]}
BOB = {"shape": [{"kind": "sphere", "radius": 0.05, "mass": 0.4, "position": [0, 0, -0.3]}]}
SWUNG = 0.4 * (0.4 * 0.05**2 + 0.3**2)  # kg m^2 about the axle


def spun(time: float, **more):
    simulation = Simulation(scene({**BALL, "angular_velocity": [3.0, 4.0, 12.0], "dry_friction": 2e-3, **more}))
    simulation.advance(time)
    return simulation.snapshot()


def test_a_spinning_ball_is_slowed_uniformly_and_stops():
    """|omega| = 13 - M t/I until it stops, after 13 I/M = 13 s; its axis does not change."""
    for time in (2.0, 10.0):
        spin = spun(time).bodies.angular_velocity[0]
        np.testing.assert_allclose(spin, np.array([3, 4, 12]) / 13 * (13 - 2e-3 / INERTIA * time), rtol=1e-11)
    stopped = spun(14.0)
    assert np.abs(stopped.bodies.angular_velocity[0]).max() < 1e-12
    assert stopped.ledger.friction == pytest.approx(-INERTIA * 13**2 / 2, rel=1e-9)


def test_an_axle_turns_by_what_its_energy_allows():
    """angle = I omega^2/(2 M), longer by what the last t_stop takes: M t_stop^2/(2 I) = 8e-6."""
    held = {"support": "axle", "axis": [0, 0, 1], "angular_velocity": [0, 0, 2.0], "dry_friction": 2e-3}
    simulation = Simulation(scene({**BALL, **held}))
    simulation.advance(3.0)
    u1 = simulation.snapshot().bodies.basis[0, 0]
    assert np.arctan2(u1[1], u1[0]) == pytest.approx(INERTIA * 4 / (2 * 2e-3), abs=1e-5)


def test_a_pendulum_swings_as_an_independent_solution_says_and_sticks_off_its_lowest_position():
    limit, step = 0.06, 1e-3

    def rate(side):
        return lambda t, s: [s[1], (-0.4 * G * 0.3 * np.sin(s[0]) - side * limit) / SWUNG]

    def turning(t, s):
        return s[1]

    turning.terminal, state, time, angles = True, [1.0, 0.0], 0.0, []
    while 0.4 * G * 0.3 * abs(np.sin(state[0])) > limit:
        side = -np.sign(np.sin(state[0]))
        turning.direction = -side
        part = solve_ivp(rate(side), (time, time + 5), state, "DOP853", events=turning, rtol=1e-12, atol=1e-13)
        time, state = part.t[-1], [part.y[0, -1], 0.0]
        angles.append((time, state[0]))
    assert len(angles) > 5
    turn = {"axis": [0, 1, 0], "angle": -1.0}  # positive angles of the twin are negative turns about y
    simulation = Simulation(scene({**ROD, **BOB, "orientation": turn, "dry_friction": limit}, time_step=step))
    for when, angle in [*angles, (time + 3.0, angles[-1][1])]:
        simulation.advance(when - simulation.time)
        low = -simulation.snapshot().bodies.basis[0, 2]
        assert np.arctan2(low[0], -low[2]) == pytest.approx(angle, abs=3e-4)  # a few M t_stop^2/I = 2.6e-5 at each turn
    before = simulation.state
    simulation.advance(2.0)
    np.testing.assert_allclose(simulation.state, before, atol=1e-15)  # no creep


def test_what_rests_stays_and_what_is_too_steep_moves():
    for angle, moves in ((0.15, False), (0.16, True)):  # asin(0.18/(m g l)) = 0.1536
        turn = {"axis": [0, 1, 0], "angle": angle}
        simulation = Simulation(scene({**ROD, **BOB, "orientation": turn, "dry_friction": 0.18}))
        before = simulation.snapshot().bodies.basis[0]
        simulation.advance(1.0)
        turned = np.abs(simulation.snapshot().bodies.basis[0] - before).max()
        assert turned > 1e-3 if moves else turned < 1e-15


def test_energy_and_ledger_agree_for_a_body_of_three_moments_on_a_pivot():
    box = {
        "name": "box",
        "shape": [{"kind": "cuboid", "size": [0.3, 0.2, 0.1], "mass": 0.4, "position": [0.1, 0, -0.2]}],
    }
    found = []
    for step in (2e-3, 1e-3):
        simulation = Simulation(
            scene({**box, "angular_velocity": [3.0, -1.0, 5.0], "dry_friction": 0.05, "friction": 1e-3}, time_step=step)
        )
        simulation.advance(0.5)
        now = simulation.snapshot()
        found.append(now.energy.total - now.ledger.total)
        start = Simulation(simulation.scene).snapshot()
        assert found[-1] == pytest.approx(start.energy.total, abs=1e-7)


def excess(needed, mobility, limit, shift):
    return np.linalg.norm(needed * mobility / (mobility + shift)) - limit


def test_the_torque_is_that_of_a_slow_search():
    """On 200 random moments and torques: |f| = M along omega', or omega' = 0."""
    random = np.random.default_rng(1)
    for _ in range(200):
        mobility, needed = 10 ** random.uniform(-3, 3, 3), random.normal(size=3)
        limit = float(np.linalg.norm(needed) * random.uniform(0.01, 1.2))
        found = np.array(holding_torque(tuple(needed), tuple(mobility), limit))
        if np.linalg.norm(needed) <= limit:
            np.testing.assert_array_equal(found, needed)
            continue
        root = brentq(partial(excess, needed, mobility, limit), 0.0, 1e9, xtol=1e-300, rtol=1e-15)
        np.testing.assert_allclose(found, needed * mobility / (mobility + root), rtol=1e-8, atol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(found), limit, rtol=1e-12)


@pytest.mark.parametrize("mobility", [(2.0, 0.0, 0.0), (0.3, 0.3, 0.3), (0.2, 0.7, 0.7)])
def test_along_equal_moments_the_torque_is_parallel_to_what_is_needed(mobility):
    needed = np.where(np.array(mobility) == max(mobility), [0.6, -0.5, 0.4], 0.0)
    limit = 0.3
    found = np.array(holding_torque(tuple(needed), mobility, limit))
    np.testing.assert_allclose(found, limit * needed / np.linalg.norm(needed), rtol=1e-15)


def test_in_another_orientation_it_is_the_same():
    turn = Rotation.from_rotvec([0.3, -0.8, 0.5])
    body = {"name": "box", "shape": [{"kind": "cuboid", "size": [0.3, 0.2, 0.1], "mass": 0.4}], "dry_friction": 0.02}
    spin = np.array([3.0, -1.0, 5.0])
    found = []
    for rotation in (Rotation.identity(), turn):
        axis = rotation.as_rotvec()
        angle = float(np.linalg.norm(axis))
        orientation = {"axis": list(axis / angle), "angle": angle} if angle else {"axis": [1, 0, 0], "angle": 0.0}
        start = {**body, "orientation": orientation, "angular_velocity": list(rotation.apply(spin))}
        simulation = Simulation(scene(start, gravity=[0, 0, 0]))
        simulation.advance(0.2)
        found.append(rotation.inv().apply(np.array(simulation.snapshot().bodies.angular_velocity[0])))
    np.testing.assert_allclose(found[0], found[1], atol=1e-12)


@pytest.mark.parametrize("support", ["free", "fixed", "driven"])
def test_what_has_no_pivot_has_no_dry_friction(support):
    with refuses("body[0].dry_friction", dry_friction=0.1):
        scene({**BALL, "support": support, "dry_friction": 0.1})
