"""The estimated largest step against the limits of a pendulum and a rubbing wheel, and against the run itself."""

import numpy as np
import pytest

from polhode import read_robot
from polhode.analysis.steps.limits import step_limits
from polhode.analysis.steps.stability import largest_step
from polhode.integrators import AS_PRINTED, METHODS
from polhode.scene.scene import Solver
from polhode.simulation.simulation import Diverged, Simulation
from scenes import FIXED, OTHER, TILTED, scene, sphere, step_warnings


def limit(s, method):
    compiled = Simulation(s).compiled
    return largest_step(compiled.model, compiled.inputs, 0.0, compiled.start, method)


@pytest.mark.parametrize("method", METHODS | AS_PRINTED)
def test_limits_of_oscillation_and_decay(method):
    """A hanging point bob has w = 10 1/s; a wheel with friction alone has a = 100 1/s. Differences are good to 1e-4."""
    module = (METHODS | AS_PRINTED)[method]
    bob = {"name": "bob", "shape": [{"kind": "point", "mass": 1, "position": [0, 0, -1]}]}
    # AB2 grows by (w dt)^4/4 per step, which is less than 2.5 % in 10 s up to dt = (0.01/w^4)^(1/3), to leading order
    grows = method.startswith("adams_bashforth_2")
    expected = pytest.approx(0.01 if grows else module.OSCILLATION_LIMIT / 10, rel=0.01 if grows else 1e-3)
    assert limit(scene(bob, gravity=[0, 0, -100.0]), method) == expected
    wheel = {"name": "wheel", "friction": 100 * 0.4 * 0.1**2, "shape": [sphere(0.1, 1.0)]}
    assert limit(scene(wheel, gravity=[0, 0, 0]), method) == pytest.approx(module.DECAY_LIMIT / 100, rel=1e-3)


def test_a_step_beyond_the_limit_blows_up_and_one_within_does_not():
    """Strong friction and magnets: 0.9 of the estimate runs for 2000 steps, 1.2 of it diverges."""
    s = scene({**TILTED, "friction": 0.05, "angular_velocity": [0, 0, 0]}, OTHER, FIXED)
    longest = limit(s, "rk4")

    def run(step):
        simulation = Simulation(s.model_copy(update={"solver": Solver(time_step=step)}))
        simulation.advance_steps(2000)
        return np.abs(simulation.snapshot().bodies.angular_velocity).max()

    assert run(0.9 * longest) < 50
    with pytest.raises(Diverged):
        run(1.2 * longest)


def test_many_bodies_are_estimated_by_the_fastest_modes():
    """60 wheels apart from each other, one of them faster: all eigenvalues would be a matrix of 1080 x 1080."""
    wheels = [
        {"name": f"w{k}", "friction": (100 if k == 37 else 10) * 0.4 * 0.1**2, "shape": [sphere(0.1, 1.0)]}
        for k in range(60)
    ]
    assert limit(scene(*wheels, gravity=[0, 0, 0]), "rk4") == pytest.approx(METHODS["rk4"].DECAY_LIMIT / 100, rel=0.02)


def test_nothing_that_moves_sets_no_limit():
    assert limit(scene(FIXED), "rk4") == np.inf


def test_all_methods_at_once_and_an_end_that_is_asked_for():
    s = scene(TILTED, OTHER, FIXED)
    compiled = Simulation(s).compiled
    found = {name: each.step for name, each in step_limits(compiled, 0.0, compiled.start).items()}
    assert found == {method: limit(s, method) for method in METHODS | AS_PRINTED}

    def enough():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        step_limits(compiled, 0.0, compiled.start, enough)


def test_warnings_state_how_fast_the_motion_grows():
    """A point bob with w = 10 1/s: Euler multiplies by sqrt(1 + (w dt)^2), verlet beyond w dt = 2 by the larger root of
    r^2 - (2 - (w dt)^2) r + 1, here -(7 + sqrt(45))/2.
    """
    bob = {"name": "bob", "shape": [{"kind": "point", "mass": 1, "position": [0, 0, -1]}]}
    compiled = Simulation(scene(bob, gravity=[0, 0, -100.0])).compiled

    def told(method, step):
        (warning,) = step_warnings(compiled, method, step)
        return warning.rule.values

    euler = told("euler", 0.01)
    assert euler["percent"] == pytest.approx(100 * (np.sqrt(1.01) - 1), rel=1e-5)
    assert euler["doubling"] == pytest.approx(0.01 * np.log(2) / np.log(np.sqrt(1.01)), rel=1e-5)
    verlet = told("verlet", 0.3)
    assert verlet["percent"] == pytest.approx(100 * ((7 + np.sqrt(45)) / 2 - 1), rel=1e-4)
    assert verlet["longest"] == pytest.approx(0.2, rel=1e-3)
    assert step_warnings(compiled, "rk4", 0.01) == []


