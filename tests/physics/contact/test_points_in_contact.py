"""Particles and soft points that press on bodies and on each other: slow twins, momenta, the ledger and the grid."""

from itertools import combinations

import numpy as np
import pytest
import reference
from kernel_arguments import placed

from polhode.physics.contact.colliders import colliders_of
from polhode.physics.contact.neighbours.arrays import FEW
from polhode.physics.contact.sphere_contact import add_contacts
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

HARD = {"stiffness": 2000.0, "damping": 4.0, "friction": 3.0}


def described(body=(), time_step=1e-4, **parts):
    world, solver = {"gravity": [0, 0, 0]}, {"time_step": time_step}
    return Scene.model_validate({"world": world, "solver": solver, "body": list(body), **parts})


def particle(k, position, velocity=(0, 0, 0), radius=0.1, **more):
    place, speed = list(position), list(velocity)
    ball = {"name": f"p{k}", "mass": 1.0, "radius": radius, "position": place, "velocity": speed, "contact": HARD}
    return ball | more


def cloud(count, seed=5, small=0.1, large=0.1, more_large=0):
    """Particles at random, so thick that each overlaps a few others."""
    rng = np.random.default_rng(seed)
    radii = np.concatenate([rng.uniform(0.5, 1.0, count) * small, np.full(more_large, large)])
    side = 2.2 * small * count ** (1 / 3)
    places, speeds = rng.uniform(0, side, (len(radii), 3)), rng.normal(size=(len(radii), 3))
    return [particle(k, *row) for k, row in enumerate(zip(places.tolist(), speeds.tolist(), radii, strict=True))]


def pressed(simulation):
    """Forces (3, p) [N] on the points, the energy [J] of their overlaps, and the placed bodies."""
    model, inputs, state, work = placed(simulation)
    work.points.force[:] = 0.0
    energy = add_contacts(
        colliders_of.py_func(model, inputs, state, work),
        model.contacts,
        work.contacts,
        work.neighbours,
        work.friction_contacts,
        work.power,
    )
    return work.points.force, energy, work.bodies


@pytest.mark.parametrize("more_large", [0, 3, 60])
def test_the_list_has_all_that_touch(more_large):
    """Against all pairs by the slow twin, with a few or many that are much larger."""
    balls = cloud(200, large=0.6, more_large=more_large)
    simulation = Simulation(described(particle=balls))
    assert len(balls) > FEW
    forces, energy, _ = pressed(simulation)
    expected, stored = np.zeros((3, len(balls))), 0.0
    for i, j in combinations(range(len(balls)), 2):
        one, other = balls[i], balls[j]
        between = np.subtract(one["position"], other["position"])
        depth = one["radius"] + other["radius"] - np.linalg.norm(between)
        normal = between / np.linalg.norm(between)
        velocity = np.subtract(one["velocity"], other["velocity"])
        force = reference.contact_force(depth, normal, velocity, HARD["stiffness"], HARD["damping"], 0.0)
        expected[:, i] += force
        expected[:, j] -= force
        stored += 0.5 * HARD["stiffness"] * max(0.0, depth) ** 2
    assert np.count_nonzero(expected.any(axis=0)) > 100
    assert forces == pytest.approx(expected, abs=1e-9)
    assert energy == pytest.approx(stored, rel=1e-12)
    assert (pressed(simulation)[0] == forces).all()


def test_pairs_may_lie_anywhere():
    """Negative and very large coordinates."""
    rng = np.random.default_rng(2)
    pairs = rng.uniform(-1e7, 1e7, (100, 3))
    balls = [particle(2 * k + e, at + [0.15 * e, 0, 0]) for k, at in enumerate(pairs) for e in (0, 1)]
    balls = [{**ball, "position": list(map(float, ball["position"])), "velocity": [0, 0, 0]} for ball in balls]
    forces, _, _ = pressed(Simulation(described(particle=balls)))
    # places of 1e7 m are exact to 2e-9 m
    assert forces[0, 1::2] == pytest.approx(np.full(100, 2000.0 * 0.05), rel=1e-6)
    assert forces.sum(axis=1) == pytest.approx(np.zeros(3), abs=1e-9)


