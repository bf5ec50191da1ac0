"""Current UI language and its message catalogues. No Qt.

Source texts are English. Translations are gettext catalogues in app/polhode_app/translations, one domain for each part
of the program; `make translations` updates them, see docs/adding.md.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

from polhode_app.environment import LANGUAGE

LANGUAGES = {"en": "English", "ja": "日本語"}
"""Supported languages by code, each with its native name."""

FOLDER = Path(__file__).parents[1] / "translations"
DOMAINS = ("window", "scene", "core", "commands")

_language = "en"
_of_thread = threading.local()


def set_language(language: str) -> None:
    """Set the language of all texts translated from now on; one of LANGUAGES."""
    global _language
    _language = language


def set_language_from_environment() -> None:
    """Set the language named in the environment, or English if it is not supported."""
    asked = os.environ.get(LANGUAGE, "en")
    set_language(asked if asked in LANGUAGES else "en")


def language() -> str:
    """Code of the current language."""
    return getattr(_of_thread, "language", None) or _language


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Context manager in which the current thread has another language, for documents in several languages."""
    before = getattr(_of_thread, "language", None)
    _of_thread.language = language
    try:
        yield
    finally:
        _of_thread.language = before


@cache
def catalogue(language: str) -> NullTranslations:
    """The catalogue of a language, loaded on first use; empty for English."""
    if language == "en":
        return NullTranslations()
    first, *others = (translation(domain, FOLDER, [language]) for domain in DOMAINS)
    for other in others:
        first.add_fallback(other)
    return first


def in_all_languages(text: str) -> str:
    """A text in every language, separated by spaces: a person may search in another one than that of the window."""
    return " ".join(dict.fromkeys(catalogue(code).gettext(text) for code in LANGUAGES)) if text else ""


def tr(text: str) -> str:
    """Translate a text to the current language; texts without a translation are returned unchanged."""
    return catalogue(language()).gettext(text) if text else text  # gettext("") is the header of the catalogue
