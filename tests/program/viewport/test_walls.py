"""Walls and floors as slabs: their material by friction, their edges, and what is seen behind them."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv
from pictures import drawn

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.shapes import unit
from polhode.physics.contact.description import Wall
from polhode.physics.contact.walls.wall_materials import similar_material
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.bounds import SweptBox
from polhode_app.viewport.base.lighting import KEY
from polhode_app.viewport.environment.quality import Level
from polhode_app.viewport.environment.shadow_plane import shadow_plane
from polhode_app.viewport.geometry.boards import BOARDS, PIXELS
from polhode_app.viewport.things.walls import FADE, GLASS, corners_of
from polhode_app.viewport.view import SceneView
from scenes import scene

BALL = {"name": "ball", "mass": 1.0, "radius": 0.1, "position": (0, 0, 0.1), "velocity": (1.0, 0, 0)}
FLOOR = {"name": "floor", "stiffness": 1e4}


def wall(**fields: object) -> Wall:
    return Wall.model_validate({**FLOOR, **fields})


@pytest.mark.parametrize(
    ("fields", "material"),
    [
        ({}, "ice"),
        ({"kinetic_friction": 0.05}, "steel"),
        ({"kinetic_friction": 0.3}, "wood"),
        ({"kinetic_friction": 0.1, "static_friction": 0.3}, "wood"),
        ({"kinetic_friction": 0.8}, "felt"),
        ({"kinetic_friction": 0.1, "rolling_resistance": 0.02}, "felt"),
        ({"rough": True}, "felt"),
        ({"friction": 2.0, "damping": 20.0}, "steel"),
        ({"friction": 2.0}, "wood"),
    ],
)
def test_the_material_shows_the_friction(fields: dict[str, object], material: str) -> None:
    assert similar_material(wall(**fields)) == material


@pytest.mark.parametrize("name", BOARDS)
def test_textures_are_subtle_and_the_same_at_each_start(name: str) -> None:
    made = [BOARDS[name].pattern(np.random.default_rng(7)) for _ in range(2)]
    assert np.array_equal(*made)
    assert made[0].shape == (PIXELS, PIXELS)
    assert 0.005 < made[0].std() < 0.1


def shown(plotter: pv.Plotter, described: Scene) -> SceneView:
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(), (), simulation.compiled)
    view.reset_camera()
    return view


def test_a_floor_ends_behind_the_walls_that_stand_on_it(plotter: pv.Plotter) -> None:
    sides = [
        {"name": "left", "point": (-0.11, 0, 0), "normal": (1, 0, 0), "stiffness": 1e4},
        {"name": "right", "point": (0.12, 0, 0), "normal": (-1, 0, 0), "stiffness": 1e4},
    ]
    view = shown(plotter, scene(particle=[BALL], wall=[FLOOR, *sides]))
    stage = view.stage
    assert stage is not None
    corners = corners_of(stage.scene.wall[0], stage)
    assert -0.11 - 0.05 * stage.radius < corners[:, 0].min() < -0.11
    assert 0.12 < corners[:, 0].max() < 0.12 + 0.05 * stage.radius
    free = shown(plotter, scene(particle=[BALL], wall=[FLOOR])).stage
    assert free is not None
    assert np.ptp(corners_of(free.scene.wall[0], free)[:, 0]) > 0.25


def test_a_floor_is_opaque_unless_something_is_below_it(plotter: pv.Plotter) -> None:
    magnet = {"name": "below", "shape": [{"kind": "sphere", "radius": 0.05, "mass": 1.0}], "support": "fixed"}
    opacities = []
    for depth in (0.3, -0.3):
        view = shown(plotter, scene(particle=[BALL], wall=[FLOOR], body=[{**magnet, "position": (0.2, 0, depth)}]))
        actors = [actor for _, actors in view.views["walls"]._shown for actor in actors]
        opacities.append(actors[0].GetProperty().GetOpacity())
    assert opacities == [1.0, GLASS]


def test_a_shadow_falls_on_a_slope_and_not_beyond_a_floor(plotter: pv.Plotter) -> None:
    slope = {"name": "slope", "normal": (0.3, 0, 1.0), "stiffness": 1e4}
    view = shown(plotter, scene(particle=[{**BALL, "position": (0, 0, 0.2)}], wall=[slope]))
    stage = view.stage
    assert stage is not None
    plane = shadow_plane(stage)
    shadow = plane.origin + (np.array([0.0, 0.0, 0.2]) - plane.origin) @ plane.onto @ plane.axes
    assert shadow @ unit(slope["normal"]) == pytest.approx(0.0, abs=1e-9)
    assert np.allclose(np.cross(np.array([0.0, 0.0, 0.2]) - shadow, KEY), 0.0, atol=1e-9)
    floor = shown(plotter, scene(particle=[BALL], wall=[FLOOR])).stage
    assert floor is not None
    corners = corners_of(floor.scene.wall[0], floor)
    plane = shadow_plane(floor)
    assert np.allclose([plane.low, plane.high], [corners.min(axis=0)[:2], corners.max(axis=0)[:2]])


def test_a_shadow_falls_on_the_floor(plotter: pv.Plotter) -> None:
    view = shown(plotter, scene(particle=[{**BALL, "position": (0, 0, 0.4)}], wall=[FLOOR]))
    with_shadow = drawn(view)
    view.set_visible("shadows", False)
    darker = (drawn(view) - with_shadow).max(axis=-1) > 8
    assert darker.sum() > 30


def test_a_shadow_that_falls_beside_what_is_drawn_of_the_floor_is_not_there(plotter: pv.Plotter) -> None:
    """A small ball high above it: the light is oblique, so the square of its shadow has no part of the slab."""
    grain = {**BALL, "mass": 1e-7, "radius": 3e-4, "position": (0, 0, 0.06), "velocity": (0, 0, 0)}
    view = shown(plotter, scene(sphere=[grain], wall=[FLOOR]))
    with_shadow = drawn(view)
    view.set_visible("shadows", False)
    assert np.abs(drawn(view).astype(int) - with_shadow).max() < 8


def test_a_floor_grows_to_where_things_get(plotter: pv.Plotter) -> None:
    """A wall has no edge: a ball that has left the expected room is still over its slab, which can be picked there."""
    described = scene(sphere=[{**BALL, "velocity": (5.0, 0, 0)}], wall=[FLOOR], world={"gravity": (0, 0, -9.81)})
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(), (), simulation.compiled)
    before, actors = corners_of(described.wall[0], view.stage), view.plotter.renderer.GetActors().GetNumberOfItems()
    for _ in range(4):
        simulation.advance(1.0)
        view.update(simulation.snapshot())
    ball = simulation.snapshot().bodies.position[0]
    assert ball[0] > before[:, 0].max() + 1.0  # it has left
    corners = corners_of(described.wall[0], view.stage)
    assert corners[:, 0].max() > ball[0] + 0.5
    assert corners[:, 0].min() == pytest.approx(before[:, 0].min())
    faces = [actor for _, shown_actors in view.views["walls"]._shown for actor in shown_actors]
    front, strip = (actor.GetMapper().GetInput().GetBounds()[1] for actor in faces)
    assert front == pytest.approx(corners[:, 0].max())
    assert strip == pytest.approx(front + FADE * view.stage.radius)
    assert view.plotter.renderer.GetActors().GetNumberOfItems() == actors


@pytest.mark.parametrize("quality", ["low", "high"])
def test_sides_and_edges_of_a_wall_have_the_colour_of_its_material(plotter: pv.Plotter, quality: Level) -> None:
    """Steel is grey, and so is all that is drawn of a slab of it; without colours of their points sides glare."""
    described = scene(wall=[{**FLOOR, "kinetic_friction": 0.05, "normal": (0.6, 0, 0.8)}])
    view = SceneView(plotter, Meshes(), "light", {"ground": False, "shadows": False}, patient=True, quality=quality)
    view.show(described)
    view.hide_annotations()
    view.reset_camera()
    plotter.render_window.SetMultiSamples(0)
    frame = drawn(view).astype(int)
    assert np.ptp(frame.mean(axis=2)) > 60  # sides are darker than the front
    assert np.ptp(frame, axis=2).max() < 40


def test_a_floor_fades_out_without_an_edge_and_ends_at_walls(plotter: pv.Plotter) -> None:
    """Its plane has no edge: seen from above, its brightness has no step on the way to the background."""
    left = {"name": "left", "point": (-0.11, 0, 0), "normal": (1, 0, 0), "stiffness": 1e4}
    view = shown(plotter, scene(particle=[BALL], wall=[{**FLOOR, "kinetic_friction": 0.8}, left]))
    for name in ("ground", "shadows", "points"):
        view.set_visible(name, False)
    stage = view.stage
    assert stage is not None
    corners = corners_of(stage.scene.wall[0], stage)
    edge = corners[:, 0].max() + FADE * stage.radius / 2
    plotter.camera.position, plotter.camera.focal_point = (edge, 0, 3 * stage.radius), (edge, 0, 0)
    plotter.camera.up = (0, 1, 0)
    plotter.renderer.camera_set = True
    view.update_clipping_range()
    row = drawn(view)[drawn(view).shape[0] // 2].astype(float)
    means = row.reshape(-1, 8, 3).mean(axis=1)  # the texture of felt is finer than 8 pixels
    whole = np.abs(means[0] - means[-1]).max()
    assert whole > 20  # from felt to background
    assert np.abs(np.diff(means, axis=0)).max() < whole / 3  # an edge would be a step of this whole difference
    for corner in _points(view)[:, 0]:
        assert corner >= -0.11 - 0.05 * stage.radius  # nothing of the floor is behind the wall that stands on it


def _points(view: SceneView) -> np.ndarray:
    """(n, 3) [m] points of the actors of the first wall."""
    actors = view.views["walls"]._shown[0][1]
    return np.vstack([pv.wrap(actor.GetMapper().GetInput()).points for actor in actors])


def test_a_fast_ball_does_not_blow_up_the_floor(plotter: pv.Plotter) -> None:
    """A ball of 5 cm at 3 m/s beside a box: the size of the scene, and so of arrows and shadows, changes little."""
    box = {
        "name": "box",
        "position": (0.3, 0.2, 0.05),
        "shape": [{"kind": "cuboid", "size": (0.1, 0.1, 0.1), "mass": 1}],
    }
    ball = {**BALL, "radius": 0.05, "position": (0, 0, 0.05)}
    radii = []
    for speed in (0.0, 3.0, 30.0):
        view = shown(plotter, scene(sphere=[{**ball, "velocity": (speed, 0, 0)}], body=[box], wall=[FLOOR]))
        assert view.stage is not None
        radii.append(view.stage.radius)
    assert radii[1] < 4 * radii[0]
    assert radii[2] < 4 * radii[0]


def test_a_shadow_follows_onto_the_grown_floor(plotter: pv.Plotter) -> None:
    """A ball that has left the expected room darkens the floor there as much as it did at the start."""
    described = scene(sphere=[{**BALL, "velocity": (5.0, 0, 0)}], wall=[FLOOR], world={"gravity": (0, 0, -9.81)})
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(), (), simulation.compiled)

    def shaded() -> float:
        """Darkened area [pixel] around the ball, as seen from above at a fixed distance."""
        ball = simulation.snapshot().bodies.position[0]
        plotter.camera.position, plotter.camera.focal_point = ball + (0, -0.5, 1.5), ball
        plotter.renderer.camera_set = True
        view.update_clipping_range()
        dark = drawn(view)
        view.set_visible("shadows", False)
        light = drawn(view)
        view.set_visible("shadows", True)
        return float((light - dark).clip(min=0).sum())

    start = shaded()
    for _ in range(40):
        simulation.advance(0.1)
        view.update(simulation.snapshot())
    assert simulation.snapshot().bodies.position[0][0] > 15.0  # it has left
    assert shaded() == pytest.approx(start, rel=0.2)  # the texture of the floor below it is another


def test_a_slab_grows_a_few_times_only() -> None:
    swept = SweptBox(np.array([[-1.0, -1, 0], [1, 1, 1]]))
    assert not swept.cover(np.array([[1.05, 0, 0]]))
    assert not swept.cover(np.zeros((0, 3)))
    assert not swept.cover(np.array([[np.nan, 0, 0]]))
    grown = sum(swept.cover(np.array([[x, 0.0, 0.0]])) for x in np.linspace(0, 50, 3000))
    assert 5 < grown < 25
    assert swept.high[0] >= 50
    swept.cover(np.array([[1e12, 0, 0]]))
    assert swept.high[0] < 1e3
