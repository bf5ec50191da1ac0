"""How conducting plates are drawn, picked and framed."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv

from polhode.mesh.mesh import Meshes
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.runner.geometry import geometry
from polhode_app.viewport.environment.plates import corners_of, slab_of
from polhode_app.viewport.picking.bounding_boxes import box_of
from polhode_app.viewport.picking.pick_springs_walls import other_at
from polhode_app.viewport.picking.picking import Ray
from polhode_app.viewport.vectors.laws import COLORS
from polhode_app.viewport.view import SceneView

BALL = {"kind": "sphere", "radius": 0.02, "mass": 0.1, "magnet": {"moment": [0, 0, 1.0]}}
MAGNET = {"name": "magnet", "support": "free", "position": [0.1, 0, 0.3], "velocity": [0.2, 0, 0], "shape": [BALL]}
LEVEL = {"point": [0.3, 0.2, 0.1], "conductivity": 5.9e7, "thickness": 0.04}
TILTED = {**LEVEL, "name": "tilted", "point": [-0.2, 0, 0.1], "normal": [2, 0, 1]}


def staged(plotter: pv.Plotter, *plates: dict, **parts: object) -> tuple[SceneView, Simulation]:
    scene = scene_of({"body": [MAGNET], "plate": list(plates), **parts}, "test")
    simulation, view = Simulation(scene), SceneView(plotter, Meshes(), patient=True)
    view.show(scene, simulation.snapshot(forces=True), compiled=simulation.compiled)
    return view, simulation


@pytest.mark.parametrize("stated", [LEVEL, TILTED])
def test_a_plate_is_a_slab_of_its_thickness_under_the_whole_scene(plotter: pv.Plotter, stated: dict) -> None:
    view, simulation = staged(plotter, stated)
    plate, stage = simulation.scene.plate[0], view.stage
    corners, normal = corners_of(plate, stage), np.array(plate.normal) / np.linalg.norm(plate.normal)
    np.testing.assert_allclose((corners - plate.point) @ normal, [-0.02] * 4 + [0.02] * 4, atol=1e-12)
    middle = corners.mean(axis=0)
    assert np.linalg.norm(np.cross(middle - stage.center, normal)) < stage.radius
    body = slab_of(corners)
    area = np.linalg.norm(np.cross(corners[1] - corners[0], corners[3] - corners[0]))
    assert body.triangulate().volume == pytest.approx(0.04 * area, rel=1e-5)
    assert (body.compute_normals(auto_orient_normals=False, consistent_normals=False).n_open_edges) == 0


def test_the_face_towards_the_camera_is_picked_and_the_nearer_plate(plotter: pv.Plotter) -> None:
    view, simulation = staged(plotter, LEVEL, {**LEVEL, "name": "lower", "point": [0, 0, -0.1]})
    now = simulation.snapshot()

    def picked(height: float, down: float) -> object:
        direction = np.array([0.0, 0.0, -down])
        return other_at(view.stage, now, Ray(np.array([0.1, 0.01, height]), direction, direction, 1e-5, 1e-5))

    assert picked(5.0, 1) == ("plate", 0)
    assert picked(-5.0, -1) == ("plate", 1)
    assert picked(5.0, -1) is None
    far = Ray(np.array([50.0, 0.0, 5.0]), np.array([0.0, 0.0, -1.0]), np.array([0.0, 0.0, -1.0]), 1e-5, 1e-5)
    assert other_at(view.stage, now, far) is None


def test_a_hidden_plate_is_not_picked(plotter: pv.Plotter) -> None:
    view, simulation = staged(plotter, LEVEL, view={"hide": ["plate"]})
    down = np.array([0.0, 0.0, -1.0])
    assert other_at(view.stage, simulation.snapshot(), Ray(np.array([0.1, 0, 5.0]), down, down, 1e-5, 1e-5)) is None


def test_the_box_of_a_plate_is_as_thick_as_it(plotter: pv.Plotter) -> None:
    view, simulation = staged(plotter, TILTED)
    box = box_of(view.stage, simulation.snapshot(), ("plate", 0))
    assert box.half[2] == pytest.approx(0.02)
    np.testing.assert_allclose(box.axes[2], np.array([2, 0, 1]) / 5**0.5)


def test_the_ground_is_not_above_a_level_plate(plotter: pv.Plotter) -> None:
    view, _ = staged(plotter, {**LEVEL, "point": [0, 0, -0.4]})
    assert view.stage.ground == pytest.approx(-0.42)


def test_the_force_of_eddy_currents_has_a_colour_and_an_arrow(plotter: pv.Plotter) -> None:
    view, simulation = staged(plotter, LEVEL)
    view.set_visible("forces", True)
    now = simulation.snapshot(forces=True)
    view.update(now)
    assert set(now.forces) <= set(COLORS)
    assert now.forces["eddy currents"].on_bodies[0, 0] < 0


def test_a_recording_has_plates_among_its_surfaces() -> None:
    scene = scene_of({"body": [MAGNET], "plate": [LEVEL, TILTED]}, "test")
    made = geometry(Meshes())(Simulation(scene).compiled)
    (block,) = (block for block in made.blocks if block.name == "Surfaces")
    assert block.names["Surface"] == ("plate", "tilted")
    heights = (block.points[8:] - TILTED["point"]) @ (np.array([2, 0, 1]) / 5**0.5)
    np.testing.assert_allclose(np.abs(heights), 0.02, atol=1e-6)
    np.testing.assert_allclose(np.sort(block.points[:8, 2]), [0.08] * 4 + [0.12] * 4, atol=1e-6)
    assert np.bincount(block.cell_data["Surface"]).tolist() == [12, 12]
