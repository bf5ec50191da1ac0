"""Eddy currents in metal as they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import pyvista as pv

from polhode.mesh.mesh import Meshes
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.geometry.metal_surfaces import painted_of, refined
from polhode_app.viewport.view import SceneView

BALL = {"kind": "sphere", "radius": 0.009, "mass": 0.03, "magnet": {"moment": [0, 0, 2.0]}}
MAGNET = {"name": "magnet", "support": "fixed", "position": [0.06, 0, 0.02], "shape": [BALL]}
DISC = {"kind": "cylinder", "radius": 0.1, "length": 0.002, "mass": 0.2}
TUBE = {"kind": "tube", "radius": 0.02, "inner_radius": 0.018, "length": 0.06, "mass": 0.2, "position": [0, 0, 0.1]}


def spinning(*shapes: dict[str, Any], speed: float = 20.0) -> Simulation:
    body = {"name": "disc", "support": "axle", "axis": [0, 0, 1], "angular_velocity": [0, 0, speed]}
    return Simulation(scene_of({"body": [{**body, "shape": list(shapes)}, MAGNET]}, "test"))


def painted(view: SceneView) -> list[Any]:
    return view.views["eddy_currents"]._drawn


def test_both_senses_are_coloured_with_lines(plotter: pv.Plotter) -> None:
    """Two eddies under the pole, of opposite senses; none at rest, nor where the view is off."""
    simulation, view = spinning({**DISC, "conductor": {"panels": 300}}), SceneView(plotter, Meshes(), patient=True)
    view.show(simulation.scene, simulation.snapshot(), compiled=simulation.compiled)
    simulation.advance(0.02)
    view.update(simulation.snapshot())
    (metal,) = painted(view)
    surface = metal._surface
    current, colors = surface.point_data["current"], surface.point_data["color"]
    assert all(actor.GetVisibility() for actor in metal.actors)
    pole = np.array([0.06, 0.0]) @ simulation.snapshot().bodies.basis[0][:2, :2].T
    ends = [surface.points[find(current)][:2] for find in (np.argmax, np.argmin)]
    assert all(np.linalg.norm(end - pole) < 0.03 for end in ends)
    assert current.max() > 0.5 * np.abs(current).max()
    assert -current.min() > 0.5 * np.abs(current).max()
    assert len({tuple(color[:3]) for color in colors[np.abs(current) > 0.3 * np.abs(current).max()]}) == 2
    assert colors[np.abs(current).argmax(), 3] > 150
    assert colors[np.abs(current).argmin(), 3] == 0
    metal._lines.Update()
    assert metal._lines.GetOutput().GetNumberOfCells() > 100
    view.set_visible("eddy_currents", False)
    assert not any(actor.GetVisibility() for actor in metal.actors)


def test_metal_without_currents_is_not_painted(plotter: pv.Plotter) -> None:
    simulation = spinning({**DISC, "conductor": {"panels": 300}}, speed=0.0)
    view = SceneView(plotter, Meshes(), patient=True)
    view.show(simulation.scene, simulation.snapshot(), compiled=simulation.compiled)
    view.update(simulation.snapshot())
    assert not any(actor.GetVisibility() for metal in painted(view) for actor in metal.actors)


@pytest.mark.parametrize("currents", ["sheet", "rings"])
def test_the_paint_has_the_currents_of_its_nodes(currents: str) -> None:
    """Each node at its own place: of two shapes of a body, and outside of the metal."""
    shapes = [{**shape, "conductor": {"currents": currents, "panels": 60}} for shape in (DISC, TUBE)]
    simulation = spinning(*shapes)
    conductors, ((body, surface),) = simulation.compiled.model.conductors, [*painted_of(simulation.scene)]
    assert (body, surface.first) == (0, 0)
    assert surface.share.shape[1] == conductors.first_node[-1]
    middles = np.zeros((conductors.first_node[-1], 3))
    weights = np.zeros(len(middles))
    for at, nodes, shares in zip(conductors.position, conductors.node, conductors.share, strict=True):
        for node, share in zip(nodes, shares, strict=True):
            if node >= 0:
                middles[node] += share * at
                weights[node] += share
    middles /= weights[:, None]
    share = np.abs(surface.share.toarray())
    drawn = surface.points.T @ share / share.sum(axis=0)
    assert np.abs(drawn[2] - middles[:, 2]).max() < 0.012
    radius, height = np.hypot(*surface.points[:, :2].T), surface.points[:, 2]
    in_disc = (radius < 0.0999) & (np.abs(height) < 0.00099)
    in_tube = (radius > 0.01801) & (radius < 0.01999) & (np.abs(height - 0.1) < 0.02999)
    assert not (in_disc | in_tube).any()


def test_a_finer_mesh_bends_the_stream_function() -> None:
    """Of a parabola values at middles of edges are right where linear ones are not."""
    grid = pv.Plane(i_resolution=8, j_resolution=8).triangulate()
    points, faces = np.asarray(grid.points, float), grid.faces.reshape(-1, 4)[:, 1:]
    values = points[:, :1] ** 2 + 0.5 * points[:, 1:2] ** 2
    fine, divided, share, free = refined(points, faces, values, np.ones(len(points), bool))
    assert len(divided) == 4 * len(faces)
    assert free.all()
    exact = fine[:, 0] ** 2 + 0.5 * fine[:, 1] ** 2
    inside = np.abs(fine[:, :2]).max(axis=1) < 0.3
    assert np.abs(share[inside, 0] - exact[inside]).max() < 1e-6
