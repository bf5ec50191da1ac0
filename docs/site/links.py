"""Links of pages: from files of the repository to pages of the site.

A link to a file of the repository that is no page becomes a link to a page with its source, and so does the name of a
file in backticks. `Links` collects which sources are named.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path

from docs.site.contents import DOCS, ELSEWHERE, ROOT

LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
OTHER_LANGUAGE = re.compile(r"\s?\[(?:日本語|English)\]\([\w./]+\.md\)")
ALSO_IN = re.compile(r", also in \[Japanese\]\([\w./]+\.md\)")
NAMED = re.compile(r"(?<!\[)`((?:app|core|tests|scenes|meshes|benchmarks|firmware|measurements)/[\w./-]+\.\w+)`")
FENCE = re.compile(r"(^```.*?^```[^\n]*$)", re.MULTILINE | re.DOTALL)
JOINED = re.compile(r"([぀-ヿ一-鿿、。」)]) *\n *(?=\[?[぀-ヿ一-鿿「])|([、。「]) *\n {0,3}(?=[\w`$\[])(?!\d+\. )")
"""Line ends within Japanese text, which browsers would show as spaces; none follows 、 and 。 in any case."""
PICTURES = (".svg", ".png", ".webp", ".jpg")
TEXTS = {".py": "python", ".toml": "toml", ".ino": "cpp", ".h": "cpp", ".cpp": "cpp", ".md": "markdown", ".c": "c"}
"""Files that have pages with their source, and their languages."""


@dataclass
class Links:
    """Targets of the links of pages in one language, as paths from the root of the repository."""

    sources: set[str] = field(default_factory=set)
    pictures: set[Path] = field(default_factory=set)

    def rewritten(self, text: str, file: Path, page: str) -> str:
        """The text of a page with links that hold in the site.

        file: the source of the text; page: its path in the site, such as scenes/index.md
        """
        text = ALSO_IN.sub("", OTHER_LANGUAGE.sub("", text))
        parts = FENCE.split(text)
        parts[::2] = [self._outside_of_code(JOINED.sub(r"\1\2", part), file, page) for part in parts[::2]]
        return "".join(parts)

    def _outside_of_code(self, text: str, file: Path, page: str) -> str:
        text = LINK.sub(lambda found: f"]({self._place(found[1], file, page)}{found[2] or ''})", text)
        lines = text.split("\n")
        return "\n".join(line if line.startswith("    ") else self._names(line, page) for line in lines)

    def _names(self, line: str, page: str) -> str:
        return NAMED.sub(lambda found: self._named(found[1], found[0], page), line)

    def _named(self, path: str, text: str, page: str) -> str:
        if Path(path).suffix not in TEXTS or not (ROOT / path).is_file():
            return text
        return f"[{text}]({self.source(path, page)})"

    def source(self, path: str, page: str) -> str:
        """The link from a page to that with the source of a file of the repository, which is noted."""
        self.sources.add(path)
        return posixpath.relpath(f"source/{path}.md", posixpath.dirname(page) or ".")

    def _place(self, link: str, file: Path, page: str) -> str:
        """The link to a page, picture or source in the site."""
        target = (file.parent / link).resolve()
        up = posixpath.dirname(page) or "."
        if target in ELSEWHERE.values():
            return posixpath.relpath(f"{target.stem.lower()}.md", up)
        if target.name.startswith("README") and target.parent == ROOT:
            return posixpath.relpath("index.md", up)
        if target.parent == DOCS and target.suffix == ".md":
            return posixpath.relpath(target.name.replace(".ja.md", ".md"), up)
        if not target.exists():  # a page that is generated, a film or a figure
            return link
        if target.suffix in PICTURES:
            self.pictures.add(target)
            return posixpath.relpath(f"pictures/{target.name}", up)
        return self.source(target.relative_to(ROOT).as_posix(), page)


def source_page(path: str) -> str:
    """The page with the source of a file."""
    file = ROOT / path
    if not file.is_file():
        names = sorted(each.name for each in file.iterdir() if not each.name.startswith(("_", ".")))
        text = "\n".join(names)
        return f"---\nsearch:\n  exclude: true\n---\n\n# `{path}`\n\n~~~~~\n{text}\n~~~~~\n"
    text = file.read_text("utf-8")
    kind = TEXTS.get(file.suffix, "text")
    head = f"---\nsearch:\n  exclude: true\nhide:\n  - toc\n---\n\n# `{path}`\n\n"
    return f'{head}~~~~~ {{.{kind} linenums="1"}}\n{text.rstrip()}\n~~~~~\n'
