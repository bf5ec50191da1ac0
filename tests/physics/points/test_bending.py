"""Bending of chains and cloth: beside derivatives of the energy, the statics and the vibrations of beams."""

import numpy as np
import pytest
from meaning import Meaning

from polhode.physics.points.arrays import point_states
from polhode.scene.problem import InputError
from polhode.simulation.simulation import Simulation
from scenes import scene

BEAM = {
    "name": "beam",
    "kind": "chain",
    "count": 11,
    "spacing": 0.05,
    "direction": [1, 0, 0],
    "particle_mass": 0.01,
    "stiffness": 1e4,
    "bending": 2.0,
    "fixed": [0, 1],
}
SHEET = {
    "name": "sheet",
    "kind": "lattice",
    "counts": [5, 1, 4],
    "spacing": [0.1, 1.0, 0.08],
    "particle_mass": 0.01,
    "stiffness": 50.0,
    "bending": 0.03,
}


def energy_of(positions: np.ndarray, triples, stiffness) -> float:
    """Sum of B t^2/2 by arccos, the slow way."""
    total = 0.0
    for (i, j, k), hinge in zip(triples, stiffness, strict=True):
        one, other = positions[j] - positions[i], positions[k] - positions[j]
        cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
        total += hinge * np.arccos(np.clip(cosine, -1, 1)) ** 2 / 2
    return total


def hinges_of(soft: dict):
    if soft["kind"] == "chain":
        triples = [(i, i + 1, i + 2) for i in range(soft["count"] - 2)]
        return triples, [soft["bending"]] * len(triples)
    (nx, _, nz), (hx, _, hz) = soft["counts"], soft["spacing"]
    triples, stiffness = [], []
    for i in range(nx):
        for k in range(nz):
            if i + 2 < nx:
                triples.append([x + nx * k for x in (i, i + 1, i + 2)])
                stiffness.append(soft["bending"] * hz / hx / (2 if k in (0, nz - 1) else 1))
            if k + 2 < nz:
                triples.append([i + nx * z for z in (k, k + 1, k + 2)])
                stiffness.append(soft["bending"] * hx / hz / (2 if i in (0, nx - 1) else 1))
    return triples, stiffness


@pytest.mark.parametrize("soft", [BEAM, SHEET], ids=["chain", "sheet"])
def test_forces_are_derivatives_of_the_energy(soft):
    """Of random shapes; with what the springs do taken away. They sum to zero, and so do their moments."""
    random = np.random.default_rng(2)
    plain = {**soft, "bending": 0.0, "fixed": []}
    found = []
    for one in ({**plain, "bending": soft["bending"]}, plain):
        simulation = Simulation(scene(soft=[one], gravity=[0, 0, 0]))
        rest = point_states(simulation.compiled.model.points, simulation.state)[0].T
        shape = rest + np.random.default_rng(2).normal(scale=0.03, size=rest.shape)
        moved = {**one, "initial_state": {"displacements": (shape - rest).tolist()}}
        now = Simulation(scene(soft=[moved], gravity=[0, 0, 0]))
        start = now.snapshot().energy.elastic
        now.advance(1e-6)
        found.append((start, now.snapshot().points.velocity * soft["particle_mass"] / 1e-6))
    (energy, bent), (stretched, straight) = found
    force, (triples, stiffness) = bent - straight, hinges_of(soft)
    assert energy - stretched == pytest.approx(energy_of(shape, triples, stiffness), rel=1e-10)
    for i, axis in random.integers([0, 0], [len(shape), 3], size=(12, 2)):
        step = np.zeros(shape.shape)
        step[i, axis] = 1e-6
        slope = energy_of(shape + step, triples, stiffness) - energy_of(shape - step, triples, stiffness)
        assert -slope / 2e-6 == pytest.approx(force[i, axis], abs=1e-5 * np.abs(force).max())
    assert np.abs(force.sum(axis=0)).max() < 1e-6 * np.abs(force).max()
    assert np.abs(np.cross(shape, force).sum(axis=0)).max() < 1e-6 * np.abs(force).max()


