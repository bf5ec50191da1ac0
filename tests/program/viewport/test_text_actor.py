"""Text in the picture is written in one typeface, which has the letters of all languages."""

import pytest

from app.i18n.language import set_language
from app.viewport.base.text_actor import FONT, FROM_FILE, set_text, text_actor


@pytest.mark.parametrize(("language", "text"), [("en", "grid"), ("ja", "格子")])
def test_texts_of_all_languages_have_one_typeface(language: str, text: str) -> None:
    actor = text_actor(12)
    set_language(language)
    set_text(actor, text)
    set_language("en")
    look = actor.GetTextProperty()
    assert actor.GetInput() == text
    assert (look.GetFontFamily(), look.GetFontFile()) == (FROM_FILE, str(FONT))
