"""The springs of a scene that count in the modes of a soft body, beside its linearised rates."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.analysis.steps.stability import modes as eigenvalues
from polhode.physics.modal.mode_control import net_in
from polhode.physics.modal.normal_modes import lowest_modes
from polhode.simulation.simulation import Simulation
from polhode_app.cli.results.modes_report import mode_reports
from scenes import scene

NONE = {"gravity": [0, 0, 0]}
ROW = {"kind": "chain", "name": "row", "count": 3, "spacing": 1.0, "direction": [1, 0, 0], "fixed": [0]}
TWO = {**ROW, "particle_mass": 10.0, "stiffness": 2000.0}
BLOCK = {
    "kind": "lattice",
    "name": "block",
    "counts": [3, 2, 2],
    "spacing": [0.2, 0.25, 0.3],
    "particle_mass": 0.5,
    "stiffness": 800.0,
    "fixed": [0],
}
KNOB = {"kind": "sphere", "radius": 0.1, "mass": 1}
POST = {"name": "post", "support": "fixed", "position": [0, 0, 2.0], "shape": [KNOB]}
BOB = {**POST, "name": "bob", "support": "free"}
NAIL = {"name": "nail", "mass": 1.0, "fixed": True, "position": [1.0, 1.0, 0.0]}
BALL = {"name": "ball", "mass": 1.0, "position": [-1.0, 1.0, 0.0]}
COUNTED = {
    "between points": {"from": "block.1", "to": "block.10", "stiffness": 700.0},
    "to a place": {"from": "block.5", "to": [1.0, 0.3, -0.2], "stiffness": 500.0},
    "from a place": {"from": [1.0, 0.3, -0.2], "to": "block.5", "stiffness": 500.0},
    "to a fixed particle": {"from": "block.5", "to": "nail", "stiffness": 500.0},
    "to a fixed body": {"from": {"body": "post", "point": [0.1, 0, 0]}, "to": "block.7", "stiffness": 300.0},
    "in tension": {"from": "block.5", "to": [1.0, 0.3, -0.2], "stiffness": 500.0, "rest_length": 0.5},
    "without length": {"from": "block.5", "to": [0.2, 0.125, -0.15], "stiffness": 500.0, "rest_length": 0.0},
    "without length elsewhere": {"from": "block.4", "to": [0.5, 0.3, 0.1], "stiffness": 90.0, "rest_length": 0.0},
}


def compiled(soft, *springs, **parts):
    return Simulation(scene(world=NONE, soft=[soft], spring=list(springs), **parts)).compiled


def test_two_masses_by_an_additional_spring_have_the_frequencies_of_the_document():
    """A chain of 2000 N/m with 1000 N/m beside its first spring: 10 and 24.49 rad/s (Kobayashi, figure 4)."""
    for end in ("row.0", [0, 0, 0]):
        spring = {"from": end, "to": "row.1", "stiffness": 1000.0}
        found = compiled({**TWO, "modes": 6}, spring).modal["row"].modes.frequencies
        assert found[4:] == pytest.approx([10.0, np.sqrt(600.0)], rel=1e-12)


def test_a_chain_with_a_list_has_the_frequencies_of_the_document():
    found = mode_reports(scene(soft=[{**TWO, "stiffness": [3000.0, 2000.0]}]))["row"].frequencies
    assert found[4:] == pytest.approx([10.0, np.sqrt(600.0)], rel=1e-12)


@pytest.mark.parametrize("spring", COUNTED.values(), ids=COUNTED)
def test_modes_are_those_of_the_linearised_rates(spring):
    """Eigenvalues +-i w of the Jacobian of the program's rates, by central differences: 1e-5 of the largest w."""
    described = compiled(BLOCK, spring, body=[POST], particle=[NAIL])
    w = lowest_modes(net_in(described, "block"), 33, True).frequencies
    found = eigenvalues(described.model, described.inputs, 0.0, described.start)
    of_points = np.sort(found.imag[found.imag > 1e-3 * w[-1]])
    assert of_points == pytest.approx(w[w > 1e-3 * w[-1]], rel=1e-5)
    without = lowest_modes(net_in(compiled(BLOCK), "block"), 33, True).frequencies
    assert np.abs(w - without).max() > 0.1


def test_a_body_by_its_modes_and_the_report_count_the_same_springs():
    parts = {"body": [POST], "particle": [NAIL]}
    w = compiled({**BLOCK, "modes": 33}, *COUNTED.values(), **parts).modal["block"].modes.squares
    by_points = compiled(BLOCK, *COUNTED.values(), **parts)
    assert lowest_modes(net_in(by_points, "block"), 33, False).squares == pytest.approx(w, rel=1e-12)
    described = scene(world=NONE, soft=[BLOCK], spring=list(COUNTED.values()), **parts)
    assert mode_reports(described)["block"].squares == pytest.approx(w[:20], rel=1e-12)


@pytest.mark.parametrize("end", ["ball", {"body": "bob", "point": [0, 0, 0]}, "other.1"])
def test_springs_to_what_moves_do_not_count(end):
    spring, other = {"from": "block.5", "to": end, "stiffness": 900.0}, {**TWO, "name": "other", "position": [3, 0, 0]}
    described = Simulation(
        scene(world=NONE, soft=[BLOCK, other], spring=[spring], body=[BOB], particle=[BALL])
    ).compiled
    assert net_in(described, "block").equals(net_in(compiled(BLOCK), "block"))


def test_springs_of_another_body_do_not_count():
    other = {**TWO, "name": "other", "fixed": [0, 1], "position": [3, 0, 0]}
    spring = {"from": "other.2", "to": "other.0", "stiffness": 900.0}
    described = Simulation(scene(world=NONE, soft=[other, BLOCK], spring=[spring])).compiled
    assert net_in(described, "block").equals(net_in(compiled(BLOCK), "block"))


def test_a_free_body_with_a_spring_to_a_place_has_the_modes_of_its_deformation():
    """Twin: K of all coordinates by central differences of the forces, restricted to what is no rigid motion."""
    free = {**BLOCK, "fixed": []}
    described = compiled(free, COUNTED["to a place"])
    net = net_in(described, "block")
    points = described.model.points
    rest, size = described.start_points, 36

    def forces(flat):
        x, total = flat.reshape(3, -1).T, np.zeros((12, 3))
        for (i, j), natural, k in zip(net.pairs, net.rest, net.stiffness, strict=True):
            first, second = (x[end] if end < 12 else net.fixed_anchors[end - 12] for end in (i, j))
            pull = k * (1 - natural / np.linalg.norm(second - first)) * (second - first)
            for end, sign in ((i, 1), (j, -1)):
                if end < 12:
                    total[end] += sign * pull
        return total.T.ravel()

    start = rest.T.ravel()
    k = np.array([forces(start - 1e-6 * axis) - forces(start + 1e-6 * axis) for axis in np.eye(size)]).T / 2e-6
    arms = rest - rest.mean(axis=0)
    rigid = [np.broadcast_to(axis, arms.shape).T.ravel() for axis in np.eye(3)]
    rigid += [np.cross(axis, arms).T.ravel() for axis in np.eye(3)]
    across = np.linalg.svd(np.array(rigid))[2][6:]
    expected = np.linalg.eigvalsh(across @ (k + k.T) / 2 @ across.T / points.mass[0])
    assert lowest_modes(net, 30, True).squares == pytest.approx(expected, rel=1e-6, abs=1e-3)
