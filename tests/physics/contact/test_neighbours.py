"""The neighbour list of spheres: the same forces to the last bit whenever it was made, against all pairs."""

from dataclasses import replace

import numpy as np
import pytest
from kernel_arguments import placed

from polhode.physics.contact.colliders import colliders_of
from polhode.physics.contact.neighbours import is_outdated
from polhode.physics.contact.sphere_contact import add_contacts
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

RADIUS = 0.05


def cloud(count):
    """Particles at random, thick enough that most touch others."""
    rng = np.random.default_rng(3)
    places = rng.uniform(0, 2.2 * RADIUS * count ** (1 / 3), (count, 3)).tolist()
    contact = {"stiffness": 100.0, "damping": 0.5}
    balls = [
        {"name": f"p{k}", "mass": 0.1, "radius": RADIUS, "position": at, "contact": contact}
        for k, at in enumerate(places)
    ]
    return Scene.model_validate({"particle": balls, "world": {"gravity": [0, 0, 0]}})


def pressed(model, inputs, state, work):
    """Forces (3, p) [N] on the points and the elastic energy [J], with the centres in `work`."""
    work.points.force[:] = 0.0
    colliders = colliders_of.py_func(model, inputs, state, work)
    energy = add_contacts(colliders, model.contacts, work.contacts, work.friction_contacts, work.power)
    return work.points.force.copy(), energy


def at_random(work, largest):
    """Displace all centres by at most `largest` [m] along each axis."""
    rng = np.random.default_rng(8)
    work.contacts.position[:] += rng.uniform(-largest, largest, work.contacts.position.shape)


def all_pairs(model):
    """The model with every sphere tested against all others."""
    everything = np.arange(len(model.contacts.radius), dtype=np.int64)
    return model.with_members(
        contacts=replace(model.contacts, wide=everything, narrow=everything[:0], of_one_owner=True)
    )


@pytest.mark.parametrize("share", [0.1, 0.28, 3.0])
def test_forces_do_not_depend_on_when_the_list_was_made(share):
    """Centres move by a share of the skin along each axis: 0.28 sqrt(3) is just below the half that is allowed."""
    model, inputs, state, work = placed(Simulation(cloud(300)))
    pressed(model, inputs, state, work)
    at_random(work, share * model.contacts.skin)
    assert is_outdated(model.contacts, work.contacts) == (share > 1.0)
    kept, energy = pressed(model, inputs, state, work)
    work.contacts.listed_at[:] = np.nan
    new, again = pressed(model, inputs, state, work)
    assert (kept == new).all()
    assert energy == again
    expected, _ = pressed(all_pairs(model), inputs, state, work)
    assert np.count_nonzero(expected.any(axis=0)) > 200
    assert kept == pytest.approx(expected, abs=1e-12 * np.abs(expected).max())  # sums in another order


def test_more_pairs_than_the_list_has_room_for():
    """They are pressed part by part, in the same order, and the list is not kept."""
    model, inputs, state, work = placed(Simulation(cloud(300)))
    expected, energy = pressed(model, inputs, state, work)
    pairs = work.contacts.pair_count[0]
    work.contacts.listed_at[:] = np.nan
    small = work.with_members(contacts=replace(work.contacts, pairs=np.zeros((300, 2), dtype=np.int64)))
    assert pairs > 2 * 300
    forces, stored = pressed(model, inputs, state, small)
    assert (forces == expected).all()
    assert stored == pytest.approx(energy, rel=1e-13)
    assert is_outdated(model.contacts, small.contacts)


def test_points_of_one_cloth_need_no_list():
    contact = {"stiffness": 100.0, "damping": 0.5}
    cloth = {"name": "cloth", "kind": "lattice", "counts": [6, 6, 1], "spacing": [0.05, 0.05, 0.05]}
    cloth |= {"particle_mass": 0.01, "particle_radius": 0.04, "stiffness": 50.0, "contact": contact}
    one = Simulation(Scene.model_validate({"soft": [cloth]})).compiled.model.contacts
    assert one.of_one_owner
    other = {**cloth, "name": "other", "position": [0, 0, 0.1]}
    assert not Simulation(Scene.model_validate({"soft": [cloth, other]})).compiled.model.contacts.of_one_owner
