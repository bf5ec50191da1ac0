"""The background, which is copied into the frames that the processor draws."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import pyvista as pv

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.opengl import drawn_by_processor
from polhode_app.viewport.base.palette import THEMES, rgb
from polhode_app.viewport.base.picture import offscreen, pixels
from polhode_app.viewport.environment.background import gradient
from polhode_app.viewport.view import SceneView

SIZE = (300, 200)


@pytest.fixture
def view() -> Iterator[SceneView]:
    """A scene with nothing in it, in a window of one sample per pixel, as in windows that the processor draws."""
    plotter = offscreen(SIZE)
    made = SceneView(plotter, Meshes())
    made.show(Scene())
    plotter.render_window.SetMultiSamples(0)
    yield made
    made.close()
    plotter.close()


def drawn(view: SceneView) -> np.ndarray:
    """(h, w, 3) pixels of a frame, top row first."""
    view.plotter.render_window.Render()
    return pixels(view.plotter).astype(int)


def drawn_by_vtk(view: SceneView) -> np.ndarray:
    """The same with VTK's own gradient, which it draws into windows of more than one sample per pixel."""
    view.plotter.render_window.SetMultiSamples(4)
    found = drawn(view)
    view.plotter.render_window.SetMultiSamples(0)
    return found


def test_the_copied_background_is_the_gradient_of_vtk(view: SceneView) -> None:
    view.set_visible("ground", False)
    view.hide_annotations()
    copied = drawn(view)
    if not drawn_by_processor(view.plotter.render_window):
        pytest.skip("a graphics card draws gradients for nothing")
    assert view.plotter.renderer.GetPreserveColorBuffer()
    ours = drawn_by_vtk(view)
    assert not view.plotter.renderer.GetPreserveColorBuffer()
    assert np.abs(copied - ours).max() <= 1  # both are dithered


def test_the_background_follows_theme_and_size(view: SceneView) -> None:
    drawn(view)
    view.set_theme("light")
    view.plotter.window_size = 420, 150
    frame = drawn(view)
    assert frame.shape == (150, 420, 3)
    assert frame[0, 5] == pytest.approx(255 * np.array(rgb(THEMES["light"].top)), abs=2)
    assert frame[-1, 5] == pytest.approx(255 * np.array(rgb(THEMES["light"].bottom)), abs=2)


def test_things_leave_no_trace_in_later_frames(view: SceneView) -> None:
    empty = drawn(view)
    view.plotter.add_mesh(pv.Sphere(radius=0.3), name="ball", reset_camera=True)
    assert np.abs(drawn(view) - empty).max() > 50
    view.plotter.remove_actor("ball")
    view.plotter.renderer.GetActiveCamera().SetPosition(0.0, 0.0, 900.0)  # the ground is far
    view.set_visible("ground", False)
    left = drawn(view)[:, 100:280]
    assert np.ptp(left, axis=1).max() <= 1  # rows of one colour


def test_transparent_pictures_have_no_background(view: SceneView) -> None:
    drawn(view)
    view.plotter.render_window.SetAlphaBitPlanes(1)
    view.hide_background()
    view.hide_annotations()
    drawn(view)
    assert not pixels(view.plotter, True)[..., 3].any()


def test_high_quality_draws_its_own_background(view: SceneView) -> None:
    """Its passes draw into framebuffers of their own."""
    usual = drawn(view)
    view.set_quality("high")
    assert np.abs(drawn(view) - usual).mean() < 3
    view.set_quality("low")
    assert np.abs(drawn(view) - usual).max() <= 1


def test_the_mean_of_a_gradient_is_linear() -> None:
    rows = gradient((0.1, 0.2, 0.3), (0.2, 0.25, 0.35), 640, 401)
    assert rows.shape == (401, 640, 4)
    assert rows[200, :, :3].mean(axis=0) == pytest.approx(255 * np.array([0.15, 0.225, 0.325]), abs=0.15)
    assert (rows[..., 3] == 255).all()


def scenery_of(name: str) -> Iterator[SceneView]:
    """The built-in scene `name`, drawn as in windows that the processor draws."""
    plotter = offscreen(SIZE)
    made = SceneView(plotter, Meshes())
    made.show(read_scene(gallery.path(name)))
    made.reset_camera()
    plotter.render_window.SetMultiSamples(0)
    drawn(made)
    if not drawn_by_processor(plotter.render_window):
        made.close()
        plotter.close()
        pytest.skip("a graphics card draws everything in each frame")
    yield made
    made.close()
    plotter.close()


bench = pytest.fixture(lambda: (yield from scenery_of("course_5_double_pendulum")), name="bench")
SCENES = ("course_5_double_pendulum", "falling_duck", "helix_slide", "rolling_10_two_spheres")


def is_copied(view: SceneView) -> bool:
    """Whether the last frame began with a picture of what is still."""
    return bool(view.plotter.renderer.GetPreserveDepthBuffer())


@pytest.mark.parametrize("name", SCENES)
def test_a_copied_place_is_the_drawn_one_to_the_pixel(name: str) -> None:
    """Floors, walls, places and the edges of walls; things in front of and behind them have the same depths."""
    for view in scenery_of(name):
        view.set_visible("shadows", False)  # translucent, and drawn in another order
        fresh = drawn(view)
        assert not is_copied(view)
        kept, copied = drawn(view), drawn(view)
        assert is_copied(view)
        assert (kept == fresh).all()
        assert (copied == fresh).all()


def test_metal_at_rest_reflects_in_every_frame(bench: SceneView) -> None:
    """It would be black in the picture of what is still, which is drawn without surroundings."""
    drawn(bench)
    plain = drawn(bench)
    bench.set_quality("medium")
    bench.set_visible("shadows", False)
    fresh = drawn(bench)
    for _ in range(3):
        later = drawn(bench)
    assert is_copied(bench)
    assert np.abs(fresh - plain).max() > 20  # there is metal
    assert (later == fresh).all()


def test_a_copied_place_follows_camera_theme_and_switch(bench: SceneView) -> None:
    for change in (
        lambda: bench.plotter.renderer.GetActiveCamera().Azimuth(20),
        lambda: bench.set_theme("light"),
        lambda: bench.set_visible("place", False),
    ):
        before = [drawn(bench) for _ in range(3)][-1]
        change()
        fresh = drawn(bench)
        later = [drawn(bench) for _ in range(3)][-1]
        assert np.abs(fresh - before).max() > 20
        assert (later == fresh).all()


def test_places_are_visible_between_frames(bench: SceneView) -> None:
    """Picking, bounds and exports take them from the scene; the renderer alone leaves them out."""
    for _ in range(3):
        drawn(bench)
    assert is_copied(bench)
    assert all(actor.GetVisibility() for actor in bench.views["place"].scenery)


def test_a_run_keeps_the_copied_place(bench: SceneView) -> None:
    """The clipping range has round values, so that depths stay while things move."""
    assert bench.stage is not None
    simulation = Simulation(bench.stage.scene)
    copied = 0
    for _ in range(60):
        simulation.advance(1 / 60)
        bench.update(simulation.snapshot())
        drawn(bench)
        copied += is_copied(bench)
    assert copied > 50
