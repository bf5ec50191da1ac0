"""Camera placement: fitting points to the picture, keeping them in view on resize, and orbiting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera, vtkRenderer

FROM = np.array([0.50, -1.0, 0.42]) / np.linalg.norm([0.50, -1.0, 0.42])
"""Direction (3,) from the scene to the camera, laboratory frame."""
VIEW_ANGLE = 30.0  # [degrees] vertical view angle
MARGIN = 0.86  # fraction of the picture that is filled


LOOKS = {  # direction of projection and view-up vector
    "home": (-FROM, np.array([0.0, 0.0, 1.0])),
    "front": (np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])),
    "side": (np.array([-1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])),
    "top": (np.array([0.0, 0.0, -1.0]), np.array([0.0, 1.0, 0.0])),
}


def frame(camera: vtkCamera, points: np.ndarray, aspect: float, look: str = "home") -> None:
    """Set the camera so that points (n, 3) [m] just fill a picture with aspect ratio `aspect`, width / height.

    `look` is one of LOOKS; "" keeps the current direction of projection.
    """
    now = np.array(camera.GetDirectionOfProjection()), np.array(camera.GetViewUp())
    ahead, above = LOOKS.get(look, now)
    right = np.cross(ahead, above)
    right /= np.linalg.norm(right)
    above = np.cross(right, ahead)
    x, y, depth = points @ right, points @ above, points @ ahead
    slope_y = MARGIN * np.tan(np.radians(VIEW_ANGLE / 2))
    slope_x = slope_y * aspect
    # A point is visible if |x - cx| <= slope (depth - c): two half planes per direction, so the best c is exact.
    left, far_right = (-x - slope_x * depth).max(), (x - slope_x * depth).max()
    low, high = (-y - slope_y * depth).max(), (y - slope_y * depth).max()
    back = min(-(left + far_right) / (2 * slope_x), -(low + high) / (2 * slope_y))
    across, up = (far_right - left) / 2, (high - low) / 2
    if camera.GetParallelProjection():  # size does not depend on depth: centre the points
        across, up = (x.min() + x.max()) / 2, (y.min() + y.max()) / 2
        camera.SetParallelScale(max(np.ptp(y), np.ptp(x) / aspect) / (2 * MARGIN))
    middle = (depth.min() + depth.max()) / 2
    camera.SetViewAngle(VIEW_ANGLE)
    camera.SetViewUp(*above)
    camera.SetFocalPoint(*(across * right + up * above + middle * ahead))
    camera.SetPosition(*(across * right + up * above + back * ahead))


@dataclass(frozen=True)
class FittedCamera:
    """Camera distance last set by the user, and the aspect ratio of the picture at that time."""

    aspect: float = 0.0  # aspect ratio when the user last moved the camera; 0: unknown
    far: float = 0.0  # [m] distance then, or scale of a parallel projection
    now: float = 0.0  # [m] current distance or scale
    shape: float = 0.0  # current aspect ratio


def keep_in_view(camera: vtkCamera, kept: FittedCamera, aspect: float) -> FittedCamera:
    """Adapt the camera distance to a new aspect ratio, so that the visible objects stay in view.

    Returns the updated record, to be passed to the next call.
    """
    parallel = bool(camera.GetParallelProjection())
    far = camera.GetParallelScale() if parallel else camera.GetDistance()
    if kept.shape == 0 or abs(far - kept.now) > 1e-9 * far:  # moved by the user since the last call
        kept = FittedCamera(kept.shape or aspect, far, far, aspect)
    wanted = kept.far * max(1.0, kept.aspect / max(aspect, 1e-3))
    if parallel:
        camera.SetParallelScale(wanted)
    else:
        middle, ahead = np.array(camera.GetFocalPoint()), np.array(camera.GetDirectionOfProjection())
        camera.SetPosition(*(middle - wanted * ahead))
    return FittedCamera(kept.aspect, kept.far, wanted, aspect)


def orbit(camera: vtkCamera, around: float, over: float) -> None:
    """Rotate the camera about its focal point by an azimuth and an elevation [rad], with a level horizon.

    The elevation is limited to straight up and down, beyond which left and right would be exchanged.
    """
    ahead, above = np.array(camera.GetDirectionOfProjection()), np.array(camera.GetViewUp())
    right = np.cross(ahead, above)
    angle = np.arctan2(right[1], right[0]) + around
    forward = np.array([-np.sin(angle), np.cos(angle), 0.0])
    height = np.clip(np.arcsin(np.clip(-ahead[2], -1.0, 1.0)) + over, -np.pi / 2, np.pi / 2)
    level, vertical = np.cos(height), np.sin(height)
    camera.SetPosition(*(camera.GetFocalPoint() - camera.GetDistance() * (level * forward - [0, 0, vertical])))
    camera.SetViewUp(*(vertical * forward + [0, 0, level]))


def height_at(camera: vtkCamera, position: np.ndarray) -> float:
    """Height [m] of the picture at a position (3,) [m]; 0 behind the camera."""
    if camera.GetParallelProjection():
        return float(2 * camera.GetParallelScale())
    depth = (position - np.array(camera.GetPosition())) @ np.array(camera.GetDirectionOfProjection())
    return float(2 * max(depth, 0.0) * np.tan(np.radians(camera.GetViewAngle() / 2)))


def pan(camera: vtkCamera, right: float, up: float) -> None:
    """Move the camera and its focal point sideways, by fractions of the height that the picture shows there."""
    ahead, above = np.array(camera.GetDirectionOfProjection()), np.array(camera.GetViewUp())
    across = np.cross(ahead, above)
    across /= np.linalg.norm(across)
    height = height_at(camera, np.array(camera.GetFocalPoint()))
    shift = height * (right * across + up * np.cross(across, ahead))
    camera.SetPosition(*(np.array(camera.GetPosition()) + shift))
    camera.SetFocalPoint(*(np.array(camera.GetFocalPoint()) + shift))


def zoom(camera: vtkCamera, factor: float) -> None:
    """Show things larger by a factor: the camera comes nearer, or its parallel projection shows less."""
    if camera.GetParallelProjection():
        camera.SetParallelScale(camera.GetParallelScale() / factor)
    else:
        camera.Dolly(factor)


def clip_matrix(camera: vtkCamera, aspect: float) -> np.ndarray:
    """(4, 4) of a camera and a picture with aspect ratio `aspect`, width / height: from (x, y, z, 1) [m] to clip
    coordinates (x, y, z, w).

    A point is in the picture if -w <= x <= w and -w <= y <= w.
    """
    parts = camera.GetProjectionTransformMatrix(aspect, -1, 1), camera.GetModelViewTransformMatrix()
    projection, view = (np.array([[part.GetElement(i, j) for j in range(4)] for i in range(4)]) for part in parts)
    return np.asarray(projection @ view)


def picture_matrix(renderer: vtkRenderer) -> np.ndarray:
    """(4, 4) that of what a renderer shows."""
    return clip_matrix(renderer.GetActiveCamera(), renderer.GetTiledAspectRatio())


def in_picture(renderer: vtkRenderer, point: np.ndarray) -> np.ndarray:
    """(2,) position of a point (3,) [m] in the picture, -1 to 1 from edge to edge; infinite behind the camera."""
    camera = renderer.GetActiveCamera()
    if (point - np.array(camera.GetPosition())) @ np.array(camera.GetDirectionOfProjection()) <= 0:
        return np.full(2, np.inf)
    renderer.SetWorldPoint(*point, 1.0)
    renderer.WorldToView()
    return np.array(renderer.GetViewPoint()[:2])
