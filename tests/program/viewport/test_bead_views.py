"""Beads on the screen: paths stay in sight, trails are those of the middles of balls, and every view takes them."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.registry import VIEWS
from polhode_app.viewport.things.trails import followed
from polhode_app.viewport.view import SceneView


@pytest.mark.parametrize("name", ["roller_coaster", "moving_circle", "helix_slide", "magnet_on_ring"])
def test_a_scene_of_beads_stays_in_its_room_with_every_view_on(plotter: pv.Plotter, name: str) -> None:
    described = read_scene(gallery.path(name))
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(), compiled=simulation.compiled)
    for kind in VIEWS:
        view.set_visible(kind, True)
    room = view.stage.extent
    for _ in range(20):
        simulation.advance(0.05)
        now = simulation.snapshot(forces=True)
        view.update(now)
        places = now.bodies.position
        assert (places > room.min(axis=0) - 1e-9).all()
        assert (places < room.max(axis=0) + 1e-9).all()
    for solid in view.stage.solids[len(described.body) :]:
        np.testing.assert_array_equal(followed(solid), 0)
