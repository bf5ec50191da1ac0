"""The background, which is copied into the frames that the processor draws."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import pyvista as pv

from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
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
