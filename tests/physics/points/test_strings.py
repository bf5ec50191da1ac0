"""Strings that only pull, over pulleys: beside closed forms and an independent solution, and what is refused."""

import numpy as np
import pytest
from meaning import Meaning, refuses
from runs import snapshots
from scipy.integrate import solve_ivp

from polhode.analysis.steps.limits import shortest
from polhode.analysis.steps.strings import taut_strings
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.scene.toml_edit import stated
from polhode.simulation.simulation import Simulation
from scenes import step_warnings

G = 9.80665
HELD = {"from": [0, 0, 0], "to": "ball", "rest_length": 0.5, "pull_only": True}
BALL = {"name": "ball", "mass": 0.2}


def described(*springs, method="rk4", time_step=1e-3, **parts) -> Scene:
    solver = {"method": method, "time_step": time_step}
    return scene_of({"solver": solver, "spring": list(springs), **parts}, "test")


def caught_at(time: float, stiffness: float) -> tuple[float, float]:
    """Height [m] and velocity [m/s] of a ball that falls from rest at the string's end and is caught by it."""
    taut, rate = np.sqrt(2 * 0.5 / G), np.sqrt(stiffness / 0.2)
    if time < taut:
        return -G * time**2 / 2, -G * time
    sag, speed, phase = G / rate**2, np.sqrt(2 * G * 0.5), rate * (time - taut)
    stretch = sag + speed / rate * np.sin(phase) - sag * np.cos(phase)
    return -0.5 - stretch, -(speed * np.cos(phase) + sag * rate * np.sin(phase))


def fallen(time: float, method: str, time_step: float, stiffness=400.0) -> tuple[float, float]:
    scene = described({**HELD, "stiffness": stiffness}, particle=[BALL], method=method, time_step=time_step)
    simulation = Simulation(scene)
    simulation.advance(time)
    now = simulation.snapshot().points
    return now.position[0, 2], now.velocity[0, 2]


@pytest.mark.parametrize(("method", "off"), [("rk4", 4e-7), ("dormand_prince_8", 1e-12), ("verlet", 8e-4)])
def test_a_falling_ball_is_caught(method, off):
    """Taut from 0.319 s on, for half a period: the error is that of the method without a switch. With w dt = 0.045 over
    3 radians at 3.1 m/s, it is (w dt)^4/120 of RK4 and (w dt)^2/24 of Verlet for each radian.
    """
    for time in (0.3, 0.33, 0.37):
        np.testing.assert_allclose(fallen(time, method, 1e-3), caught_at(time, 400.0), rtol=0, atol=off)


@pytest.mark.parametrize("time_step", [0.01, 0.005])
def test_the_order_of_the_method_is_kept_over_the_switch(time_step):
    """Halving the step divides the error by 16 of RK4; with a step over the kink by 4, and by no even factor."""
    errors = [np.subtract(fallen(0.36, "rk4", h), caught_at(0.36, 400.0)) for h in (time_step, time_step / 2)]
    assert 12 < np.linalg.norm(errors[0]) / np.linalg.norm(errors[1]) < 22


def test_a_multistep_method_steps_over_the_switch():
    np.testing.assert_allclose(fallen(0.36, "adams_bashforth_2", 1e-4), caught_at(0.36, 400.0), atol=2e-4)


def test_a_slack_string_does_nothing():
    free, held = (fallen(0.25, "rk4", 1e-3, k) for k in (1.0, 1e6))
    assert free == held == pytest.approx((-G * 0.25**2 / 2, -G * 0.25), abs=1e-13)


