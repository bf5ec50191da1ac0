"""How contact points and normals move, against differences of where they are a moment later; and nearest points."""

from itertools import combinations_with_replacement
from math import inf

import numpy as np
import pytest
import trimesh
from kernel_arguments import placed
from sampling import sampled
from scipy.spatial.transform import Rotation

from polhode.engine.rates import add_forces, place
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE, MOMENTUM
from polhode.physics.contact.solids.nearest import nearest_on
from polhode.simulation.simulation import Simulation
from scenes import scene

LAW = {"stiffness": 1e4, "kinetic_friction": 0.5}
SHAPES = {
    "cuboid": {"kind": "cuboid", "size": [0.3, 0.2, 0.15]},
    "cylinder": {"kind": "cylinder", "radius": 0.12, "length": 0.25},
    "disc": {"kind": "cylinder", "radius": 0.15, "length": 0.04},
    "capsule": {"kind": "capsule", "radius": 0.08, "length": 0.2},
    "sphere": {"kind": "sphere", "radius": 0.1},
    "hull": {"kind": "mesh", "file": "hull.stl", "unit": "m"},
}
ON_WALLS = {
    "ellipsoid": {"kind": "ellipsoid", "semi_axes": [0.1, 0.06, 0.2]},
    "cone": {"kind": "cone", "radius": 0.1, "length": 0.2},
    "torus": {"kind": "torus", "radius": 0.1, "tube_radius": 0.03},
    "tube": {"kind": "tube", "radius": 0.1, "inner_radius": 0.06, "length": 0.15},
    **{name: SHAPES[name] for name in ("cylinder", "capsule", "cuboid")},
}
NEAR = 1e-6  # [s]


def body(name, shape, **more):
    weight = {"kind": "point", "mass": 1.0, "position": [0.03, -0.02, 0.01]}  # no body is round
    return {"name": name, "support": "free", "shape": [shape | {"mass": 2.0}, weight], **more}


def ahead(simulation, state, time):
    """The state after a short `time` [s] of unchanged velocities and angular velocities."""
    found, (inverse, mass) = (
        state.copy(),
        (simulation.compiled.model.bodies.inverse_inertia, simulation.compiled.model.bodies.mass),
    )
    for b in range(len(mass)):
        of_body = found[BODY_SIZE * b : BODY_SIZE * (b + 1)]
        turn = of_body[BASIS:ANGULAR_MOMENTUM].reshape(3, 3).T
        omega = turn @ inverse[b] @ turn.T @ of_body[ANGULAR_MOMENTUM:]
        of_body[:3] += time * of_body[MOMENTUM:BASIS] / mass[b]
        of_body[BASIS:ANGULAR_MOMENTUM] = (Rotation.from_rotvec(time * omega).as_matrix() @ turn).T.ravel()
    return found


def contacts(arguments, state):
    """Number of contacts, points [m], normals, and their rates, all (k, 3), in a state (k,)."""
    model, inputs, _, work = arguments
    place(model, inputs, 0.0, state, work)
    add_forces(model, inputs, 0.0, state, work)
    friction, count = work.friction_contacts, work.friction_contacts.count[0]
    rows = (friction.position, friction.normal, friction.moving, friction.turning)
    return count, *(array[:count].copy() for array in rows)


def rates_agree(simulation, state, arguments):
    """Number of contacts whose points and normals move as their central differences do; fails if any does not."""
    count, _, _, moving, turning = contacts(arguments, state)
    before, after = (contacts(arguments, ahead(simulation, state, side * NEAR)) for side in (-1, 1))
    if not before[0] == after[0] == count:
        return 0
    for rate, k in ((moving, 1), (turning, 2)):
        difference = (after[k] - before[k]) / (2 * NEAR)
        assert rate == pytest.approx(difference, abs=1e-4 * max(1.0, np.abs(rate).max(initial=0.0)))
    return int(count)


def at_random(random, state, b):
    """Turn body b of a state at random and give it any motion."""
    of_body = state[BODY_SIZE * b : BODY_SIZE * (b + 1)]
    of_body[BASIS:ANGULAR_MOMENTUM] = Rotation.random(random_state=random.integers(2**31)).as_matrix().ravel()
    of_body[MOMENTUM:BASIS] = random.normal(size=3)
    of_body[ANGULAR_MOMENTUM:] = 0.05 * random.normal(size=3)


