"""Other words for quantities and numbers of a scene, by which their lists find them in any language. No Qt."""

from __future__ import annotations

import re
from functools import cache

from polhode_app.i18n.data_files import read_data
from polhode_app.i18n.field_names import english
from polhode_app.i18n.language import in_all_languages

STEP = re.compile(r"\w+")
AXES = ("x", "y", "z")


def quantity_words(name: str) -> str:
    """Other words for a column such as "bob.angle" or a number such as "body[0].tilt[1]"; "" where there are none.

    They are the name of the quantity in all languages, and those that search_words.toml has for it.
    """
    steps = [step for step in STEP.findall(name) if step not in AXES and not step.isdigit()]
    return _words(steps[-1]) if steps else ""


@cache
def _words(key: str) -> str:
    names = f"{in_all_languages(key)} {in_all_languages(english(key))}"  # of a column, and of a field
    return f"{names} {read_data('search_words')['quantities'].get(key, '')}".lower()
