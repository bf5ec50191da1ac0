"""The implicit method against a dense twin, closed forms and balances of forces, by steps that no other survives."""

import numpy as np
import pytest
import reference
from sampling import sampled

from polhode.analysis.steps.stability import largest_step
from polhode.integrators.implicit import C
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation

JELLY = {
    "name": "jelly",
    "kind": "lattice",
    "counts": [3, 4, 3],
    "spacing": [0.1, 0.1, 0.1],
    "particle_mass": 0.05,
    "stiffness": 300.0,
    "damping": 0.2,
    "fixed": list(range(24, 36)),  # it hangs by its top
}
GRAVITY = 9.8


def scene_of(step, method="implicit", gravity=GRAVITY, **parts):
    world = {"gravity": [0, 0, -gravity], **parts.pop("world", {})}
    return Scene.model_validate({"world": world, "solver": {"method": method, "time_step": step}, **parts})


def longest(described, method="verlet"):
    compiled = Simulation(described).compiled
    return largest_step(compiled.model, compiled.inputs, 0.0, compiled.start, method)


@pytest.mark.parametrize("times", sampled([10.0, 0.1, 1.0], 3))
def test_steps_are_those_of_a_dense_twin(times):
    """Net, particle, wall and wind, from steps within verlet's limit to far beyond it.

    Stages are solved to 1e-6 of the accelerations, and the error of five steps is about as large.
    """
    net = {**JELLY, "counts": [3, 3, 1], "angular_velocity": [1, 2, 3], "fixed": [0], "position": [0, 0, 0.02]}
    parts = {
        "soft": [net],
        "particle": [{"name": "ball", "mass": 0.02, "radius": 0.01, "position": [0.2, 0, -0.02]}],
        "spring": [{"from": "ball", "to": "jelly.5", "stiffness": 400, "damping": 0.2}],
        "wall": [{"name": "floor", "point": [0, 0, -0.1], "stiffness": 3e3}],
        "world": {"wind": {"velocity": [2, 1, 0], "period": 0.3, "drag": 0.01}},
    }
    step = times * longest(scene_of(1e-4, **parts))
    described = scene_of(step, **parts)
    simulation = Simulation(described)
    simulation.advance_steps(5)
    expected = reference.PointSystem(described).implicit_steps(step, 5)
    start = Simulation(described).snapshot().points.position
    moved = np.abs(expected - start).max()
    assert simulation.snapshot().points.position == pytest.approx(expected, abs=1e-5 * moved)


@pytest.mark.parametrize("w_dt", [0.1, 3.0, 300.0])
@pytest.mark.parametrize("damping_ratio", [0.0, 0.2, 5.0])
def test_a_damped_oscillator_goes_as_the_stability_function_says(w_dt, damping_ratio):
    """(1 + (1 - 2c) Z)(1 - c Z)^-2 of its matrix Z, step for step: a spring along its own line is linear.

    The stages are solved to 1e-6 of the rates, and a way a that such a rate leads to counts as w a.
    """
    mass, stiffness, small = 0.3, 120.0, 1e-5
    w = np.sqrt(stiffness / mass)
    step = w_dt / w
    ball = {"name": "ball", "mass": mass, "position": [0, 0, -1 - small], "velocity": [0, 0, small * w]}
    damping = 2 * damping_ratio * mass * w
    spring = {"from": [0, 0, 0], "to": "ball", "stiffness": stiffness, "damping": damping, "rest_length": 1.0}
    simulation = Simulation(scene_of(step, gravity=0, particle=[ball], spring=[spring]))
    z = step * np.array([[0, 1], [-(w**2), -damping / mass]])
    inverse = np.linalg.inv(np.eye(2) - C * z)
    y = np.array([-small, small * w])
    for _ in range(4):
        simulation.advance_steps(1)
        now = simulation.snapshot().points
        before, y = y, (np.eye(2) + (1 - 2 * C) * z) @ inverse @ inverse @ y
        found = np.array([now.position[0, 2] + 1, now.velocity[0, 2]])
        size = np.hypot(w * before[0], before[1])
        assert np.hypot(w * (found - y)[0], (found - y)[1]) < 1e-6 * (1 + w_dt) * size
        y = found


