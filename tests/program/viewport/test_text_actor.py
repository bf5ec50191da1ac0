"""Text in the picture is written in one typeface, which has the letters of all languages."""

import numpy as np
import pytest
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkTextActor

from polhode.mesh.mesh import Meshes
from polhode_app.i18n.language import set_language
from polhode_app.viewport.base.palette import THEMES, rgb
from polhode_app.viewport.base.text_actor import FONT, FROM_FILE, set_text, text_actor
from polhode_app.viewport.view import SceneView


@pytest.mark.parametrize(("language", "text"), [("en", "grid"), ("ja", "格子")])
def test_texts_of_all_languages_have_one_typeface(language: str, text: str) -> None:
    actor = text_actor(12)
    set_language(language)
    set_text(actor, text)
    set_language("en")
    look = actor.GetTextProperty()
    assert actor.GetInput() == text
    assert (look.GetFontFamily(), look.GetFontFile()) == (FROM_FILE, str(FONT))


def test_texts_over_things_have_a_ground_in_the_colour_of_the_theme(plotter: pv.Plotter) -> None:
    """Legends, symbols of arrows and the label of the grid, also after a change of theme."""
    view = SceneView(plotter, Meshes(), "dark", patient=True)
    actors = plotter.renderer.GetViewProps()
    looks = [actors.GetItemAsObject(number) for number in range(actors.GetNumberOfItems())]
    looks = [actor.GetTextProperty() for actor in looks if isinstance(actor, vtkTextActor)]
    backed = [look for look in looks if look.GetBackgroundOpacity() > 0.3]
    assert len(backed) >= 10
    for theme in ("dark", "light"):
        view.set_theme(theme)
        for look in backed:
            assert np.allclose(look.GetBackgroundColor(), rgb(THEMES[theme].bottom))
