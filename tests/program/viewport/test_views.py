"""Views, compared as pixels of rendered frames, without a window."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import pyvista as pv
from pictures import check_switches, drawn, magenta
from sampling import sampled

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import shape_properties
from polhode.physics.bodies.shapes import Orientation
from polhode.scene.display import colors
from polhode.scene.scene import VACUUM, Ghost, Scene
from polhode.simulation.snapshot import BodyStates, Energy, Ledger, PointStates, Snapshot
from polhode_app.edit.scene_diff import SceneDiff
from polhode_app.viewport.base.camera import LOOKS, orbit
from polhode_app.viewport.base.palette import PALETTE, rgb, shape_color
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.base.stage import placed
from polhode_app.viewport.things.instances import MANY, quaternions
from polhode_app.viewport.things.shape_surfaces import POINT_SHARE, POINT_SIZE, surface_of
from polhode_app.viewport.vectors.dipoles import arrows
from polhode_app.viewport.view import SceneView
from scenes import scene

KINDS = {
    "sphere": {"radius": 0.05},
    "cylinder": {"radius": 0.04, "length": 0.1},
    "capsule": {"radius": 0.03, "length": 0.08},
    "cone": {"radius": 0.05, "length": 0.12},
    "ellipsoid": {"semi_axes": (0.06, 0.03, 0.04)},
    "cuboid": {"size": (0.08, 0.06, 0.1)},
    "torus": {"radius": 0.05, "tube_radius": 0.02},
    "tube": {"radius": 0.05, "inner_radius": 0.03, "length": 0.1},
    "rod": {"length": 0.2},
    "point": {},
}


def body(name: str, kind: str = "sphere", color: str | None = "#ff00ff", **more: object) -> dict[str, object]:
    shape = {"kind": kind, "mass": 0.1, "position": (0, 0, -0.2), "color": color, **KINDS[kind]}
    return {"name": name, "position": (0, 0, 0.4), "shape": [shape], **more}


def moment(bodies: BodyStates, time: float = 0.0) -> Snapshot:
    return Snapshot(
        time,
        0,
        bodies,
        PointStates(np.zeros((0, 3)), np.zeros((0, 3))),
        Energy(0, 0, 0, 0),
        Ledger(),
        np.zeros(3),
        np.zeros(3),
        0.0,
    )


def turned(scene: Scene, angle: float) -> BodyStates:
    """All bodies as the scene has them, turned about x."""
    c, s = np.cos(angle), np.sin(angle)
    start = placed(scene).bodies
    return replace(start, basis=start.basis @ np.array([[1, 0, 0], [0, c, s], [0, -s, c]]))


def shown(plotter: pv.Plotter, *bodies: dict[str, object]) -> tuple[SceneView, Scene]:
    view, described = SceneView(plotter, Meshes()), scene(*bodies)
    view.show(described)
    view.reset_camera()
    return view, described


def actors(plotter: pv.Plotter) -> list[object]:
    return list(plotter.renderer.GetViewProps())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_shape_is_seen(plotter: pv.Plotter, kind: str) -> None:
    view, _ = shown(plotter, body("b", kind))
    view.set_visible("trails", False)
    assert len(magenta(drawn(view))) > 8


def test_a_point_mass_on_an_arm_is_a_ball_that_is_seen() -> None:
    """A radius of 6 % of the arm, and 5 mm without an arm; its centre is the point."""
    for position, radius in (((0.0, 0.0, -1.0), POINT_SHARE), ((0.0, 0.0, 0.0), POINT_SIZE)):
        point = scene({"name": "b", "shape": [{"kind": "point", "mass": 1.0, "position": position}]}).body[0].shape[0]
        surface = surface_of(point, None)
        away = np.linalg.norm(np.asarray(surface.points) - position, axis=1)
        assert away == pytest.approx(radius, rel=1e-5)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("rod", "point")])
def test_what_is_drawn_has_the_volume_and_centre_of_the_shape(kind: str) -> None:
    """2 % : the drawn surface is a polyhedron inside the round one."""
    described = scene(body("b", kind))
    shape = described.body[0].shape[0]
    drawn_as = surface_of(shape, None).clean()
    true = shape_properties(shape.model_copy(update={"mass": None, "density": 1.0}))
    assert drawn_as.volume == pytest.approx(true.mass, rel=0.02)
    assert np.allclose(drawn_as.center_of_mass(), shape.position, atol=2e-3) or kind == "cone"


def test_a_moved_body_is_seen_elsewhere(plotter: pv.Plotter) -> None:
    view, described = shown(plotter, body("b"))
    view.set_visible("trails", False)
    before = magenta(drawn(view)).mean(axis=0)
    view.update(moment(turned(described, 0.7)))
    after = magenta(drawn(view)).mean(axis=0)
    assert np.linalg.norm(after - before) > 20


def test_an_update_makes_no_actor(plotter: pv.Plotter) -> None:
    magnet = [{"position": (0, 0, -0.2), "moment": (0, 0, 1)}]
    view, described = shown(plotter, body("a", dipole=magnet), body("b", "cone", support="fixed"))
    before = actors(plotter)
    for step in range(20):
        view.update(moment(turned(described, 0.05 * step), 0.01 * step))
    assert actors(plotter) == before


def test_a_shape_that_is_a_magnet_has_one_arrow_as_long_as_that_of_a_dipole_as_strong(plotter: pv.Plotter) -> None:
    """Br V/mu0 of a cuboid of 0.08 x 0.06 x 0.1 m, once as a cloud, once as a dipole; and the north pole is red."""
    moment = 1.1 * 0.08 * 0.06 * 0.1 / VACUUM
    filled = body("a", "cuboid", None)
    filled["shape"][0]["magnet"] = {"remanence": (0, 0, 1.1)}
    magnet = [{"position": (0, 0, -0.2), "moment": (0, 0, moment)}]
    view, _ = shown(plotter, filled, body("b", "cuboid", None, dipole=magnet))
    stage = view.stage
    magnets = [solid.magnets for solid in stage.solids]
    assert [len(of_body) for of_body in magnets] == [1, 1]
    one, other = (arrows(stage, number, magnets[number], moment) for number in (0, 1))
    assert one.points == pytest.approx(other.points, abs=1e-6)
    poles = [solid.parts[0].surface.cell_data["pole"] for solid in stage.solids]
    assert (poles[0] == poles[1]).all()


def test_a_changed_scene_keeps_the_actors_of_what_stays(plotter: pv.Plotter) -> None:
    view, _ = shown(plotter, body("a"), body("b", "cone"))
    before = actors(plotter)
    view.show(scene(body("a"), body("b", "torus")))
    changed = actors(plotter)
    # Each body hangs on a thread, which is rebuilt, as the place is, with its posts: the cone and the threads are
    # removed, the torus, new threads and a new place are added.
    assert len(changed) == len(before)
    assert len([actor for actor in changed if actor not in before]) == 5
    view.show(scene(body("a")))
    assert len(actors(plotter)) == len(before) - 2


def test_a_body_far_from_its_start_is_not_cut_away(plotter: pv.Plotter) -> None:
    view, described = shown(plotter, body("b"))
    far = placed(described).bodies
    view.update(moment(replace(far, position=far.position + (-3.0, 6.0, 0.0))))
    assert len(magenta(drawn(view))) > 0


def test_every_color_name_of_a_scene_can_be_drawn() -> None:
    assert all(np.allclose(shape_color(name, 0), colors.rgb(name)) for name in colors.RGB)


def test_bodies_without_a_color_take_the_palette_in_turn(plotter: pv.Plotter) -> None:
    picture = drawn(shown(plotter, body("b", color=None))[0])
    hue = np.array(rgb(PALETTE[0]))
    lit = picture[(picture.max(axis=-1) > 120)]
    assert (np.abs(lit / lit.max(axis=-1, keepdims=True) - hue / hue.max()).max(axis=-1) < 0.12).sum() > 50


def test_every_switch_takes_its_things_away_and_brings_them_back(plotter: pv.Plotter) -> None:
    magnet = [{"position": (0, 0, -0.2), "moment": (0, 0, 1)}]
    view, described = shown(plotter, body("a", dipole=magnet))
    for step in range(31):  # an odd number: shadows are cast every second moment, and so at the last one
        view.update(moment(turned(described, 0.03 * step), 0.01 * step))
    check_switches(view, ("dipoles", "trails", "shadows", "ground", "supports"))


def test_a_ghost_is_seen_through_and_goes_when_it_is_lost(plotter: pv.Plotter) -> None:
    view = SceneView(plotter, Meshes())
    described = scene(body("a", color="#20c020")).model_copy(update={"ghost": (Ghost(color="#ff00ff"),)})
    view.show(described)
    view.reset_camera()
    assert len(magenta(drawn(view))) == 0  # in the same place, mixed with the body's green
    here = placed(described)
    for step in range(20):
        view.update(here, [moment(turned(described, 0.04 * step), 0.01 * step)])
    with_trail = magenta(drawn(view))
    assert len(with_trail) > 50
    view.set_visible("trails", False)
    alone = magenta(drawn(view))
    assert 50 < len(alone) < len(with_trail)
    view.set_visible("ghosts")
    assert len(magenta(drawn(view))) == 0
    view.set_visible("ghosts")
    assert len(magenta(drawn(view))) == len(alone)
    view.update(here, [None])
    assert len(magenta(drawn(view))) == 0


def row_of_magnets(count: int) -> Scene:
    return scene(
        *(
            {
                "name": f"b{i}",
                "position": (0.1 * (i % 6), 0.1 * (i // 6), 0.3),
                "orientation": {"axis": (1.0, 0.4 * i, -1.0), "angle": 0.5 * i},
                "shape": [{"kind": "cuboid", "size": (0.02, 0.02, 0.06), "mass": 0.1}],
                "dipole": [{"moment": (0, 0, 1.0)}],
            }
            for i in range(count)
        )
    )


def test_many_bodies_of_one_look_are_few_actors_and_look_as_if_each_had_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    described = row_of_magnets(24)
    pictures, counts = [], []
    for many in (MANY, 1000):
        monkeypatch.setattr("polhode_app.viewport.things.instances.MANY", many)
        view = SceneView(offscreen((320, 240)), Meshes())
        view.show(described)
        view.reset_camera()
        view.update(moment(turned(described, 0.3)))
        pictures.append(drawn(view))
        counts.append(len(actors(view.plotter)))
        view.plotter.close()
    assert counts[1] - counts[0] == 3 * 24 - 4  # bodies, letters, arrows; two poles, letters and arrows are left
    # The edge of a triangle may fall on either side of a pixel's middle, mostly of the letters' many small ones.
    assert (np.abs(pictures[0] - pictures[1]).max(axis=-1) > 24).mean() < 3e-3


def test_quaternions_turn_as_the_bases_do() -> None:
    """Half turns too, where the scalar part vanishes."""
    axes = np.random.default_rng(5).normal(size=(40, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    angles = np.concatenate([np.linspace(-3, 3, 20), np.full(20, np.pi)])
    bases = np.array(
        [Orientation(axis=tuple(n), angle=a).matrix().T for n, a in zip(axes.tolist(), angles, strict=True)]
    )
    expected = np.column_stack([np.cos(angles / 2), np.sin(angles / 2)[:, None] * axes])
    found = quaternions(bases)
    assert np.abs(np.abs((found * expected).sum(axis=1)) - 1).max() < 1e-14  # q and -q are one turn


def test_a_clock_that_goes_back_clears_the_trail(plotter: pv.Plotter) -> None:
    view, described = shown(plotter, body("a"))
    fresh = drawn(view)
    for step in range(30):
        view.update(moment(turned(described, 0.03 * step), 0.01 * step))
    assert not np.array_equal(drawn(view), fresh)
    view.update(placed(described))
    assert np.array_equal(drawn(view), fresh)


def test_an_edit_leaves_the_trail_unless_it_moves_what_has_left_it(plotter: pv.Plotter) -> None:
    view, described = shown(plotter, body("a"))
    view.set_visible("shadows", False)  # which are cast every second moment
    for step in range(30):
        last = moment(turned(described, 0.03 * step), 0.01 * step)
        view.update(last)
    trail = drawn(view)
    seen_otherwise = described.model_copy(update={"view": described.view.model_copy(update={"show": ("axes",)})})
    for edited in (scene(body("a", friction=0.1)), seen_otherwise):
        view.show(edited, last, diff=SceneDiff(view.stage.scene, edited))
        view.update(last)
        view.set_visible("axes", False)
        assert np.array_equal(drawn(view), trail)
    moved = scene(body("a", position=(0.0, 0.0, 1e-6)))
    view.show(moved, last, diff=SceneDiff(view.stage.scene, moved))
    view.update(last)
    assert np.abs(drawn(view) - trail).max() > 10


def test_scenes_without_bodies_motion_or_magnets_are_drawn(plotter: pv.Plotter) -> None:
    view, empty = shown(plotter)
    view.update(placed(empty))
    drawn(view)
    view.show(scene(body("fixed", support="fixed")))
    view.reset_camera()
    assert len(magenta(drawn(view))) > 8


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_both_themes_set_a_body_off_from_the_background(plotter: pv.Plotter, theme: str) -> None:
    view, _ = shown(plotter, body("b"))
    view.set_theme(theme)
    picture = drawn(view)
    assert len(magenta(picture)) > 50
    assert (picture.mean() > 128) == (theme == "light")


@pytest.mark.parametrize(
    ("size", "look", "parallel"), sampled(product([(320, 240), (200, 400), (640, 200)], LOOKS, [False, True]), 5)
)
def test_the_camera_keeps_the_whole_swing_in_the_picture(size: tuple[int, int], look: str, parallel: bool) -> None:
    plotter = offscreen(size)
    view, described = shown(plotter, body("b", orientation={"axis": (1, 0, 0), "angle": 1.2}))
    plotter.camera.SetParallelProjection(parallel)
    view.reset_camera(look)
    view.set_visible("trails", False)
    for angle in np.linspace(0, 2 * np.pi, 9):
        c, s = np.cos(angle), np.sin(angle)
        start = placed(described).bodies
        view.update(moment(replace(start, basis=start.basis @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]))))
        rows, columns = magenta(drawn(view)).T
        assert 0 < rows.min() < rows.max() < size[1] - 1
        assert 0 < columns.min() < columns.max() < size[0] - 1
    plotter.close()


@pytest.mark.parametrize("look", LOOKS)
def test_an_orbit_keeps_horizon_and_distance_and_stops_above(plotter: pv.Plotter, look: str) -> None:
    view, _ = shown(plotter, body("b"))
    view.reset_camera(look)
    camera = plotter.camera
    middle, distance = camera.GetFocalPoint(), camera.GetDistance()
    for around, over in [(0.3, 0.2), (1.0, -0.7), (0.0, 9.0), (0.4, -0.1), (-2.0, -9.0), (0.1, 0.1)]:
        orbit(camera, around, over)
        right = np.cross(camera.GetDirectionOfProjection(), camera.GetViewUp())
        assert np.isclose(np.linalg.norm(right), 1.0)
        assert abs(right[2]) < 1e-9
        assert camera.GetViewUp()[2] > -1e-9
        assert camera.GetFocalPoint() == middle
        assert np.isclose(camera.GetDistance(), distance)
