"""Contact: against the slow twin, restitution in closed form, and what it must keep."""

from itertools import product
from math import asin, exp, pi, sqrt

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_arguments import placed

from polhode.physics.contact.colliders import colliders_of
from polhode.physics.contact.sphere_contact import add_contacts, contact_force
from polhode.simulation.simulation import Simulation
from scenes import scene, sphere, turned

component = st.floats(-1, 1)
vector = st.tuples(component, component, component)
positive = st.floats(0, 1)


def ball(name, x, velocity, **more):
    return {"name": name, "support": "free", "position": x, "velocity": velocity, "shape": [sphere(0.1, 1.0)], **more}


def lump(name, position, **more):
    """Two spheres, neither at the centre of mass, and a mass that does not press."""
    shapes = [sphere(0.1, 1.0, (0.1, 0.02, 0)), sphere(0.15, 0.5, (-0.1, 0, 0.05)), {"kind": "point", "mass": 2.0}]
    contact = {"stiffness": 300.0, "damping": 4.0, "friction": 1.5, "rolling": 0.02}
    return {"name": name, "support": "free", "position": position, "shape": shapes, "contact": contact, **more}


@given(st.floats(1e-3, 1), vector.filter(lambda n: np.linalg.norm(n) > 0.1), vector, positive, positive, positive)
@settings(deadline=None)  # the first call compiles
def test_force_agrees_with_the_twin(depth, normal, velocity, stiffness, damping, friction):
    normal = np.array(normal) / np.linalg.norm(normal)
    found = contact_force(depth, tuple(normal), velocity, stiffness, damping, friction, False)
    expected = reference.contact_force(depth, normal, np.array(velocity), stiffness, damping, friction)
    assert found == pytest.approx(expected, abs=1e-14)


def test_it_never_pulls():
    assert contact_force(1e-3, (0.0, 0.0, 1.0), (0.0, 0.0, 5.0), 10.0, 1.0, 0.0, False) == (0.0, 0.0, 0.0)


def test_bodies_of_several_spheres_feel_the_sum_over_all_pairs():
    """Forces and torques of three turning lumps that overlap, by places and velocities of every sphere."""
    softer = {"contact": {"stiffness": 100.0, "damping": 2.0}}
    bodies = [
        lump("a", [0, 0, 0], orientation=turned(1, 2, 3, 0.7), angular_velocity=[1, 2, 3], velocity=[0.3, 0, 0]),
        lump("b", [0.1, 0.1, 0.1], orientation=turned(0, 1, 1, -0.4), angular_velocity=[-2, 0, 1], **softer),
        lump("c", [-0.1, 0.05, 0], support="driven", angular_velocity=[0, 3, 0]),
    ]
    simulation = Simulation(scene(*bodies))
    model, inputs, state, work = placed(simulation)
    for array in (work.bodies.force, work.bodies.torque):
        array[:] = 0
    add_contacts(
        colliders_of.py_func(model, inputs, state, work),
        model.contacts,
        work.contacts,
        work.neighbours,
        work.friction_contacts,
        work.power,
    )
    spheres = []
    for k, body in enumerate(simulation.scene.body):
        turn = body.orientation.matrix()
        for shape in body.shape[:2]:
            middle = np.array(body.position) + turn @ shape.position
            spheres.append((k, middle, shape.radius, body.contact))
    force, torque, touching = np.zeros((3, 3)), np.zeros((3, 3)), 0
    for (k, x, r, one), (m, y, s, other) in product(spheres, spheres):
        depth = r + s - np.linalg.norm(x - y)
        if k == m or depth <= 0:
            continue
        touching += 1
        normal = (x - y) / np.linalg.norm(x - y)
        at = x - normal * (r - depth / 2)
        speeds = [
            work.bodies.velocity[i] + np.cross(work.bodies.angular_velocity[i], at - work.bodies.position[i])
            for i in (k, m)
        ]
        pairs = [(getattr(one, key), getattr(other, key)) for key in ("stiffness", "damping", "friction", "rolling")]
        means = [2 * a * b / (a + b) if a + b else 0.0 for a, b in pairs]
        pressed = reference.contact_force(depth, normal, speeds[0] - speeds[1], *means[:3])
        force[k] += pressed
        torque[k] += np.cross(at - work.bodies.position[k], pressed)
        torque[k] -= means[3] * (work.bodies.angular_velocity[k] - work.bodies.angular_velocity[m])
    assert touching >= 6
    assert work.bodies.force == pytest.approx(force, abs=1e-12)
    assert work.bodies.torque == pytest.approx(torque, abs=1e-12)


