"""Places the labels at things, so that no text covers another one: symbols of arrows, names of axes and ghosts."""

from __future__ import annotations

from typing import NamedTuple

from vtkmodules.vtkRenderingCore import vtkRenderer, vtkTextActor

from polhode_app.viewport.base.text_actor import back

WORLD = 6  # VTK_WORLD, coordinate system of the labels at things
SIDES = ((True, True), (False, True), (True, False), (False, False))  # of its point where a label may be: right, above
AXES = (0.12, 0.2)  # width and height of the axes of the laboratory at the lower left, as fractions of the picture
APART = 2.0  # [pixel] between two texts


class Rectangle(NamedTuple):
    """Where a text is in the picture [pixel]."""

    left: float
    bottom: float
    right: float
    top: float

    def covers(self, other: Rectangle) -> bool:
        """Whether both have a point in common, or nearly."""
        across = self.left < other.right + APART and other.left < self.right + APART
        return across and self.bottom < other.top + APART and other.bottom < self.top + APART


class LabelLayout:
    """Places the labels of a renderer before each frame; one for which there is no room is not drawn."""

    def __init__(self, renderer: vtkRenderer):
        """Follow the frames of a renderer."""
        self._renderer = renderer
        self._labels: list[vtkTextActor] = []
        self._others: list[vtkTextActor] = []
        self._collected = 0  # time of modification of the actors when their texts were collected
        renderer.AddObserver("StartEvent", lambda *_: self._place())

    def _collect(self) -> None:
        """Find the texts of the renderer, if actors have been added or removed."""
        actors = self._renderer.GetViewProps()
        if actors.GetMTime() == self._collected:
            return
        self._collected = actors.GetMTime()
        props = [actors.GetItemAsObject(number) for number in range(actors.GetNumberOfItems())]
        texts = [each for each in props if isinstance(each, vtkTextActor)]
        self._labels = [text for text in texts if _system(text) == WORLD]
        self._others = [text for text in texts if _system(text) != WORLD]

    def _place(self) -> None:
        """Put each visible label at the first side of its point at which it covers nothing."""
        self._collect()
        shown = [label for label in self._labels if label.GetVisibility()]
        if not shown or self._renderer.GetRenderWindow() is None:
            return
        width, height = self._renderer.GetSize()
        taken = [Rectangle(0, 0, AXES[0] * width, AXES[1] * height)]
        taken += [rectangle(text, self._renderer) for text in self._others if text.GetVisibility() and text.GetInput()]
        for label in shown:
            for right, above in SIDES:
                _put(label, right, above)
                here = rectangle(label, self._renderer)
                if not any(here.covers(other) for other in taken):
                    taken.append(here)
                    _show(label, self._renderer)
                    break
            else:
                _show(label, None)


def rectangle(text: vtkTextActor, renderer: vtkRenderer) -> Rectangle:
    """Where a text is in the picture of a renderer."""
    ends = [0.0, 0.0, 0.0, 0.0]
    text.GetBoundingBox(renderer, ends)
    x, y = text.GetPositionCoordinate().GetComputedDoubleViewportValue(renderer)
    return Rectangle(x + ends[0], y + ends[2], x + ends[1], y + ends[3])


def is_drawn(text: vtkTextActor) -> bool:
    """Whether a text is seen: there may be no room for a label."""
    return bool(text.GetVisibility() and text.GetInput() and text.GetTextProperty().GetOpacity() > 0)


def _system(text: vtkTextActor) -> int:
    return int(text.GetPositionCoordinate().GetCoordinateSystem())


def _put(label: vtkTextActor, right: bool, above: bool) -> None:
    """Put a label at a side of its point."""
    look = label.GetTextProperty()
    (look.SetJustificationToLeft if right else look.SetJustificationToRight)()
    (look.SetVerticalJustificationToBottom if above else look.SetVerticalJustificationToTop)()


def _show(label: vtkTextActor, renderer: vtkRenderer | None) -> None:
    """Draw a label on a ground of a renderer, or nothing without one."""
    look = label.GetTextProperty()
    look.SetOpacity(0.0 if renderer is None else 1.0)
    if renderer is None:
        look.SetBackgroundOpacity(0.0)
    elif look.GetBackgroundOpacity() == 0.0:
        back(renderer, look)
