"""Errors of the documents from which the physics comes: their places, what is right, and where it can be seen.

The table is shown by the help window; `.ci/errata.py` writes it to docs/errata.md and docs/errata.ja.md. The texts
are in app/polhode_app/texts/errata.toml: rich text in English, translated by the catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QT_TRANSLATE_NOOP

from polhode_app.i18n.data_files import read_data
from polhode_app.i18n.language import tr


@dataclass(frozen=True)
class Erratum:
    """An error of a document, or a place where the program differs."""

    place: str
    """Section or equation."""
    printed: str
    """Printed text or equation."""
    right: str
    """Correct version, and its importance."""
    shown: str
    """Where the program shows the difference, or how it treats it."""


PRINTED = QT_TRANSLATE_NOOP("Errata", "Printed")
RIGHT = QT_TRANSLATE_NOOP("Errata", "Correct")
SHOWN = QT_TRANSLATE_NOOP("Errata", "In Polhode")


@cache
def errata() -> dict[str, tuple[Erratum, ...]]:
    """All errors that are known, by the title of the document."""
    documents = read_data("errata").values()
    return {document["title"]: tuple(Erratum(**each) for each in document["errata"]) for document in documents}


def errata_table() -> str:
    """All errata in the current language, as rich text."""
    parts = []
    for title, found in errata().items():
        parts.append(f"<h4>{tr(title)}</h4>")
        for erratum in found:
            place, *lines = erratum_lines(erratum)
            parts.append(f"<p><b>{place}</b><br>{'<br>'.join(lines)}</p>")
    return "".join(parts)


def erratum_lines(erratum: Erratum) -> list[str]:
    """Place of an erratum, and what is printed, right and shown, in the current language, as rich text."""
    heads = zip((PRINTED, RIGHT, SHOWN), (erratum.printed, erratum.right, erratum.shown), strict=True)
    return [tr(erratum.place), *(f"{tr(head)}: {tr(text)}" for head, text in heads)]
