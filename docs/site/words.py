"""Texts of generated pages in Japanese that no catalogue of the program has."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("words.ja.toml")


@cache
def table() -> dict[str, str]:
    """Japanese texts by their English ones, all tables of the file together."""
    tables = tomllib.loads(FILE.read_text("utf-8"))
    return {english: text for each in tables.values() for english, text in each.items()}


def say(text: str, language: str) -> str:
    """A text of this folder in a language. Raises KeyError for one that the table lacks."""
    return text if language == "en" or not text else table()[text]


def prose(text: str) -> str:
    """A text of the program as Markdown: code in backticks stays code, and an asterisk a sign of multiplication."""
    return "`".join(part.replace("*", "\\*") if k % 2 == 0 else part for k, part in enumerate(text.split("`")))
