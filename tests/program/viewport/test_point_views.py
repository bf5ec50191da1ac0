"""Soft bodies, springs and walls on the screen, compared as pixels of frames that are really drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
from pictures import check_switches, drawn, magenta

from polhode.mesh.mesh import Meshes
from polhode.physics.grab.interactions import Grab, PullPoint
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import PointStates
from polhode_app.viewport.base.camera import LOOKS
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.things.point_appearance import cloud
from polhode_app.viewport.things.points import PointView
from polhode_app.viewport.things.springs import SpringLines
from polhode_app.viewport.view import SceneView
from scenes import scene

ROOT = Path(__file__).parents[3]
PINK = {"color": "#ff00ff"}
BALL = {"name": "ball", "mass": 1.0, "radius": 0.1, "position": (0, 0, 1), **PINK}
FLOOR = {"name": "floor", "stiffness": 1e4}
STUFF = {"particle_mass": 0.1, "stiffness": 500.0, "damping": 1.0}
BLOCK = {"name": "block", "kind": "lattice", "counts": (4, 3, 3), "spacing": (0.1, 0.1, 0.1), **STUFF}
DUCK = {
    "name": "duck",
    "kind": "mesh",
    "file": str(ROOT / "meshes/duck.stl"),
    "scale": 0.01,
    "spacing": 0.1,
    **STUFF,
    **PINK,
}


def test_what_leaves_all_measure_is_not_drawn(plotter: pv.Plotter, recwarn: pytest.WarningsRecorder) -> None:
    """The last picture stays, and nothing is cast to numbers that can't hold it."""
    spring = {"from": "ball", "to": (0, 0, 2), "stiffness": 10.0}
    view, simulation = shown(plotter, scene(particle=[BALL], spring=[spring]))
    before, now = drawn(view), simulation.snapshot()
    for place in (1e39, np.nan, np.inf):
        far = replace(now, points=PointStates(np.full((1, 3), place), now.points.velocity))
        view.follow(far)
        view.update(far)
    assert (drawn(view) == before).all()
    larger = scene(particle=[{**BALL, "radius": 0.2}], spring=[spring])
    view.show(larger, now)
    before = drawn(view)
    view.show(larger, replace(now, points=PointStates(np.full((1, 3), 1e39), now.points.velocity)))
    assert (drawn(view) == before).all()  # where the scene says that it starts
    assert [str(warning.message) for warning in recwarn if "cast" in str(warning.message)] == []


def test_a_net_is_drawn_by_points_and_springs_in_place_of_a_surface(plotter: pv.Plotter) -> None:
    """The discs of points of 1/8 of the spacing and lines of some pixels leave holes."""
    upright = {"axis": (1, 0, 0), "angle": np.pi / 2}
    sheet = {"name": "sheet", "kind": "lattice", "counts": (6, 6, 1), "spacing": (0.1, 0.1, 0.1), **STUFF, **PINK}
    counts = {}
    for look in ("surface", "net"):
        view, _ = shown(
            plotter, scene(soft=[{**sheet, "orientation": upright, "particle_radius": 0.012, "look": look}])
        )
        counts[look] = len(magenta(drawn(view)))
    assert 0.05 * counts["surface"] < counts["net"] < 0.8 * counts["surface"]


def test_masses_in_a_row_hang_from_an_anchor(plotter: pv.Plotter) -> None:
    """The fixed end of two masses is no third ball."""
    row = {"name": "row", "kind": "chain", "count": 3, "spacing": 0.3, "fixed": (0,), "particle_radius": 0.05, **STUFF}
    view, _ = shown(plotter, scene(soft=[row]))
    radius = cloud(view.stage).radius
    assert radius[1:] == pytest.approx([0.05, 0.05])
    assert 0.0 < radius[0] < 0.4 * radius[1]


def shown(plotter: pv.Plotter, described: Scene) -> tuple[SceneView, Simulation]:
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(), compiled=simulation.compiled)
    view.reset_camera()
    return view, simulation


def on_screen(view: SceneView, points: np.ndarray) -> np.ndarray:
    """(n, 2) rows and columns of places (n, 3) in the laboratory."""
    renderer = view.plotter.renderer
    found = []
    for point in points:
        renderer.SetWorldPoint(*point, 1.0)
        renderer.WorldToDisplay()
        x, y, _ = renderer.GetDisplayPoint()
        found.append((view.plotter.window_size[1] - 1 - y, x))
    return np.array(found)


