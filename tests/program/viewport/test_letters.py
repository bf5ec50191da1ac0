"""Letters on the poles of magnets, patterns of billiard balls, and finishes by density."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkTextActor

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.polydata import crossings
from polhode_app.viewport.geometry.letters import letters_of
from polhode_app.viewport.things.appearance_cache import AppearanceCache
from polhode_app.viewport.things.instances import COLORS
from polhode_app.viewport.things.shape_surfaces import surface_of
from polhode_app.viewport.view import SceneView
from scenes import scene

BAR = {"kind": "cuboid", "size": (0.02, 0.03, 0.1), "mass": 1.0}
DISC = {"kind": "cylinder", "radius": 0.03, "length": 0.02, "mass": 1.0}
BALL = {"kind": "sphere", "radius": 0.03, "mass": 1.0}
PILL = {"kind": "capsule", "radius": 0.01, "length": 0.05, "mass": 1.0}


def shape_of(described: dict[str, object], **fields: object) -> object:
    return scene(body=[{"name": "body", "shape": [{**described, **fields}]}]).body[0].shape[0]


@pytest.mark.parametrize("described", [BAR, DISC, BALL, PILL])
@pytest.mark.parametrize("north", [1.0, -1.0])
def test_letters_lie_just_above_the_surface(described: dict[str, object], north: float) -> None:
    turned = {"orientation": {"axis": (1, 0.3, 0), "angle": 0.8}, "position": (0.1, 0.2, 0.3)}
    shape = shape_of(described, **turned)
    letters, surface = letters_of(shape, north), surface_of(shape, None)
    centre = np.array(shape.position)
    triangles = np.asarray(surface.points, float)[surface.regular_faces.T]
    for point in np.asarray(letters.points, float)[::40]:
        away = np.linalg.norm(point - centre)
        (outside, *_) = sorted(crossings(triangles, centre, (point - centre) / away), reverse=True)
        assert outside < away * (1 + 1e-3)
        assert away < outside + 1.2e-3


def test_only_shapes_with_poles_have_letters() -> None:
    assert letters_of(shape_of({"kind": "torus", "radius": 0.1, "tube_radius": 0.02, "mass": 1.0}), 1.0) is None


def looks_of(described: Scene) -> dict[str, object]:
    solids = AppearanceCache().of(described, Meshes())
    return {solid.body.name: solid.parts[0] for solid in solids}


def test_magnets_have_letters_unless_they_have_a_colour() -> None:
    magnet = {"magnet": {"moment": (0, 0, 1.0)}}
    bodies = [
        {"name": name, "shape": [{**BAR, **magnet, **color}]}
        for name, color in (("poles", {}), ("red", {"color": "red"}))
    ]
    looks = looks_of(scene(body=bodies))
    assert looks["poles"].letters is not None
    assert looks["red"].letters is None


def test_a_rack_has_full_and_striped_balls() -> None:
    rack = {"name": "ball", "mass": 0.17, "radius": 0.03, "color": "#0072b2"}
    looks = looks_of(scene(sphere=[{**rack, "arrangement": {"kind": "triangle", "rows": 5}}]))
    pale = [np.asarray(looks[f"ball{k}"].surface.cell_data[COLORS])[:, 0].mean() for k in range(15)]
    assert np.ptp(pale[:8]) == 0
    assert np.ptp(pale[8:]) == 0
    assert pale[8] > 1.5 * pale[0]  # its caps are as pale as the spots of the others, and larger


def test_dense_shapes_look_like_metal_and_balls_are_polished() -> None:
    bodies = [
        {"name": "steel", "shape": [{**BAR, "mass": 7800 * 6e-5, "color": "#8d939b"}]},
        {"name": "brass", "shape": [{**{k: v for k, v in DISC.items() if k != "mass"}, "density": 8500}]},
        {"name": "paint", "shape": [{**BAR, "mass": 7800 * 6e-5, "color": "#d55e00"}]},
        {"name": "wood", "shape": [{**BAR, "mass": 700 * 6e-5}]},
        {"name": "ball", "shape": [BALL], "support": "free"},
    ]
    finishes = {name: part.finish for name, part in looks_of(scene(body=bodies)).items()}
    assert finishes == {"steel": "metal", "brass": "metal", "paint": "painted", "wood": "plastic", "ball": "polished"}


def poles(view: SceneView) -> list[tuple[str, tuple[float, float, float]]]:
    """Letters over the picture, with their positions [m], laboratory frame."""
    props = view.plotter.renderer.GetViewProps()
    texts = [props.GetItemAsObject(k) for k in range(props.GetNumberOfItems())]
    shown = [text for text in texts if isinstance(text, vtkTextActor) and text.GetVisibility()]
    return [
        (text.GetInput(), text.GetPositionCoordinate().GetValue()) for text in shown if text.GetInput() in ("N", "S")
    ]


def test_poles_that_a_mesh_covers_have_letters_over_the_picture(plotter: pv.Plotter) -> None:
    """At both ends of each magnet, moving with its body; not where shapes have letters of their own."""
    described, meshes = read_scene(gallery.path("double_mesh")), Meshes()
    simulation, view = Simulation(described, meshes), SceneView(plotter, meshes)
    view.show(described, simulation.snapshot(), (), simulation.compiled)
    for _ in range(2):
        bodies = simulation.snapshot().bodies
        found = poles(view)
        assert sorted(letter for letter, _ in found) == ["N", "N", "S", "S"]
        for i, body in enumerate(described.body):
            (north, south) = (np.array(at) for _, at in found[2 * i : 2 * i + 2])
            moment = np.array(body.dipole[0].moment) @ bodies.basis[i]
            along = moment / np.linalg.norm(moment)
            assert (north - south) @ along == pytest.approx(np.linalg.norm(north - south))
            assert np.linalg.norm(north - south) > 0.005
        simulation.advance(0.2)
        view.update(simulation.snapshot())
    view.set_visible("dipoles", False)
    assert poles(view) == []
    view.set_visible("dipoles", True)
    assert len(poles(view)) == 4
    view.hide_annotations()
    assert poles(view) == []
