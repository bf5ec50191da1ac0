"""Hidden items are not drawn, cast no shadow and can't be picked; everything else is drawn as before."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode_app.edit.parts import can_hide, hidden, hidden_at, is_hidden
from polhode_app.viewport.base.mesh_preview_loader import PreviewLoader
from polhode_app.viewport.picking.picking import Picker, Ray
from polhode_app.viewport.view import SceneView

TABLES = {
    "body": [
        {
            "name": "bob",
            "position": [0, 0, 1],
            "shape": [{"kind": "sphere", "radius": 0.2, "mass": 1.0, "position": [0, 0, -0.4]}],
            "dipole": [{"position": [0, 0, -0.4], "moment": [0, 0, 1]}],
        }
    ],
    "sphere": [
        {
            "name": "b",
            "mass": 1.0,
            "radius": 0.1,
            "position": [1, 0, 0.2],
            "arrangement": {"kind": "triangle", "rows": 2},
        }
    ],
    "bead": [{"name": "ring", "path": {"kind": "circle", "radius": 0.3, "center": [-1, 0, 0.5]}}],
    "soft": [
        {
            "name": "jelly",
            "kind": "lattice",
            "counts": [3, 3, 1],
            "spacing": [0.1, 0.1, 0.1],
            "position": [0, 1, 0.5],
            "particle_mass": 0.1,
            "stiffness": 10.0,
        }
    ],
    "particle": [{"name": "pea", "mass": 0.1, "radius": 0.1, "position": [0, -1, 0.5]}],
    "spring": [
        {"from": "bob", "to": [0.6, -0.6, 1.2], "stiffness": 10.0},
        {"from": "pea", "to": [1.0, -1.0, 1.2], "stiffness": 10.0, "look": "line"},
    ],
    "wall": [{"name": "side", "point": [-1.6, 0, 0], "normal": [1, 0, 0], "stiffness": 100.0}],
    "plate": [{"name": "copper", "point": [0, 0, -0.3], "conductivity": 5.9e7, "thickness": 0.1}],
    "surface": [
        {"name": "bowl", "kind": "formula", "z": "0.1*x", "x_range": [-1, 1], "y_range": [1.5, 2], "stiffness": 100.0}
    ],
}
NAMES = ("bob", "b", "ring", "jelly", "pea", "side", "bowl", "copper")


def shot(view: SceneView, plotter: pv.Plotter, scene: Scene) -> np.ndarray:
    """(h, w, 3) what is seen of a scene, from a place that does not depend on it."""
    view.show(scene, compiled=build(scene, Meshes()))
    view.set_visible("trails", on=False)
    plotter.camera_position = [(4, -6, 3), (0, 0, 0.4), (0, 0, 1)]
    view.plotter.renderer.ResetCameraClippingRange()
    plotter.render()
    return plotter.screenshot(return_img=True).astype(int)


@pytest.fixture(scope="module")
def seen() -> tuple[SceneView, pv.Plotter]:
    plotter = pv.Plotter(off_screen=True, window_size=(400, 300))
    view = SceneView(plotter, PreviewLoader(), patient=True)
    yield view, plotter
    view.close()
    plotter.close()


@pytest.mark.parametrize("name", NAMES)
def test_each_part_can_be_hidden_and_comes_back(seen: tuple[SceneView, pv.Plotter], name: str) -> None:
    view, plotter = seen
    scene = scene_of(TABLES, "here")
    before = shot(view, plotter, scene)
    without = shot(view, plotter, hidden(scene, name, on=True))
    changed = (np.abs(without - before).max(axis=2) > 8).mean()
    assert changed > 5e-4
    assert (shot(view, plotter, hidden(hidden(scene, name, on=True), name, on=False)) == before).all()


@pytest.mark.parametrize("number", [0, 1])
def test_each_spring_can_be_hidden_and_comes_back(seen: tuple[SceneView, pv.Plotter], number: int) -> None:
    view, plotter = seen
    scene, place = scene_of(TABLES, "here"), ("spring", number)
    before = shot(view, plotter, scene)
    without = hidden_at(scene, place, on=True)
    assert is_hidden(without, place)
    changed = np.abs(shot(view, plotter, without) - before).max(axis=2) > 8
    assert 20 < changed.sum() < 4000  # one spring, and not the other
    assert (shot(view, plotter, hidden_at(without, place, on=False)) == before).all()


def test_what_is_hidden_is_not_picked(seen: tuple[SceneView, pv.Plotter]) -> None:
    view, plotter = seen
    scene = scene_of(TABLES, "here")
    for name, place in (("bob", (0, 0, 0.6)), ("pea", (0, -1, 0.5)), ("b0", (1, 0, 0.2))):
        for on in (False, True):
            shot(view, plotter, hidden(scene, name.removesuffix("0"), on))
            direction = np.array([0.0, 0.0, -1.0])
            ray = Ray(np.array(place) + [0, 0, 5], direction, direction, 1e-4, 1e-4)
            picked = Picker(view.stage).see(ray, view.stage.start)
            assert (picked is None or picked.name != name) == on


def test_what_has_no_name_and_is_no_spring_can_not_be_hidden() -> None:
    scene = scene_of(TABLES, "here")
    assert can_hide(scene, ("spring", 0))
    assert can_hide(scene, ("body", 0))
    assert not can_hide(scene, ("spring", -1))
    assert not can_hide(scene, ("body", 0, "shape", 0))
    assert not can_hide(scene, ("field",))
