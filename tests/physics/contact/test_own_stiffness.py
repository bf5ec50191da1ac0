"""Contacts that state no stiffness: things of any mass sink in by 0.2 % of their size under their weight on earth."""

import numpy as np
import pytest

from polhode.physics.contact.stiffness import GRAVITY, NO_SIZE, SINKS, contact_stiffness
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

FLOOR = {"name": "floor", "restitution": 0.05}
EARTH = {"gravity": [0, 0, -GRAVITY]}


def rest(simulation):
    """Height [m] of the first body once it lies still."""
    simulation.advance(3.0)
    now = simulation.snapshot().bodies
    assert np.abs(now.velocity[0]).max() < 1e-5
    return now.position[0, 2]


def lying(shape, height, **more):
    body = {"name": "thing", "support": "free", "position": [0, 0, height], "shape": [shape]}
    body |= {"contact": more.pop("contact")} if "contact" in more else {}
    tables = {"world": EARTH, "body": [body], "solver": {"time_step": 2e-4}}
    return Simulation(scene_of({**tables, **({"wall": [FLOOR]} | more)}, ""))


@pytest.mark.parametrize("mass", [1e-6, 1e3])
@pytest.mark.parametrize(
    ("shape", "height", "size", "points"),
    [
        ({"kind": "sphere", "radius": 0.05}, 0.05, 0.1, 1),
        ({"kind": "sphere", "radius": 0.0025}, 0.0025, 0.005, 1),
        ({"kind": "cuboid", "size": [0.2, 0.2, 0.1]}, 0.05, 0.1, 4),
        ({"kind": "cylinder", "radius": 0.1, "length": 0.04}, 0.02, 0.04, 4),
        ({"kind": "torus", "radius": 0.1, "tube_radius": 0.01}, 0.01, 0.02, 4),
        ({"kind": "tube", "radius": 0.1, "inner_radius": 0.09, "length": 0.2}, 0.1, 0.01, 4),
    ],
)
def test_things_sink_in_by_their_size_whatever_their_mass(shape, height, size, points, mass):
    """A face rests on several points, each of which has the whole stiffness."""
    simulation = lying({**shape, "mass": mass}, height)
    assert height - rest(simulation) == pytest.approx(SINKS * size / points, rel=1e-2)


def test_a_stiffness_of_the_contact_counts_on_a_rigid_wall_and_one_of_the_wall_before_it():
    ball = {"kind": "sphere", "radius": 0.05, "mass": 0.5}
    own = lying(ball, 0.05, contact={"stiffness": 2e3})
    assert 0.05 - rest(own) == pytest.approx(0.5 * GRAVITY / 2e3, rel=1e-2)
    stated = lying(ball, 0.05, contact={"stiffness": 2e3}, wall=[{**FLOOR, "stiffness": 8e3}])
    assert 0.05 - rest(stated) == pytest.approx(0.5 * GRAVITY / 8e3, rel=1e-2)


def test_a_surface_is_rigid_as_a_wall_is():
    surface = {"name": "table", "kind": "formula", "z": "0*x", "x_range": [-1, 1], "y_range": [-1, 1]}
    ball = lying({"kind": "sphere", "radius": 0.05, "mass": 0.5}, 0.05, wall=[], surface=[{**surface, **FLOOR}])
    assert 0.05 - rest(ball) == pytest.approx(SINKS * 0.1, rel=1e-2)


def test_two_things_meet_by_the_mean_of_their_own():
    """A ball of 10 g on a fixed one of the same size and twice the mass: k = 2 k_a k_b/(k_a + k_b)."""
    balls = [
        {"name": "ball", "mass": 0.01, "radius": 0.05, "position": [0, 0, 0.1], "contact": {"restitution": 0.05}},
        {"name": "base", "mass": 0.02, "radius": 0.05, "fixed": True, "contact": {"restitution": 0.05}},
    ]
    simulation = Simulation(scene_of({"world": EARTH, "sphere": balls}, ""))
    assert 0.1 - rest(simulation) == pytest.approx(SINKS * 0.1 / (4 / 3), rel=1e-2)


def test_points_and_things_without_a_size_or_a_mass():
    """A point of a soft body has the distance of its neighbours, one without a size 1 cm, a fixed body without a mass
    that of water; what is fixed and has no contact presses on nothing.
    """
    jelly = {"name": "jelly", "kind": "lattice", "counts": [2, 2, 2], "spacing": [0.03, 0.02, 0.05], "stiffness": 10}
    grains = [{"name": "grain", "mass": 2e-3, "radius": 0.004}, {"name": "dot", "mass": 2e-3, "position": [0, 0, 1]}]
    pole = {"name": "pole", "support": "fixed", "shape": [{"kind": "sphere", "radius": 0.1, "mass": 0}]}
    post = {**pole, "name": "post", "contact": {"restitution": 0.5}}
    simulation = Simulation(
        scene_of(
            {"body": [post, pole], "soft": [{**jelly, "particle_mass": 1e-3}], "particle": grains, "wall": [FLOOR]}, ""
        )
    )
    expected = [contact_stiffness(1e3 * 0.2**3 / 2, 0.2), 0.0, *[contact_stiffness(1e-3, 0.02)] * 8]
    expected += [contact_stiffness(2e-3, 0.008), contact_stiffness(2e-3, NO_SIZE)]
    assert simulation.compiled.model.walls.stiffness == pytest.approx(np.array([expected]))


def test_a_rough_ball_exchanges_spin_and_speed_on_a_rigid_wall():
    """The tangential spring has 2/7 of the stiffness that the ball itself gives to the wall: energy is conserved."""
    ball = {"name": "ball", "mass": 0.5, "radius": 0.05, "position": [0, 0, 0.2], "angular_velocity": [0, 30, 0]}
    tables = {"world": EARTH, "sphere": [ball], "wall": [{"name": "floor", "rough": True}]}
    simulation = Simulation(scene_of({**tables, "solver": {"time_step": 1e-4}}, ""))
    before = simulation.snapshot().energy.total
    simulation.advance(0.4)
    now = simulation.snapshot()
    assert now.bodies.velocity[0, 0] > 0.5
    assert now.energy.total == pytest.approx(before, rel=1e-3)  # of the begin and the end of the contact