def lump(**more):
    """A turning body of two spheres that press."""
    shapes = [
        {"kind": "sphere", "radius": 0.2, "mass": 1.0, "position": [0.25, 0, 0]},
        {"kind": "sphere", "radius": 0.15, "mass": 0.5, "position": [-0.2, 0.1, 0]},
    ]
    return {"name": "lump", "support": "free", "shape": shapes, "contact": HARD | {"rolling": 0.1}, **more}


def test_particles_a_soft_body_and_a_rigid_one_keep_their_momenta_and_their_ledger():
    """All that can press on each other at once; friction of points on a body is of a line of action, so it keeps L."""
    jelly = {"name": "jelly", "kind": "lattice", "counts": [3, 3, 2], "spacing": [0.1, 0.1, 0.1], "damping": 1.0}
    jelly |= {"particle_mass": 0.1, "particle_radius": 0.06, "stiffness": 500.0, "contact": HARD}
    scene = described(
        [lump(position=[0, 0, 0], angular_velocity=[0, 4, 6], velocity=[0.5, 0, 0])],
        particle=[particle(0, [0.75, 0.05, 0], [-2, 0, 0]), particle(1, [0.3, 0.6, 0.1], [0, -2, 0])],
        soft=[{**jelly, "position": [-0.7, 0.1, 0], "velocity": [1.5, 0, 0]}],
    )
    simulation = Simulation(scene)
    start, pressing = simulation.snapshot(), 0.0
    for _ in range(100):
        simulation.advance(0.01)
        pressing = max(pressing, simulation.snapshot().energy.elastic)
    end = simulation.snapshot()
    assert pressing > 0.5
    assert end.ledger.contact < -0.1
    assert end.momentum == pytest.approx(start.momentum, abs=1e-12)
    assert end.angular_momentum == pytest.approx(start.angular_momentum, abs=1e-9)  # RK4 keeps it to its order
    # where a damper sets in within a step RK4 is of order 1: power of some 50 W for a part of 1e-4 s, a few times
    assert end.energy.total - end.ledger.total == pytest.approx(start.energy.total, abs=5e-3)


def test_a_particle_presses_on_a_body_as_the_slow_twin_says():
    scene = described(
        [lump(position=[0, 0, 0], angular_velocity=[1, 4, 6], velocity=[0.5, 0, 0])],
        particle=[particle(0, [0.5, 0.05, 0.02], [-2, 0.3, 0.1])],
    )
    simulation = Simulation(scene)
    force, _, bodies = pressed(simulation)
    middle, at = np.array([0.25, 0, 0]), np.array([0.5, 0.05, 0.02])
    depth, normal = 0.3 - np.linalg.norm(at - middle), (at - middle) / np.linalg.norm(at - middle)
    arm = at - bodies.position[0]
    velocity = [-2, 0.3, 0.1] - bodies.velocity[0] - np.cross(bodies.angular_velocity[0], arm)
    expected = reference.contact_force(depth, normal, velocity, *HARD.values())
    assert force[:, 0] == pytest.approx(expected, abs=1e-10)


def test_the_points_of_a_soft_body_do_not_press_on_each_other():
    jelly = {"name": "jelly", "kind": "chain", "count": 5, "spacing": 0.1, "particle_mass": 0.1, "particle_radius": 0.1}
    scene = described(soft=[jelly | {"stiffness": 10.0, "contact": HARD}])
    assert Simulation(scene).snapshot().energy.elastic < 1e-30  # of springs, by rounding


def test_a_fixed_particle_takes_no_part_but_throws_back():
    scene = described(particle=[particle(0, [0, 0, 0], fixed=True), particle(1, [0.25, 0, 0], [-1, 0, 0])])
    simulation = Simulation(scene)
    start = simulation.snapshot()
    simulation.advance(0.5)
    now = simulation.snapshot()
    assert (now.points.position[0] == 0).all()
    assert now.points.velocity[1, 0] > 0.5
    assert now.ledger.hand == 0.0
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, abs=1e-3)