def test_weights_over_a_pulley_move_as_atwoods():
    """m1 a1 + T = m1 g on either side: m1 x1 - m2 x2 falls uniformly, and the length swings about its equilibrium."""
    masses, stiffness, time = (0.3, 0.2), 500.0, 0.4
    weights = [
        {"name": name, "mass": mass, "position": [x, 0, -0.4]}
        for name, mass, x in zip("ab", masses, (-0.1, 0.1), strict=True)
    ]
    over = [[-0.1, 0, 0], [0.1, 0, 0]]
    string = {"from": "a", "to": "b", "over": over, "pull_only": True, "stiffness": stiffness, "rest_length": 1.0}
    simulation = Simulation(described(string, particle=weights, method="dormand_prince_8"))
    simulation.advance(time)
    now = simulation.snapshot()
    a, b = -now.points.position[:, 2]
    inverse = sum(1 / mass for mass in masses)
    rate, mean = np.sqrt(stiffness * inverse), 2 * G / (stiffness * inverse)
    assert a + b - 0.8 == pytest.approx(mean * (1 - np.cos(rate * time)), abs=1e-11)
    moved = masses[0] * (a - 0.4) - masses[1] * (b - 0.4)
    assert moved == pytest.approx((masses[0] - masses[1]) * G * time**2 / 2, abs=1e-11)
    assert np.abs(now.points.position[:, :2] - [[-0.1, 0], [0.1, 0]]).max() == 0.0
    stretch = a + b - 0.8
    assert now.energy.elastic == pytest.approx(stiffness * stretch**2 / 2, abs=1e-12)


PULLEYS = [[0.2, 0.1, 0.3], [0.5, -0.1, 0.35], [0.8, 0.0, 0.2]]
BOX = {
    "name": "box",
    "support": "free",
    "position": [1.0, 0.1, -0.2],
    "angular_velocity": [0.0, 2.0, -0.5],
    "shape": [{"kind": "cuboid", "size": [0.3, 0.2, 0.1], "mass": 0.4}],
}


def swung(law: dict, times: np.ndarray, **more) -> list:
    ball = {"name": "ball", "mass": 0.25, "position": [0.0, 0.0, -0.3], "velocity": [1.5, 0.4, 0.5]}
    ends = {"from": [0.8, 0.2, 0.1], "to": "ball", "over": PULLEYS[::-1], "pull_only": True}
    return snapshots(described({**ends, **law}, particle=[ball], **more), times)


@pytest.mark.parametrize(
    ("law", "tension"),
    [
        ({"stiffness": 120.0, "damping": 0.4}, lambda s, v: 120 * s + 0.4 * v),
        ({"force": "900*(l - 1.45)^2 + 0.3*v + 1"}, lambda s, v: 900 * s**2 + 0.3 * v + 1),
    ],
)
def test_a_swing_over_pulleys_is_that_of_an_independent_solution(law, tension):
    """Taut and slack in turns, with a jump of the force at the switch; scipy's events at each."""
    rest = 1.45
    fixed = np.array([[0.8, 0.2, 0.1], *PULLEYS[::-1]])
    before = np.linalg.norm(np.diff(fixed, axis=0), axis=1).sum()

    def stretch(state):
        along = fixed[-1] - state[:3]
        length = np.linalg.norm(along)
        return before + length - rest, -along @ state[3:] / length, along / length

    def rate(taut):
        def of_state(t, state):
            s, v, unit = stretch(state)
            pull = max(0.0, tension(s, v)) if taut else 0.0
            return np.concatenate([state[3:], pull / 0.25 * unit - [0, 0, G]])

        return of_state

    def crossing(t, state):
        return stretch(state)[0]

    crossing.terminal = True
    times, state, time, expected, switches = np.linspace(0, 1.5, 16), np.array([0, 0, -0.3, 1.5, 0.4, 0.5]), 0.0, {}, 0
    taut = stretch(state)[0] > 0
    while time < times[-1]:
        crossing.direction = -1 if taut else 1
        given = {"rtol": 1e-12, "atol": 1e-13, "events": crossing, "dense_output": True, "max_step": 2e-3}
        part = solve_ivp(rate(taut), (time, 1.5), state, "DOP853", **given)
        expected |= {t: part.sol(t) for t in times if time <= t <= part.t[-1]}
        time, state, taut, switches = part.t[-1], part.y[:, -1], not taut, switches + 1
    assert switches >= 4
    found = swung({**law, "rest_length": rest}, times, method="dormand_prince_8")
    for t, now in zip(times, found, strict=True):
        np.testing.assert_allclose(now.points.position[0], expected[t][:3], rtol=0, atol=2e-8)
    assert np.ptp([now.energy.total - now.ledger.total for now in found]) < 1e-8
    assert found[-1].ledger.damping < -1e-3


