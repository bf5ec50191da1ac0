"""Views that are off until requested: field lines, field slice, polhode, axes, and which parts request them."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
import reference
from meaning import Meaning
from PySide6.QtCore import QSettings

from polhode.mesh.mesh import Meshes
from polhode.physics.magnets import field_in_space
from polhode.scene import gallery
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.scene.scene_writing import write_scene
from polhode.simulation.ghost_runs import ghost_scene
from polhode.simulation.simulation import Simulation
from polhode_app.export.video import render
from polhode_app.jobs import Job
from polhode_app.session.settings import Settings
from polhode_app.viewport.base.color_map import COLORS, color_map
from polhode_app.viewport.base.picture import pixels
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.field.field_lines import LATE, OLD, FieldLinesView, drawn, plan
from polhode_app.viewport.field.field_slice import CELLS, DECADES, GRID, cut, cut_through
from polhode_app.viewport.field.streamline_seeds import LINES, seeds
from polhode_app.viewport.registry import ON_REQUEST
from polhode_app.viewport.vectors.polhode import MOMENTUM, figures
from polhode_app.viewport.view import SceneView
from scenes import scene

BOX = {"kind": "cuboid", "size": (0.06, 0.10, 0.03), "mass": 0.2}
PATIENCE = 120.0  # [s] the first time of all the kernels are compiled


def box(name: str = "box", **more: object) -> dict[str, object]:
    return {"name": name, "position": (0, 0, 0.2), "shape": [BOX], "support": "free", **more}


HILL = {"kind": "parabola", "coefficient": -3.0, "range": (-0.12, 0.12), "position": (0.1, 0.2, 0.3)}
FLYING = {
    "name": "bead",
    "radius": 0.02,
    "path": HILL,
    "parameter": -0.1,
    "speed": 2.0,
}  # faster than a track below holds
MAGNET = [{"moment": (0.3, 0.0, 1.0)}]
SPINNING = box(angular_velocity=(0.3, 0.2, 9.0), dipole=MAGNET)
STANDING = box("standing", position=(0.3, 0, 0.2), support="fixed", dipole=[{"moment": (0, 0, -2.0)}])


def scene_in_field(*bodies: dict[str, object], **more: object) -> Scene:
    """Bodies without gravity in a uniform magnetic field."""
    world = {"gravity": (0, 0, 0), "magnetic_field": {"value": (0, 0, 1e-4)}}
    return scene(*bodies, **{"world": world, **more})


def shown(plotter: pv.Plotter, described: Scene, **more: object) -> tuple[SceneView, Simulation]:
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), **{"patient": True, **more})
    view.show(described, simulation.snapshot(forces=True), compiled=simulation.compiled)
    view.reset_camera()
    return view, simulation


def staged(plotter: pv.Plotter, described: Scene) -> tuple[Stage, Simulation]:
    view, simulation = shown(plotter, described)
    assert view.stage is not None
    return view.stage, simulation


def picture(view: SceneView) -> np.ndarray:
    view.plotter.render_window.Render()
    return pixels(view.plotter).astype(int)


def test_what_nobody_asked_for_is_not_drawn_and_its_switch_brings_and_takes_it(plotter: pv.Plotter) -> None:
    stretched = {"from": {"body": "box"}, "to": (0, 0, 0.5), "stiffness": 1.0, "rest_length": 0.1}
    # It has force, torque and acceleration.
    held = {"name": "pin", "kind": "hinge", "first": "box", "anchor": (0.05, 0, 0.2), "axis": (0, 1, 0)}
    described = scene_in_field(SPINNING, STANDING, spring=[stretched], bead=[FLYING], joint=[held])
    view, simulation = shown(plotter, described)
    view.set_visible("trails", False)
    assert not any(view.visible[name] for name in ON_REQUEST)
    of_their_own = {"hulls", "eddy_current_heat", "field_at_iron"}  # tests, with a mesh, metal and iron
    for name in sorted(ON_REQUEST - of_their_own):
        off = picture(view)
        view.set_visible(name)
        on = picture(view)
        assert (np.abs(on - off).max(axis=2) > 10).sum() > 50, name
        simulation.advance(0.05)
        view.update(simulation.snapshot(forces=True))
        assert not np.array_equal(picture(view), on), name  # it moves
        view.set_visible(name)
        # the bodies have moved, the rest is as it was
        assert (np.abs(picture(view) - off).max(axis=2) > 10).mean() < 0.2, name


def test_an_update_makes_no_actor_with_everything_on(plotter: pv.Plotter) -> None:
    view, simulation = shown(plotter, scene_in_field(SPINNING, STANDING), switches=dict.fromkeys(ON_REQUEST, True))
    before = list(plotter.renderer.GetViewProps())
    for _ in range(5):
        simulation.advance(0.02)
        view.update(simulation.snapshot())
    assert list(plotter.renderer.GetViewProps()) == before


@pytest.mark.parametrize("bodies", [[], [box()], [box(support="fixed")]], ids=["empty", "free", "fixed"])
def test_scenes_without_magnets_bodies_or_physics_are_drawn_with_everything_on(
    plotter: pv.Plotter, bodies: list[dict[str, object]]
) -> None:
    described = scene_in_field(*bodies)
    view, simulation = shown(plotter, described, switches=dict.fromkeys(ON_REQUEST, True))
    first, plain = picture(view), SceneView(pv.Plotter(off_screen=True, window_size=plotter.window_size), Meshes())
    plain.show(described, simulation.snapshot(), compiled=simulation.compiled)
    plain.plotter.camera.DeepCopy(view.plotter.camera)
    plain.plotter.renderer.camera_set = True
    assert (first != picture(plain)).any()  # the field, if nothing else
    plain.plotter.close()
    view.show(described)  # before the physics is there
    assert len(np.unique(picture(view).reshape(-1, 3), axis=0)) > 1
    view.show(described, simulation.snapshot(forces=True), compiled=simulation.compiled)
    assert (picture(view) == first).all()


# Field lines


def test_where_there_is_no_field_no_slice_of_it_is_drawn(plotter: pv.Plotter) -> None:
    view, _ = shown(plotter, scene_in_field(box(), world={"gravity": (0, 0, 0)}))
    before = picture(view)
    view.set_visible("field_slice", True)
    assert (picture(view) == before).all()


def test_every_line_begins_at_a_pole_or_afar_and_none_is_drawn_twice(plotter: pv.Plotter) -> None:
    stage, simulation = staged(plotter, scene_in_field(SPINNING, STANDING))
    made, now = plan(stage), simulation.snapshot()
    result = drawn(made, now, field_in_space)
    lines = result.points.reshape(made.count, field_in_space.POINTS, 3).astype(float)
    opaque = result.colors.reshape(made.count, field_in_space.POINTS, 4)[..., 3]
    assert np.isfinite(lines).all()
    of, spheres = made.seeds, now.bodies.position  # both magnets are in the origins of their bodies
    own = len(of.body)
    assert np.linalg.norm(lines[:own, 0] - spheres[of.body], axis=1) == pytest.approx(of.radius[of.body], rel=1e-5)
    seen = opaque.max(axis=1) > 0
    ends = np.linalg.norm(lines[:, -1] - stage.center, axis=1) > 1.3 * stage.radius
    backwards = seen[:own] & (of.sense < 0)
    assert backwards.any()
    assert ends[:own][backwards].all()  # those that came from a north pole are drawn from there
    assert seen[:own][of.sense > 0].any()


def test_lines_carry_equal_shares_of_the_flux(plotter: pv.Plotter) -> None:
    """The flux of a dipole through a cap of half angle t goes as sin^2 t: the rings of seeds stand in even steps."""
    stage, _ = staged(plotter, scene_in_field(box(dipole=[{"moment": (0, 0, 1.0)}])))
    of = seeds(stage)
    place = of.position[of.sense > 0] / of.radius[0]
    sine_square = np.unique(np.round(place[:, 0] ** 2 + place[:, 1] ** 2, 9))
    assert np.diff(sine_square) == pytest.approx(2 * sine_square[0], rel=1e-6)
    assert (place[:, 2] > 0).all()
    assert place.sum(axis=0)[:2] == pytest.approx([0, 0], abs=1e-9)  # symmetric about the axis


SHAPES = [
    {"kind": "cuboid", "size": (0.012, 0.012, 0.08)},
    {"kind": "cylinder", "radius": 0.02, "length": 0.01},
    {"kind": "torus", "radius": 0.02, "tube_radius": 0.005},
    {"kind": "tube", "radius": 0.02, "inner_radius": 0.015, "length": 0.05},
    {"kind": "mesh", "file": str(Path(__file__).parents[3] / "meshes/horseshoe_magnet.stl"), "scale": 0.001},
]


def test_lines_begin_and_end_at_the_outside_of_filled_magnets(plotter: pv.Plotter) -> None:
    """They begin on the spheres of the magnet's own dipoles, behind none of them, and as many at each pole."""
    remanence = {"remanence": (0.3, 0, 1.0)}
    bodies = [
        {"name": str(k), "position": (0.2 * k, 0, 0.1), "shape": [{**shape, "mass": 0.1, "magnet": remanence}]}
        for k, shape in enumerate(SHAPES)
    ]
    stage, simulation = staged(plotter, scene_in_field(*(body | {"support": "fixed"} for body in bodies)))
    made, now = plan(stage), simulation.snapshot()
    of = made.seeds
    result = drawn(made, now, field_in_space)
    lines = result.points.reshape(made.count, field_in_space.POINTS, 3).astype(float)
    length = np.linalg.norm(np.diff(lines, axis=1), axis=2).sum(axis=1)
    for body, magnets in enumerate(simulation.compiled.magnets):
        assert len(magnets.size) > 10
        assert of.center[of.magnet == body] == pytest.approx(magnets.position)
        here, axis = of.body == body, magnets.moment.sum(axis=0) / np.linalg.norm(magnets.moment.sum(axis=0))
        assert (of.sense[here] > 0).sum() == (of.sense[here] < 0).sum() > 0
        apart = np.linalg.norm(of.position[here][:, None] - magnets.position, axis=2) / magnets.size
        assert apart.min(axis=1) == pytest.approx(np.ones(here.sum()), rel=1e-6)  # one part in 1e6 of a radius
        outward = (of.position[here][:, None] - magnets.position) @ axis * of.sense[here][:, None]
        assert (outward[apart < 1 + 1e-6] > 0).all()
        leaving = length[: len(of.body)][here & (of.sense > 0)]
        assert leaving.max() > 0.02  # it goes farther than the magnets are thick


