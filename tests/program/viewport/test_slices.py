"""A scene that is built view by view: the same picture as at once, and nobody meets it half-built."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import pyvista as pv
from pictures import drawn
from sampling import sampled

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.simulation.simulation import Simulation
from polhode_app.edit.open_file import open_scene
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.registry import VIEWS
from polhode_app.viewport.view import SceneView


def built_in_slices(view: SceneView) -> int:
    """Build the rest of a scene, one view in each slice; how many slices it took."""
    count = 0
    while not view.is_built:
        view.continue_build(seconds=0.0)
        count += 1
    return count


@pytest.mark.parametrize("name", sampled(["magnet_pendulum", "bead_cradle", "cloth_on_ball"], 3))
def test_a_scene_built_in_slices_looks_as_one_built_at_once(name: str) -> None:
    before, described = (open_scene(gallery.path(each)) for each in ("rolling_12_touching_row", name))
    meshes = Meshes()
    simulation = Simulation(described, meshes)
    pictures = []
    for at_once in (True, False):
        view = SceneView(offscreen((320, 240)), meshes)
        view.show(before)
        view.show(described, simulation.snapshot(), (), simulation.compiled, at_once=at_once)
        assert view.is_built == at_once
        assert built_in_slices(view) >= len(VIEWS) * (not at_once)
        view.reset_camera()
        pictures.append(drawn(view))
        view.plotter.close()
    assert np.array_equal(*pictures)
    assert np.ptp(pictures[0]) > 50


@pytest.mark.parametrize(
    "act",
    [
        lambda view: view.update(view.stage.start),
        lambda view: view.follow(view.stage.start),
        lambda view: view.show_pose(view.stage.start),
        lambda view: view.set_visible("axes"),
        lambda view: view.set_arrow_size("axes", 2.0),
        lambda view: view.set_theme("light"),
        lambda view: view.show(view.stage.scene),
    ],
)
def test_who_asks_for_views_that_are_being_built_gets_them_complete(
    plotter: pv.Plotter, act: Callable[[SceneView], None]
) -> None:
    view = SceneView(plotter, Meshes())
    view.show(open_scene(gallery.path("break_shot")), at_once=False)
    view.continue_build(seconds=0.0)
    assert not view.is_built
    act(view)
    assert view.is_built
    together = view.plotter.renderer.GetActors().GetNumberOfItems()
    view.show(view.stage.scene)
    assert view.plotter.renderer.GetActors().GetNumberOfItems() == together
