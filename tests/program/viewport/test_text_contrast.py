"""Texts over the scene have the contrast that WCAG 2 asks for at level AA, in both themes."""

from __future__ import annotations

import pytest

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.palette import LEGIBLE, THEMES, contrast, rgb
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.view import SceneView


def test_contrast_is_that_of_wcag() -> None:
    assert contrast((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)) == pytest.approx(21.0)
    assert contrast(rgb("#777777"), (1.0, 1.0, 1.0)) == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", list(THEMES))
def test_names_of_laws_and_symbols_are_legible(theme: str) -> None:
    scene = read_scene(gallery.path("eddy_current_brake"))
    simulation = Simulation(scene, Meshes())
    simulation.advance(0.05)
    plotter = offscreen((300, 200))
    other = next(each for each in THEMES if each != theme)
    view = SceneView(plotter, Meshes(), other, patient=True)
    try:
        view.show(scene, simulation.snapshot(forces=True), (), simulation.compiled)
        view.set_visible("forces", True)
        view.set_theme(theme)  # texts follow a change of the theme
        view.update(simulation.snapshot(forces=True))
        renderer = plotter.renderer
        grounds = renderer.GetBackground(), renderer.GetBackground2()
        texts = [each for each in shown_texts(renderer) if each.GetInput()]
        lines = " ".join(each.GetInput() for each in texts)
        assert all(law in lines for law in ("gravity", "eddy currents"))
        for each in texts:
            color = each.GetTextProperty().GetColor()
            assert min(contrast(color, ground) for ground in grounds) >= LEGIBLE, each.GetInput()
    finally:
        view.close()
        plotter.close()


def shown_texts(renderer: object) -> list[object]:
    """All texts of a renderer that are visible."""
    actors = renderer.GetViewProps()
    found = [actors.GetItemAsObject(number) for number in range(actors.GetNumberOfItems())]
    return [each for each in found if each.IsA("vtkTextActor") and each.GetVisibility()]
