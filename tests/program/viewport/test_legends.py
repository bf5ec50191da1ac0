"""Legends and colour bars in the picture: none covers another one; and arrows are seen where they begin in a body."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import pyvista as pv
from pictures import drawn
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkRenderer, vtkTextActor

from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.docks.story.legend import legend_entries
from polhode_app.export.framing import opened
from polhode_app.viewport.base.glyph_arrows import LETTERS
from polhode_app.viewport.view import SceneView

BALL = {"kind": "sphere", "radius": 0.5, "mass": 1.0, "color": "#888888"}
BODY = {
    "name": "ball",
    "position": (0, 0, 1),
    "velocity": (0.5, 0, 0),
    "angular_velocity": (0, 0, 3),
    "support": "free",
}
SHEET = {
    "name": "sheet",
    "kind": "lattice",
    "counts": (4, 4, 1),
    "spacing": (0.1, 0.1, 0.1),
    "particle_mass": 0.1,
    "stiffness": 50.0,
    "fixed": [0],
}
MAGNET = {"name": "magnet", "position": (1, 0, 1), "shape": [BALL | {"radius": 0.2, "magnet": {"moment": (0, 0, 1)}}]}


def shown(plotter: pv.Plotter, *names: str, **items: object) -> SceneView:
    described = Scene.model_validate({"view": {"show": names}, **items})
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(forces=True), compiled=simulation.compiled)
    view.reset_camera()
    simulation.advance(0.05)
    view.update(simulation.snapshot(forces=True))
    return view


def texts(renderer: vtkRenderer) -> list[vtkTextActor]:
    """The visible texts at fixed places of the picture, from the lowest."""
    found = [each for each in props(renderer) if isinstance(each, vtkTextActor) and each.GetVisibility()]
    fixed = [each for each in found if each.GetPositionCoordinate().GetCoordinateSystem() == 3]  # normalized viewport
    return sorted((each for each in fixed if each.GetInput()), key=lambda each: each.GetPosition()[1])


def props(renderer: vtkRenderer) -> list[object]:
    listed = renderer.GetViewProps()
    return [listed.GetItemAsObject(number) for number in range(listed.GetNumberOfItems())]


@pytest.mark.parametrize("size", [(500, 260), (1200, 900)])
def test_lines_of_the_legend_stand_one_above_the_other(plotter: pv.Plotter, size: tuple[int, int]) -> None:
    plotter.window_size = list(size)
    view = shown(plotter, "velocities", "sum_of_forces", "forces", body=[BODY | {"shape": [BALL]}], soft=[SHEET])
    drawn(view)
    lines = texts(plotter.renderer)
    quantities = Counter(line.GetInput().split()[-3] for line in lines if line.GetInput().startswith("longest"))
    assert (quantities["velocity"], quantities["forces"]) == (2, 1)  # of the centre of mass and angular, sum of forces
    heights = np.array([line.GetPosition()[1] for line in lines]) * size[1]
    assert np.diff(heights).min() > LETTERS
    column = [line for line in lines if line.GetInput().startswith("longest") and line.GetPosition()[1] < 0.5]
    assert np.diff([line.GetPosition()[1] * size[1] for line in column]).max() < 2 * LETTERS  # no gaps


def test_color_bars_stand_side_by_side(plotter: pv.Plotter) -> None:
    plotter.window_size = [1000, 600]
    alone = shown(plotter, "tension", soft=[SHEET], body=[MAGNET])
    first = drawn(alone)
    alone.set_visible("field_slice", True)
    bars = [each for each in props(plotter.renderer) if type(each).__mro__[1] is vtkActor2D and each.GetVisibility()]
    places = sorted(bar.GetMapper().GetInput().GetBounds()[0] for bar in bars)
    assert len(places) == 2
    assert places[1] - places[0] > 0.07
    alone.set_visible("field_slice", False)
    assert np.array_equal(drawn(alone), first)


@pytest.mark.parametrize("name", ["velocities", "forces", "sum_of_forces"])
def test_arrows_that_end_inside_of_a_body_are_seen(plotter: pv.Plotter, name: str) -> None:
    """An arrow of at most 0.28 radii of the scene never left a ball that fills it."""
    view = shown(plotter, body=[BODY | {"shape": [BALL], "angular_velocity": (0, 0, 0)}])
    view.set_visible("trails", False)
    before = drawn(view)
    view.set_visible(name, True)
    changed = np.abs(drawn(view) - before).max(axis=2)[40:200, 60:260] > 60
    assert changed.sum() > 30


@pytest.mark.parametrize("name", ["compass", "driven_compass"])
def test_the_moment_of_a_needle_of_two_halves_is_seen_beyond_its_tip(name: str) -> None:
    """The legend names the arrow: it is not hidden in the half that is the north pole."""
    view, simulation = opened(name)
    try:
        before = drawn(view)
        view.set_visible("dipoles", False)
        seen = np.abs(drawn(view) - before).max(axis=2) > 40
    finally:
        view.close()
        view.plotter.close()
    assert seen.sum() > 8  # of 100 x 125 pixels
    assert any(each.name == "magnetic moment" for each in legend_entries(simulation.scene, {"dipoles": True}, "dark"))


def test_the_weight_of_what_is_held_does_not_set_the_scale_of_forces(plotter: pv.Plotter) -> None:
    base = {"name": "base", "support": "fixed", "shape": [BALL | {"mass": 1000.0}]}
    shown(plotter, "forces", body=[BODY | {"shape": [BALL]}, base])
    assert "longest arrow 10 N" in [line.GetInput() for line in texts(plotter.renderer)]


@pytest.mark.parametrize(("items", "are_there"), [({"soft": [SHEET]}, False), ({"body": [MAGNET]}, True)])
def test_axes_of_bodies_are_explained_where_there_are_bodies(items: dict[str, object], are_there: bool) -> None:
    entries = legend_entries(Scene.model_validate(items), {"axes": True}, "dark")
    assert any(each.name == "body axes" for each in entries) == are_there
