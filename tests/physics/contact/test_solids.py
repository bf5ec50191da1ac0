"""Contact of convex solids: forces against the gradient of the potential, and what must be kept."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
import trimesh
from kernel_arguments import placed

from polhode.engine.rates import place
from polhode.physics.bodies.arrays import BASIS, BODY_SIZE
from polhode.physics.contact.colliders import colliders_of
from polhode.physics.contact.solids.solid_contact import add_solids, add_spheres_on_solids
from polhode.simulation.simulation import Simulation
from scenes import scene

SHAPES = {
    "cuboid": {"kind": "cuboid", "size": (0.3, 0.2, 0.15)},
    "cylinder": {"kind": "cylinder", "radius": 0.12, "length": 0.25},
    "capsule": {"kind": "capsule", "radius": 0.08, "length": 0.2},
    "sphere": {"kind": "sphere", "radius": 0.1},
    "hull": {"kind": "mesh", "file": "hull.stl", "unit": "m"},
}
PAIRS = [pair for pair in combinations_with_replacement(SHAPES, 2) if pair != ("sphere", "sphere")]


def solid(name, shape, position=(0, 0, 0), **more):
    return {
        "name": name,
        "support": "free",
        "position": list(position),
        "shape": [shape | {"density": 1000.0}],
        "contact": {"stiffness": 1e4},
        **more,
    }


def turn(random):
    """A random basis, rows u1, u2, u3."""
    q = random.normal(size=4)
    q /= np.linalg.norm(q)
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
            [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
            [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def small_turn(axis, angle):
    """Matrix that turns vectors about a coordinate axis."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = c
    matrix[j, i], matrix[i, j] = s, -s
    return matrix


def pressed(arguments, state):
    """Energy [J], forces (n, 3) [N] and torques (n, 3) [N m] of all contacts of solids in a state (k,).

    `arguments` are those of `placed`.
    """
    model, inputs, _, work = arguments
    place(model, inputs, 0.0, state, work)
    work.bodies.force[:] = work.bodies.torque[:] = 0.0
    colliders = colliders_of.py_func(model, inputs, state, work)
    energy = add_solids(colliders, model.solids, work.solids, work.friction_contacts, work.power)
    energy += add_spheres_on_solids(
        colliders, model.contacts, work.contacts, model.solids, work.solids, work.friction_contacts, work.power
    )
    return energy, work.bodies.force.copy(), work.bodies.torque.copy()


def moved(state, b, axis, by):
    """State with body b displaced by a length [m] along an axis."""
    found = state.copy()
    found[BODY_SIZE * b + axis] += by
    return found


def rotated(state, b, axis, by):
    """State with body b turned by an angle [rad] about an axis through its reference point, laboratory frame."""
    found = state.copy()
    at = BODY_SIZE * b + BASIS
    found[at : at + 9] = (found[at : at + 9].reshape(3, 3) @ small_turn(axis, by).T).ravel()
    return found


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_forces_are_the_gradient_of_the_energy(kinds, tmp_path):
    """Central differences over displacements and rotations of both bodies, in random poses that overlap a little."""
    random, found, errors = np.random.default_rng(1), 0, []
    trimesh.creation.icosahedron().apply_scale([0.1, 0.14, 0.12]).export(tmp_path / "hull.stl")
    described = scene(solid("a", SHAPES[kinds[0]]), solid("b", SHAPES[kinds[1]]))
    simulation = Simulation(described.in_folder(tmp_path))
    start, arguments = simulation.state.copy(), placed(simulation)
    while found < 8:
        state = start.copy()
        for b in range(2):
            at = BODY_SIZE * b + BASIS
            state[at : at + 9] = turn(random).ravel()
        direction = random.normal(size=3)
        direction /= np.linalg.norm(direction)
        low, high = 0.0, 1.0  # apart at high
        for _ in range(30):
            middle = (low + high) / 2
            state[BODY_SIZE : BODY_SIZE + 3] = middle * direction
            low, high = (middle, high) if pressed(arguments, state)[0] > 0 else (low, middle)
        state[BODY_SIZE : BODY_SIZE + 3] = (high - 2e-3 * random.random()) * direction
        energy, force, torque = pressed(arguments, state)
        if energy == 0.0:
            continue
        found += 1
        step = 1e-7
        for b in range(2):
            for axis in range(3):
                ahead, behind = (pressed(arguments, moved(state, b, axis, s))[0] for s in (step, -step))
                errors.append((force[b, axis] + (ahead - behind) / (2 * step)) / np.abs(force).max())
                ahead, behind = (pressed(arguments, rotated(state, b, axis, s))[0] for s in (step, -step))
                errors.append((torque[b, axis] + (ahead - behind) / (2 * step)) / np.abs(force).max() / 0.1)
        arms = state.reshape(-1)[: 2 * BODY_SIZE].reshape(2, BODY_SIZE)[:, :3]
        assert force.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12 * np.abs(force).max())
        turning = (torque + np.cross(arms, force)).sum(axis=0)
        assert turning == pytest.approx(np.zeros(3), abs=1e-12 * np.abs(force).max())
    assert np.abs(errors).max() < 1e-5  # rounding of central differences, and steps of 1e-7 over the seams of faces
