"""Points, springs and dampers: against an independent integration, closed forms, and what they must keep."""

import numpy as np
import pytest
from kernel_arguments import placed
from reference import PointSystem

from polhode.physics.points.arrays import point_states
from polhode.physics.points.lattice import grid, pairs, runs
from polhode.physics.points.springs import add_springs
from polhode.simulation.simulation import Diverged, Simulation
from scenes import SOFT, TUMBLING, scene

NONE = {"gravity": [0, 0, 0]}
JELLY = {**SOFT, **TUMBLING, "counts": [4, 3, 2], "damping": 1.5}


def motion(described, times):
    """Positions (k, p, 3) at times, by an integration that shares nothing but the scene's description."""
    return PointSystem(described).positions(times)


@pytest.mark.parametrize(
    ("counts", "count"),
    [((8, 8, 1), 210), ((2, 2, 2), 28), ((5, 1, 1), 4), ((1, 7, 1), 6), ((3, 3, 3), 54 + 72 + 32)],
)
def test_a_lattice_has_edges_face_and_body_diagonals_once(counts, count):
    cells = grid(counts)
    nx, ny, _ = counts
    assert (cells[:, 0] + nx * (cells[:, 1] + ny * cells[:, 2]) == np.arange(len(cells))).all()
    joined = pairs(runs(cells))
    assert len(joined) == count
    assert len({frozenset(pair) for pair in joined.tolist()}) == count
    assert (np.abs(cells[joined[:, 0]] - cells[joined[:, 1]]).max(axis=1) == 1).all()


def pulled(model, state, work):
    """Forces (3, p) [N] of the springs alone."""
    work.points.force[:] = 0.0
    add_springs(
        model.points,
        model.springs,
        model.spring_rows,
        state,
        work.points,
        work.anchors,
        work.springs,
        work.power,
        work.work_sharing,
    )
    return work.points.force.copy()


@pytest.mark.parametrize("damper", ["axial", "full"])
@pytest.mark.parametrize("counts", [(7, 3, 1), (8, 8, 1), (70, 70, 1), (17, 5, 60)])
def test_forces_of_many_springs_are_those_of_each_spring_by_itself(counts, damper):
    """Runs that fill no eight lanes, and blocks that pull at points of others; next to another body."""
    jelly = JELLY | {"damper": damper, "counts": list(counts)}
    simulation = Simulation(scene(soft=[{**JELLY, "name": "first"}, {**jelly, "position": [5.0, 0, 0]}]))
    model, _, state, work = placed(simulation)
    x, v = point_states(model.points, state)
    x += 0.01 * np.random.default_rng(1).normal(size=x.shape)
    expected, start = np.zeros_like(x), 0
    for each, full in (JELLY["counts"], False), (counts, damper == "full"):
        i, j = start + pairs(runs(grid(tuple(each)))).T
        rest = np.linalg.norm((grid(tuple(each))[j - start] - grid(tuple(each))[i - start]) * JELLY["spacing"], axis=1)
        along, velocity = x[:, j] - x[:, i], v[:, j] - v[:, i]
        length = np.linalg.norm(along, axis=0)
        unit = along / length
        damped = velocity if full else (velocity * unit).sum(axis=0) * unit
        on_j = -JELLY["stiffness"] * (length - rest) * unit - JELLY["damping"] * damped
        np.add.at(expected.T, j, on_j.T)
        np.add.at(expected.T, i, -on_j.T)
        start += int(np.prod(each))
    found = pulled(model, state, work)
    assert found == pytest.approx(expected, abs=1e-12 * np.abs(expected).max())
    assert (pulled(model, state, work) == found).all()  # nothing is left of the first sum


def test_springs_without_length_have_no_force():
    """All points of a body in one place, at rest."""
    model, _, state, work = placed(Simulation(scene(soft=[JELLY])))
    point_states(model.points, state)[:] = 0.0
    assert (pulled(model, state, work) == 0.0).all()


@pytest.mark.nightly
def test_a_jelly_with_fixed_points_in_wind_agrees_with_an_independent_integration():
    """RK4 at 1e-3 s and w = 100 1/s leaves (w dt)^4 ~ 1e-4 per radian of 1e-4 m oscillations: 1e-7 after 0.5 s."""
    wind = {"velocity": [3.0, 0, 1.0], "period": 0.7, "drag": 0.05}
    jelly = {**JELLY, "fixed": [0, 5], "angular_velocity": [0, 0, 0]}
    s = scene(time_step=2e-4, world={"wind": wind}, soft=[jelly])
    simulation = Simulation(s)
    simulation.advance(0.5)
    assert simulation.snapshot().points.position == pytest.approx(motion(s, [0.5])[0], abs=1e-8)


def test_springs_between_particles_places_and_bodies_agree_with_an_independent_integration():
    """A body held by its fixed support is a place; particles and places with both dampers."""
    balls = [
        {"name": "ball", "mass": 0.3, "position": [0.1, 0.0, 0.0]},
        {"name": "second", "mass": 0.2, "position": [0.3, 0.1, 0.0], "velocity": [0, 0.5, 0]},
        {"name": "nail", "mass": 1.0, "position": [0.6, 0.1, 0.1], "fixed": True},
    ]
    springs = [
        {"from": "ball", "to": "second", "stiffness": 30.0, "damping": 0.2},
        {"from": [0, 0, 0.4], "to": "ball", "stiffness": 50.0, "damping": 0.3, "damper": "full", "rest_length": 0.3},
        {"from": "second", "to": "nail", "stiffness": 20.0, "rest_length": 0.0},
    ]
    s = scene(time_step=5e-4, particle=balls, spring=springs)
    simulation = Simulation(s)
    simulation.advance(1.0)
    assert simulation.snapshot().points.position == pytest.approx(motion(s, [1.0])[0], abs=1e-9)


