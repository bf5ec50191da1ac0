"""Soft iron: a step with an iron sphere beside real time, and beside collocation with a matrix that is factored once.

The rival is the textbook: one charge density per panel, sigma (mu + 1)/(2 (mu - 1)) = H_n at centroids, by scipy's LU
and numpy, with forces of the same charges. Its force is no gradient, and its moment errs by 0.4 % where ours errs by
1e-5; it counts as the direct way to have a force of iron in a step.
"""

from __future__ import annotations

from functools import partial
from math import ceil, pi

import numpy as np
from scipy.linalg import lu_factor, lu_solve
from timing import best_times, report, seconds

from polhode.engine.compile import build
from polhode.engine.rates import rates
from polhode.engine.work import make_work
from polhode.mesh.mesh import Meshes
from polhode.physics.iron.matrices import Panels
from polhode.physics.iron.surfaces import surface_of
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

PERMEABILITY, PANELS, STEP, LONG_STEP = 100.0, 500, 1e-3, 2e-3
MU0 = 1.25663706127e-6
PLACES = np.array([[0.03, 0.0, 0.0], [0.0, 0.035, 0.0], [-0.02, 0.0, 0.03]])


def scene(dipoles: int) -> Scene:
    """Three magnets with this number of dipoles each, led about an iron sphere of 20 mm."""
    iron = {"permeability": PERMEABILITY, "panels": PANELS}
    ball = {
        "name": "iron",
        "support": "fixed",
        "shape": [{"kind": "sphere", "radius": 0.01, "mass": 0.03, "iron": iron}],
    }
    magnet = {"moment": [0.1, 0.2, 0.3], "dipoles": dipoles}
    kind = {"kind": "sphere", "radius": 0.003} if dipoles == 1 else {"kind": "cuboid", "size": [0.004, 0.004, 0.004]}
    bodies = [
        {"name": f"m{k}", "support": "free", "position": at, "shape": [{**kind, "mass": 1.0, "magnet": magnet}]}
        for k, at in enumerate(PLACES.tolist())
    ]
    world = {"gravity": [0, 0, 0]}
    solver = {"method": "rk4", "time_step": STEP}
    return Scene.model_validate({"world": world, "solver": solver, "body": [ball, *bodies]})


class Collocation:
    """Charges of a sphere by collocation at centroids."""

    def __init__(self, panels: Panels):
        self.at, self.areas = panels.centroids, panels.areas
        self.normal = panels.vector_areas / panels.areas[:, None]
        r = self.at[:, None] - self.at
        distance = np.linalg.norm(r, axis=2) + np.eye(len(r))
        matrix = -self.areas / (4.0 * pi) * np.einsum("ijk,ik->ij", r, self.normal) / distance**3
        np.fill_diagonal(matrix, 0.5 * (PERMEABILITY + 1.0) / (PERMEABILITY - 1.0))
        self.factors = lu_factor(matrix)

    def forces(self, places: np.ndarray, moments: np.ndarray) -> np.ndarray:
        """(m, 3) [N] on dipoles at places (m, 3) [m]."""
        r = self.at - places[:, None]
        distance = np.linalg.norm(r, axis=2)[..., None]
        along = np.einsum("mnk,mk->mn", r, moments)[..., None]
        field = (3.0 * along * r / distance**5 - moments[:, None] / distance**3).sum(axis=0) / (4.0 * pi)
        charge = lu_solve(self.factors, np.einsum("nk,nk->n", field, self.normal)) * self.areas
        pull = moments[:, None] / distance**3 - 3.0 * along * r / distance**5
        return np.asarray(MU0 / (4.0 * pi) * (charge[:, None] * pull).sum(axis=1))


def main() -> None:
    """Print a rate beside that of collocation, and runs beside real time."""
    described = scene(1)
    compiled = build(described, Meshes())
    work, rate, state = make_work(compiled.model, compiled.inputs), np.zeros_like(compiled.start), compiled.start.copy()
    vertices, faces = surface_of(described.body[0].shape[0], None)
    rival, moments = Collocation(Panels(vertices[faces])), np.tile([0.1, 0.2, 0.3], (3, 1))

    def ours() -> None:
        rates(compiled.model, compiled.inputs, 0.0, state, work, rate)

    fast, slow = best_times(ours, lambda: rival.forces(PLACES, moments))
    found = rate[18:72].reshape(3, 18)[:, 3:6]
    detail = f"{fast * 1e6:.0f} us, LU {slow * 1e6:.0f} us per rate"
    report(f"a rate, {PANELS} panels and 3 dipoles, LU / ours", slow / fast, 1.0, detail)
    between = np.zeros((3, 3))
    for k in range(3):
        for j in range(3):
            if j != k:
                between[k] += force(PLACES[k] - PLACES[j], moments[k], moments[j])
    apart = np.abs(found - between - rival.forces(PLACES, moments)).max() / np.abs(found - between).max()
    print(f"forces of iron differ from those of collocation by {apart:.1e}")
    for dipoles in (1, 8, 64):
        simulation = Simulation(scene(dipoles))
        simulation.advance_steps(10)
        lasted = min(seconds(partial(simulation.advance_steps, 100)) for _ in range(7))
        name, goal = f"3 magnets, {dipoles} dipoles each, real time / run", 1.0 if dipoles < 64 else None
        report(name, 100 * STEP / lasted, goal, "")
    simulation = Simulation(balls(200, 20))
    simulation.advance_steps(10)
    lasted = min(seconds(partial(simulation.advance_steps, 50)) for _ in range(5))
    report("200 balls of iron and 20 coils, step 2 ms, real time / run", 50 * LONG_STEP / lasted, 1.0, "")


def balls(count: int, coils: int) -> Scene:
    """Fixed balls of iron in a lattice of three radii, as dipoles, beside shorted rings."""
    side = ceil(count ** (1 / 3))
    cells = np.indices((side, side, side)).reshape(3, -1).T[:count]
    shape = {"kind": "sphere", "radius": 0.01, "mass": 0.03, "iron": {"permeability": 1000.0, "induced": "dipole"}}
    angles = np.arange(coils)
    places = np.stack([0.1 * np.cos(angles), 0.1 * np.sin(angles), -0.02 * (angles + 1)], axis=1)
    ring = {"winding": {"kind": "loop", "radius": 0.04, "wire_radius": 1e-3}, "turns": 100, "resistance": 1.0}
    return Scene.model_validate(
        {
            "world": {"gravity": [0, 0, 0], "magnetic_field": {"kind": "uniform", "value": [0, 0, 0.01]}},
            "solver": {"time_step": LONG_STEP},
            "body": [
                {"name": f"ball{k}", "support": "fixed", "position": (0.03 * cell).tolist(), "shape": [shape]}
                for k, cell in enumerate(cells)
            ],
            "coil": [
                {"name": f"coil{k}", "current": 1.0, "position": at.tolist(), **ring} for k, at in enumerate(places)
            ],
        }
    )


def force(r: np.ndarray, m: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(3,) [N] on a dipole m at r [m] from another one."""
    d = float(np.linalg.norm(r))
    e = r / d
    along = (m @ e) * other + (other @ e) * m + (m @ other) * e - 5.0 * (m @ e) * (other @ e) * e
    return np.asarray(3.0 * MU0 / (4.0 * pi * d**4) * along)


if __name__ == "__main__":
    main()
