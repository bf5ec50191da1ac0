"""Departures from the picture: reported once, and in no built-in scene within its first ten seconds."""

from __future__ import annotations

import numpy as np
import pytest
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode.scene import gallery
from polhode_app.export.framing import ASPECT, HORIZON, opened
from polhode_app.viewport.base.camera import clip_matrix
from polhode_app.viewport.picking.picture_watch import INSIDE, OUTSIDE, SIGNS, PictureWatch, Presence, reach, unseen

LOOK = 0.25  # [s] between two looks
QUICK = ("heavy_top", "bead_cradle", "course_8_floor")


@pytest.fixture
def clip() -> np.ndarray:
    """The picture of a camera 10 m before the origin, 2 m high there and 4 m wide."""
    camera = vtkCamera()
    camera.SetPosition(0, -10, 0)
    camera.SetFocalPoint(0, 0, 0)
    camera.SetViewUp(0, 0, 1)
    camera.SetViewAngle(float(np.degrees(2 * np.arctan(0.1))))
    return clip_matrix(camera, 2.0)


@pytest.mark.parametrize(
    ("middle", "half", "is_hidden"),
    [
        ((0, 0, 0), 0.1, False),
        ((1.95, 0, 0), 0.1, False),  # across the edge
        ((2.2, 0, 0), 0.1, True),
        ((0, 0, -1.2), 0.1, True),
        ((0, 0, 0), 30.0, False),  # around the camera and the picture
        ((0, -20, 0), 0.1, True),  # behind the camera
        ((0, 1e4, 0), 0.1, True),  # too small to be seen
    ],
)
def test_a_box_is_unseen_outside_of_the_picture(
    clip: np.ndarray, middle: tuple[float, ...], half: float, is_hidden: bool
) -> None:
    assert unseen((np.array(middle) + half * SIGNS)[None], clip)[0] == is_hidden


def test_a_box_reaches_from_the_middle_to_its_farthest_corner(clip: np.ndarray) -> None:
    flat = np.array([1.0, 0.0, 1.0]) * SIGNS
    np.testing.assert_allclose(reach(np.array([0.5 * flat, 2.0 * flat]), clip), [0.5, 2.0])
    assert reach((20 * SIGNS)[None], clip)[0] == np.inf


def reports(presence: Presence, is_in: bool, start: float, length: float) -> list[float]:
    """Wall times [s] at which a departure is reported."""
    return [wall for wall in np.arange(start, start + length, LOOK) if presence.look(is_in, wall)]


def test_a_departure_is_reported_once() -> None:
    presence = Presence()
    assert not reports(presence, True, 0.0, 2.0)
    assert reports(presence, False, 2.0, 20.0) == [2.0 + OUTSIDE]
    assert presence.is_out
    assert not reports(presence, True, 22.0, 2.0)  # a glimpse
    assert not presence.is_out
    assert not reports(presence, False, 24.0, 5.0)
    assert not reports(presence, True, 29.0, INSIDE + 1.0)
    assert len(reports(presence, False, 29.0 + INSIDE + 1.0, 5.0)) == 1


def test_what_was_never_in_the_picture_has_not_left_it() -> None:
    presence = Presence()
    assert not reports(presence, False, 0.0, 20.0)
    assert not presence.is_out


def check(name: str) -> None:
    """Nothing leaves the picture of a scene's own camera within HORIZON."""
    view, simulation = opened(name)
    try:
        assert view.stage is not None
        watch, clip = PictureWatch(), clip_matrix(view.plotter.renderer.GetActiveCamera(), ASPECT)
        for wall in np.arange(0.0, HORIZON, LOOK).tolist():
            left = watch.look(view.stage, simulation.snapshot(), clip, None, wall)
            assert not left, f"{name}: {left} at {wall} s"
            simulation.advance(LOOK)
    finally:
        view.close()
        view.plotter.close()


@pytest.mark.parametrize("name", QUICK)
def test_nothing_leaves_the_picture(name: str) -> None:
    check(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in gallery.scene_names() if name not in QUICK])
def test_nothing_leaves_the_picture_of_any_scene(name: str) -> None:
    check(name)
