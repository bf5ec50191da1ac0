"""Several shapes of iron that saturate: closed form far apart, energies against forces, a solution by matrices."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from laws import BOB, YOKE, Laws
from scipy.optimize import root

from polhode.physics.iron.arrays import Iron
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

SILENT = {"gravity": [0, 0, 0]}
FIELD = {"kind": "formula", "x": "0.1*y", "y": "0.1*x", "z": "0.02 + 0.3*z"}


def ball(z: float, saturation: float | None = 2.1, panels: int = 80, mu: float = 1000.0) -> dict[str, Any]:
    iron = {"permeability": mu, "panels": panels} | ({"saturation": saturation} if saturation else {})
    return {"kind": "sphere", "radius": 0.01, "mass": 0.03, "position": [0, 0, z], "iron": iron}


def bar(width: float, at: float, saturation: float = 0.2, panels: int = 92) -> dict[str, Any]:
    """A bar of 12 mm along z from `at` [m] on."""
    iron = {"permeability": 500, "panels": panels, "saturation": saturation}
    return {"kind": "cuboid", "size": [width, width, 0.012], "position": [0, 0, at + 0.006], "mass": 0.01, "iron": iron}


def neck() -> dict[str, Any]:
    """A body of three bars that touch, the middle one thinner."""
    return {"name": "neck", **YOKE, "shape": [bar(0.012, -0.018), bar(0.006, -0.006), bar(0.012, 0.006)]}


def several() -> dict[str, Any]:
    """The neck, a ball that does not saturate, one that does so early, and a magnet, in a field by formulas."""
    magnet = {"kind": "sphere", "radius": 0.002, "mass": 0.01, "magnet": {"moment": [0.3, 0, 1.5]}}
    balls = [
        {"name": name, "support": "free", "position": place, "shape": [ball(0.0, saturation)]}
        for name, place, saturation in (("linear", [0.026, 0.002, 0.01], None), ("weak", [-0.024, 0.006, -0.01], 0.05))
    ]
    bob = BOB | {"position": [0.004, 0.003, 0.028], "shape": [magnet]}
    return {"world": {**SILENT, "magnetic_field": FIELD}, "body": [neck(), *balls, bob]}


@pytest.mark.parametrize(
    ("field", "moment"), [(0.1, 0.996510750), (0.5, 4.94926756), (1.0, 6.95205321), (2.0, 6.98870905)]
)
@pytest.mark.parametrize("is_one_body", [True, False])
def test_spheres_far_apart_saturate_as_one_alone(field: float, moment: float, is_one_body: bool) -> None:
    """Froehlich and Kennelly's law in a sphere, where the field is uniform: a quadratic equation; mu0 Ms = 2.1 T."""
    world = {**SILENT, "magnetic_field": {"kind": "uniform", "value": [0, 0, field]}}
    shapes = [ball(0.0, panels=320), ball(30.0, panels=320)]
    groups = [shapes] if is_one_body else [[shape] for shape in shapes]
    bodies = [{"name": f"core{k}", "support": "free", "shape": each} for k, each in enumerate(groups)]
    table = Simulation(Scene.model_validate({"world": world, "body": bodies})).run(1e-3, 1e-3)
    for k, group in enumerate(groups):
        assert table[f"core{k}.induced_moment.z"][0] == pytest.approx(len(group) * moment, rel=1e-5)


def test_forces_and_torques_are_the_gradient_of_the_energy_and_opposite() -> None:
    laws = Laws(several())
    for body in range(4):
        found = laws.wrench(body)
        force = np.abs(found[:3]).max()
        scale = np.array([force] * 3 + [max(np.abs(found[3:]).max(), 0.01 * force)] * 3)  # the balls are smooth
        assert np.abs((found - laws.by_difference(body)) / scale).max() < 1e-6, body
    described = several()
    del described["world"]["magnetic_field"]
    closed = Laws(described)
    forces = [closed.wrench(body)[:3] for body in range(4)]
    assert np.abs(sum(forces)).max() < 1e-12 * np.abs(forces).max()


