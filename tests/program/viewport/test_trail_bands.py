"""Bands about trails: sections of the tube, ellipsoids, dashes, and where nothing is drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import pyvista as pv

from polhode.uncertainty.points import UncertainPoint
from polhode_app.viewport.geometry import trail_bands
from polhode_app.viewport.geometry.trail_bands import AROUND, BALL, Prediction, TrailBands

POINTS, STEP, RADIUS = 50, 0.02, 1.0
ACROSS, UP, ALONG = 0.03, 0.01, 0.05  # [m] deviations
TIMES = np.linspace(0.0, 2.0, 401)
TRACED = np.linspace(0.3, 1.28, POINTS)


def straight(times: np.ndarray) -> np.ndarray:
    """(n, 3) [m] a path along x at 1 m/s."""
    return np.stack([times, 0 * times, 0 * times + 0.5], axis=1)


def circle(times: np.ndarray) -> np.ndarray:
    """(n, 3) [m] a path in the plane y = 0."""
    return 0.5 * np.stack([np.cos(2 * times), 0 * times, np.sin(2 * times)], axis=1)


@pytest.fixture
def bands() -> TrailBands:
    made = TrailBands(pv.Plotter(off_screen=True).renderer)
    made.rebuild(np.ones((1, POINTS, 4)), STEP, RADIUS, is_kept=False)
    return made


def prediction(path: np.ndarray, differs_from: float = np.inf, scale: float = 1.0) -> Prediction:
    covariance = np.broadcast_to(np.diag(scale * np.array([ALONG, ACROSS, UP]) ** 2), (len(path), 3, 3))
    made = Prediction.of({0: UncertainPoint(TIMES, path, covariance, differs_from)})
    assert made is not None
    return made


def drawn(bands: TrailBands, times: np.ndarray, path: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (k, around, 3) and opacities (k,) 0 to 255 of the tube, and points (m, 3) of the ellipsoid."""
    bands.draw(times, path[None].astype(np.float32))
    surface, count = bands._surface, AROUND * len(times)
    colors = np.array(surface.point_data["color"])
    points = np.array(surface.points)
    return points[:count].reshape(-1, AROUND, 3), colors[:count:AROUND, 3], points[count:]


def test_sections_have_two_deviations_across_and_the_ellipsoid_also_along(bands: TrailBands) -> None:
    bands.show(prediction(straight(TIMES)))
    tube, alpha, head = drawn(bands, TRACED, straight(TRACED))
    offsets = tube - straight(TRACED)[:, None]
    assert np.abs(offsets[..., 0]).max() < 1e-6, "across the path"
    on_ellipse = (offsets[..., 1] / (2 * ACROSS)) ** 2 + (offsets[..., 2] / (2 * UP)) ** 2
    assert on_ellipse == pytest.approx(1.0, abs=1e-3)
    assert (alpha > 0).all()
    on_ellipsoid = (((head - straight(TRACED)[-1]) / [2 * ALONG, 2 * ACROSS, 2 * UP]) ** 2).sum(axis=1)
    assert len(head) == len(BALL)
    assert on_ellipsoid == pytest.approx(1.0, abs=1e-3)


def test_new_points_continue_the_sections_without_twist(bands: TrailBands) -> None:
    bands.show(prediction(circle(TIMES)))
    first, _, _ = drawn(bands, TRACED, circle(TRACED))
    later = TRACED + 5 * (TRACED[1] - TRACED[0])
    second, _, _ = drawn(bands, later, circle(later))
    assert second[:-6] == pytest.approx(first[5:-1], abs=1e-6)
    steps = np.linalg.norm(np.diff(second, axis=0), axis=2)
    assert steps.max() < 2 * STEP + 0.01


def test_a_path_that_turns_back_keeps_its_sections(bands: TrailBands) -> None:
    swing = np.stack([0 * TIMES, 0.4 * np.sin(4 * TIMES), 0.2 + 0.1 * np.cos(8 * TIMES)], axis=1)
    bands.show(prediction(swing))
    on_swing = np.stack([np.interp(TRACED, TIMES, swing[:, k]) for k in range(3)], axis=1)
    tube, _, _ = drawn(bands, TRACED, on_swing)
    assert np.linalg.norm(np.diff(tube, axis=0), axis=2).max() < 0.1


def test_the_band_is_dashed_and_fainter_where_draws_differ(bands: TrailBands) -> None:
    bands.show(prediction(straight(TIMES), differs_from=0.8))
    _, alpha, _ = drawn(bands, TRACED, straight(TRACED))
    late = TRACED >= 0.8
    assert len(set(alpha[~late])) == 1
    assert 0 < alpha[late].max() < alpha[~late].max()
    assert (alpha[late] == 0).any()


@pytest.mark.parametrize(
    ("shift", "times", "scale"),
    [(0.2, TRACED, 1.0), (0.0, TRACED + 2.0, 1.0), (0.0, TRACED, 100.0)],
    ids=["another path", "after the prediction", "too wide"],
)
def test_nothing_is_drawn_where_nothing_is_known(
    bands: TrailBands, shift: float, times: np.ndarray, scale: float
) -> None:
    bands.show(prediction(straight(TIMES), scale=scale))
    path = straight(times) + [0.0, shift, 0.0]
    tube, alpha, head = drawn(bands, times, path)
    assert not alpha.any()
    assert np.abs(tube - path[:, None]).max() < 1e-6, "hidden rings would widen the bounds of the scene"
    assert np.abs(head - path[-1]).max() < 1e-6


def test_another_picture_takes_the_band_over(bands: TrailBands) -> None:
    bands.show(prediction(straight(TIMES)))
    other = TrailBands(pv.Plotter(off_screen=True).renderer)
    other.rebuild(np.ones((1, POINTS, 4)), STEP, RADIUS, is_kept=False)
    other.recall(bands.memory())
    for mine, its in zip(drawn(bands, TRACED, straight(TRACED)), drawn(other, TRACED, straight(TRACED)), strict=True):
        assert np.array_equal(mine, its)
    other.recall({})
    assert other.memory() == {}


def test_predictions_of_several_trails_keep_their_rows() -> None:
    one = UncertainPoint(TIMES, straight(TIMES), np.zeros((len(TIMES), 3, 3)), np.inf)
    made = Prediction.of({3: one, 5: replace(one, position=circle(TIMES))})
    assert made is not None
    assert made.rows.tolist() == [3, 5]
    assert made.at(np.array([0.5])).position[1] == pytest.approx(circle(np.array([0.5])), abs=1e-6)
    assert trail_bands.Prediction.of({}) is None
