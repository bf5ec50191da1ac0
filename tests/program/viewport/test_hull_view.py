"""The hulls with which meshes press on other bodies are drawn on request, where the bodies are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
import trimesh

from polhode.mesh.mesh import Meshes
from polhode.physics.contact.shapes_in_contact import shapes_in_contact
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.picture import pixels
from polhode_app.viewport.registry import VIEWS
from polhode_app.viewport.things.hulls import HullView, surface_of
from polhode_app.viewport.view import SceneView


def picture(view: SceneView) -> np.ndarray:
    """(height, width, 3) of the view."""
    view.plotter.render_window.Render()
    return pixels(view.plotter).astype(int)


def test_the_hull_is_drawn_over_its_mesh(plotter: pv.Plotter, tmp_path: Path) -> None:
    ring = trimesh.creation.annulus(r_min=0.08, r_max=0.1, height=0.02)
    ring.export(tmp_path / "ring.stl")
    shape = {"kind": "mesh", "file": "ring.stl", "density": 1000.0}
    body = {"name": "ring", "position": (0, 0, 0.3), "support": "free", "shape": [shape], "contact": {"stiffness": 1e3}}
    scene = Scene.model_validate({"body": [body], "view": {"show": ["hulls"]}}).in_folder(tmp_path)
    assert VIEWS["hulls"].is_in(scene)
    assert not VIEWS["hulls"].is_in(Scene.model_validate({"body": [{**body, "contact": None}]}).in_folder(tmp_path))
    simulation, view = Simulation(scene), SceneView(plotter, Meshes(), patient=True)
    view.show(scene, simulation.snapshot(), compiled=simulation.compiled)
    view.update(simulation.snapshot())
    drawn = view.views["hulls"]
    assert isinstance(drawn, HullView)
    (copies,) = drawn.copies
    assert copies.actor.GetVisibility()
    low_z, high_z = copies.actor.GetBounds()[4:]
    assert (low_z, high_z) == pytest.approx((0.29, 0.31), abs=1e-6)
    view.reset_camera()
    view.set_visible("hulls", False)
    off = picture(view)
    view.set_visible("hulls")
    assert (np.abs(picture(view) - off).max(axis=2) > 10).sum() > 50
    [found] = shapes_in_contact(scene, scene.body[0], Meshes())
    assert abs(surface_of(found).volume) == pytest.approx(ring.convex_hull.volume, rel=1e-5)
