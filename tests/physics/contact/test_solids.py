"""Contact of convex solids: forces against the gradient of the potential, and what must be kept."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
import trimesh
from kernel_arguments import placed
from pressing import check_reaction, overlapping, pressed, wrong_by

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


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_forces_are_the_gradient_of_the_energy(kinds, tmp_path):
    """Central differences over displacements and rotations of both bodies, in random poses that overlap a little."""
    random, found, errors = np.random.default_rng(1), 0, []
    trimesh.creation.icosahedron().apply_scale([0.1, 0.14, 0.12]).export(tmp_path / "hull.stl")
    described = scene(solid("a", SHAPES[kinds[0]]), solid("b", SHAPES[kinds[1]]))
    simulation = Simulation(described.in_folder(tmp_path))
    start, arguments = simulation.state.copy(), placed(simulation)
    while found < 8:
        state = overlapping(random, arguments, start, 1.0, 2e-3 * random.random())
        energy, force, torque = pressed(arguments, state)
        if energy == 0.0:
            continue
        found += 1
        errors.append(wrong_by(arguments, state, 1e-7, 0.1))
        check_reaction(state, force, torque)
    assert np.abs(errors).max() < 1e-5  # rounding of central differences, and steps of 1e-7 over the seams of faces