def test_a_particle_is_a_disc_of_its_radius_where_it_is(plotter: pv.Plotter) -> None:
    view, simulation = shown(plotter, scene(particle=[BALL], wall=[FLOOR]))
    simulation.advance(0.2)
    view.update(simulation.snapshot())
    disc = magenta(drawn(view))
    (middle,) = on_screen(view, simulation.snapshot().points.position)
    right = np.array(plotter.camera.GetViewUp())
    edge = on_screen(view, simulation.snapshot().points.position + 0.1 * right)[0]
    radius = np.linalg.norm(edge - middle)
    assert np.linalg.norm(disc.mean(axis=0) - middle) < 1.0
    assert len(disc) == pytest.approx(np.pi * radius**2, rel=0.1)  # the perspective makes a sphere a little larger


def test_the_points_before_the_physics_is_there_are_those_that_it_builds(plotter: pv.Plotter) -> None:
    chain = {"name": "chain", "kind": "chain", "count": 5, "spacing": 0.2, "direction": (1, 2, 0), **STUFF}
    described = scene(soft=[BLOCK | {"orientation": {"axis": (1, 1, 0), "angle": 0.4}}, chain], particle=[BALL])
    view = SceneView(plotter, Meshes())
    view.show(described)
    sketched = view.stage
    view.show(described, compiled=Simulation(described).compiled)
    assert np.allclose(sketched.start.points.position, view.stage.start.points.position, atol=1e-15)
    assert sketched.where == view.stage.where


@pytest.mark.parametrize("look", LOOKS)
def test_the_camera_sees_all_of_a_fall_onto_the_floor(plotter: pv.Plotter, look: str) -> None:
    view, simulation = shown(plotter, scene(particle=[BALL | {"velocity": (0.5, 0, 1)}], wall=[FLOOR]))
    view.reset_camera(look)
    assert view.stage.ground == 0.0
    for _ in range(6):
        simulation.advance(0.12)
        view.update(simulation.snapshot())
        rows, columns = magenta(drawn(view)).T
        assert 0 < rows.min() < rows.max() < 239
        assert 0 < columns.min() < columns.max() < 319


def test_a_skin_covers_its_points_and_goes_with_them(plotter: pv.Plotter) -> None:
    view, simulation = shown(plotter, scene(soft=[DUCK]))
    for name in ("shadows", "ground"):
        view.set_visible(name, False)
    before = drawn(view)
    simulation.advance(0.1)
    view.update(simulation.snapshot())
    fallen = magenta(drawn(view))
    middle = on_screen(view, simulation.snapshot().points.position[None].mean(axis=1))[0]
    assert np.linalg.norm(fallen.mean(axis=0) - middle) < 12
    assert fallen[:, 0].mean() > magenta(before)[:, 0].mean() + 3
    view.set_visible("skins", False)
    assert 20 < len(magenta(drawn(view))) < 0.6 * len(fallen)
    view.set_visible("skins", True)
    assert np.array_equal(magenta(drawn(view)), fallen)


def test_springs_end_where_their_things_are(plotter: pv.Plotter) -> None:
    arm = {"kind": "rod", "length": 1.0, "mass": 1.0, "position": (0, 0, -0.5)}
    body = {"name": "arm", "shape": [arm], "position": (0, 0, 2), "angular_velocity": (0, 1, 0)}
    springs = [
        {"from": "ball", "to": (0, 0, 2), "stiffness": 10.0},
        {"from": {"body": "arm", "point": (0, 0, -1)}, "to": "block.3", "stiffness": 10.0},
    ]
    _, simulation = shown(plotter, described := scene(body=[body], particle=[BALL], soft=[BLOCK], spring=springs))
    simulation.advance(0.3)
    now = simulation.snapshot()
    view = SceneView(plotter, Meshes())
    view.show(described, now, compiled=simulation.compiled)
    lines = SpringLines(view.stage, covers=True)
    lines.update(now)
    tip = now.bodies.position[0] + (0, 0, -1) @ now.bodies.basis[0]
    ball, held = now.points.position[-1], now.points.position[3]
    expected = [np.linalg.norm(ball - (0, 0, 2)), np.linalg.norm(tip - held)]
    assert np.allclose(lines.lengths()[-2:], expected, rtol=1e-6)
    inner = simulation.compiled.springs
    along = now.points.position[inner.second[:20]] - now.points.position[inner.first[:20]]
    assert np.allclose(lines.lengths()[:20], np.linalg.norm(along, axis=1), rtol=1e-6)


