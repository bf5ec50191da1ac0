"""Springs whose length has a sign along an axis: beside the course's listings, closed forms and a solution of scipy."""

import numpy as np
import pytest
from meaning import refuses
from runs import drift, snapshots
from scipy.integrate import solve_ivp

from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene, scene_of
from polhode.simulation.simulation import Simulation

K, M, G, STEP = 100.0, 0.5, 9.8, 0.01  # of the course's first program
BALL = {"name": "ball", "mass": M, "position": [0, 0, -0.2]}
SPRING = {"from": [0, 0, 0], "to": "ball", "axis": [0, 0, -1], "rest_length": 0.2, "stiffness": K}


def described(*springs, method="dormand_prince_8", time_step=2.5e-3, **parts) -> Scene:
    solver = {"method": method, "time_step": time_step}
    return scene_of({"solver": solver, "world": {"gravity": [0, 0, -G]}, "spring": list(springs), **parts}, "test")


def course(method: str, steps: int, **changes: object) -> np.ndarray:
    """(steps + 1, 2) y [m] and vy [m/s] of the scene of the course, downwards."""
    scene = read_scene(gallery.path("course_1_oscillator")).model_copy(update={"ghost": ()})
    scene = scene.with_values({"solver.method": method, **changes})
    simulation, found = Simulation(scene), []
    for _ in range(steps + 1):
        now = simulation.snapshot().points
        found.append((-now.position[0, 2], -now.velocity[0, 2]))
        simulation.advance_steps(1)
    return np.array(found)


def listing(steps: int, l0: float = 0.2, with_memory: bool = False) -> np.ndarray:
    """Lists 1 and 2 of the course, transcribed: Euler's method, and Adams-Bashforth's with a force of 0 before."""
    y, vy, before, found = 0.2, 0.0, (0.0, 0.0), []
    for _ in range(steps + 1):
        found.append((y, vy))
        now = vy, (-K * (y - l0) + M * G) / M
        rate = [1.5 * a - 0.5 * b for a, b in zip(now, before, strict=True)] if with_memory else now
        y, vy, before = y + rate[0] * STEP, vy + rate[1] * STEP, now
    return np.array(found)


@pytest.mark.parametrize(("method", "with_memory"), [("euler", False), ("adams_bashforth_2_as_printed", True)])
def test_the_scene_of_the_course_has_the_numbers_of_its_listings(method, with_memory):
    """After one step to the last digit; after 300, beyond the first passage of the ceiling by Euler's method, to the
    rounding of 300 steps (2e-16 each) of a swing of 2 m and 28 m/s.
    """
    found, wanted = course(method, 300), listing(300, with_memory=with_memory)
    assert found[:2] == pytest.approx(wanted[:2], abs=1e-15)
    assert wanted[:, 0].min() < -0.01 or with_memory
    assert np.abs(found - wanted).max() < 300 * 2.2e-16 * np.abs(wanted).max()


def test_the_natural_length_of_the_course_can_be_changed():
    found = course("euler", 100, **{"spring[0].rest_length": 0.1})
    assert found == pytest.approx(listing(100, l0=0.1), abs=1e-13)


def test_the_swing_is_harmonic_on_both_sides_of_the_upper_end():
    """y = l0 + m g/k - A cos(w t), with A = 0.5 m, which a spring in space of natural length l0 would not follow."""
    ball = BALL | {"position": [0, 0, 0.251]}
    times = np.linspace(0.0, 2.0, 21)
    found = snapshots(described(SPRING, particle=[ball]), times)
    wanted = 0.249 - 0.5 * np.cos(np.sqrt(K / M) * times)
    assert [-now.points.position[0, 2] for now in found] == pytest.approx(wanted, abs=1e-11)
    assert [now.energy.elastic for now in found] == pytest.approx(K * (wanted - 0.2) ** 2 / 2, abs=1e-10)
    assert drift(found) < 1e-11


OTHER = {"name": "other", "mass": 0.3, "position": [0.1, 0.4, -0.6], "velocity": [0.3, -0.2, 0.1]}


def test_two_masses_move_as_an_independent_solution_and_keep_their_momentum():
    axis = np.array([1.0, 2.0, -2.0]) / 3.0
    spring = {"from": "ball", "to": "other", "axis": [1, 2, -2], "rest_length": 0.2, "stiffness": K, "damping": 0.4}
    times = np.linspace(0.0, 1.0, 6)
    found = snapshots(described(spring, particle=[BALL, OTHER]), times)

    def rate(t: float, s: np.ndarray) -> np.ndarray:
        along, relative = (s[3:6] - s[:3]) @ axis, (s[9:] - s[6:9]) @ axis
        pull = (K * (along - 0.2) + 0.4 * relative) * axis
        return np.concatenate([s[6:], pull / M - [0, 0, G], -pull / 0.3 - [0, 0, G]])

    start = [*BALL["position"], *OTHER["position"], 0.0, 0.0, 0.0, *OTHER["velocity"]]
    wanted = solve_ivp(rate, (0, 1), start, "DOP853", times, rtol=1e-12, atol=1e-12).y.T
    assert np.abs(np.array([now.points.position.ravel() for now in found]) - wanted[:, :6]).max() < 1e-9
    fallen = found[-1].momentum - found[0].momentum
    assert fallen == pytest.approx([0, 0, -0.8 * G], abs=1e-12)
    assert found[-1].ledger.damping < -1e-2
    assert drift(found) < 1e-9


def test_a_body_is_turned_by_the_force_at_its_point():
    """A box on a pivot: I alpha = r x F of a spring that pulls along x whatever its direction in space."""
    box = {"name": "box", "support": "pivot", "shape": [{"kind": "cuboid", "size": [0.2, 0.2, 0.2], "mass": 0.6}]}
    end = {"body": "box", "point": [0, 0.1, 0]}
    spring = {"from": [0.5, 3.0, 0], "to": end, "axis": [1, 0, 0], "rest_length": 0.1, "stiffness": 2.0}
    simulation = Simulation(described(spring, body=[box]))
    simulation.advance_steps(1)
    force = -2.0 * (-0.5 - 0.1)
    inertia = 0.6 * 0.04 / 6
    now = simulation.snapshot()
    assert now.bodies.angular_velocity[0, 2] == pytest.approx(-0.1 * force / inertia * 2.5e-3, rel=1e-3)


@pytest.mark.parametrize(
    ("changes", "meaning"),
    [
        ({"axis": [0, 0, 0]}, ("spring[0].axis", "zero")),
        ({"pull_only": True}, ("spring[0].axis", "strings", "pull_only")),
        ({"damper": "full", "damping": 1.0}, ("spring[0].damper", "axial")),
        ({"axis": [0, 0, 1], "rest_length": None}, ("spring[0].axis", "rest_length", "-0.2")),
    ],
)
def test_what_is_refused(changes, meaning):
    spring = {key: value for key, value in {**SPRING, **changes}.items() if value is not None}
    with refuses(*meaning):
        Simulation(described(spring, particle=[BALL]))
