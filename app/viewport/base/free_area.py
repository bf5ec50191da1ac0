"""The part of the picture that nothing covers, and the shift of the picture into it."""

from __future__ import annotations

from dataclasses import dataclass

from vtkmodules.vtkCommonTransforms import vtkTransform
from vtkmodules.vtkRenderingCore import vtkCamera

ASPECT = 1.25  # width over height of what cameras of scenes frame
LEAST_SCALE = 0.35  # of the picture, where next to nothing is free


@dataclass(frozen=True)
class PictureShift:
    """What the picture is multiplied by and moved by, after its projection.

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
