"""Every method: its measured order, its determinism, its limits, and what it claims to keep."""

from types import SimpleNamespace

import numpy as np
import pytest
from meaning import refuses
from scipy.integrate import DOP853

from polhode.integrators import AS_PRINTED, METHODS, Method, by_name, dormand_prince_8
from polhode.scene.part import mark_validated
from polhode.scene.scene import Dipole, Scene, Solver
from polhode.simulation.simulation import Diverged, Simulation
from scenes import AXLE, FIXED, FREE, OTHER, TILTED, independent_turns, scene, sphere

ALL = METHODS | AS_PRINTED


def with_method(s: Scene, method: str, time_step: float) -> Scene:
    return s.model_copy(update={"solver": Solver(method=method, time_step=time_step)})


def test_the_scene_knows_every_method_of_the_table():
    assert set(Solver.model_fields["method"].annotation.__args__) == {*METHODS, *AS_PRINTED}


@pytest.mark.parametrize("missing", [*Method.__annotations__, "growth"])
def test_a_method_that_lacks_something_is_refused_as_it_is_imported(missing):
    given = {name: value for name, value in vars(dormand_prince_8).items() if name != missing}
    with pytest.raises(TypeError, match=missing):
        by_name(SimpleNamespace(**given))


def test_the_table_of_order_8_is_that_of_scipy():
    assert (dormand_prince_8.STAGE_WEIGHTS == DOP853.A[:12, :12]).all()
    assert (dormand_prince_8.WEIGHTS == DOP853.B).all()
    assert (dormand_prince_8.TIMES == DOP853.C[:12]).all()


@pytest.fixture(scope="module")
def everything():
    """A scene with every support and law, and its turns after 0.2 s by the independent integration."""
    s = scene(TILTED, OTHER, FREE, AXLE, FIXED, magnetic_field={"kind": "uniform", "value": [2e-3, 1e-3, -3e-3]})
    return s, independent_turns(s, [0.0, 0.2])[-1]


def turns_after(s: Scene, method: str, seconds: float, steps: int) -> np.ndarray:
    """(n, 3, 3) turns of all bodies after `steps` steps."""
    simulation = Simulation(with_method(s, method, seconds / steps))
    simulation.advance_steps(steps)
    return np.swapaxes(simulation.snapshot().bodies.basis, 1, 2)


@pytest.mark.parametrize("method", [method for method in METHODS if METHODS[method].ORDER < 8])
def test_measured_order_with_every_kind_of_force(method, everything):
    """Step halved once where the order shows, friction and magnets included; within 0.1 of the claim."""
    s, expected = everything
    order = METHODS[method].ORDER
    pair = {1: (4000, 8000), 2: (1000, 2000), 4: (200, 400)}[order]
    errors = [np.linalg.norm(turns_after(s, method, 0.2, steps) - expected) for steps in pair]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1)


def test_measured_order_of_order_8_with_every_kind_of_force(everything):
    """Where order 8 shows, errors are below those of the independent integration, so the method is its own reference.

    That reference is right to the accuracy of the independent one. Over 0.2 s terms of the error cancel.
    """
    s, expected = everything
    name = dormand_prince_8.NAME
    assert turns_after(s, name, 0.2, 400) == pytest.approx(expected, abs=2e-11)
    reference = turns_after(s, name, 0.1, 200)
    errors = [np.linalg.norm(turns_after(s, name, 0.1, steps) - reference) for steps in (12, 24)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(8, abs=0.1)


@pytest.mark.parametrize("method", AS_PRINTED)
def test_what_was_printed_is_of_order_one(method):
    """The course's damped mass on a spring, x = x0 exp(-a t) (cos(w t) + a/w sin(w t)), halved twice; within 0.2."""
    ball = {"name": "ball", "mass": 0.5, "position": [0, 0, -1.2]}
    spring = {"from": [0, 0, 0], "to": "ball", "stiffness": 100.0, "damping": 0.5, "rest_length": 1.0}
    a, t = 0.5 / (2 * 0.5), 1.0
    w = np.sqrt(100.0 / 0.5 - a * a)
    exact = -1 - 0.2 * np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t))
    errors = []
    for steps in (16000, 64000):
        solver = {"method": method, "time_step": t / steps}
        parts = {"world": {"gravity": [0, 0, 0]}, "solver": solver, "particle": [ball], "spring": [spring]}
        simulation = Simulation(Scene.model_validate(parts))
        simulation.advance(t)
        errors.append(abs(simulation.snapshot().points.position[0, 2] - exact))
    assert np.log2(errors[0] / errors[1]) / 2 == pytest.approx(AS_PRINTED[method].ORDER, abs=0.2)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_scene_gives_the_same_bytes_in_batches_of_any_length(method):
    s = with_method(scene(TILTED, FREE, FIXED), method, 1e-3)
    once, twice, often = Simulation(s), Simulation(s), Simulation(s)
    once.advance(2)
    twice.advance(1)
    twice.advance(1)
    for _ in range(200):
        often.advance(0.01)
    assert once.state.tobytes() == twice.state.tobytes() == often.state.tobytes()


