"""Camera poses, interpolation between them, clipping planes, and the part of the picture that nothing covers."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log

import numpy as np
from vtkmodules.vtkCommonTransforms import vtkTransform
from vtkmodules.vtkRenderingCore import vtkCamera, vtkRenderer

from polhode.scene.scene import Camera

LASTS = 0.25  # [s] duration of an animation
DEEP = 1000.0  # far clipping plane at most, in distances of the focal point
NEAR = 0.02  # near clipping plane at most in that case, in the same distances
RANGE_STEP = 2**0.5  # ratio of successive distances of clipping planes
ASPECT = 1.25  # width over height of what cameras of scenes frame
LEAST_SCALE = 0.35  # of the picture, where next to nothing is free


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
    such that the focal point stays visible and depth keeps its precision. Both distances are rounded to powers of
    RANGE_STEP, since another range changes the depths of all that is drawn once for many frames (`Background`).
    """
    renderer.ResetCameraClippingRange()
    camera = renderer.GetActiveCamera()
    near, far = camera.GetClippingRange()
    distance = camera.GetDistance()
    if far > DEEP * distance:
        near, far = min(near, NEAR * distance), DEEP * distance
    camera.SetClippingRange(RANGE_STEP ** floor(log(near, RANGE_STEP)), RANGE_STEP ** ceil(log(far, RANGE_STEP)))


@dataclass(frozen=True)
class PictureShift:
    """Factor and displacement of the picture, after its projection.

    The pose of the camera does not know of it: scenes, keyframes and other pictures get the pose alone.
    """

    x: float = 0.0  # half widths of the picture, to the right
    y: float = 0.0  # half heights of the picture, upwards
    scale: float = 1.0

    def apply(self, camera: vtkCamera) -> None:
        """Let a camera draw with this shift."""
        if self == NO_SHIFT:
            camera.SetUserTransform(None)
            return
        transform = vtkTransform()
        transform.Translate(self.x, self.y, 0.0)
        transform.Scale(self.scale, self.scale, 1.0)
        camera.SetUserTransform(transform)

    def towards(self, other: PictureShift, share: float) -> PictureShift:
        """The shift at a fraction 0 to 1 of the way to another one."""
        if share >= 1:
            return other
        x, y, scale = (
            one + share * (two - one) for one, two in ((self.x, other.x), (self.y, other.y), (self.scale, other.scale))
        )
        return PictureShift(x, y, scale)


NO_SHIFT = PictureShift()


@dataclass(frozen=True)
class FreeArea:
    """A rectangle of the picture, in fractions of its width and height, from its left and lower edge."""

    left: float = 0.0
    bottom: float = 0.0
    right: float = 1.0
    top: float = 1.0

    def shift(self, aspect: float) -> PictureShift:
        """Shift that brings what a scene's camera frames into the area of a picture with aspect ratio `aspect`.

        The middle of the picture goes to that of the area. The picture becomes smaller only where ASPECT times its
        height is wider than the area, or the area is lower than the picture.
        """
        if self == WHOLE:
            return NO_SHIFT
        wide, high = self.right - self.left, self.top - self.bottom
        scale = min(1.0, high, wide * aspect / ASPECT)
        return PictureShift(self.left + self.right - 1, self.bottom + self.top - 1, max(scale, LEAST_SCALE))

    def aspect(self, aspect: float) -> float:
        """Aspect ratio for which a camera frames points, so that the shift of a picture brings them into the area."""
        return (self.right - self.left) * aspect / self.shift(aspect).scale


WHOLE = FreeArea()


def beside(left: float, bottom: float, aspect: float) -> FreeArea:
    """The better one of the areas right of and below a card in the upper left corner of a picture.

    `left` is the right edge and `bottom` the lower edge of the card, in fractions of the picture.
    """
    areas = FreeArea(left=left), FreeArea(top=bottom)
    return max(areas, key=lambda area: area.shift(aspect).scale)