@pytest.mark.parametrize("damper", ["axial", "full"])
def test_a_free_jelly_keeps_momentum_and_angular_momentum_unless_its_dampers_are_full(damper):
    simulation = Simulation(scene(world=NONE, soft=[{**JELLY, "damper": damper}]))
    start = simulation.snapshot()
    simulation.advance(1.0)
    now = simulation.snapshot()
    assert now.momentum == pytest.approx(start.momentum, abs=1e-13)  # of 3 kg m/s: opposite forces to the last bit
    if damper == "axial":
        assert now.angular_momentum == pytest.approx(start.angular_momentum, abs=1e-8)  # RK4's error
    else:
        assert np.linalg.norm(now.angular_momentum - start.angular_momentum) > 0.1


def test_a_body_on_a_spring_gives_and_takes_momentum_angular_momentum_and_energy():
    bob = {
        "name": "bob",
        "support": "free",
        "position": [1.0, 0, 1.0],
        "angular_velocity": [1.0, 0, 2.0],
        "shape": [{"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 2.0, "position": [0.02, 0, 0]}],
    }
    spring = {"from": {"body": "bob", "point": [0.05, 0.1, 0.15]}, "to": "jelly.23", "stiffness": 60.0, "damping": 0.4}
    simulation = Simulation(scene(time_step=5e-4, world=NONE, soft=[JELLY], body=[bob], spring=[spring]))
    start = simulation.snapshot()
    simulation.advance(1.0)
    now = simulation.snapshot()
    assert now.momentum == pytest.approx(start.momentum, abs=1e-12)
    assert now.angular_momentum == pytest.approx(start.angular_momentum, abs=1e-8)
    assert now.ledger.damping < -0.01
    balance = now.energy.total - now.ledger.total - start.energy.total
    assert abs(balance) < 1e-7 * start.energy.kinetic


def test_a_mass_on_a_spring_swings_with_its_period():
    """x = x0 cos(w t), w = sqrt(k/m); RK4 shifts the phase by (w dt)^4/120 of itself."""
    ball = {"name": "ball", "mass": 0.5, "position": [0, 0, -1.2]}
    spring = {"from": [0, 0, 0], "to": "ball", "stiffness": 100.0, "rest_length": 1.0}
    simulation = Simulation(scene(world=NONE, particle=[ball], spring=[spring]))
    simulation.advance(2.0)
    w = np.sqrt(100.0 / 0.5)
    assert simulation.snapshot().points.position[0, 2] == pytest.approx(-1 - 0.2 * np.cos(2 * w), abs=1e-8)


@pytest.mark.parametrize(("method", "growth"), [("euler", np.sqrt(1 + 0.02)), ("adams_bashforth_2", 1 + 0.02**2 / 4)])
def test_the_course_oscillator_grows_as_its_method_says(method, growth):
    """k 100, m 0.5, dt 0.01: w dt = 0.1414; Euler by 1.00995 per step, AB2 by (w dt)^4/4 to the next order, 4 %."""
    ball = {"name": "ball", "mass": 0.5, "position": [0, 0, -0.2]}
    spring = {"from": [0, 0, 0], "to": "ball", "stiffness": 100.0, "rest_length": 0.2}
    course = scene(time_step=0.01, method=method, world={"gravity": [0, 0, -9.8]}, particle=[ball], spring=[spring])
    simulation = Simulation(course)
    rest, heights, steps = -0.2 - 0.5 * 9.8 / 100.0, [], 1332  # thirty periods
    for _ in range(steps if method == "adams_bashforth_2" else 100):
        simulation.advance_steps(1)
        now = simulation.snapshot()
        x, v = now.points.position[0, 2] - rest, now.points.velocity[0, 2]
        heights.append(np.sqrt(x * x + v * v * 0.5 / 100.0))
    found = (heights[-1] / heights[9]) ** (1 / (len(heights) - 10))
    assert found - 1 == pytest.approx(growth - 1, rel=0.05)


def test_edits_carry_moving_points_over():
    simulation = Simulation(scene(soft=[JELLY]))
    simulation.advance(0.1)
    before = simulation.snapshot().points.position
    ball = {"name": "ball", "mass": 1.0}
    simulation.load(scene(soft=[{**JELLY, "stiffness": 900.0}], particle=[ball]))
    assert (simulation.snapshot().points.position[:-1] == before).all()
    simulation.load(scene(soft=[{**JELLY, "counts": [3, 3, 3]}]))
    assert len(simulation.snapshot().points.position) == 27


def test_divergence_names_the_soft_body():
    simulation = Simulation(scene(time_step=0.2, soft=[JELLY], particle=[{"name": "ball", "mass": 1.0}]))
    with pytest.raises(Diverged) as stop:
        simulation.advance(500.0)
    assert stop.value.part == "jelly"
