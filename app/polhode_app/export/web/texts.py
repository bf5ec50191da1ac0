"""The texts of the page, in all languages of the program."""

from __future__ import annotations

from polhode.scene.scene import Scene
from polhode_app.i18n.data_files import read_data
from polhode_app.i18n.field_names import quantity, scene_description, scene_title, unit_text
from polhode_app.i18n.language import LANGUAGES, in_language, tr
from polhode_app.viewport.registry import VIEWS

TEXTS: dict[str, str] = read_data("page")
"""Texts by their names in the page."""


def texts_in(language: str, scene: Scene, columns: dict[str, str], numbers: dict[str, object]) -> dict[str, object]:
    """All texts in a language: those of TEXTS with `numbers` in them, names of views and columns, title, description.

    columns: units by name
    """
    with in_language(language):
        return {
            "texts": {name: tr(text).format(**numbers) for name, text in TEXTS.items()},
            "views": {name: tr(record.title) for name, record in VIEWS.items()},
            "columns": {name: quantity(name) for name in columns},
            "units": {unit: unit_text(unit) for unit in sorted({*columns.values()})},
            "title": scene_title(scene),
            "description": scene_description(scene),
            "name": LANGUAGES[language],
        }
