"""The step that contacts allow before they close, against eigenvalues of those that are closed, and against runs."""

import numpy as np
import pytest
from meaning import Meaning

from polhode.analysis.steps.contacts import touches
from polhode.analysis.steps.limits import shortest, step_limits
from polhode.analysis.steps.stability import largest_step
from polhode.integrators import METHODS
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

FLOOR = {"name": "floor", "stiffness": 2e4}
DEPTH = 1e-4  # [m]


def lying(shape, height, **law):
    """A body without gravity, DEPTH behind the floor; `height` [m] of its origin where it touches."""
    body = {"name": "thing", "support": "free", "position": [0, 0, height - DEPTH], "shape": [shape]}
    return {"body": [body], "wall": [{**FLOOR, **law}], "world": {"gravity": [0, 0, 0]}}


def turned(shape):
    return {**shape, "orientation": {"axis": [0, 1, 0], "angle": np.pi / 2}}


BALL = {"kind": "sphere", "radius": 0.05, "mass": 0.2}
CUBE = {"kind": "cuboid", "size": [0.1, 0.1, 0.1], "mass": 0.2}
BOARD = {"kind": "cuboid", "size": [0.4, 0.2, 0.02], "mass": 0.2}
DISC = {"kind": "cylinder", "radius": 0.1, "length": 0.02, "mass": 0.2}
ROD = {"kind": "cylinder", "radius": 0.01, "length": 0.4, "mass": 0.2}
PILL = {"kind": "capsule", "radius": 0.02, "length": 0.2, "mass": 0.2}
EGG = {"kind": "ellipsoid", "semi_axes": [0.05, 0.05, 0.08], "mass": 0.2}
CASES = {
    "ball": (BALL, 0.05, 1.0),
    "cube": (CUBE, 0.05, 6.0),  # it tilts with 4 k (a/2)^2/(m a^2/6)
    "board": (BOARD, 0.01, 12 / (1 + 0.05**2)),  # it tilts about its short side
    "disc": (DISC, 0.01, 8 / (1 + (0.02 / 0.1) ** 2 / 3)),  # 2 k R^2/(m R^2/4 (1 + h^2/(3 R^2)))
    "rod": (turned(ROD), 0.01, 6 / (1 + 3 * (0.01 / 0.4) ** 2)),  # 2 k (l/2)^2/(m (l^2 + 3 r^2)/12)
    "pill": (turned(PILL), 0.02, None),
    "egg": (EGG, 0.08, None),
}


def allowed(simulation, method="rk4"):
    return shortest(touches(simulation.compiled), method)[0]


@pytest.mark.parametrize("name", CASES)
def test_the_limit_is_that_of_the_closed_contact(name):
    """w^2 = L k/m, L of each shape by hand; the eigenvalues of the touching state are no faster than the estimate."""
    shape, height, of_mass = CASES[name]
    simulation = Simulation(scene_of(lying(shape, height), ""))
    compiled, step = simulation.compiled, allowed(simulation)
    if of_mass is not None:
        expected = METHODS["rk4"].OSCILLATION_LIMIT / np.sqrt(of_mass * 2e4 / 0.2)
        assert step == pytest.approx(expected, rel=2e-3)
    closed = largest_step(compiled.model, compiled.inputs, 0.0, compiled.start, "rk4")
    assert 0.6 * closed < step < 1.002 * closed  # an ellipsoid and a capsule may also touch elsewhere
    above = Simulation(scene_of(lying(shape, height + 0.3), ""))
    assert allowed(above) == pytest.approx(step, rel=1e-9)
    limit = step_limits(above.compiled, 0.0, above.state)["rk4"]
    assert limit.step == pytest.approx(step, rel=1e-9)
    assert Meaning("", "contact", part="thing", other="floor").of(limit.cause)


@pytest.mark.parametrize("name", ["ball", "board"])
def test_the_damper_of_a_restitution_counts(name):
    shape, height, _ = CASES[name]
    simulation = Simulation(scene_of(lying(shape, height, restitution=0.05), ""))
    compiled = simulation.compiled
    closed = largest_step(compiled.model, compiled.inputs, 0.0, compiled.start, "verlet")
    assert allowed(simulation, "verlet") == pytest.approx(closed, rel=0.05)