@pytest.mark.parametrize(("first", "second"), sampled(combinations_with_replacement(SHAPES, 2), 4))
def test_contact_points_of_solids_move_as_their_differences_do(first, second, tmp_path):
    """Vertices, rims, crossing edges and spheres, in random poses that overlap a little."""
    random, found = np.random.default_rng(2), 0
    trimesh.creation.icosahedron().apply_scale([0.1, 0.14, 0.12]).export(tmp_path / "hull.stl")
    described = scene(body("a", SHAPES[first], contact=LAW), body("b", SHAPES[second], contact=LAW), gravity=[0, 0, 0])
    simulation = Simulation(described.in_folder(tmp_path))
    arguments = placed(simulation)
    while found < 12:
        state = simulation.state.copy()
        at_random(random, state, 0)
        at_random(random, state, 1)
        direction = random.normal(size=3)
        direction /= np.linalg.norm(direction)
        low, high = 0.0, 1.0  # apart at high
        for _ in range(20):
            middle = (low + high) / 2
            state[BODY_SIZE : BODY_SIZE + 3] = middle * direction
            low, high = (middle, high) if contacts(arguments, state)[0] > 0 else (low, middle)
        state[BODY_SIZE : BODY_SIZE + 3] = (high - 2e-3 * random.random()) * direction
        found += rates_agree(simulation, state, arguments)


@pytest.mark.parametrize("kind", sampled(ON_WALLS, 2))
def test_contact_points_on_walls_move_as_their_differences_do(kind):
    random, found = np.random.default_rng(3), 0
    wall = {"name": "wall", "normal": [0.3, -0.2, 1.0]} | LAW
    simulation = Simulation(scene(body("a", ON_WALLS[kind]), wall=[wall], gravity=[0, 0, 0]))
    arguments = placed(simulation)
    while found < 12:
        state = simulation.state.copy()
        at_random(random, state, 0)
        state[:3] = random.uniform(0, 0.1) * np.array(wall["normal"])
        found += rates_agree(simulation, state, arguments)


def test_the_nearest_point_of_a_hull_is_that_of_the_cuboid_that_it_is(tmp_path):
    """Distance, normal, curvature and the direction along which it is straight, over faces, edges and corners; the
    file has numbers of seven digits.
    """
    trimesh.creation.box(extents=SHAPES["cuboid"]["size"]).export(tmp_path / "hull.stl")
    described = scene(body("a", SHAPES["cuboid"], contact=LAW), body("b", SHAPES["hull"], contact=LAW))
    solids = Simulation(described.in_folder(tmp_path)).compiled.model.solids
    for p in np.random.default_rng(4).uniform(-0.25, 0.25, (60, 3)):
        box, hull = (nearest_on(solids, i, tuple(p), inf) for i in range(2))
        assert hull[0] == pytest.approx(box[0], abs=1e-7)
        if box[0] > 1e-3:
            assert hull[1] == pytest.approx(box[1], abs=1e-5)
            assert hull[2] == pytest.approx(box[2], rel=1e-5)
            assert np.abs(hull[3]) == pytest.approx(np.abs(box[3]), abs=1e-5)


def test_the_inverse_inertia_of_bodies_in_the_laboratory():
    """R I^-1 R^T of all inertia tensors about the reference points, and 0 of a body that can't turn."""
    shapes = [SHAPES["cuboid"] | {"mass": 2.0}, {"kind": "point", "mass": 0.5, "position": [0.1, 0.2, -0.1]}]
    turned = {"axis": [1, 2, 3], "angle": 0.7}
    bodies = [
        {"name": "free", "support": "free", "shape": shapes, "orientation": turned, "contact": LAW},
        {"name": "ball", "support": "free", "shape": [SHAPES["sphere"] | {"mass": 2.0}], "position": [0, 3, 0]},
        {"name": "held", "support": "fixed", "shape": shapes, "position": [3, 0, 0], "contact": LAW},
        {"name": "axle", "support": "axle", "axis": [0, 0, 1], "shape": shapes, "position": [0, 0, 3], "contact": LAW},
    ]
    simulation = Simulation(scene(*bodies))
    model, _, state, work = placed(simulation)
    for b in range(len(bodies)):
        basis = state[BODY_SIZE * b + BASIS : BODY_SIZE * b + ANGULAR_MOMENTUM].reshape(3, 3)
        expected = basis.T @ model.bodies.inverse_inertia[b] @ basis * (bodies[b]["name"] != "held")
        found = work.contacts.inverse_inertia[b]
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12 * np.abs(model.bodies.inverse_inertia[b]).max())
        assert found.any() == (bodies[b]["name"] != "held")
    masses = model.bodies.mass
    assert work.contacts.inverse_mass == pytest.approx([1 / masses[0], 1 / masses[1], 0.0, 0.0], rel=1e-15)
