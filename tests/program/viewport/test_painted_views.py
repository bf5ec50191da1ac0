"""Eddy currents in metal, their heat, and the field at iron, as they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import pyvista as pv

from polhode.analysis.columns import columns
from polhode.mesh.mesh import Meshes
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.color_scale import ColorScale
from polhode_app.viewport.painted.metal_surfaces import Painted, painted_of, refined
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
    surface = metal._surface.mesh
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


@pytest.mark.parametrize("currents", ["sheet", "rings"])
def test_heat_by_colour_adds_up_to_the_heating(plotter: pv.Plotter, currents: str) -> None:
    """Heat per volume times the volume of the metal is the column `heating`, 5 % for gradients averaged at points."""
    panels = 600 if currents == "sheet" else 60  # of rings in two layers, which are both seen
    shape = {**(DISC if currents == "sheet" else TUBE), "conductor": {"currents": currents, "panels": panels}}
    ball = {**BALL, "magnet": {"moment": [0.5, 0, 2.0]}}
    magnet = {**MAGNET, "position": [0.06, 0, 0.02]}
    if currents == "rings":
        ball, magnet = BALL, {"name": "magnet", "support": "free", "position": [0, 0, 0.15], "velocity": [0, 0, -3.0]}
    body = {"name": "metal", "support": "axle", "axis": [0, 0, 1], "angular_velocity": [0, 0, 20.0], "shape": [shape]}
    if currents == "rings":
        body = {"name": "metal", "support": "fixed", "shape": [shape]}
    simulation = Simulation(scene_of({"body": [body, {**magnet, "shape": [ball]}]}, "test"))
    view = SceneView(plotter, Meshes(), switches={"eddy_current_heat": True}, patient=True)
    view.show(simulation.scene, simulation.snapshot(), compiled=simulation.compiled)
    simulation.advance(0.01)
    now = simulation.snapshot()
    view.update(now)
    ((_, metal),) = painted_of(simulation.scene)
    (heated,) = view.views["eddy_current_heat"]._heated
    heat = heated.heat(now.in_metal)
    quality = pv.PolyData(metal.points, faces=np.insert(metal.faces, 0, metal.faces.shape[1], axis=1).ravel())
    areas = quality.compute_cell_sizes()["Area"]
    found = float(areas @ heat[metal.faces].mean(axis=1))
    if currents == "sheet":
        found *= 0.5 * 0.002  # both sides of the wall are painted
    else:
        found = _of_rings(metal, heat, simulation)
    heating = now.numbers[[*columns(simulation.compiled)].index("metal.heating")]
    assert heating > 0.0
    assert found == pytest.approx(heating, rel=0.05)
    (surface,) = view.views["eddy_current_heat"]._surfaces
    assert surface.actor.GetVisibility()
    hottest = surface.color[heat.argmax()]
    assert hottest[3] > 150
    assert hottest[1] > surface.color[np.argsort(heat)[len(heat) // 2]][1]


def _of_rings(metal: Painted, heat: np.ndarray, simulation: Simulation) -> float:
    """Heat [W] of rings: of each painted band between two heights the volume of its ring."""
    share = metal.share.tocsc()
    conductors = simulation.compiled.model.conductors
    volume = 0.0
    for ring in range(conductors.first_node[-1]):
        points = share.indices[share.indptr[ring] : share.indptr[ring + 1]]
        if len(points):
            volume += heat[points[0]] * np.pi * (0.02**2 - 0.018**2) * 0.06 / conductors.first_node[-1]
    return volume


def field_at_iron(plotter: pv.Plotter, iron: dict[str, Any], strength: float) -> tuple[Simulation, Any]:
    """A body of one shape in a uniform field [T] along z, and the view of the field at its surface."""
    field = {"kind": "uniform", "value": [0, 0, strength]}
    scene = {"body": [{"name": "iron", "support": "fixed", "shape": [iron]}], "world": {"magnetic_field": field}}
    simulation = Simulation(scene_of(scene, "test"))
    view = SceneView(plotter, Meshes(), switches={"field_at_iron": True}, patient=True)
    view.show(simulation.scene, simulation.snapshot(), compiled=simulation.compiled)
    view.update(simulation.snapshot())
    return simulation, view.views["field_at_iron"]


def test_the_field_at_iron_is_that_of_a_sphere_in_a_uniform_field(plotter: pv.Plotter) -> None:
    """B.n = 3 mu_r/(mu_r + 2) B0 cos t, 2 % of its largest value for means over panels of 0.2 radii."""
    iron = {"kind": "sphere", "radius": 0.02, "mass": 0.2, "iron": {"permeability": 50, "panels": 500}}
    simulation, of_iron = field_at_iron(plotter, iron, 0.1)
    (found,), (surface,) = of_iron._values(simulation.snapshot()), of_iron._surfaces
    cosine = surface.mesh.points[:, 2] / np.linalg.norm(surface.mesh.points, axis=1)
    most = 3.0 * 50.0 / 52.0 * 0.1
    assert np.abs(found - most * cosine).max() < 0.02 * most
    assert np.linalg.norm(surface.mesh.points, axis=1).min() > 0.02
    assert surface.color[found.argmax(), 0] > surface.color[found.argmax(), 2]
    assert surface.color[found.argmin(), 0] < surface.color[found.argmin(), 2]


def test_iron_without_a_susceptibility_is_not_painted(plotter: pv.Plotter) -> None:
    """Permeability 1: it has no charges, and its 1/chi is infinite."""
    iron = {"kind": "sphere", "radius": 0.02, "mass": 0.2, "iron": {"permeability": 1, "panels": 80}}
    assert field_at_iron(plotter, iron, 0.1)[1]._surfaces == []


def test_the_field_at_saturated_iron_has_its_own_susceptibility(plotter: pv.Plotter) -> None:
    """A sphere in 1 T: B inside is B0 + 2/3 mu0 M, so the largest B.n is that, 2 % for means over panels."""
    iron = {"kind": "sphere", "radius": 0.02, "mass": 0.2, "iron": {"permeability": 1000, "saturation": 2.1}}
    simulation, of_iron = field_at_iron(plotter, iron, 1.0)
    now = simulation.snapshot()
    (found,) = of_iron._values(now)
    magnetisation = now.numbers[[*columns(simulation.compiled)].index("iron.magnetisation")]
    assert magnetisation > 1.9
    assert found.max() == pytest.approx(1.0 + 2.0 / 3.0 * magnetisation, rel=0.02)


def test_the_scale_of_heat_is_kept_where_a_current_is_zero(plotter: pv.Plotter) -> None:
    """It would be that of noise otherwise, twice in each period of an alternating current."""
    scale = ColorScale(plotter.renderer, "W/m³", 1e-3, signed=False, relaxed=0.0)
    scale.reset((0.0, 0.0, 0.0))
    for wanted in (8e5, 1e3, 0.0):
        scale.fit(wanted)
    assert scale.share(np.array([1e6])) == pytest.approx(1.0)
    other = ColorScale(plotter.renderer, "N", 1e-9, signed=True)
    other.reset((0.0, 0.0, 0.0))
    for wanted in (8e5, 1e3):
        other.fit(wanted)
    assert other.share(np.array([1e3])) == pytest.approx(1.0)
