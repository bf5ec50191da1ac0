"""Letters inside the picture: VTK's own fonts have none for Japanese."""

from __future__ import annotations

from pathlib import Path

from vtkmodules.vtkRenderingCore import vtkTextActor

from app.i18n.language import language

FONT = Path(__file__).parents[2] / "fonts" / "PolhodeSans.ttf"
FROM_FILE = 4  # VTK_FONT_FILE
WITH_VTK = ("en",)  # languages whose letters VTK's own font has


def text_actor(size: int) -> vtkTextActor:
    """A line of text for the current language, placed in shares of the picture."""
    text = vtkTextActor()
    text.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    text.PickableOff()
    look = text.GetTextProperty()
    look.SetFontSize(size)
    if language() not in WITH_VTK:
        look.SetFontFamily(FROM_FILE)
        look.SetFontFile(str(FONT))
    return text
