"""The neighbour list: all pairs that are near, and the same forces to the last bit whenever it was made."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from kernel_arguments import placed
from pressing import pressed as pressed_bodies
from pressing import turn

from polhode.engine.rates import place
from polhode.physics.bodies.arrays import BASIS, BODY_SIZE
from polhode.physics.contact.colliders import colliders_of
from polhode.physics.contact.neighbours.arrays import near_pairs
from polhode.physics.contact.neighbours.pairs import keep_neighbours
from polhode.physics.contact.sphere_contact import add_contacts
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

RADIUS = 0.05
HARD = {"stiffness": 100.0, "damping": 0.5}


def cloud(count):
    """Particles at random, thick enough that most touch others."""
    rng = np.random.default_rng(3)
    places = rng.uniform(0, 2.2 * RADIUS * count ** (1 / 3), (count, 3)).tolist()
    balls = [
        {"name": f"p{k}", "mass": 0.1, "radius": RADIUS, "position": at, "contact": HARD} for k, at in enumerate(places)
    ]
    return Scene.model_validate({"particle": balls, "world": {"gravity": [0, 0, 0]}})


def list_again(model, work):
    """Keep the list of centres that a test has displaced; returns whether it was made again."""
    before = work.neighbours.center.copy()
    keep_neighbours(model.neighbours, work.neighbours, work.contacts, work.solids, work.fields)
    return not np.array_equal(before, work.neighbours.center, equal_nan=True)


def pressed(model, inputs, state, work):
    """Forces (3, p) [N] on the points and the elastic energy [J], with the centres in `work`."""
    work.points.force[:] = 0.0
    colliders = colliders_of.py_func(model, inputs, state, work)
    rest = work.contacts, work.neighbours, work.friction_contacts, work.power
    energy = add_contacts(colliders, model.contacts, *rest)
    return work.points.force.copy(), energy


def without_list(work):
    """Scratch arrays by which all pairs are tested."""
    return work.with_members(neighbours=replace(work.neighbours, is_listed=np.zeros(1, dtype=np.int64)))


@pytest.mark.parametrize("share", [0.1, 0.57, 3.0])
def test_forces_do_not_depend_on_when_the_list_was_made(share):
    """Centres move by a share of the margin along each axis: 0.57 sqrt(3) is just below the whole."""
    model, inputs, state, work = placed(Simulation(cloud(300)))
    rng, largest = np.random.default_rng(8), share * model.neighbours.margin[0]
    work.contacts.position[:] += rng.uniform(-largest, largest, work.contacts.position.shape)
    assert list_again(model, work) == (share > 1.0)
    kept, energy = pressed(model, inputs, state, work)
    work.neighbours.center[:] = np.nan
    assert list_again(model, work)
    new, again = pressed(model, inputs, state, work)
    assert (kept == new).all()
    assert energy == again
    expected, stored = pressed(model, inputs, state, without_list(work))
    assert np.count_nonzero(expected.any(axis=0)) > 200
    assert (kept == expected).all()
    assert energy == stored


def test_more_pairs_than_the_list_has_room_for():
    """Then all pairs are tested, in the same order, until something has moved."""
    model, inputs, state, work = placed(Simulation(cloud(300)))
    expected = pressed(model, inputs, state, work)
    assert work.neighbours.first[-1] > 2 * 300
    small = replace(work.neighbours, found=np.zeros((300, 2), dtype=np.int64), is_listed=np.ones(1, dtype=np.int64))
    small.center[:] = np.nan
    crowded = work.with_members(neighbours=small)
    assert list_again(model, crowded)
    assert small.is_listed[0] == 0
    forces, energy = pressed(model, inputs, state, crowded)
    assert (forces == expected[0]).all()
    assert energy == expected[1]


def test_points_of_one_cloth_need_no_list():
    cloth = {"name": "cloth", "kind": "lattice", "counts": [6, 6, 1], "spacing": [0.05, 0.05, 0.05]}
    cloth |= {"particle_mass": 0.01, "particle_radius": 0.04, "stiffness": 50.0, "contact": HARD}
    model, _, _, work = placed(Simulation(Scene.model_validate({"soft": [cloth]})))
    assert len(work.neighbours.found) == 0
    assert near_pairs(model.neighbours, work.neighbours) == []
    other = {**cloth, "name": "other", "position": [0, 0, 0.08]}
    model, _, _, work = placed(Simulation(Scene.model_validate({"soft": [cloth, other]})))
    near = near_pairs(model.neighbours, work.neighbours)
    assert near
    assert all(i < 36 <= j for i, j in near)


SHAPES = [
    {"kind": "sphere", "radius": 0.06},
    {"kind": "cuboid", "size": [0.3, 0.05, 0.1]},
    {"kind": "cylinder", "radius": 0.05, "length": 0.15},
    {"kind": "torus", "radius": 0.08, "tube_radius": 0.02},
    {"kind": "tube", "radius": 0.08, "inner_radius": 0.05, "length": 0.1},
]


def mixed(count):
    """Bodies of all kinds of shapes at random, a table under them, and a body that ignores another one."""
    rng = np.random.default_rng(4)
    contact = HARD | {"shape": "mesh", "detail": 16}
    bodies = [
        {"name": f"b{k}", "support": "free", "position": at, "contact": contact}
        | {"shape": [SHAPES[k % len(SHAPES)] | {"density": 500.0}]}
        for k, at in enumerate(rng.uniform(0, 0.12 * count ** (1 / 3), (count, 3)).tolist())
    ]
    bodies[5]["contact"] = contact | {"ignores": ["b6", "b7", "b8"]}
    table = {"kind": "cuboid", "size": [9, 9, 0.2], "mass": 1.0}
    bodies.append({"name": "table", "support": "fixed", "shape": [table], "contact": contact})
    return Scene.model_validate({"format": 2, "body": bodies, "world": {"gravity": [0, 0, 0]}})


@pytest.mark.parametrize("share", [0.4, 5.0])
def test_shapes_of_all_kinds_press_as_without_a_list(share):
    """Whatever touches is in the list, after all bodies have moved by a share of the smallest margin, and turned by
    that over their reach: to the last bit.
    """
    simulation = Simulation(mixed(60))
    arguments = placed(simulation)
    model, inputs, state, work = arguments
    neighbours, rng = model.neighbours, np.random.default_rng(6)
    step, states = share * neighbours.margin.min(), [state]
    turned = state.copy()
    for b in range(60):
        at = BODY_SIZE * b
        turned[at : at + 3] += step / 3 * rng.uniform(-1, 1, 3)
        turned[at + BASIS : at + BASIS + 9] = turn(rng).ravel() if share > 1 else turned[at + BASIS : at + BASIS + 9]
    states.append(turned)
    made = []
    for each in states:
        place(model, inputs, 0.0, each, work)
        made.append(work.neighbours.center.copy())
        near = len(near_pairs(neighbours, work.neighbours))
        assert 60 < near < 0.3 * len(neighbours.kind) ** 2 / 2
        for mine, theirs in zip(
            pressed_bodies((model, inputs, each, work), each),
            pressed_bodies((model, inputs, each, without_list(work)), each),
            strict=True,
        ):
            assert np.abs(mine).max() > 0.0
            assert np.array_equal(mine, theirs)
    assert (made[0] == made[1]).all() == (share < 1.0)


def test_the_list_has_the_pairs_whose_boxes_overlap():
    """Against a loop over all pairs of the boxes that the list was made for."""
    model, _, _, work = placed(Simulation(mixed(60)))
    neighbours, low, high = model.neighbours, work.neighbours.low, work.neighbours.high
    spheres, solids = range(neighbours.solids), range(neighbours.solids, neighbours.fields)
    ignored = {frozenset(pair) for pair in ((5, 6), (5, 7), (5, 8))}
    expected = [
        (i, j)
        for i, j in combinations(range(len(neighbours.kind)), 2)
        if neighbours.body[i] != neighbours.body[j]
        and frozenset((int(neighbours.body[i]), int(neighbours.body[j]))) not in ignored
        and (low[i] <= high[j]).all()
        and (low[j] <= high[i]).all()
        and not (i in solids and j not in solids)  # solids and fields
        and not (i not in spheres and j not in solids and not has_grid(model, i) and not has_grid(model, j))
        and not (i in spheres and j not in spheres and j not in solids and not has_grid(model, j))
    ]
    assert len(expected) > 100
    assert near_pairs(neighbours, work.neighbours) == expected


def has_grid(model, i):
    """Whether item i is a shape with a grid."""
    return i >= model.neighbours.fields and model.fields.solid[i - model.neighbours.fields] < 0