@pytest.mark.parametrize(("rest", "stretched"), [(0.3, True), (1.5, False)])
def test_tension_is_orange_and_pressure_is_blue(plotter: pv.Plotter, rest: float, stretched: bool) -> None:
    spring = {"from": "ball", "to": (0, 0, 2), "stiffness": 10.0, "rest_length": rest}
    view, _ = shown(plotter, scene(particle=[BALL], spring=[spring]))
    view.look_at(np.array([(-0.2, 0, 0.9), (0.2, 0, 2.0)]), "front")
    before = drawn(view)
    view.set_visible("tension", True)
    picture = drawn(view)[:, :280]  # without the bar, which shows both
    new = np.abs(picture - before[:, :280]).max(axis=-1) > 40
    redder = picture[new][:, 0] > picture[new][:, 2]
    assert new.sum() > 20
    assert redder.mean() > 0.8 if stretched else redder.mean() < 0.2


def test_tension_is_seen_where_a_skin_would_cover_the_springs(plotter: pv.Plotter) -> None:
    sheet = BLOCK | {"counts": (8, 8, 1), "color": "#009e73", "stiffness": 50.0}
    view, simulation = shown(plotter, scene(soft=[sheet | {"fixed": [0, 7]}]))
    simulation.advance(0.3)
    view.update(simulation.snapshot())
    view.look_at(simulation.snapshot().points.position, "top")
    skin = drawn(view)
    view.set_visible("tension", True)
    colored = drawn(view)[:, :250]  # without the bar at the right
    orange = (colored[:, :, 0] > 150) & (colored[:, :, 2] < 110)
    assert orange.sum() > 50
    view.set_visible("tension", False)
    assert np.array_equal(drawn(view), skin)


def test_a_wall_is_seen_from_its_front_and_moves_with_its_motion(plotter: pv.Plotter) -> None:
    wall = {"name": "back", "point": (0, 1, 0), "normal": (0, -1, 0), "stiffness": 10.0}
    moving = wall | {"motion": {"kind": "sine", "amplitude": 0.3, "period": 1.0}}
    still, _ = shown(offscreen((320, 240)), scene(particle=[BALL]))
    without = drawn(still)
    still.plotter.close()
    view, simulation = shown(plotter, scene(particle=[BALL], wall=[moving]))
    at_rest = drawn(view)
    assert (np.abs(at_rest - without).max(axis=-1) > 4).mean() > 0.05
    simulation.advance(0.25)
    view.update(simulation.snapshot())
    assert (np.abs(drawn(view) - at_rest).max(axis=-1) > 4).mean() > 0.02


def test_every_switch_takes_its_things_away_and_brings_them_back(plotter: pv.Plotter) -> None:
    spring = {"from": "block.0", "to": (0, 0, 2), "stiffness": 10.0}
    view, simulation = shown(plotter, scene(soft=[BLOCK, DUCK], spring=[spring], wall=[FLOOR | {"point": (0, 0, -1)}]))
    simulation.advance(0.02)
    view.update(simulation.snapshot())
    check_switches(view, ("points", "skins", "springs", "walls", "tension"))


def test_an_update_makes_no_actor(plotter: pv.Plotter) -> None:
    view, simulation = shown(plotter, scene(soft=[BLOCK, DUCK], particle=[BALL], wall=[FLOOR]))
    before = list(plotter.renderer.GetViewProps())
    for _ in range(3):
        simulation.advance(0.01)
        view.update(simulation.snapshot())
    assert list(plotter.renderer.GetViewProps()) == before


def test_a_held_point_is_coloured_until_it_is_released(plotter: pv.Plotter) -> None:
    """Imura 7.4: (240, 128, 128); the colours of the neighbours do not change."""
    neighbours = [{"name": f"p{n}", "mass": 1.0, "radius": 0.1, "position": (n, 0, 1), **PINK} for n in range(3)]
    view, simulation = shown(plotter, scene(particle=neighbours))
    points = view.views["points"]
    assert isinstance(points, PointView)

    def colors() -> list[list[int]]:
        view.update(simulation.snapshot())
        return points.colors.tolist()

    pink, held = [255, 0, 255, 255], [240, 128, 128, 255]
    assert colors() == [pink] * 3
    simulation.grab(Grab(1, (1.0, 0.0, 1.0), (0.0, 0.0, 0.0)))
    before = drawn(view)
    assert colors() == [pink, held, pink]
    assert (drawn(view) != before).any()
    simulation.grab(PullPoint(2, (2.0, 0.0, 1.0)))
    assert colors() == [pink, pink, held]
    simulation.release()
    assert colors() == [pink] * 3