def head_on(z, time_step=1e-5):
    """Speed of parting over speed of meeting of two alike spheres with damping ratio z of their relative motion."""
    k, half = 1e4, 0.5  # [N/m], and the reduced mass of two of 1 kg
    contact = {"stiffness": k, "damping": 2 * z * sqrt(k * half)}
    bodies = [
        ball("a", [-0.11, 0, 0], [1, 0, 0], contact=contact),
        ball("b", [0.11, 0, 0], [-1, 0, 0], contact=contact),
    ]
    simulation = Simulation(scene(*bodies, gravity=[0, 0, 0], time_step=time_step))
    simulation.advance(0.05)
    after = simulation.snapshot().bodies.velocity
    assert after[0] == pytest.approx(-after[1], abs=1e-14)
    return -after[0, 0]


@pytest.mark.parametrize("z", [0.0, 0.0335, 0.2, 0.6])
def test_restitution_of_a_head_on_collision(z):
    """x'' + 2 z w x' + w^2 x = 0 until the force would pull, at w t sqrt(1 - z^2) = pi - 2 asin z, leaves
    exp(-z (pi - 2 asin z) / sqrt(1 - z^2)); the step in which they touch adds z w dt = 1e-3 z of the speed at most."""
    assert head_on(z) == pytest.approx(exp(-z * (pi - 2 * asin(z)) / sqrt(1 - z * z)), abs=2e-3 * z + 1e-7)


def test_restitution_of_a_weakly_damped_collision_is_the_textbook_one():
    """exp(-pi z / sqrt(1 - z^2)) holds for a contact that pulls at its end; the one that does not keeps 2 z^2 more."""
    z = 0.0335
    assert exp(-pi * z / sqrt(1 - z * z)) == pytest.approx(0.900, abs=5e-4)
    assert head_on(z) == pytest.approx(exp(-pi * z / sqrt(1 - z * z)), abs=2.5 * z * z)


def test_a_collision_of_spinning_lumps_keeps_momentum_and_angular_momentum_and_its_ledger_closes():
    bodies = [
        lump("a", [0, 0, 0], angular_velocity=[5, 2, -3], velocity=[1, 0.2, 0]),
        lump("b", [0.6, 0.1, 0.05], orientation=turned(1, 0, 2, 1.3), velocity=[-1, 0, 0.1]),
    ]
    simulation = Simulation(scene(*bodies, gravity=[0, 0, 0], time_step=1e-4))

    def momenta():
        rows = simulation.state[:36].reshape(2, 18)
        return rows[:, 3:6].sum(axis=0), (rows[:, 15:18] + np.cross(rows[:, :3], rows[:, 3:6])).sum(axis=0)

    before, start = momenta(), simulation.snapshot()
    elastic = 0.0
    for _ in range(100):
        simulation.advance(0.01)
        elastic = max(elastic, simulation.snapshot().energy.elastic)
    after, end = momenta(), simulation.snapshot()
    assert elastic > 0.1  # they met
    assert end.ledger.contact < -0.1
    assert after[0] == pytest.approx(before[0], abs=1e-12)
    assert after[1] == pytest.approx(before[1], abs=1e-9)  # RK4 keeps it to its order
    # where the damper sets in within a step RK4 is of order 1: power of some 10 W for a part of 1e-4 s
    assert end.energy.total - end.ledger.total == pytest.approx(start.energy.total, abs=1e-3)
