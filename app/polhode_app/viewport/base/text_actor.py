"""Text in the picture, in one typeface for all languages: the fonts of VTK have no Japanese glyphs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkTextActor, vtkTextProperty

from polhode_app.viewport.base.palette import RGB, legible

DOTS = 72  # [1/inch] resolution for which VTK states font sizes
FONT = Path(__file__).parents[2] / "fonts" / "PolhodeSans.ttf"
FROM_FILE = 4  # VTK_FONT_FILE
FEW = 6  # symbols of one kind at most
SYMBOL = 17  # font size of symbols
BACKED = 0.6  # opacity of the ground of texts


def text_actor(size: int) -> vtkTextActor:
    """A text actor, positioned in fractions of the picture."""
    text = vtkTextActor()
    prepare_text(text, size)
    return text


def prepare_text(text: vtkTextActor, size: int) -> None:
    """Let a text actor be positioned in fractions of the picture, with letters of `size` [point]."""
    text.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    text.PickableOff()
    text.GetTextProperty().SetFontSize(size)


def set_typeface(look: vtkTextProperty) -> None:
    """Use our font, which is also that of the window where the system has no other."""
    look.SetFontFamily(FROM_FILE)
    look.SetFontFile(str(FONT))


def set_text(actor: vtkTextActor, text: str) -> None:
    """Show a text in our typeface."""
    set_typeface(actor.GetTextProperty())
    actor.SetInput(text)


def set_colored_text(renderer: vtkRenderer, actor: vtkTextActor, text: str, color: RGB) -> None:
    """Show a text in our typeface, in a shade of a colour that is legible on the background of a renderer."""
    set_text(actor, text)
    actor.GetTextProperty().SetColor(*legible(color, renderer.GetBackground(), renderer.GetBackground2()))


def back(renderer: vtkRenderer, look: vtkTextProperty) -> None:
    """Put a translucent ground in the colour of the background behind a text, so that it is legible over things."""
    look.SetBackgroundColor(*renderer.GetBackground())
    look.SetBackgroundOpacity(BACKED)


def repaint_backs(renderer: vtkRenderer) -> None:
    """Adapt the grounds of all texts to another colour of the background."""
    actors = renderer.GetViewProps()
    for actor in (actors.GetItemAsObject(number) for number in range(actors.GetNumberOfItems())):
        if isinstance(actor, vtkTextActor) and actor.GetTextProperty().GetBackgroundOpacity() > 0:
            back(renderer, actor.GetTextProperty())


class Symbols:
    """The symbol of a quantity at the ends of its arrows, as long as there are few of them."""

    def __init__(self, renderer: vtkRenderer, symbol: str):
        """Create the actors, hidden: none is made while frames are drawn. For "" there are none."""
        self._renderer, self._symbol = renderer, symbol
        self.actors = [self._actor() for _ in range(FEW if symbol else 0)]

    @property
    def visible(self) -> list[vtkTextActor]:
        """The visible symbols."""
        return [actor for actor in self.actors if actor.GetVisibility()]

    def draw(self, at: np.ndarray, colors: np.ndarray, symbols: Sequence[str] = ()) -> None:
        """Show the symbol at positions (n, 3) [m] in colours (n, 3) uint8, or none of more than FEW.

        symbols: n symbols in place of that of the quantity
        """
        count = len(at) if len(at) <= FEW else 0
        texts = symbols or [self._symbol] * count
        for actor, position, color, text in zip(
            self.actors, at[:count], (colors[:count] / 255.0).tolist(), texts, strict=False
        ):
            actor.GetPositionCoordinate().SetValue(*position)
            set_colored_text(self._renderer, actor, text, tuple(color))
        for number, actor in enumerate(self.actors):
            actor.SetVisibility(number < count)

    def _actor(self) -> vtkTextActor:
        """A symbol whose lower left corner is at a point of the laboratory."""
        actor = vtkTextActor()
        actor.GetPositionCoordinate().SetCoordinateSystemToWorld()
        actor.PickableOff()
        look = actor.GetTextProperty()
        set_typeface(look)
        look.SetFontSize(SYMBOL)
        look.BoldOn()
        back(self._renderer, look)
        actor.SetInput(self._symbol)
        actor.VisibilityOff()
        self._renderer.AddActor(actor)
        return actor