def test_tangential_springs_of_separate_surfaces_set_no_limit():
    """A rough ball above a rough wall slides nowhere: its spin alone limits the step, whatever its velocity."""
    wall = {"name": "floor", "normal": [0, 0, 1], "stiffness": 1e5, "rough": True}
    ball = {"name": "ball", "mass": 0.17, "radius": 0.05, "position": [0, 0, 0.5], "angular_velocity": [0, -30, 0]}
    apart = scene(sphere=[ball | {"velocity": [0.6, 0, 0]}], wall=[wall])
    assert limit(apart, "rk4") == pytest.approx(METHODS["rk4"].OSCILLATION_LIMIT / 30, rel=1e-3)
    touching = scene(sphere=[ball | {"position": [0, 0, 0.0499]}], wall=[wall])
    assert limit(touching, "rk4") == pytest.approx(METHODS["rk4"].OSCILLATION_LIMIT / np.sqrt(1e5 / 0.17), rel=1e-2)


@pytest.mark.parametrize("stiffness", [0.0, 30.0])
def test_two_hinges_through_a_body_of_negligible_mass_are_limited_as_one_joint(stiffness):
    """A hanging bar on two hinges, as MJCF states them, has the limits of a bar on a universal joint."""
    tensor = np.diag([0.05, 0.055, 0.02]).tolist()
    bar = {"name": "bar", "support": "free", "inertia": {"mass": 2.0, "center": [0, 0, -0.1], "tensor": tensor}}
    bar |= {"shape": [{"kind": "point", "mass": 2.0}]}
    light = {"mass": 2e-8, "center": [0, 0, 0], "tensor": (1e-8 * np.eye(3)).tolist()}
    between = bar | {"name": "between", "inertia": light}
    hinges = [
        {"name": "x", "kind": "hinge", "first": "between", "axis": [1, 0, 0]},
        {"name": "y", "kind": "hinge", "first": "between", "second": "bar", "axis": [0, 1, 0]},
    ]
    if stiffness:
        hinges = [hinge | {"spring": {"stiffness": stiffness}} for hinge in hinges]
        wanted = METHODS["rk4"].OSCILLATION_LIMIT / np.sqrt((stiffness + 2.0 * 9.80665 * 0.1) / 0.05)
    else:
        cardan = {"name": "xy", "kind": "universal", "first": "bar", "second_axis": [1, 0, 0], "axis": [0, 1, 0]}
        wanted = limit(scene(bar, joint=[cardan]), "rk4")
    assert limit(scene(between, bar, joint=hinges), "rk4") == pytest.approx(wanted, rel=1e-3)


def test_the_mass_between_two_hinges_of_mjcf_sets_no_limit(tmp_path):
    """A difference of a momentum that is small for a leg is none for the body between its two hinges."""
    (tmp_path / "leg.xml").write_text(
        '<mujoco><worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 0.3995"><freejoint/>'
        '<geom type="capsule" size="0.07" fromto="0 -0.07 0 0 0.07 0"/><body name="leg" pos="0 0.1 -0.05">'
        '<joint axis="1 0 0" stiffness="2" damping="1"/><joint axis="0 1 0" stiffness="2" damping="1"/>'
        '<geom type="capsule" size="0.05" fromto="0 0 0 0 0.01 -0.3"/></body></body></worldbody></mujoco>'
    )
    model = read_robot(tmp_path / "leg.xml").scene

    def heavier(body, times):
        if body.inertia is None:
            return body
        tensor = tuple(tuple(times * part for part in row) for row in body.inertia.tensor)
        stated = {"mass": times * body.inertia.mass, "tensor": tensor}
        return body.model_copy(update={"inertia": body.inertia.model_copy(update=stated)})

    wanted = limit(model.model_copy(update={"body": tuple(heavier(body, 1e4) for body in model.body)}), "rk4")
    assert limit(model, "rk4") == pytest.approx(wanted, rel=2e-3)
