"""The texts of the page, in all languages of the program."""

from __future__ import annotations

from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode_app.i18n.field_names import quantity, scene_description, scene_title, unit_text
from polhode_app.i18n.language import LANGUAGES, in_language, tr
from polhode_app.i18n.translation import translate
from polhode_app.viewport.registry import VIEWS

TEXTS = {
    "play": Message("Play"),
    "pause": Message("Pause"),
    "repeat": Message("Repeat"),
    "time": Message("Time"),
    "speed": Message("Speed"),
    "show": Message("Show"),
    "plots": Message("Plots"),
    "about": Message("About this run"),
    "theme": Message("Light or dark"),
    "language": Message("Language"),
    "fit": Message("Fit all"),
    "full_screen": Message("Full screen"),
    "close": Message("Close"),
    "scene": Message("Scene"),
    "copy": Message("Copy"),
    "copied": Message("Copied"),
    "no_copy": Message("Press Ctrl+C to copy"),
    "shadows": Message("Shadows"),
    "trails": Message("Trails"),
    "keys": Message("Keys"),
    "key_play": Message("Space: play or pause"),
    "key_step": Message("Left, Right: one frame back or forward, with Shift ten"),
    "key_ends": Message("Home, End: to the beginning, to the end"),
    "key_speed": Message("+, -: faster, slower"),
    "key_turn": Message("W, A, S, D: turn the view"),
    "key_move": Message("Shift and W, A, S, D: move the view"),
    "key_zoom": Message("Page Up, Page Down: nearer, farther"),
    "key_fit": Message("R: fit all"),
    "mouse": Message("Drag to turn, right button or two fingers to move, wheel or pinch to zoom."),
    "choose": Message("Search for a quantity to plot"),
    "search": Message("Search"),
    "view": Message("The scene in three dimensions"),
    "loading": Message("Loading..."),
    "no_graphics": Message("This browser can't draw in three dimensions: WebGL 2 is missing or switched off."),
    "too_old": Message("This browser is too old for the page: it can't unpack its data (DecompressionStream)."),
    "made": Message("Made with Polhode {version}"),
    "moments": Message("{kept} frames"),
    "thinned": Message("{kept} of {available} frames"),
    "grid": Message("grid {length}"),
}
"""Texts by their names in the page."""


def texts_in(language: str, scene: Scene, columns: dict[str, str], numbers: dict[str, object]) -> dict[str, object]:
    """All texts in a language: those of TEXTS with `numbers` in them, names of views and columns, title, description.

    columns: units by name
    """
    with in_language(language):
        return {
            "texts": {name: _filled(text, numbers) for name, text in TEXTS.items()},
            "views": {name: tr(record.title) for name, record in VIEWS.items()},
            "columns": {name: quantity(name) for name in columns},
            "units": {unit: unit_text(unit) for unit in sorted({*columns.values()})},
            "title": scene_title(scene),
            "description": scene_description(scene),
            "name": LANGUAGES[language],
        }


def _filled(text: Message, numbers: dict[str, object]) -> str:
    """A translated text with numbers in its braces."""
    return translate(text).format(**numbers)
