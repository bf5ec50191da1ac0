"""Help texts with formulas: integration methods, divergence, energy drift, time step.

They are in app/polhode_app/texts/help.toml: rich text of Qt in English, translated by the catalogue.
"""

from __future__ import annotations

from polhode_app.i18n.data_files import read_data
from polhode_app.i18n.field_names import METHODS
from polhode_app.i18n.language import tr
from polhode_app.window.shell.errata import errata_table


def titles() -> dict[str, str]:
    """English titles of the topics by name, in the order of the list."""
    return {name: METHODS.get(name) or topic["title"] for name, topic in read_data("help").items()}


def page_text(topic: str) -> str:
    """Text of one of `titles` in the current language, as rich text."""
    text = read_data("help")[topic].get("text", "")
    return errata_table() if topic == "errata" else tr(text)