@pytest.mark.parametrize("times", [10, 100, 1000])
def test_a_jelly_comes_to_rest_where_forces_balance(times):
    """Hung up, with steps far beyond verlet's limit, for 300 steps and at least ten seconds; balance found by scipy."""
    step = times * longest(scene_of(1e-4, soft=[JELLY]))
    described = scene_of(step, soft=[JELLY])
    simulation = Simulation(described)
    start = simulation.snapshot().energy.total
    highest = -np.inf
    for _ in range(max(30, int(10 / step / 10))):
        simulation.advance_steps(10)
        highest = max(highest, simulation.snapshot().energy.total)
    assert highest <= start
    now = simulation.snapshot().points
    expected = reference.PointSystem(described).at_rest()
    sag = np.abs(expected - Simulation(described).snapshot().points.position).max()
    assert sag > 1e-3
    assert now.position == pytest.approx(expected, abs=1e-6 * sag)
    assert np.abs(now.velocity).max() < 1e-6


@pytest.mark.parametrize("times", [1, 30])
def test_a_free_jelly_keeps_its_momentum(times):
    """Forces between its points cancel whatever the step; so does what is left of the equations, to rounding."""
    free = {**JELLY, "fixed": [], "velocity": [0.3, -0.2, 0.1], "angular_velocity": [3, 2, 1]}
    step = times * longest(scene_of(1e-4, soft=[free], gravity=0))
    simulation = Simulation(scene_of(step, soft=[free], gravity=0))
    start = simulation.snapshot().momentum
    simulation.advance_steps(100)
    assert simulation.snapshot().momentum == pytest.approx(start, abs=1e-9 * np.linalg.norm(start))


def test_a_ball_falls_on_a_hard_floor_and_lies_there():
    """w dt of the contact is 300: nothing rebounds that an explicit method would throw to the stars."""
    ball = {"name": "ball", "mass": 0.1, "radius": 0.05, "position": [0, 0, 0.5], "velocity": [0.5, 0, 0]}
    floor = {"name": "floor", "stiffness": 1e7, "damping": 100.0, "friction": 2.0}
    simulation = Simulation(scene_of(0.03, particle=[ball], wall=[floor]))
    before = simulation.snapshot().energy.total
    for _ in range(100):
        simulation.advance(0.03)
        assert simulation.snapshot().energy.total <= before * (1 + 1e-6)
    now = simulation.snapshot().points
    assert now.position[0, 2] - 0.05 == pytest.approx(-0.1 * GRAVITY / 1e7, rel=1e-4)
    assert np.abs(now.velocity).max() < 1e-6


@pytest.mark.parametrize("modes", [0, 6])
def test_bodies_and_jellies_together_converge_at_order_two(modes):
    """The gallery's jelly on a bar, with all points or with modes, beside Runge-Kutta; friction of floors is smooth."""
    described = read_scene(gallery.path("jelly_pendulum"))
    soft = tuple(part.model_copy(update={"modes": modes, "fixed": (0,) if modes else ()}) for part in described.soft)
    spring = described.spring if not modes else described.spring[:1]

    def after(method, step):
        solver = described.solver.model_copy(update={"method": method, "time_step": step})
        run = Simulation(described.model_copy(update={"solver": solver, "soft": soft, "spring": spring}))
        run.advance(0.2)
        now = run.snapshot()
        return np.concatenate([now.points.position.ravel(), now.bodies.position.ravel(), now.bodies.basis.ravel()])

    exact = after("rk4", 2.5e-4)
    errors = [np.linalg.norm(after("implicit", step) - exact) for step in (2e-3, 1e-3)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.15)


def test_no_step_is_too_long_for_it():
    assert longest(scene_of(1e-4, soft=[JELLY]), "implicit") == np.inf
    assert longest(scene_of(1e-4, soft=[JELLY]), "verlet") < 0.01
