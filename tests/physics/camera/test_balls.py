"""A coloured ball by its circle."""

from __future__ import annotations

import cv2
import numpy as np
from filmed_tag import LENS

from polhode.camera.ball import BallFinder
from polhode.camera.lens import Lens

DIAMETER = 0.05


def picture(x: float, y: float, depth: float, colour: tuple[int, int, int] = (30, 40, 220)) -> np.ndarray:
    """A red ball on grey with noise, drawn with 8 samples per pixel in both directions."""
    lens = Lens(*LENS)
    centre = cv2.projectPoints(np.array([[x, y, depth]]), np.zeros(3), np.zeros(3), lens.matrix, lens.terms)[0].ravel()
    radius = lens.focal[0] * DIAMETER / 2 / depth
    shown = np.full((720, 1280, 3), 120.0)
    columns, rows = np.meshgrid(np.arange(1280), np.arange(720))
    cover = np.clip(radius - np.hypot(columns - centre[0], rows - centre[1]) + 0.5, 0, 1)[..., None]
    shown = shown * (1 - cover) + np.array(colour) * cover
    return np.clip(shown + np.random.default_rng(0).normal(0, 3, shown.shape), 0, 255).astype(np.uint8)


def test_its_position_is_found():
    find = BallFinder(cv2, Lens(*LENS), DIAMETER)
    for x, y, depth in ((0.0, 0.0, 1.0), (0.2, -0.1, 1.2), (-0.3, 0.15, 0.9)):
        seen = find(picture(x, y, depth))["ball"]
        assert abs(seen[0] - x) < 0.01 * abs(x) + 1e-3
        assert abs(seen[1] - y) < 0.01 * abs(y) + 1e-3
        assert abs(seen[2] / depth - 1.0) < 0.02


def test_grey_balls_and_pictures_without_one_have_none():
    find = BallFinder(cv2, Lens(*LENS), DIAMETER)
    assert find(picture(0.0, 0.0, 1.0, (60, 60, 60)))["ball"] is None
    assert find(np.full((720, 1280), 100, np.uint8))["ball"] is None
