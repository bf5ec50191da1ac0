"""How a camera stands, and its way from one stand to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera, vtkRenderer

from core.scene.scene import Camera

LASTS = 0.25  # [s]
DEEP = 1000.0  # distances of what is looked at: what is farther is not drawn
NEAR = 0.02  # in the same distances, where something is that far


@dataclass(frozen=True, eq=False)
class CameraPose:
    """A camera, laboratory frame."""

    target: np.ndarray  # (3,) [m] in the middle of the picture
    back: np.ndarray  # (3,) unit vector from there to the camera
    far: float  # [m]
    up: np.ndarray  # (3,) unit vector
    scale: float  # [m] half the height of a parallel picture


def pose_of(camera: vtkCamera) -> CameraPose:
    """Where it stands now."""
    target, up = np.array(camera.GetFocalPoint()), np.array(camera.GetViewUp())
    back = -np.array(camera.GetDirectionOfProjection())
    return CameraPose(target, back, camera.GetDistance(), up, camera.GetParallelScale())


def pose_at(wanted: Camera) -> CameraPose:
    """Where a scene wants it."""
    target, position = np.array(wanted.target), np.array(wanted.position)
    far = float(np.linalg.norm(position - target))
    return CameraPose(target, (position - target) / far, far, np.array(wanted.up), wanted.height / 2 or far)


def set_camera(camera: vtkCamera, stand: CameraPose) -> None:
    """Put it there."""
    camera.SetFocalPoint(*stand.target)
    camera.SetPosition(*(stand.target + stand.far * stand.back))
    camera.SetViewUp(*stand.up)
    camera.SetParallelScale(stand.scale)


def between(one: CameraPose, other: CameraPose, share: float) -> CameraPose:
    """A stand on the way, after a share 0 ... 1 of the time: slow at both ends, distances by their ratios."""
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
    """A direction between two; between opposite ones around anything."""
    aside = np.cross(one, [0.3, 0.5, 0.8]) if one @ other < -0.999 else np.zeros(3)
    mixed = (1 - part) * one + part * other + part * (1 - part) * aside
    return mixed / np.linalg.norm(mixed)


def see_all(renderer: vtkRenderer) -> None:
    """Tell the camera how deep the scene is now, or what its matrix moves, and all where the camera moved, is cut away.

    What is looked at stays in the picture, even where something is so far away that nearness has no digits left.
    """
    renderer.ResetCameraClippingRange()
    camera = renderer.GetActiveCamera()
    near, far = camera.GetClippingRange()
    distance = camera.GetDistance()
    if far > DEEP * distance:
        camera.SetClippingRange(min(near, NEAR * distance), DEEP * distance)
