"""The field of iron in space: close to its panels, and without charges of a run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode.physics.iron.outside import panel_dipoles
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

MU0 = 1.25663706127e-6
RADIUS = 0.01
NONE = np.zeros(0)


def ball(at: float, **of: Any) -> dict[str, Any]:
    iron = {"permeability": 1000, "panels": 320, **of}
    shape = {"kind": "sphere", "radius": RADIUS, "mass": 0.03, "iron": iron}
    return {"name": f"ball{1e3 * at:.0f}", "support": "fixed", "position": [0, 0, at], "shape": [shape]}


def in_field(*bodies: dict[str, Any]) -> Simulation:
    world = {"gravity": [0, 0, 0], "magnetic_field": {"kind": "uniform", "value": [0, 0, 0.1]}}
    return Simulation(Scene.model_validate({"world": world, "body": list(bodies)}))


@pytest.mark.parametrize(("edges", "error"), [(0.5, 0.05), (1.0, 0.006), (2.0, 0.003), (-0.5, 0.04)])
def test_near_the_panels_of_a_sphere(edges: float, error: float) -> None:
    """Mean error, relative to the outer field, so many edges of a panel from the surface; inside 3 mu/(mu + 2) B0."""
    simulation, rng = in_field(ball(0.0)), np.random.default_rng(1)
    edge = simulation.compiled.model.iron.edge
    normals = rng.normal(size=(500, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    points = normals * (RADIUS + edges * np.median(edge[edge > 0.0]))
    moment = 999 / 1002 * 4 * np.pi * RADIUS**3 * np.array([0, 0, 0.1])
    r = np.linalg.norm(points, axis=1)[:, None]
    dipole = (3 * (points @ moment)[:, None] * points / r**2 - moment) / (4 * np.pi * r**3)
    expected = np.array([0, 0, 0.1]) + dipole if edges > 0 else np.tile([0, 0, 0.3 * 1000 / 1002], (500, 1))
    found = np.linalg.norm(simulation.field(points) - expected, axis=1) / 0.1
    assert np.sqrt(np.mean(found**2)) < error


@pytest.mark.parametrize("of", [{}, {"saturation": 0.05}])
def test_without_charges_they_are_solved_for(of: dict[str, Any]) -> None:
    simulation = in_field(ball(0.0, panels=80, **of), ball(0.03, panels=80, **of))
    table = simulation.run(0.0)
    model, poses = simulation.compiled.model, (np.array([[0, 0, 0], [0, 0, 0.03]]), np.tile(np.eye(3), (2, 1, 1)))
    found = panel_dipoles(model, simulation.compiled.inputs, *poses, 0.0, NONE, NONE)
    moment = sum(table[f"ball{at}.induced_moment.z"][0] for at in (0, 30))
    assert moment > 0.01
    assert found.moment[:, 2].sum() == pytest.approx(moment, rel=1e-9)
    assert found.fine[5].sum() == pytest.approx(moment, rel=1e-9)
