"""Writes the errata of the documents from app/polhode_app/texts/errata.toml to docs/errata.md and docs/errata.ja.md."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from polhode.scene import gallery  # noqa: E402
from polhode_app.i18n.language import set_language, tr  # noqa: E402
from polhode_app.window.shell.errata import errata, erratum_lines  # noqa: E402
from polhode_app.window.shell.help_texts import titles  # noqa: E402

INTRODUCTION = {
    "en": "Errors found in five documents whose models were implemented in Polhode, and two places where the program\n"
    "deliberately differs from them: the printed text, the correction, and the behaviour of the program. The help\n"
    "window, opened by the `?` beside the method, has the same list. [日本語](errata.ja.md)",
    "ja": "プログラムを作る間に五つの文書で見つかった誤りと、誤りではないがプログラムが文書と異なる二つの箇所です。\n"
    "印刷された内容、正しい内容、プログラムの扱いを順に示します。ウィンドウの解法の横の `?` で開く解説にも同じ一覧が\n"
    "あります。[English](errata.md)",
}
FILES = {"en": ROOT / "docs" / "errata.md", "ja": ROOT / "docs" / "errata.ja.md"}


def page(language: str) -> str:
    """The page in a language, as Markdown."""
    set_language(language)
    lines = [f"# {tr(titles()['errata'])}", "", INTRODUCTION[language], ""]
    for title, found in errata().items():
        lines += [f"## {tr(title)}", ""]
        for erratum in found:
            place, *rest = erratum_lines(erratum)
            lines += [f"**{place}**", "", *(f"- {_linked(line, language)}" for line in rest), ""]
    set_language("en")
    return "\n".join(lines).rstrip() + "\n"


def _linked(line: str, language: str) -> str:
    """A line with links to the scenes and pages that it names."""
    line = re.sub(r"<code>(\w+)</code>", lambda found: _scene(found[1]) or found[0], line)
    ending = "" if language == "en" else f".{language}"
    return re.sub(r"docs/(\w+)\.md", rf"[docs/\1.md](\1{ending}.md)", line)


def _scene(name: str) -> str:
    """The link to the page of a built-in scene; empty for other names."""
    return f"[`{name}`](scenes/{name}.md)" if name in gallery.scene_names() else ""


if __name__ == "__main__":
    for language, path in FILES.items():
        path.write_text(page(language), "utf-8")
