"""Forces of contacts beside the gradient of their energy."""

import numpy as np

from polhode.engine.rates import place
from polhode.physics.bodies.arrays import BASIS, BODY_SIZE
from polhode.physics.contact.colliders import colliders_of
from polhode.physics.contact.fields.field_contact import add_fields, add_spheres_on_fields
from polhode.physics.contact.solids.solid_contact import add_solids, add_spheres_on_solids


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
    """Energy [J], forces (n, 3) [N] and torques (n, 3) [N m] of all contacts of bodies in a state (k,).

    `arguments` are those of `placed`.
    """
    model, inputs, _, work = arguments
    place(model, inputs, 0.0, state, work)
    work.bodies.force[:] = work.bodies.torque[:] = 0.0
    colliders = colliders_of.py_func(model, inputs, state, work)
    spheres, rest = (model.contacts, work.contacts), (work.friction_contacts, work.power)
    near = model.neighbours, work.neighbours
    energy = add_solids(colliders, model.solids, work.solids, *near, *rest)
    energy += add_spheres_on_solids(colliders, *spheres, model.solids, work.solids, *near, *rest)
    energy += add_fields(colliders, model.fields, model.solids, work.fields, *near, *rest)
    energy += add_spheres_on_fields(colliders, *spheres, model.fields, model.solids, work.fields, *near, *rest)
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


def overlapping(random, arguments, start, farthest, depth):
    """State (k,) of two bodies in random orientations, the second one `depth` [m] nearer than where they touch first.

    start: state (k,) of which the rest is taken; farthest: distance [m] at which they are apart
    """
    state = start.copy()
    for b in range(2):
        at = BODY_SIZE * b + BASIS
        state[at : at + 9] = turn(random).ravel()
    direction = random.normal(size=3)
    direction /= np.linalg.norm(direction)
    low, high = 0.0, farthest
    for _ in range(30):
        middle = (low + high) / 2
        state[BODY_SIZE : BODY_SIZE + 3] = middle * direction
        low, high = (middle, high) if pressed(arguments, state)[0] > 0 else (low, middle)
    state[BODY_SIZE : BODY_SIZE + 3] = (high - depth) * direction
    return state


def check_reaction(state, force, torque):
    """Forces (2, 3) [N] and torques (2, 3) [N m] of two bodies in a state (k,) add up to nothing."""
    arms, most = state[: 2 * BODY_SIZE].reshape(2, BODY_SIZE)[:, :3], np.abs(force).max()
    np.testing.assert_allclose(force.sum(axis=0), np.zeros(3), rtol=0, atol=1e-12 * most)
    np.testing.assert_allclose((torque + np.cross(arms, force)).sum(axis=0), np.zeros(3), rtol=0, atol=1e-12 * most)


def wrong_by(arguments, state, step, arm):
    """Largest difference of forces and torques of two bodies from central differences of the energy, relative to the
    largest force, and to that times `arm` [m]; displacements are `step` [m], turns `step` / `arm` [rad].
    """
    errors = []
    _, force, torque = pressed(arguments, state)
    most = np.abs(force).max()
    for b in range(2):
        for axis in range(3):
            ahead, behind = (pressed(arguments, moved(state, b, axis, s))[0] for s in (step, -step))
            errors.append((force[b, axis] + (ahead - behind) / (2 * step)) / most)
            ahead, behind = (pressed(arguments, rotated(state, b, axis, s / arm))[0] for s in (step, -step))
            errors.append((torque[b, axis] / arm + (ahead - behind) / (2 * step)) / most)
    return np.abs(errors).max()
