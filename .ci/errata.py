"""Writes the errata of the documents from app/panels/shell/errata.py to docs/errata.md and docs/errata.ja.md."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from app.i18n.language import set_language, tr  # noqa: E402
from app.panels.shell.errata import DOCUMENTS, ERRATA, erratum_lines  # noqa: E402
from app.panels.shell.help_texts import TITLES  # noqa: E402

FILES = {"en": ROOT / "docs" / "errata.md", "ja": ROOT / "docs" / "errata.ja.md"}


def page(language: str) -> str:
    """The page in a language, as Markdown."""
    set_language(language)
    lines = [f"# {tr(TITLES['errata'])}", ""]
    for key, title in DOCUMENTS.items():
        lines += [f"## {tr(title)}", ""]
        for erratum in (each for each in ERRATA if each.document == key):
            place, *rest = erratum_lines(erratum)
            lines += [f"**{place}**", "", *(f"- {line}" for line in rest), ""]
    set_language("en")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    for language, path in FILES.items():
        path.write_text(page(language), "utf-8")
