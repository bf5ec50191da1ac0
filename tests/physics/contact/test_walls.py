"""Walls: closed forms of the penalty contact, an independent integration with events, and the ledger."""

import numpy as np
import pytest
from reference import PointSystem
from scipy.integrate import solve_ivp

from polhode.scene.problem import InputError
from polhode.simulation.simulation import Simulation
from scenes import scene

BALL = {"name": "ball", "mass": 1.0, "radius": 1.0}
FLOOR = {"name": "floor", "stiffness": 2000.0, "damping": 3.0}


def ball_above(time_step, ball, floor, gravity=0.0):
    parts = {"particle": [{**BALL, **ball}], "wall": [{**FLOOR, **floor}]}
    return scene(time_step=time_step, gravity=[0, 0, -gravity], **parts)


def thrown(time_step, **floor):
    """Velocity after a ball has met the floor at 1 m/s, without gravity."""
    simulation = Simulation(ball_above(time_step, {"position": [0, 0, 1.01], "velocity": [0.3, 0, -1.0]}, floor))
    simulation.advance(0.2)
    return simulation.snapshot()


def test_a_sticky_floor_gives_back_what_the_closed_form_says():
    """A sticky contact that ends at depth 0: e = exp(-pi z/sqrt(1 - z^2)) with z = c/(2 sqrt(k m))."""
    z = 3.0 / (2 * np.sqrt(2000.0))
    expected = np.exp(-np.pi * z / np.sqrt(1 - z * z))
    found = thrown(1e-5, sticky=True).points.velocity[0]
    assert found == pytest.approx([0.3, 0, expected], abs=1e-4)  # of first order in the step at the ends of the contact


def test_a_floor_that_does_not_pull_lets_go_where_its_pressure_ends():
    """The contact ends where k x + c x' = 0: an oscillation with that end, by DOP853 with an event."""

    def fall(_, y):
        return [y[1], -2000.0 * y[0] - 3.0 * y[1]]

    def pressure(_, y):
        return -2000.0 * y[0] - 3.0 * y[1]

    pressure.terminal, pressure.direction = True, -1
    # the damper presses at once: a moment after the first touch the event means what it says
    start = solve_ivp(fall, (0, 1e-3), [0.0, -1.0], method="DOP853", rtol=1e-12, atol=1e-14)
    way = solve_ivp(fall, (1e-3, 1.0), start.y[:, -1], method="DOP853", events=pressure, rtol=1e-12, atol=1e-14)
    assert thrown(1e-5).points.velocity[0, 2] == pytest.approx(way.y_events[0][0][1], abs=1e-4)


def test_the_bouncing_ball_agrees_with_an_integration_that_stops_at_every_contact():
    """g 9.8, from 10 m: three bounces in 6 s. A kink costs c v dt of momentum, 1e-3 m/s, six times."""
    described = ball_above(2e-5, {"position": [0, 0, 10.0]}, {"sticky": True}, gravity=9.8)
    simulation = Simulation(described)
    times = [1.0, 2.0, 4.0, 6.0]
    expected = PointSystem(described).positions(times)
    for k, time in enumerate(times):
        simulation.advance(time - simulation.time)
        assert simulation.snapshot().points.position[0] == pytest.approx(expected[k, 0], abs=2e-3)


def test_friction_of_a_floor_slows_a_ball_that_lies_on_it():
    """m dv/dt = -d_t v while it lies still in its dent: v = v0 exp(-d_t t/m)."""
    depth = 9.8 / 2000.0
    described = ball_above(
        1e-3, {"position": [0, 0, 1 - depth], "velocity": [2.0, 0, 0]}, {"friction": 1.5}, gravity=9.8
    )
    simulation = Simulation(described)
    simulation.advance(1.0)
    assert simulation.snapshot().points.velocity[0] == pytest.approx([2.0 * np.exp(-1.5), 0, 0], abs=1e-9)


def test_a_moving_floor_presses_with_the_relative_velocity_and_its_work_is_in_the_ledger():
    floor = {"motion": {"kind": "sine", "amplitude": 0.1, "period": 0.5}, "friction": 0.5, "normal": [0.1, 0, 1.0]}
    described = ball_above(2e-5, {"position": [0, 0, 1.05], "velocity": [0.5, 0, 0]}, floor, gravity=9.8)
    simulation = Simulation(described)
    start = simulation.snapshot()
    simulation.advance(1.0)
    now = simulation.snapshot()
    assert now.points.position[0] == pytest.approx(PointSystem(described).positions([1.0])[0, 0], abs=2e-4)
    assert now.ledger.drive > 0.1
    assert now.ledger.contact < -0.01
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, abs=2e-3)


def bounced(motion, folder=None):
    """A ball that bounces on a floor that moves: positions at ten times."""
    described = ball_above(1e-4, {"position": [0, 0, 1.05]}, {"motion": motion}, gravity=9.81)
    simulation = Simulation(described if folder is None else described.in_folder(folder))
    found = []
    for _ in range(10):
        simulation.advance(0.1)
        found.append(simulation.snapshot().points.position[0, 2])
    return np.array(found), simulation.snapshot()


def test_a_floor_that_a_formula_moves_is_that_of_the_sine():
    amplitude, period = 0.02, 0.25
    sine, last = bounced({"kind": "sine", "amplitude": amplitude, "period": period})
    formula, _ = bounced({"kind": "formula", "displacement": f"{amplitude}*sin(2*pi*t/{period})"})
    assert formula == pytest.approx(sine, abs=1e-11)
    assert last.ledger.contact != 0.0


def test_a_floor_that_measured_data_move(tmp_path):
    """Two thousand rows of a sine in mm, by natural splines: errors of (2 pi h/T)^4 amplitude, 4e-10 m, and bounces."""
    amplitude, period = 0.02, 0.25
    times = np.linspace(0.0, 1.2, 2001)
    rows = np.stack([times, 1e3 * amplitude * np.sin(2 * np.pi * times / period)], axis=1)
    np.savetxt(tmp_path / "floor.csv", rows, delimiter=",", header="time [s],height [mm]", comments="")
    sine, _ = bounced({"kind": "sine", "amplitude": amplitude, "period": period})
    data = {"data": "floor.csv", "column": "height", "interpolation": "cubic"}
    found, _ = bounced({"kind": "formula", "displacement": data}, tmp_path)
    assert found == pytest.approx(sine, abs=1e-6)


def test_the_height_of_a_floor_at_rest_is_its_displacement():
    """On a floor that is 0.3 m higher a ball of 1 m rests in its dent."""
    described = ball_above(
        1e-3, {"position": [0, 0, 1.3]}, {"motion": {"kind": "formula", "displacement": "0.3"}}, 9.81
    )
    simulation = Simulation(described)
    simulation.advance(8.0)
    now = simulation.snapshot()
    assert now.points.position[0, 2] == pytest.approx(1.3 - 9.81 / 2000.0, abs=1e-6)
    assert now.walls[0] == pytest.approx(0.3)


def test_a_formula_of_a_floor_without_a_value():
    with pytest.raises(InputError) as found:
        Simulation(
            ball_above(1e-3, {"position": [0, 0, 2]}, {"motion": {"kind": "formula", "displacement": "log(-1)"}})
        )
    assert [problem.place for problem in found.value.problems] == ["wall[0].motion.displacement"]
