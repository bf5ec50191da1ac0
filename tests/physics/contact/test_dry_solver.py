"""Dry friction in a heap: the forces are those that a long iteration finds, and a step depends on the state alone."""

import numpy as np
import pytest
from kernel_arguments import placed

from polhode.engine.rates import rates
from polhode.physics.contact.friction.arrays import (
    BIAS,
    FIRST,
    FORCE,
    MOBILITY,
    OTHER,
    SLIP,
    STATIC_LIMIT,
)
from polhode.physics.contact.friction.dry_rows import SLIDES
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

CONTACT = {"stiffness": 2e4, "restitution": 0.3, "kinetic_friction": 0.5}


def heap(count, method="semi_implicit_euler"):
    """Boxes at random turns that fall into a bin."""
    rng = np.random.default_rng(5)
    sides = [{"size": [9, 9, 0.2], "position": [0, 0, -0.1]}]
    sides += [{"size": [0.1, 9, 1], "position": [side, 0, 0.5]} for side in (-0.2, 0.2)]
    sides += [{"size": [9, 0.1, 1], "position": [0, side, 0.5]} for side in (-0.2, 0.2)]
    sides = [{"kind": "cuboid", "mass": 1.0} | side for side in sides]
    bodies = [{"name": "bin", "support": "fixed", "shape": sides, "contact": CONTACT}]
    for k in range(count):
        basis, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        basis *= np.linalg.det(basis)
        box = {"kind": "cuboid", "size": [0.1, 0.08, 0.06], "density": 500.0}
        place = [0.12 * (k % 2) - 0.06, 0.12 * (k // 2 % 2) - 0.06, 0.1 + 0.14 * (k // 4)]
        body = {"name": f"box{k}", "support": "free", "position": place, "orientation": {"basis": basis.tolist()}}
        bodies.append(body | {"shape": [box], "contact": CONTACT})
    return Scene.model_validate({"body": bodies, "solver": {"method": method, "time_step": 5e-4}})


class Island:
    """The pairs of rows of one island, J (2 n, d) for all motions of its nodes; starts without friction."""

    def __init__(self, rows, pairs, still):
        nodes = sorted({*rows.ends[pairs].ravel().tolist()} - {still})
        at = {node: 6 * k for k, node in enumerate(nodes)}
        numbers = rows.numbers[pairs]
        self.effect = np.zeros((len(pairs), 2, 6 * len(nodes)))
        for k, q in enumerate(pairs):
            for node, column in zip(rows.ends[q].tolist(), (FIRST, OTHER), strict=True):
                if node != still:
                    self.effect[k, :, at[node] : at[node] + 6] = numbers[k, column : column + 12].reshape(2, 6)
        self.found = numbers[:, FORCE : FORCE + 2]
        self.bias, self.slip, self.limit = (
            numbers[:, BIAS : BIAS + 2],
            numbers[:, SLIP : SLIP + 2],
            numbers[:, STATIC_LIMIT],
        )
        self.resists, self.slides, self.numbers = rows.resists[pairs], rows.state[pairs] == SLIDES, numbers
        self.before = rows.motion[nodes].ravel() - np.einsum("ki,kid->d", self.found, self.effect)

    def relaxed(self, sweeps):
        """Forces (n, 2) [N] after projected sweeps of small steps, each of which decreases the convex function.

        Pairs that slide keep their forces.
        """
        force = self.found * self.slides[:, None]
        motion = self.before + self.motion(force)
        largest = [np.linalg.eigvalsh(effect @ effect.T)[1] for effect in self.effect]
        for _ in range(sweeps):
            for k in np.flatnonzero(~self.slides):
                effect = self.effect[k]
                lacking = self.bias[k] + effect @ motion
                new = force[k] - lacking / largest[k]
                power = new @ self.slip[k]
                if self.resists[k] and power > 0.0:
                    new = new - power / (self.slip[k] @ self.slip[k]) * self.slip[k]
                new *= min(1.0, self.limit[k] / max(np.linalg.norm(new), 1e-300))
                motion += (new - force[k]) @ effect
                force[k] = new
        return force

    def motion(self, force):
        """Motions (d,) of the nodes by friction alone."""
        return np.einsum("ki,kid->d", force, self.effect)

    @property
    def possible(self):
        """Largest effect of all limits together on them."""
        return np.sqrt(((self.numbers[:, MOBILITY] + self.numbers[:, MOBILITY + 2]) * self.limit**2).sum())


def islands(work):
    """Islands of all pairs after an evaluation."""
    rows, count = work.friction_rows, work.friction_contacts.count[0]
    still, root = len(rows.parent), {}

    def find(node):
        while root.setdefault(node, node) != node:
            node = root[node]
        return node

    for a, b in rows.ends[:count].tolist():
        if still not in (a, b):
            root[find(a)] = find(b)
    groups: dict[int, list[int]] = {}
    for q, (a, b) in enumerate(rows.ends[:count].tolist()):
        groups.setdefault(find(b if a == still else a), []).append(q)
    return [Island(rows, pairs, still) for pairs in groups.values()]


def test_friction_in_a_heap_moves_boxes_as_a_long_iteration_does():
    """To 0.5 % of what all limits could do; the forces themselves are not unique."""
    simulation = Simulation(heap(16))
    compared = 0
    for _ in range(9):
        simulation.advance(0.1)
        model, inputs, state, work = placed(simulation)
        rates(model, inputs, 0.0, state, work, np.zeros_like(state))
        for island in islands(work):
            if len(island.found) < 5:
                continue
            mine, theirs = island.motion(island.found), island.motion(island.relaxed(400))
            assert np.linalg.norm(theirs) > 0.1 * island.possible
            assert np.linalg.norm(mine - theirs) < 0.005 * island.possible
            compared += 1
    assert compared >= 8


@pytest.mark.parametrize("method", ["rk4", "dormand_prince_8"])
def test_a_step_with_friction_depends_on_the_state_alone(method):
    """Later evaluations of a step begin with the forces of earlier ones, but none with those of another step."""
    simulation = Simulation(heap(8, method))
    simulation.advance_steps(600)
    kept = simulation.time, simulation.steps, simulation.state.copy()
    simulation.advance_steps(7)
    expected = simulation.state.copy()
    simulation.advance_steps(5)  # leaves other forces in the scratch arrays
    simulation.restore(*kept)
    simulation.advance_steps(7)
    assert np.array_equal(simulation.state, expected)
    other = Simulation(heap(8, method))
    other.restore(*kept)
    other.advance_steps(7)
    assert np.array_equal(other.state, expected)
