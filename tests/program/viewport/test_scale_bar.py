"""The scale bar: a round length, as long in the picture as things at the depth that the camera looks at."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode_app.viewport.base.camera import in_picture
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.environment.scale_bar import LONGEST, length_text, rounded_down
from polhode_app.viewport.view import SceneView


@pytest.mark.parametrize("zoom", [1.0, 3.7])
def test_the_bar_is_as_long_as_a_thing_of_its_length(zoom: float) -> None:
    plotter = offscreen((400, 300))
    view = SceneView(plotter, Meshes())
    try:
        view.show(read_scene(gallery.path("heavy_top")))
        view.reset_camera()
        camera = plotter.renderer.GetActiveCamera()
        camera.Dolly(zoom)
        plotter.render_window.Render()
        bar = view.views["ground"]._bar
        length, drawn = bar._drawn[0], float(np.ptp(np.asarray(bar._line.points)[:, 0]))
        focus, ahead = np.array(camera.GetFocalPoint()), np.array(camera.GetDirectionOfProjection())
        right = np.cross(ahead, camera.GetViewUp())
        right /= np.linalg.norm(right)
        ends = [in_picture(plotter.renderer, focus + side * length / 2 * right)[0] for side in (-1, 1)]
        text = bar._text.GetInput()
    finally:
        view.close()
        plotter.close()
    assert drawn == pytest.approx((ends[1] - ends[0]) * 400 / 2, abs=0.5)  # [pixel]
    assert LONGEST / 2.5 * 400 * 0.99 < drawn <= LONGEST * 400 * 1.01  # round numbers are at most 2.5 apart
    assert text == length_text(length)


def test_round_lengths_are_1_2_or_5_times_a_power_of_ten() -> None:
    assert [rounded_down(number) for number in (0.0199, 0.02, 0.051, 9.9, 10.0)] == pytest.approx(
        [0.01, 0.02, 0.05, 5.0, 10.0]
    )