@pytest.mark.parametrize(("share", "stays"), [(0.98, True), (1.02, False)])
def test_a_ball_begins_to_shake_on_the_floor_beyond_its_limit(share, stays):
    """Verlet: 2 sqrt(m/k). A ball at rest, displaced by 1 % of its depth, shakes itself off the floor beyond it."""
    depth, limit = 0.2 * 9.81 / 2e4, 2 * np.sqrt(0.2 / 2e4)
    ball = {"name": "ball", "support": "free", "position": [0, 0, 0.05 - 1.01 * depth], "shape": [BALL]}
    tables = {"body": [ball], "wall": [FLOOR], "solver": {"time_step": share * limit, "method": "verlet"}}
    simulation = Simulation(scene_of({**tables, "world": {"gravity": [0, 0, -9.81]}}, ""))
    assert allowed(simulation, "verlet") == pytest.approx(limit, rel=1e-4)
    highest = 0.0
    for _ in range(500):
        simulation.advance_steps(1)
        highest = max(highest, float(simulation.snapshot().bodies.position[0, 2]))
    assert (highest < 0.05) == stays


def two(first, second, **more):
    bodies = [
        {"name": name, "support": "free", "position": [x, 0, 0], "shape": [shape], "contact": contact}
        for name, x, shape, contact in (("a", 0.0, *first), ("b", more.pop("apart", 0.3), *second))
    ]
    return scene_of({"body": bodies, "world": {"gravity": [0, 0, 0]}, **more}, "")


def test_two_balls_limit_each_other_by_their_mean_and_nothing_else_does():
    """w^2 = k (1/m_a + 1/m_b) with the harmonic mean k of 1e3 and 4e3 N/m; one ball alone has no limit."""
    heavy = {**BALL, "mass": 0.6}
    simulation = Simulation(two((BALL, {"stiffness": 1e3}), (heavy, {"stiffness": 4e3})))
    expected = METHODS["rk4"].OSCILLATION_LIMIT / np.sqrt(1600 * (1 / 0.2 + 1 / 0.6))
    assert allowed(simulation) == pytest.approx(expected, rel=1e-3)
    alone = {"name": "a", "support": "free", "shape": [BALL], "contact": {"stiffness": 1e3}}
    assert touches(Simulation(scene_of({"body": [alone]}, "")).compiled) == []


def test_two_cubes_are_no_faster_than_the_limit_where_they_lie_on_each_other():
    law = {"stiffness": 1e3}
    simulation = Simulation(two((CUBE, law), (CUBE, law), apart=0.1 - DEPTH))
    compiled = simulation.compiled
    closed = largest_step(compiled.model, compiled.inputs, 0.0, compiled.start, "rk4")
    assert 0.6 * closed < allowed(simulation) < 1.01 * closed


def test_what_turns_about_a_point_is_limited_by_what_it_reaches():
    """A pendulum 0.3 m long above the floor, and beside a fixed ball that it cannot reach."""
    bob = {"name": "bob", "position": [0, 0, 1], "shape": [{**BALL, "position": [0, 0, -0.3]}]}
    bob["contact"] = {"stiffness": 1e3}
    post = {"name": "post", "support": "fixed", "position": [1, 0, 1], "shape": [BALL], "contact": {"stiffness": 1e3}}
    far = Simulation(scene_of({"body": [bob, post], "wall": [FLOOR]}, ""))
    assert touches(far.compiled) == []
    near = Simulation(scene_of({"body": [bob, {**post, "position": [0.3, 0, 0.9]}], "wall": [FLOOR]}, ""))
    assert [(touch.part, touch.other) for touch in touches(near.compiled)] == [("bob", "post")]
    low = Simulation(scene_of({"body": [{**bob, "position": [0, 0, 0.34]}], "wall": [FLOOR]}, ""))
    assert [touch.other for touch in touches(low.compiled)] == ["floor"]


def test_bodies_that_a_joint_ties_do_not_limit_each_other():
    law = {"stiffness": 1e3}
    joint = {"name": "joint", "kind": "hinge", "first": "a", "second": "b", "axis": [0, 0, 1]}
    assert touches(Simulation(two((CUBE, law), (CUBE, law), joint=[joint])).compiled) == []


def test_points_of_a_soft_body_and_particles():
    """w^2 = k/m at the floor, with the lightest mass; a held point does not count."""
    soft = {"name": "jelly", "kind": "lattice", "counts": [2, 2, 2], "spacing": [0.1] * 3, "particle_mass": 0.01}
    soft |= {"stiffness": 1.0, "position": [0, 0, 1]}
    grain = {"name": "grain", "mass": 1e-4, "fixed": True, "position": [1, 0, 1]}
    simulation = Simulation(scene_of({"soft": [soft], "particle": [grain], "wall": [FLOOR]}, ""))
    assert allowed(simulation) == pytest.approx(METHODS["rk4"].OSCILLATION_LIMIT / np.sqrt(2e4 / 0.01), rel=1e-3)
