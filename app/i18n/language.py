"""The language of the window, the pictures and the messages, and the catalogues with its texts. No Qt.

Texts stand in English where they are used. The translations are gettext catalogues in app/translations, one for each
part of the program; `make translations` writes them, docs/adding.md says how.
"""

from __future__ import annotations

import os
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

from app.environment import LANGUAGE

LANGUAGES = {"en": "English", "ja": "日本語"}
"""The languages that there are, each by its own name."""

FOLDER = Path(__file__).parents[1] / "translations"
DOMAINS = ("window", "scene", "core", "commands")

_language = "en"


def set_language(language: str) -> None:
    """Use one of LANGUAGES from here on."""
    global _language
    _language = language


def set_language_from_environment() -> None:
    """Use the language that the environment asks for, if there is such a one."""
    asked = os.environ.get(LANGUAGE, "en")
    set_language(asked if asked in LANGUAGES else "en")


def language() -> str:
    """The current language."""
    return _language


@cache
def catalogue(language: str) -> NullTranslations:
    """The texts of a language, read when the first of them is needed; English is in the sources."""
    if language == "en":
        return NullTranslations()
    first, *others = (translation(domain, FOLDER, [language]) for domain in DOMAINS)
    for other in others:
        first.add_fallback(other)
    return first


def tr(text: str) -> str:
    """A text in the current language; in English where it has no translation."""
    return catalogue(_language).gettext(text) if text else text  # of "" a catalogue gives its header