def test_the_number_of_lines_is_bounded(plotter: pv.Plotter) -> None:
    many = [box(f"b{k}", position=(k % 10, k // 10, 0), dipole=MAGNET) for k in range(100)]
    stage, _ = staged(plotter, scene_in_field(*many))
    assert 200 <= len(seeds(stage).body) <= 1.2 * LINES


# Field slice


def test_the_slice_has_the_colours_of_the_field(plotter: pv.Plotter) -> None:
    stage, simulation = staged(plotter, scene_in_field(SPINNING, STANDING))
    plane, now, colors = cut_through(stage), simulation.snapshot(), color_map()
    of = field_in_space.sources(
        simulation.compiled.model, simulation.compiled.inputs, now.bodies.position, now.bodies.basis, 0.0
    )
    made = cut(plane, colors, now, field_in_space)
    for number in (7 * CELLS + 30, 60 * CELLS + 80):
        flux = reference.total_field(plane.points(GRID)[number], of.position, of.moment, of.uniform, of.permeability)
        share = (np.log10(np.linalg.norm(flux)) - plane.bottom) / DECADES
        expected = colors[int(np.clip(share, 0, 1) * (COLORS - 1))]
        assert np.abs(made.pixels.reshape(-1, 4)[number, :3].astype(int) - expected).max() <= 2  # a step of the table
    assert np.linalg.norm(plane.across @ np.cross(*plane.across)) < 1e-12
    assert np.isfinite(made.filings).all()


def test_the_colours_grow_lighter_for_every_kind_of_colour_vision() -> None:
    """Without red or green cones light is what the others see: a sum of linear parts (Vienot, Brettel, Mollon 1999)."""
    linear = (color_map() / 255.0) ** 2.2
    for weights in ((0.2126, 0.7152, 0.0722), (0.1124, 0.8150, 0.0726), (0.2928, 0.6345, 0.0727)):
        assert (np.diff(linear @ np.array(weights)) > -2e-3).all()
        assert np.ptp(linear @ np.array(weights)) > 0.6


# Polhode


@pytest.mark.parametrize("interval", [0.01, 0.06])  # [s] between frames, in which the body turns by up to 0.6 rad
def test_the_polhode_lies_on_both_ellipsoids(plotter: pv.Plotter, interval: float) -> None:
    """x.I.x = c, and for a free body |I x|^2 = c L^2/(2 T), both constant: the curve is where two ellipsoids meet.

    The points between two frames are on the first exactly (the points are float32), on the second up to the error of a
    cubic; chords would miss it by the square of the angle between two frames, 0.6^2/8 = 5 %.
    """
    described = scene_in_field(box(angular_velocity=(0.3, 9.0, 4.0)), solver={"time_step": 1e-3})
    view, simulation = shown(plotter, described, switches={"polhode": True})
    (figure,) = figures(view.stage)
    for _ in range(round(1.2 / interval)):
        simulation.advance(interval)
        view.update(simulation.snapshot())
    curve = view.views["polhode"].curves[0].astype(float)
    assert np.einsum("ni,ij,nj->n", curve, figure.inertia, curve) == pytest.approx(figure.scale, rel=1e-5)
    now = simulation.snapshot()
    of_motion = np.sum(now.bodies.angular_momentum[0] ** 2) / (2 * now.energy.kinetic)
    of_curve = np.sum((curve @ figure.inertia) ** 2, axis=1) / figure.scale
    assert of_curve == pytest.approx(of_motion, rel=2e-3)
    assert np.linalg.norm(np.diff(curve, axis=0), axis=1).sum() > figure.longest  # it has gone a long way


def test_paths_of_the_angular_momentum_are_those_of_the_body_and_of_its_ghost(plotter: pv.Plotter) -> None:
    """On a sphere in the frame of each body; moments that are not drawn extend the paths, too."""
    view = SceneView(plotter, Meshes(), patient=True, switches={"polhode": True})
    scene = read_scene(gallery.path("polhode"))
    runs = [Simulation(scene), Simulation(ghost_scene(scene, scene.ghost[0]))]
    view.show(scene, runs[0].snapshot(), [runs[1].snapshot()], runs[0].compiled)
    (figure,) = figures(view.stage)
    for k in range(100):
        for run in runs:
            run.advance(0.02)
        (view.follow if k % 2 else view.update)(runs[0].snapshot(), [runs[1].snapshot()])
    (curves,) = view.views["polhode"].momentum_curves
    for run, curve in zip(runs, curves, strict=True):
        assert np.linalg.norm(curve, axis=1) == pytest.approx(MOMENTUM * figure.longest, rel=1e-5)
        bodies = run.snapshot().bodies
        momentum = bodies.basis[0] @ bodies.angular_momentum[0]
        assert curve[-1] / np.linalg.norm(curve[-1]) == pytest.approx(momentum / np.linalg.norm(momentum), abs=1e-5)
        assert np.linalg.norm(np.diff(curve, axis=0), axis=1).sum() > 2 * figure.longest


def test_the_ellipsoid_encloses_its_body(plotter: pv.Plotter) -> None:
    stage, _ = staged(plotter, scene_in_field(box()))
    (figure,) = figures(stage)
    along = stage.solids[0].points @ figure.axes / figure.half_axes
    assert (along**2).sum(axis=1).max() == pytest.approx(1.0)
    assert figure.half_axes[::-1] == pytest.approx(np.sort(figure.half_axes))  # least inertia: longest


def test_polhodes_are_drawn_of_bodies_that_turn_freely_the_free_ones_first(plotter: pv.Plotter) -> None:
    supports = ["fixed", "pivot", "pivot", "free", "pivot", "driven"]
    bodies = [box(f"b{k}", position=(k, 0, 0), support=support) for k, support in enumerate(supports)]
    stage, _ = staged(plotter, scene_in_field(*bodies))
    assert [figure.number for figure in figures(stage)] == [3, 1, 2]


# Who asks


def test_a_scene_asks_for_views_and_the_switch_wins(plotter: pv.Plotter) -> None:
    asking = scene_in_field(SPINNING, view={"show": ["axes", "polhode"]})
    view, _ = shown(plotter, asking)
    assert view.visible["axes"]
    assert view.visible["polhode"]
    view.set_visible("axes", False)
    view.show(asking)
    assert not view.visible["axes"]
    view.show(scene_in_field(SPINNING))
    assert not view.visible["polhode"]
    view.set_visible("field_lines", True)
    view.set_visible("trails", False)
    assert view.remembered == {"field_lines": True, "trails": False}


def test_switches_are_remembered(tmp_path: Path) -> None:
    file = str(tmp_path / "settings.ini")
    for switches in ({"trails": False, "polhode": True}, {"axes": True, "field_lines": True}, {}):
        store = QSettings(file, QSettings.Format.IniFormat)
        Settings(store).switches = switches
        store.sync()
        assert Settings(QSettings(file, QSettings.Format.IniFormat)).switches == switches


def test_an_unknown_view_is_refused_with_its_place_and_a_guess(tmp_path: Path) -> None:
    file = tmp_path / "scene.toml"
    file.write_text('format = 1\n[view]\nshow = ["polhode", "field_line"]\n')
    with pytest.raises(InputError) as refused:
        read_scene(file)
    (problem,) = refused.value.problems
    assert problem.place == "view.show[1]"
    assert Meaning("view.show[1]", near="field_lines").of(problem)


def test_a_scene_file_keeps_what_it_asks_for(tmp_path: Path) -> None:
    described = scene_in_field(SPINNING, view={"show": ["polhode"]})
    write_scene(described, tmp_path / "scene.toml")
    assert read_scene(tmp_path / "scene.toml").view.show == ("polhode",)


def test_films_and_pictures_show_what_the_scene_asks_for(tmp_path: Path) -> None:
    seen = []
    for show in ([], ["field_lines", "field_slice", "polhode"]):
        out = tmp_path / f"{len(show)}.png"
        render(scene_in_field(SPINNING, STANDING, view={"show": show}), 0.1, out, (320, 240))
        seen.append(np.asarray(pv.read(out).point_data.active_scalars).astype(int))
    assert (np.abs(seen[1] - seen[0]).max(axis=1) > 10).mean() > 0.02


# The job


def wait(condition: object) -> None:
    end = time.perf_counter() + PATIENCE
    while not condition():
        assert time.perf_counter() < end, "it never came"
        time.sleep(0.002)


def test_the_newest_order_of_each_name_is_done_in_a_thread_of_its_own() -> None:
    job, begun, go = Job("field"), threading.Event(), threading.Event()

    def slow(_: object) -> str:
        begun.set()
        go.wait(PATIENCE)
        return threading.current_thread().name

    job.add(slow, "a")
    wait(begun.is_set)
    done: list[int] = []
    for number in range(5):
        job.add(lambda _, number=number: done.append(number) or number, "a")
        job.add(lambda _, number=number: done.append(10 + number) or 10 + number, "b")
    assert not job.has_results
    go.set()
    wait(lambda: len(done) == 2)
    wait(lambda: len(job._results) == 2)
    assert sorted(done) == [4, 14]
    assert job.poll("a") == 4
    assert job.poll("a") is None
    assert job.poll("b") == 14
    assert job.poll("b") is None
    job.close()
    assert "field" not in [thread.name for thread in threading.enumerate()]


def test_no_thread_and_no_compiler_is_needed_before_the_physics_is_there(plotter: pv.Plotter) -> None:
    view = SceneView(plotter, Meshes(), switches=dict.fromkeys(ON_REQUEST, True))
    view.show(scene_in_field(SPINNING))
    view.set_visible("trails", False)
    assert not view.job.is_running
    loaded = "import sys, polhode_app.viewport.view; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_lines_that_come_late_are_drawn_though_nothing_moves(plotter: pv.Plotter) -> None:
    simulation, go = Simulation(scene_in_field(SPINNING)), threading.Event()
    view = SceneView(plotter, Meshes(), switches={"field_lines": True})
    view.job.add(lambda _: go.wait(PATIENCE), "before")
    view.show(simulation.scene, simulation.snapshot(), compiled=simulation.compiled)
    view.reset_camera()
    before = picture(view)
    go.set()
    wait(lambda: view.job.poll("before"))
    wait(view.catch_up)
    assert not np.array_equal(picture(view), before)
    time.sleep(0.1)
    assert not view.catch_up()  # and then there is rest
    view.close()


def test_field_lines_that_lag_behind_the_magnets_are_dimmed(plotter: pv.Plotter) -> None:
    view, simulation = shown(plotter, scene_in_field(SPINNING), patient=False, switches={"field_lines": True})
    lines, release = view.views["field_lines"], threading.Event()
    assert isinstance(lines, FieldLinesView)

    def opacity() -> float:
        return float(lines._actor.GetProperty().GetOpacity())

    try:
        view.job.wait(PATIENCE)
        view.update(simulation.snapshot())
        assert lines._ready is not None
        assert opacity() == 1.0
        view.job.wait(PATIENCE)
        view.job.rest = 0.0
        view.job.add(lambda _check: release.wait(PATIENCE) and None)  # a computer that is busy
        simulation.advance(0.2)
        time.sleep(1.5 * LATE)
        view.update(simulation.snapshot())
        assert opacity() == OLD
        release.set()
        end = time.monotonic() + PATIENCE
        while opacity() < 1.0 and time.monotonic() < end:
            view.update(view.now)
            time.sleep(0.01)
        assert opacity() == 1.0
    finally:
        release.set()
        view.close()
