"""Surfaces of soft bodies and tubes of springs: geometry, and what is covered by it on the screen."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv
from pictures import drawn, magenta

from polhode.mesh.mesh import Meshes
from polhode.physics.points.lattice import chain_points, lattice_points
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.geometry.soft_surfaces import spline_matrix, surface_through
from polhode_app.viewport.geometry.spring_tubes import SpringTubes
from polhode_app.viewport.geometry.tubes import Tubes
from polhode_app.viewport.things.springs import SpringLines
from polhode_app.viewport.view import SceneView
from scenes import scene

STUFF = {"particle_mass": 0.1, "stiffness": 500.0, "color": "#ff00ff"}
SHEET = {"name": "sheet", "kind": "lattice", "counts": (5, 4, 1), "spacing": (0.1, 0.1, 0.1), **STUFF}
BLOCK = {"name": "block", "kind": "lattice", "counts": (4, 3, 5), "spacing": (0.1, 0.1, 0.1), **STUFF}
ROPE = {"name": "rope", "kind": "chain", "count": 6, "spacing": 0.1, "particle_radius": 0.02, **STUFF}


def soft_of(described: dict[str, object]) -> object:
    return scene(soft=[described]).soft[0]


def test_splines_pass_through_their_points_and_keep_straight_lines() -> None:
    for count in (2, 3, 7):
        weights = spline_matrix(count, 4)
        assert np.allclose(weights[::4], np.eye(count), atol=1e-6)
        assert np.allclose(weights @ np.arange(count), np.linspace(0, count - 1, len(weights)), atol=1e-6)


@pytest.mark.parametrize("described", [SHEET, BLOCK])
def test_surfaces_pass_through_the_outer_points(described: dict[str, object]) -> None:
    soft = soft_of(described)
    points = lattice_points(soft) + 0.02 * np.random.default_rng(1).normal(size=(np.prod(soft.counts), 3))
    surface = surface_through(soft)
    surface.write(points)
    places = np.asarray(surface.surface.points)
    away = np.linalg.norm(points[:, None] - places[None], axis=2).min(axis=1)
    number = np.stack(np.meshgrid(*(np.arange(n) for n in soft.counts[::-1]), indexing="ij"), -1).reshape(-1, 3)
    outer = ((number == 0) | (number == np.array(soft.counts[::-1]) - 1)).any(axis=1)
    assert away[outer].max() < 1e-6
    assert outer.all() or away[~outer].min() > 0.02


def test_a_block_is_closed_and_its_normals_point_outwards() -> None:
    soft = soft_of(BLOCK)
    surface = surface_through(soft)
    surface.write(lattice_points(soft))
    closed = surface.surface.triangulate().clean()
    assert closed.n_open_edges == 0
    assert closed.volume == pytest.approx(0.3 * 0.2 * 0.4, rel=1e-5)
    places, normals = np.asarray(surface.surface.points), np.asarray(surface.surface.point_data["Normals"])
    assert np.allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-5)
    assert (np.einsum("ni,ni->n", places - lattice_points(soft).mean(axis=0), normals) > 0).all()


def test_a_rope_has_its_radius_everywhere() -> None:
    soft = soft_of(ROPE)
    surface = surface_through(soft)
    bent = chain_points(soft) + np.column_stack([0.03 * np.sin(np.arange(6)), 0.03 * np.cos(np.arange(6)), np.zeros(6)])
    surface.write(bent)
    places, normals = np.asarray(surface.surface.points), np.asarray(surface.surface.point_data["Normals"])
    centre = (places - 0.02 * normals).reshape(-1, 12, 3)
    assert np.ptp(centre, axis=1).max() < 1e-6
    assert np.linalg.norm(bent[:, None] - centre[None, :, 0], axis=2).min(axis=1).max() < 1e-6


def test_frames_of_tubes_do_not_turn_abruptly() -> None:
    angle = np.linspace(0, 9, 80)
    helix = np.column_stack([np.cos(angle), np.sin(angle), 0.2 * angle])
    tubes = Tubes(1, 80, 6)
    tubes.write(helix[None], np.full((1, 1), 0.05))
    normals = np.asarray(tubes.surface.point_data["Normals"]).reshape(80, 6, 3)
    assert np.einsum("nsi,nsi->ns", normals[1:], normals[:-1]).min() > 0.98


def spring_scene(*springs: dict[str, object]) -> Scene:
    ball = {"name": "ball", "mass": 1.0, "radius": 0.05, "position": (0, 0, 1)}
    return scene(particle=[ball], spring=[{"from": "ball", "to": (0, 0, 2), **spring} for spring in springs])


def tubes_of(plotter: pv.Plotter, described: Scene) -> SpringTubes:
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(), (), simulation.compiled)
    assert view.stage is not None
    lines = SpringLines(view.stage, covers=True)
    assert lines.update(simulation.snapshot())
    assert lines.tubes is not None
    return lines.tubes


def thickness(tubes: SpringTubes) -> np.ndarray:
    """(c,) [m] radii of the wires of coils, halfway along them."""
    _, mesh = tubes._parts["coils"]
    count, points, sides = mesh.shape
    rings = np.asarray(mesh.surface.points).reshape(count, points, sides, 3)[:, points // 2]
    return np.linalg.norm(rings - rings.mean(axis=1, keepdims=True), axis=2).mean(axis=1)


def test_stiffer_springs_have_thicker_wires(plotter: pv.Plotter) -> None:
    radii = thickness(tubes_of(plotter, spring_scene(*({"stiffness": k} for k in (5.0, 50.0, 500.0)))))
    assert radii[1] > 1.3 * radii[0]
    assert radii[2] > 1.3 * radii[1]


def test_coils_strings_and_wires_are_tubes(plotter: pv.Plotter) -> None:
    kinds = ({"stiffness": 5.0}, {"stiffness": 5.0, "pull_only": True}, {"stiffness": 5.0, "look": "line"})
    tubes = tubes_of(plotter, spring_scene(*kinds, {"stiffness": 5.0, "hidden": True}))
    assert [len(numbers) for numbers, _ in tubes._parts.values()] == [1, 1, 1]
    for surface in tubes.surfaces:
        low, high = np.asarray(surface.points).min(axis=0), np.asarray(surface.points).max(axis=0)
        assert low[2] == pytest.approx(1.0, abs=0.02)
        assert high[2] == pytest.approx(2.0, abs=0.02)


@pytest.mark.parametrize("described", [SHEET, ROPE])
def test_a_surface_stands_for_points_and_springs_unless_it_is_switched_off(
    plotter: pv.Plotter, described: dict[str, object]
) -> None:
    made = scene(soft=[described])
    simulation, view = Simulation(made), SceneView(plotter, Meshes(), patient=True)
    view.show(made, simulation.snapshot(), (), simulation.compiled)
    view.set_visible("shadows", False)
    points = simulation.snapshot().points.position
    view.look_at(points + np.array([[0.02]]), "top" if described is SHEET else "front")
    covered = len(magenta(drawn(view)))
    view.set_visible("springs", False)
    view.set_visible("points", False)
    assert len(magenta(drawn(view))) == covered
    view.set_visible("springs", True)
    view.set_visible("points", True)
    view.set_visible("skins", False)
    assert 50 < len(magenta(drawn(view))) < 0.7 * covered