@pytest.mark.parametrize("method", [name for name, method in ALL.items() if method.DECAY_LIMIT < np.inf])
def test_stability_limits_are_those_of_a_pendulum_and_of_a_rubbing_wheel(method):
    """A small pendulum (w = 10 1/s) and friction alone (a = 100 1/s), 3 % on either side of the stated limits."""
    module = ALL[method]
    mass, arm, w, a = 1.0, 1.0, 10.0, 100.0
    bob = {
        "name": "bob",
        "orientation": {"axis": [1, 0, 0], "angle": 1e-9},
        "shape": [{"kind": "point", "mass": mass, "position": [0, 0, -arm]}],
    }
    wheel = {
        "name": "wheel",
        "friction": a * 0.4 * 0.1**2,
        "angular_velocity": [0, 0, 1e-9],
        "shape": [sphere(0.1, 1.0)],
    }

    def growth(body, time_step, windows=20, steps=1):
        """Largest size in the second half of the run over that in the first."""
        simulation = Simulation(with_method(scene(body, gravity=[0, 0, -(w**2) * arm]), method, time_step))
        sizes = []
        for _ in range(2 * windows):
            simulation.advance_steps(steps)
            found = simulation.snapshot().bodies
            sizes.append(np.hypot(np.linalg.norm(found.angular_velocity) / w, np.linalg.norm(found.basis[0, 2, :2])))
        return max(sizes[windows:]) / max(sizes[:windows])

    assert growth(wheel, 0.97 * module.DECAY_LIMIT / a) < 0.9
    assert growth(wheel, 1.03 * module.DECAY_LIMIT / a) > 1.1
    if module.OSCILLATION_LIMIT:
        assert growth(bob, 0.97 * module.OSCILLATION_LIMIT / w) < 1.1
        assert growth(bob, 1.03 * module.OSCILLATION_LIMIT / w) > 3
    else:
        per_step = float(module.growth(np.array(0.05j))) - 1
        assert growth(bob, 0.05 / w, steps=min(1000, int(0.05 / per_step))) > 1.01


def test_splitting_bounds_the_energy_of_a_free_top_and_needs_no_repair():
    box = {
        "name": "box",
        "angular_velocity": [0.5, 9, 0.7],
        "shape": [{"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 1}],
    }
    simulation = Simulation(with_method(scene(box, gravity=[0, 0, 0]), "splitting", 5e-3))
    start = simulation.snapshot()
    errors = []
    for _ in range(50):
        simulation.advance(1.0)
        assert simulation.basis_drift < 1e-14
        errors.append(abs(simulation.snapshot().energy.kinetic / start.energy.kinetic - 1))
    assert max(errors[25:]) < 1.5 * max(errors[:25]) < 1e-3
    assert simulation.snapshot().bodies.angular_momentum == pytest.approx(start.bodies.angular_momentum, abs=1e-15)


def test_methods_switch_while_running_without_a_jump():
    simulation = Simulation(scene(TILTED, FREE, FIXED))
    for method in METHODS:
        simulation.advance(0.05)
        before = simulation.snapshot()
        simulation.load(with_method(simulation.scene, method, 1e-3))
        after = simulation.snapshot()
        assert after.time == before.time
        assert after.bodies.basis == pytest.approx(before.bodies.basis, abs=1e-15)
        assert after.bodies.position == pytest.approx(before.bodies.position, abs=1e-15)
        assert after.bodies.velocity == pytest.approx(before.bodies.velocity, abs=1e-14)
        assert after.bodies.angular_momentum == pytest.approx(before.bodies.angular_momentum, abs=1e-15)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_stops_on_numbers_that_are_not_finite(method):
    magnet = Dipole(moment=(0.0, 0.0, 1.0)).model_copy(update={"moment": (0.0, 0.0, 1e160)})
    mark_validated(magnet)  # a file could not have such a moment
    needle = {"shape": [sphere()], "dipole": [magnet]}  # the force of two of them overflows
    s = with_method(scene({"name": "a", **needle}, {"name": "b", "position": [1, 0, 0], **needle}), method, 1e-3)
    with refuses("", "diverged", part="a", time=0, raised=Diverged):
        Simulation(s).advance(1.0)
