"""A camera that sees everything: a three-quarter view from slightly above, z up, as close as the points allow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

FROM = np.array([0.50, -1.0, 0.42]) / np.linalg.norm([0.50, -1.0, 0.42])
"""Direction (3,) from the scene to the camera, laboratory frame."""
VIEW_ANGLE = 30.0  # [degrees] of the picture's height
MARGIN = 0.86  # share of the picture that is filled


LOOKS = {  # direction in which the camera looks, and what is up
    "home": (-FROM, np.array([0.0, 0.0, 1.0])),
    "front": (np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])),
    "side": (np.array([-1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])),
    "top": (np.array([0.0, 0.0, -1.0]), np.array([0.0, 1.0, 0.0])),
}


def frame(camera: vtkCamera, points: np.ndarray, aspect: float, look: str = "home") -> None:
    """Place the camera so that the points (n, 3) just fill a picture of width / height = aspect.

    It looks in one of the directions of LOOKS; "" is the one in which it looks.
    """
    now = np.array(camera.GetDirectionOfProjection()), np.array(camera.GetViewUp())
    ahead, above = LOOKS.get(look, now)
    right = np.cross(ahead, above)
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
    if camera.GetParallelProjection():  # far and near look the same: the middle of the points is that of the picture
        across, up = (x.min() + x.max()) / 2, (y.min() + y.max()) / 2
        camera.SetParallelScale(max(np.ptp(y), np.ptp(x) / aspect) / (2 * MARGIN))
    middle = (depth.min() + depth.max()) / 2
    camera.SetViewAngle(VIEW_ANGLE)
    camera.SetViewUp(*above)
    camera.SetFocalPoint(*(across * right + up * above + middle * ahead))
    camera.SetPosition(*(across * right + up * above + back * ahead))


@dataclass(frozen=True)
class FittedCamera:
    """How a camera stood in a picture of some shape, and what was made of that in one of another shape."""

    aspect: float = 0.0  # width / height of the picture in which a person last placed the camera; 0: not known
    far: float = 0.0  # its distance then, or the height of a parallel picture
    now: float = 0.0  # what it is now
    shape: float = 0.0  # width / height of the picture now


def keep_in_view(camera: vtkCamera, kept: FittedCamera, aspect: float) -> FittedCamera:
    """Go back, or nearer again, so that what was in view stays in view in a picture of another shape."""
    parallel = bool(camera.GetParallelProjection())
    far = camera.GetParallelScale() if parallel else camera.GetDistance()
    if kept.shape == 0 or abs(far - kept.now) > 1e-9 * far:  # it was moved since
        kept = FittedCamera(kept.shape or aspect, far, far, aspect)
    wanted = kept.far * max(1.0, kept.aspect / max(aspect, 1e-3))
    if parallel:
        camera.SetParallelScale(wanted)
    else:
        middle, ahead = np.array(camera.GetFocalPoint()), np.array(camera.GetDirectionOfProjection())
        camera.SetPosition(*(middle - wanted * ahead))
    return FittedCamera(kept.aspect, kept.far, wanted, aspect)


def orbit(camera: vtkCamera, around: float, over: float) -> None:
    """Turn about the middle of the picture, by angles [rad] around the vertical and over the top; level at the end.

    It stops where it looks straight down or up: past that, right and left would change places.
    """
    ahead, above = np.array(camera.GetDirectionOfProjection()), np.array(camera.GetViewUp())
    right = np.cross(ahead, above)
    angle = np.arctan2(right[1], right[0]) + around
    forward = np.array([-np.sin(angle), np.cos(angle), 0.0])
    height = np.clip(np.arcsin(np.clip(-ahead[2], -1.0, 1.0)) + over, -np.pi / 2, np.pi / 2)
    level, vertical = np.cos(height), np.sin(height)
    camera.SetPosition(*(camera.GetFocalPoint() - camera.GetDistance() * (level * forward - [0, 0, vertical])))
    camera.SetViewUp(*(vertical * forward + [0, 0, level]))