def test_a_cantilever_sags_as_a_beam():
    """A tip load P on n edges of length h bends hinge k by P h (n - k)/B: the sum of the angles is the deflection."""
    load, count, h = 0.02, 9, 0.05
    damped = {**BEAM, "damping": 0.0, "modal_damping": 0.0}
    slow = {"wind": {"velocity": [0, 0, 0], "drag": 0.05}, "gravity": [0, 0, 0]}
    push = {"on": "beam.10", "force": {"x": "0", "y": "0", "z": f"-{load}"}}
    simulation = Simulation(scene(soft=[damped], force=[push], world=slow, method="rk4", time_step=1e-4))
    simulation.advance(4.0)
    angles = np.cumsum([load * h * (count - k) / BEAM["bending"] for k in range(count)])
    tip = simulation.snapshot().points.position[10, 2]
    assert tip == pytest.approx(-h * angles.sum(), rel=5e-4)  # slopes up to 0.023, half of whose squares is left out


def test_small_vibrations_have_the_frequency_of_the_linear_beam():
    """The lowest eigenvalue of the second differences; zero crossings of the tip over two periods."""
    h, count = 0.05, 11
    second = (np.eye(count, k=-1) - 2 * np.eye(count) + np.eye(count, k=1))[1:-1] / h
    squares = np.linalg.eigvalsh((BEAM["bending"] * second.T @ second / BEAM["particle_mass"])[2:, 2:])
    period = 2 * np.pi / np.sqrt(squares[0])
    shapes = np.linalg.eigh((second.T @ second)[2:, 2:])[1][:, 0]
    moved = np.zeros((count, 3))
    moved[2:, 2] = 1e-5 * shapes / shapes[-1]
    start = {**BEAM, "initial_state": {"displacements": moved.tolist()}}
    simulation = Simulation(scene(soft=[start], gravity=[0, 0, 0], time_step=period / 2000))
    simulation.advance(2 * period)
    now = simulation.snapshot()
    np.testing.assert_allclose(now.points.position[2:, 2], moved[2:, 2], atol=1e-9)
    angles = second @ moved[:, 2]
    assert now.energy.total == pytest.approx(0.5 * BEAM["bending"] * angles @ angles, rel=1e-5)


BAD = [
    (SHEET, {"counts": [5, 2, 4]}, Meaning("soft[0].bending", "lattice", counts="[5, 2, 4]")),
    (SHEET, {"counts": [5, 1, 1]}, Meaning("soft[0].bending", "lattice", counts="[5, 1, 1]")),
    (BEAM, {"modes": 3}, Meaning("soft[0].bending", "count", name="modes")),
    (BEAM, {"modal_damping": [0.0, 0.1]}, Meaning("soft[0].bending", "count", name="modal_damping")),
    (BEAM, {"bending": -1.0}, Meaning("soft[0].bending", "least", limit=0)),
]


@pytest.mark.parametrize(("soft", "fields", "said"), BAD)
def test_what_is_wrong_is_found(soft, fields, said):
    with pytest.raises(InputError) as caught:
        scene(soft=[{**soft, **fields}])
    assert said.of(caught.value)


def test_only_a_scene_with_bending_has_it():
    compiled = Simulation(scene(soft=[{**BEAM, "bending": 0.0}])).compiled
    assert len(compiled.model.hinges.first) == 0


def test_the_arrows_of_springs_count_bending():
    moved = np.zeros((11, 3))
    moved[10] = [0, 0, 0.01]
    bent = {**BEAM, "initial_state": {"displacements": moved.tolist()}}
    plain, with_bending = (
        Simulation(scene(soft=[{**bent, "bending": b}], gravity=[0, 0, 0])).snapshot(forces=True).forces["springs"]
        for b in (0.0, 2.0)
    )
    force = (with_bending.on_points - plain.on_points)[10]
    angle = np.arctan2(0.01, 0.05)
    tip = 2.0 * angle / np.hypot(0.05, 0.01)
    np.testing.assert_allclose(force, tip * np.array([np.sin(angle), 0, -np.cos(angle)]), atol=1e-9)
