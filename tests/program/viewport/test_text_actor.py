"""Text in the picture is written in the font of its language."""

from app.i18n.language import set_language
from app.viewport.base.text_actor import FONT, FROM_FILE, set_text, text_actor


def test_a_text_has_the_font_of_the_language_in_which_it_is_set() -> None:
    actor = text_actor(12)
    families = []
    for language, text in (("en", "grid"), ("ja", "格子"), ("en", "grid")):
        set_language(language)
        set_text(actor, text)
        assert actor.GetInput() == text
        families.append(actor.GetTextProperty().GetFontFamily())
    set_language("en")
    assert families[0] == families[2] != FROM_FILE
    assert families[1] == FROM_FILE
    assert actor.GetTextProperty().GetFontFile() == str(FONT)
