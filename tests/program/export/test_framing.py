"""Cameras of the built-in scenes frame what moves."""

from __future__ import annotations

import numpy as np
import pytest
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode.scene import gallery
from polhode_app.export.framing import (
    HEIGHT,
    HORIZON,
    WIDTH,
    SweptPoints,
    covered,
    inside,
    is_framed,
    opened,
    place,
    stated,
    sweep_of,
)
from polhode_app.viewport.base.camera_animation import pose_at, set_camera

QUICK = ("heavy_top", "course_2_damper", "rolling_4_rolling_in_a_bowl", "polhode")


def check(name: str) -> None:
    """Moving items sweep half of the height of the picture, or 0.8 of its width, in the first HORIZON."""
    view, simulation = opened(name)
    try:
        assert view.stage is not None
        sweep = sweep_of(view.stage, simulation)
        high, wide = covered(view.plotter.renderer.GetActiveCamera(), sweep.until(HORIZON))
    finally:
        view.close()
        view.plotter.close()
    assert high >= HEIGHT or wide >= WIDTH, f"{name} sweeps {high:.2f} of the height and {wide:.2f} of the width"


@pytest.mark.parametrize("name", QUICK)
def test_what_moves_fills_the_picture(name: str) -> None:
    check(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in gallery.scene_names() if name not in QUICK])
def test_what_moves_fills_the_picture_of_every_scene(name: str) -> None:
    check(name)


BOWLS = ("rolling_2_frictionless_bowl", "rolling_4_rolling_in_a_bowl", "rolling_6_sliding_in_a_bowl")


@pytest.mark.parametrize("name", BOWLS)
def test_bowls_do_not_touch_the_edges_of_their_pictures(name: str) -> None:
    view, simulation = opened(name)
    try:
        assert view.stage is not None
        still = sweep_of(view.stage, simulation, 0.1).still
        high, wide = covered(view.plotter.renderer.GetActiveCamera(), 1.03 * still)
        assert inside(view.plotter.renderer.GetActiveCamera(), 1.03 * still) == 1
    finally:
        view.close()
        view.plotter.close()
    assert max(high, wide) > 0.8


def swing(still: np.ndarray) -> SweptPoints:
    """A ball of 0.2 m that moves along x from -0.5 m to 0.5 m, beside points that stand still."""
    ball = 0.1 * np.vstack([np.eye(3), -np.eye(3)])
    moving = ball + np.linspace(-0.5, 0.5, 11)[:, None, None] * [1.0, 0.0, 0.0]
    return SweptPoints(np.linspace(0, HORIZON, 11), moving, still, 0.2)


def test_what_stands_still_is_left_out_where_it_is_far_away() -> None:
    near, far = vtkCamera(), vtkCamera()
    place(near, swing(np.array([[0.0, 0.0, 0.3]])))
    place(far, swing(np.array([[0.0, 0.0, 30.0]])))
    for camera in (near, far):
        assert is_framed(camera, swing(np.zeros((0, 3))).until(HORIZON))
    assert far.GetDistance() < 1.5 * near.GetDistance()


def test_a_stated_camera_sees_the_same() -> None:
    camera, again = vtkCamera(), vtkCamera()
    sweep = swing(np.array([[0.0, 0.0, 0.3]]))
    place(camera, sweep)
    again.SetViewAngle(camera.GetViewAngle())
    set_camera(again, pose_at(stated(camera)))
    points = sweep.until(HORIZON)
    assert covered(again, points) == pytest.approx(covered(camera, points), abs=0.01)
