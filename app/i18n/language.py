"""The language of now: what the window, the pictures and the messages say. No Qt.

Texts stand in English where they are used; app/translations has them in other languages.
"""

from __future__ import annotations

import os
from importlib import import_module

from app.environment import LANGUAGE

NAMES = {"en": "English", "ja": "日本語"}
"""The languages that there are, each by its own name."""

_texts: dict[str, str] = {}
_language = "en"


def speak(language: str) -> None:
    """From now on speak this one of NAMES."""
    global _texts, _language
    _texts = {} if language == "en" else import_module(f"app.translations.{language}").TEXTS
    _language = language


def speak_as_asked() -> None:
    """Speak what the environment asks for, if there is such a language."""
    asked = os.environ.get(LANGUAGE, "en")
    speak(asked if asked in NAMES else "en")


def language() -> str:
    return _language


def said(text: str) -> str:
    """A text in the language of now; in English where it has no translation."""
    return _texts.get(text, text)
