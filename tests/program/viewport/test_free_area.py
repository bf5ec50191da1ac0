"""The shift of a picture into the part of the view that a card leaves free."""

from __future__ import annotations

import numpy as np
import pytest
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode_app.viewport.base.camera import frame
from polhode_app.viewport.base.camera_animation import ASPECT, NO_SHIFT, WHOLE, beside


def seen(camera: vtkCamera, points: np.ndarray, aspect: float) -> np.ndarray:
    """(n, 2) places of points (n, 3) in the picture, -1 to 1, with the camera's own projection matrix."""
    matrix = camera.GetCompositeProjectionTransformMatrix(aspect, -1, 1)
    rows = np.array([[matrix.GetElement(i, j) for j in range(4)] for i in range(4)])
    clip = np.column_stack([points, np.ones(len(points))]) @ rows.T
    return clip[:, :2] / clip[:, 3:]


@pytest.mark.parametrize("aspect", [0.8, 1.0, 1.25, 1.7, 2.6])
@pytest.mark.parametrize(("left", "bottom"), [(0.3, 0.2), (0.5, 0.4), (0.2, 0.05), (0.45, 0.7)])
def test_what_is_framed_is_beside_the_card(aspect: float, left: float, bottom: float) -> None:
    """Framed for the whole picture, as by the camera of a scene, or for the area, as by `look_at`."""
    points = np.random.default_rng(3).uniform(-1, 1, (60, 3)) * [1.0, 1.0, 0.4]
    area, camera = beside(left, bottom, aspect), vtkCamera()
    for framed in (ASPECT, area.aspect(aspect)):
        frame(camera, points, framed)
        area.shift(aspect).apply(camera)
        x, y = (seen(camera, points, aspect).T + 1) / 2
        assert np.all((x > area.left) & (x < area.right) & (y > area.bottom) & (y < area.top))
        assert np.all((x > left) | (y < bottom))


def test_a_wide_view_is_shifted_only() -> None:
    """Where the area beside the card is as wide as what cameras frame, nothing becomes smaller."""
    shift = beside(0.2, 0.5, 2.0).shift(2.0)
    assert shift.scale == 1.0
    assert shift.x == pytest.approx(0.2)
    assert shift.y == 0.0


def test_without_a_card_the_projection_is_that_of_the_camera() -> None:
    camera, plain = vtkCamera(), vtkCamera()
    beside(0.4, 0.2, 1.3).shift(1.3).apply(camera)
    assert WHOLE.shift(1.3) == NO_SHIFT
    WHOLE.shift(1.3).apply(camera)
    points = np.random.default_rng(1).uniform(-0.2, 0.2, (5, 3))
    assert np.array_equal(seen(camera, points, 1.3), seen(plain, points, 1.3))


def test_it_glides_and_arrives() -> None:
    end = beside(0.4, 0.2, 1.3).shift(1.3)
    middle = NO_SHIFT.towards(end, 0.5)
    assert middle.x == pytest.approx(end.x / 2)
    assert NO_SHIFT.towards(end, 1.0) == end
