"""Text in the picture. The fonts of VTK have no Japanese glyphs, so other languages use our own font file."""

from __future__ import annotations

from pathlib import Path

from vtkmodules.vtkRenderingCore import vtkTextActor

from app.i18n.language import language

FONT = Path(__file__).parents[2] / "fonts" / "PolhodeSans.ttf"
FROM_FILE = 4  # VTK_FONT_FILE
WITH_VTK = ("en",)  # languages covered by the fonts of VTK


def text_actor(size: int) -> vtkTextActor:
    """A text actor, positioned in fractions of the picture."""
    text = vtkTextActor()
    text.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    text.PickableOff()
    text.GetTextProperty().SetFontSize(size)
    return text


def set_text(actor: vtkTextActor, text: str) -> None:
    """Show a text in the font of the current language, which may be another one than that of the last text."""
    look = actor.GetTextProperty()
    if language() in WITH_VTK:
        look.SetFontFamilyToArial()
    else:
        look.SetFontFamily(FROM_FILE)
        look.SetFontFile(str(FONT))
    actor.SetInput(text)
