"""Places of scenes: which one suits, that it is below or behind everything, and what holds things there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.fields import with_value
from polhode.scene.scene_file import read_scene, scene_of
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.environment.shadow_plane import shadow_plane
from polhode_app.viewport.places.holders import holders
from polhode_app.viewport.places.place import place_of
from polhode_app.viewport.places.reach import chains
from polhode_app.viewport.view import SceneView

SUITABLE = {
    "magnet_pendulum": "bench",  # swings in all directions
    "newtons_cradle": "wall",  # swings in a plane
    "triple_rod_pendulum": "wall",  # hinges with a common axis
    "roller_coaster": "bench",
    "rolling_10_two_spheres": "felt",  # balls between cushions
    "seesaw": None,  # has a floor
    "course_7_at_rest": None,  # falls freely
    "watts_linkage": "bench",  # stated
}


def stage_of(name: str, place: str = "") -> Stage:
    """Stage of a built-in scene, not compiled, with another place if one is given."""
    scene = read_scene(gallery.path(name))
    view = SceneView(offscreen((64, 48)), Meshes())
    view.show(with_value(scene, ("view", "place"), place) if place else scene)
    view.close()
    view.plotter.close()
    assert view.stage is not None
    return view.stage


@pytest.mark.parametrize("name", SUITABLE)
def test_a_scene_gets_the_place_that_suits_it(name: str) -> None:
    place = place_of(stage_of(name))
    assert (place and place.name) == SUITABLE[name]


@pytest.mark.parametrize("name", [name for name, place in SUITABLE.items() if place])
def test_a_place_is_below_or_behind_everything(name: str) -> None:
    stage = stage_of(name)
    place = place_of(stage)
    assert place is not None
    still = [i for i, solid in enumerate(stage.solids) if solid.body.support != "fixed" and i not in stage.unseen]
    points = [stage.solids[i].points @ stage.bodies.basis[i] + stage.bodies.position[i] for i in still]
    height = place.height(np.vstack(points))
    assert height.min() > -1e-9
    flat = (np.vstack(points) - place.origin) @ place.axes[:2].T
    assert (flat > place.low).all()
    assert (flat < place.high).all()


def test_a_stated_place_goes_before_the_suitable_one() -> None:
    for wanted in ("bench", "felt", "wall"):
        place = place_of(stage_of("seesaw", wanted))
        assert place is not None
        assert place.name == wanted
    assert place_of(stage_of("newtons_cradle", "none")) is None


def test_shadows_end_at_the_edges_of_a_place() -> None:
    stage = stage_of("roller_coaster")
    place, plane = place_of(stage), shadow_plane(stage)
    assert place is not None
    assert np.allclose([plane.low, plane.high], [place.low, place.high])
    assert not np.isfinite(shadow_plane(stage, has_place=False).high).any()


def test_arms_end_behind_everything_and_posts_stand_on_the_board() -> None:
    stage = stage_of("basins_of_three_magnets")
    place = place_of(stage)
    assert place is not None
    points = np.vstack([np.asarray(piece.points) for piece in holders(stage, place)])
    assert points[:, 2].min() == pytest.approx(stage.ground, abs=1e-6 * stage.radius)
    post = points[points[:, 2] < stage.ground + 0.2 * stage.radius]
    assert post[:, 1].min() > stage.extent[:, 1].max()  # the camera is at negative y


def test_what_hangs_on_a_fixed_body_has_no_arm_of_its_own() -> None:
    stage = stage_of("foucault_pendulum")
    place = place_of(stage)
    assert place is not None
    assert holders(stage, place) == []


def test_nothing_holds_the_place_that_a_slider_leaves() -> None:
    """The piston of a slider-crank, which starts 0.45 m beside the wheel."""
    stage = stage_of("slider_crank")
    place = place_of(stage)
    assert place is not None
    ends = [np.asarray(piece.points)[:, 0] for piece in holders(stage, place)]
    assert max((float(each.max()) for each in ends), default=0.0) < 0.3


def test_the_reach_of_a_chain_of_rods_is_the_sum_of_their_lengths() -> None:
    stage = stage_of("triple_rod_pendulum")
    found = [reach for _, (_, reach) in sorted(chains(stage).items())]
    # centres of 0.3, 0.25 and 0.2 m long rods with hinges at their ends; their corners are half a rod's height farther
    assert found == pytest.approx([0.3, 0.55, 0.75], abs=0.02)


def test_the_grid_is_drawn_where_nothing_covers_it() -> None:
    scene = read_scene(gallery.path("newtons_cradle"))
    view = SceneView(offscreen((64, 48)), Meshes())
    try:
        view.show(scene)
        grid = view.views["ground"]._grid.GetMapper()
        assert grid.GetInput().GetNumberOfPoints() == 0
        view.set_visible("place", False)
        assert grid.GetInput().GetNumberOfPoints() > 0
        view.set_visible("place", True)
        assert grid.GetInput().GetNumberOfPoints() == 0
        view.show(with_value(scene, ("view", "place"), "none"))
        assert grid.GetInput().GetNumberOfPoints() > 0
    finally:
        view.close()
        view.plotter.close()


def test_a_board_is_left_out_while_something_is_below_it() -> None:
    view = SceneView(offscreen((64, 48)), Meshes())
    try:
        view.show(read_scene(gallery.path("magnet_pendulum")))
        assert view.now is not None
        board = view.views["place"]._actors[0]
        bodies = view.now.bodies
        assert board.GetVisibility()
        view.update(replace(view.now, bodies=replace(bodies, position=bodies.position - [0.0, 0.0, 9.0])))
        assert not board.GetVisibility()
        view.update(replace(view.now, bodies=bodies))
        assert board.GetVisibility()
    finally:
        view.close()
        view.plotter.close()


@pytest.mark.parametrize(("axis", "lowest"), [((0, 0, 1), -0.001), ((1, 0, 0), -0.1), ((1, 0, 1), None)])
def test_the_ground_is_below_what_turns_under_a_fixed_body(
    axis: tuple[float, float, float], lowest: float | None
) -> None:
    """A thin disc under a fixed ball, whatever its axle: else the ground and the shadows on it cover the disc."""
    disc = {"kind": "cylinder", "radius": 0.1, "length": 0.002, "mass": 1.0}
    ball = {"kind": "sphere", "radius": 0.01, "mass": 1.0}
    below = {"name": "disc", "support": "axle", "axis": axis, "shape": [disc]}
    above = {"name": "ball", "support": "fixed", "position": (0.05, 0.0, 0.2), "shape": [ball]}
    view = SceneView(offscreen((64, 48)), Meshes())
    view.show(scene_of({"body": [below, above]}, "test"))
    view.close()
    view.plotter.close()
    if lowest is None:  # the lowest point of the rim on its way round an axle of 45 degrees
        angles = np.linspace(0, 2 * np.pi, 721)
        rim = np.array([0.1 * np.cos(angles), 0.1 * np.sin(angles), np.full(721, -0.001)]).T
        along = rim @ np.array([1, 0, 1]) / 2**0.5
        lowest = float(((along - np.sqrt((rim**2).sum(axis=1) - along**2)) / 2**0.5).min())
    assert lowest - 0.01 < view.stage.ground < lowest
