"""No text in a picture covers another one, in any built-in scene."""

from __future__ import annotations

from itertools import combinations

import pytest
from vtkmodules.vtkRenderingCore import vtkTextActor

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.environment.label_layout import APART, is_drawn, rectangle
from polhode_app.viewport.view import SceneView

SIZES = ((1280, 720), (480, 300))
ADDED = ("axes", "velocities", "forces", "torques", "sum_of_forces")  # views with labels at things
QUICK = ("course_1_oscillator", "foucault_pendulum", "heavy_top", "two_masses")


def check(name: str) -> None:
    """Rectangles of all texts that are drawn are disjoint, in a large and in a small picture."""
    scene, meshes = read_scene(gallery.path(name)), Meshes()
    simulation = Simulation(scene, meshes)
    simulation.advance(0.25)
    for size in SIZES:
        plotter = offscreen(size)
        view = SceneView(plotter, meshes, switches=dict.fromkeys(ADDED, True), patient=True)
        try:
            now = simulation.snapshot(view.needs_forces)
            view.show(scene, now, [now] * len(scene.ghost), simulation.compiled)
            view.reset_camera()
            view.update(now, [now] * len(scene.ghost))
            plotter.render_window.Render()
            props = plotter.renderer.GetViewProps()
            actors = [props.GetItemAsObject(number) for number in range(props.GetNumberOfItems())]
            texts = [actor for actor in actors if isinstance(actor, vtkTextActor) and is_drawn(actor)]
            places = [(text.GetInput(), rectangle(text, plotter.renderer)) for text in texts]
        finally:
            view.close()
            plotter.close()
        assert places
        for (one, here), (other, there) in combinations(places, 2):
            inner = here._replace(left=here.left + APART, right=here.right - APART)
            assert not inner._replace(bottom=here.bottom + APART, top=here.top - APART).covers(there), (
                size,
                one,
                other,
            )


@pytest.mark.parametrize("name", QUICK)
def test_no_text_covers_another_one(name: str) -> None:
    check(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in gallery.scene_names() if name not in QUICK])
def test_no_text_of_any_scene_covers_another_one(name: str) -> None:
    check(name)