def whole_matrices(iron: Iron, position: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns that span all charges without a sum on any body, G and the N of each shape within them.

    position: (3, n) [m] centroids of panels
    """
    kept, bodies = [], []
    for a in range(len(iron.body)):
        panels = np.arange(iron.first[a], iron.first[a + 1])
        own = iron.inverse[panels][:, : len(panels)]
        values, vectors = np.linalg.eigh(own)
        some = np.zeros((len(iron.edge), int((values > 1e-9 * values.max()).sum())))
        some[panels] = vectors[:, values > 1e-9 * values.max()]
        kept.append(some)
        bodies += [a] * len(panels)
    basis = np.hstack(kept)
    wide = np.zeros((len(iron.edge),) * 2)
    n_of = np.zeros((len(iron.saturation), *wide.shape))
    for a in range(len(iron.body)):
        panels = slice(iron.first[a], iron.first[a + 1])
        wide[panels, panels] = iron.inverse[panels, : panels.stop - panels.start]
        for j in range(iron.first_shape[a], iron.first_shape[a + 1]):
            own = slice(iron.shape_first[j], iron.shape_end[j])
            n_of[j, own, own] = iron.from_flux[own, own.start - panels.start : own.stop - panels.start]
    g = np.linalg.inv(basis.T @ wide @ basis)
    distance = np.linalg.norm(position[:, :, None] - position[:, None], axis=0)
    apart = np.array(bodies)[:, None] != np.array(bodies)
    others = np.where(apart, 1.0, 0.0) / (4 * np.pi * np.where(apart, distance, 1.0))
    magnetic = np.array([basis.T @ each @ basis for each in n_of])
    return basis, g + basis.T @ others @ basis - np.einsum("j,jpq->pq", 1 / iron.susceptibility, magnetic), magnetic


def test_charges_are_those_of_dense_matrices() -> None:
    """The numbers 1/chi of all shapes by a solver of equations, the charges for them by a matrix."""
    laws = Laws(several())
    laws.energy(laws.compiled.start)
    iron, work = laws.compiled.model.iron, laws.work.iron
    basis, g, magnetic = whole_matrices(iron, work.position)
    load, finite = basis.T @ work.potential[0], np.isfinite(iron.saturation)

    def charges(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        q = -np.linalg.solve(g + np.einsum("j,jpq->pq", x, magnetic), load)
        return q, np.sqrt((magnetic @ q) @ q / iron.shape_volume)

    def excess(logarithms: np.ndarray) -> np.ndarray:
        x = np.exp(logarithms)
        return np.asarray(x * iron.susceptibility * (1 - charges(x)[1] / iron.saturation) - 1)

    found = root(excess, np.log(work.reluctivity * np.where(finite, 1.3, 1.0)), tol=1e-13)
    q, magnetisation = charges(np.exp(found.x))
    assert np.abs(basis @ q - work.charge[0]).max() < 1e-9 * np.abs(work.charge).max()
    assert magnetisation == pytest.approx(work.magnetisation, rel=1e-9)
    share = magnetisation / iron.saturation
    assert share[1] > share[2] > 2 * share[0]  # the thin bar, the one beside the magnet, the one away from it
    assert share[4] > 0.9
    assert share[3] == 0.0


def test_a_state_gives_the_same_bits_after_another_one() -> None:
    laws = Laws(several())
    moved = laws.compiled.start.copy()
    moved[-18] += 0.003
    first = laws.energy(laws.compiled.start)
    charges = laws.work.iron.charge.copy()
    assert laws.energy(moved) != first
    assert laws.energy(laws.compiled.start) == first
    assert (laws.work.iron.charge == charges).all()


def test_a_bar_in_two_halves_is_near_a_whole_one() -> None:
    """In a weak field; the edges where halves touch have panels of their own."""
    world = {**SILENT, "magnetic_field": {"kind": "uniform", "value": [0, 0, 1e-4]}}
    whole = bar(0.01, -0.006, panels=300)
    whole["size"], whole["position"] = [0.01, 0.01, 0.024], [0, 0, 0.006]
    energies = []
    for shapes in ([whole], [bar(0.01, -0.006, panels=180), bar(0.01, 0.006, panels=180)]):
        body = {"name": "bar", "support": "free", "shape": copy.deepcopy(shapes)}
        laws = Laws({"world": world, "body": [body]})
        energies.append(laws.energy(laws.compiled.start))
    assert energies[1] == pytest.approx(energies[0], rel=0.03)


@pytest.mark.parametrize("saturation", [None, 0.5])
def test_magnetisation_that_is_not_found_is_named(saturation: float | None) -> None:
    """Balls that are driven into each other: their charges have no energy with a minimum."""
    iron = {"permeability": 1000, "panels": 80} | ({"saturation": saturation} if saturation else {})
    found = {}
    for end in (0.025, 0.013):
        bodies = []
        for name, at, speed in (("low", 0.0, 0.0), ("high", 0.021, 100 * (end - 0.021))):
            ball = {"kind": "sphere", "radius": 0.01, "mass": 1e4, "iron": iron}
            bodies.append({"name": name, "support": "free", "position": [0, 0, at], "velocity": [0, 0, speed]})
            bodies[-1]["shape"] = [ball]
        world = {"gravity": [0, 0, 0], "magnetic_field": {"kind": "uniform", "value": [0, 0, 0.3]}}
        described = {"world": world, "solver": {"method": "rk4", "time_step": 1e-3}, "body": bodies}
        simulation = Simulation(Scene.model_validate(described))
        simulation.advance(0.01)
        found[end] = {warning.place: warning.rule for warning in simulation.warnings}
    place = "body[0].shape and body[1].shape"
    assert place not in found[0.025]
    values = found[0.013][place].values
    assert values["value"] > 0.01
    assert {values["one"], values["other"]} == {"low", "high"}
    assert 0.0 < values["gap"] < 10.0