def test_a_string_may_end_at_two_points_of_one_body():
    """Over a pulley; the forces on the body are the tension along both ends, at the ends."""
    ends = [{"body": "box", "point": [x, 0.05, 0.05]} for x in (-0.1, 0.1)]
    string = {"from": ends[0], "to": ends[1], "over": [[1.0, 0.2, 0.5]], "stiffness": 30.0, "rest_length": 1.0}
    simulation = Simulation(described(string, body=[BOX]))
    loads = simulation.snapshot(forces=True).forces["springs"]
    arms = np.array([end["point"] for end in ends])
    to = [1.0, 0.2, 0.5] - (BOX["position"] + arms)
    lengths = np.linalg.norm(to, axis=1)
    pulls = 30.0 * (lengths.sum() - 1.0) * to / lengths[:, None]
    np.testing.assert_allclose(loads.on_bodies[0], pulls.sum(axis=0), atol=1e-12)
    np.testing.assert_allclose(loads.torque[0], np.cross(arms, pulls).sum(axis=0), atol=1e-12)


def test_its_natural_length_is_that_at_the_start_unless_told():
    string = {"from": [0, 0, 0], "to": "ball", "over": [[0.3, 0, 0], [0.3, 0.4, 0]], "stiffness": 1.0}
    simulation = Simulation(described(string, particle=[{**BALL, "position": [0.3, 0.4, -1.2]}]))
    assert simulation.compiled.model.springs.rest == pytest.approx([1.9], abs=1e-15)


BAD = [
    ({"damper": "full"}, Meaning("spring[0].damper", "full", "strings")),
    ({"over": [[0, 0, 1], [0, 0, 1]]}, Meaning("spring[0].over[1]", "pulley")),
    ({"over": [[0, 0]]}, Meaning("spring[0].over[0]")),
    ({"over": [[0, 0, float("nan")]]}, Meaning("spring[0].over[0][2]")),
    ({"over": [[0, 0, 1]], "to": [1, 0, 0]}, Meaning("spring[0].to", "still")),
    ({"pull_only": 2}, Meaning("spring[0].pull_only")),
]


@pytest.mark.parametrize(("fields", "said"), BAD)
def test_what_is_wrong_is_found_before_the_run(fields, said):
    with pytest.raises(InputError) as caught:
        Simulation(described({**HELD, "stiffness": 3.0, **fields}, particle=[{**BALL, "position": [0, 0, -1]}]))
    assert said.of(caught.value)


def test_a_formula_of_a_string_is_checked_where_it_is_taut():
    law = {**HELD, "force": "sqrt(l - 0.5)"}
    Simulation(described(law, particle=[{**BALL, "position": [0, 0, -1]}]))
    with refuses("spring[0].force", l=0.05, v=0):
        Simulation(described({**law, "pull_only": False}, particle=[{**BALL, "position": [0, 0, -1]}]))


def test_a_string_is_written_as_read():
    scene = described({**HELD, "stiffness": 3.0, "over": PULLEYS}, particle=[BALL])
    assert scene_of(stated(scene), "again") == scene


def test_a_step_that_is_too_long_for_a_taut_string_is_told():
    """Two ends, a ball and a body about its pivot: 1/m = 1/0.2 kg + r^2/I."""
    rod = {
        "name": "rod",
        "shape": [{"kind": "cuboid", "size": [0.02, 0.02, 1.0], "mass": 0.3, "position": [0, 0, -0.5]}],
    }
    string = {"from": {"body": "rod", "point": [0, 0, -0.8]}, "to": "ball", "stiffness": 500.0, "pull_only": True}
    ball = {**BALL, "position": [0.3, 0, -0.8]}
    compiled = Simulation(
        described({**string, "rest_length": 1.0}, body=[rod], particle=[ball], time_step=0.02)
    ).compiled
    inertia = 0.3 * (1 + 0.02**2) / 12 + 0.3 * 0.25
    longest = np.sqrt(8 / 500 / (1 / 0.2 + 0.64 / inertia))
    found = shortest(taut_strings(compiled), "rk4")[0]
    assert found == pytest.approx(longest, rel=1e-4)  # what grows by 2.5 % in 10 s counts as stable
    (warning,) = step_warnings(compiled, "rk4", 0.04)
    assert Meaning("solver.time_step", step=0.04, number=0).of(str(warning))
    assert step_warnings(compiled, "rk4", 0.002) == []
