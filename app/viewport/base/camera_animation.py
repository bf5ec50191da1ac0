"""Camera poses, interpolation between them, and clipping planes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera, vtkRenderer

from core.scene.scene import Camera

LASTS = 0.25  # [s] duration of an animation
DEEP = 1000.0  # far clipping plane at most, in distances of the focal point
NEAR = 0.02  # near clipping plane at most in that case, in the same distances


@dataclass(frozen=True, eq=False)
class CameraPose:
    """Position and orientation of a camera, laboratory frame."""

    target: np.ndarray  # (3,) [m] focal point
    back: np.ndarray  # (3,) unit vector from the focal point to the camera
    far: float  # [m] distance of the camera from the focal point
    up: np.ndarray  # (3,) unit vector
    scale: float  # [m] half the height of the picture in parallel projection


def pose_of(camera: vtkCamera) -> CameraPose:
    """Current pose of a camera."""
    target, up = np.array(camera.GetFocalPoint()), np.array(camera.GetViewUp())
    back = -np.array(camera.GetDirectionOfProjection())
    return CameraPose(target, back, camera.GetDistance(), up, camera.GetParallelScale())


def pose_at(wanted: Camera) -> CameraPose:
    """The pose stated in a scene."""
    target, position = np.array(wanted.target), np.array(wanted.position)
    far = float(np.linalg.norm(position - target))
    return CameraPose(target, (position - target) / far, far, np.array(wanted.up), wanted.height / 2 or far)


def set_camera(camera: vtkCamera, stand: CameraPose) -> None:
    """Set the pose of a camera."""
    camera.SetFocalPoint(*stand.target)
    camera.SetPosition(*(stand.target + stand.far * stand.back))
    camera.SetViewUp(*stand.up)
    camera.SetParallelScale(stand.scale)


def between(one: CameraPose, other: CameraPose, share: float) -> CameraPose:
    """Pose of an animation at a fraction 0 to 1 of its time.

    The motion is smooth at both ends; distances are interpolated geometrically.
    """
    if share >= 1:
        return other
    part = share * share * (3 - 2 * share)
    back, up = (_turned(a, b, part) for a, b in ((one.back, other.back), (one.up, other.up)))
    return CameraPose(
        one.target + part * (other.target - one.target),
        back,
        one.far * (other.far / one.far) ** part,
        up,
        one.scale * (other.scale / one.scale) ** part,
    )


def _turned(one: np.ndarray, other: np.ndarray, part: float) -> np.ndarray:
    """(3,) unit vector between two unit vectors; an intermediate one is used for opposite vectors."""
    aside = np.cross(one, [0.3, 0.5, 0.8]) if one @ other < -0.999 else np.zeros(3)
    mixed = (1 - part) * one + part * other + part * (1 - part) * aside
    return mixed / np.linalg.norm(mixed)


def see_all(renderer: vtkRenderer) -> None:
    """Set the clipping planes to the bounds of the scene.

    To be called before rendering, since VTK does not update them when user matrices change. The far plane is limited
    such that the focal point stays visible and depth keeps its precision.
    """
    renderer.ResetCameraClippingRange()
    camera = renderer.GetActiveCamera()
    near, far = camera.GetClippingRange()
    distance = camera.GetDistance()
    if far > DEEP * distance:
        camera.SetClippingRange(min(near, NEAR * distance), DEEP * distance)
