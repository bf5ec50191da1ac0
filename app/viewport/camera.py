"""A camera that sees everything: a three-quarter view from slightly above, z up, as close as the points allow."""

from __future__ import annotations

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

FROM = np.array([0.50, -1.0, 0.42]) / np.linalg.norm([0.50, -1.0, 0.42])
"""Direction (3,) from the scene to the camera, laboratory frame."""
VIEW_ANGLE = 30.0  # [degrees] of the picture's height
MARGIN = 0.86  # share of the picture that is filled


def frame(camera: vtkCamera, points: np.ndarray, aspect: float) -> None:
    """Place the camera so that the points (n, 3) just fill a picture of width / height = aspect."""
    ahead = -FROM
    right = np.cross(ahead, (0, 0, 1))
    right /= np.linalg.norm(right)
    above = np.cross(right, ahead)
    x, y, depth = points @ right, points @ above, points @ ahead
    slope_y = MARGIN * np.tan(np.radians(VIEW_ANGLE / 2))
    slope_x = slope_y * aspect
    # A point is seen when |x - cx| <= slope (depth - c): two half planes each way, so the best c is exact.
    left, far_right = (-x - slope_x * depth).max(), (x - slope_x * depth).max()
    low, high = (-y - slope_y * depth).max(), (y - slope_y * depth).max()
    back = min(-(left + far_right) / (2 * slope_x), -(low + high) / (2 * slope_y))
    across, up = (far_right - left) / 2, (high - low) / 2
    middle = (depth.min() + depth.max()) / 2
    camera.SetViewAngle(VIEW_ANGLE)
    camera.SetViewUp(0, 0, 1)
    camera.SetFocalPoint(*(across * right + up * above + middle * ahead))
    camera.SetPosition(*(across * right + up * above + back * ahead))
