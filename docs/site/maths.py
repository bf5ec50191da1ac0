"""Formulas between dollar signs as MathML, which browsers draw without a script: `$x^2$` in a line, `$$...$$` alone."""

from __future__ import annotations

import re
from typing import Any

from latex2mathml.converter import convert_to_element
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.util import AtomicString

INLINE = r"(?<![\\$\w])\$(?!\s)([^$\n]+?)(?<!\s)\$(?![\d$])"
BLOCK = r"\$\$\s*([^$]+?)\s*\$\$"
ABOVE_ESCAPES = 185  # priority; code in backticks comes before


class _Formula(InlineProcessor):
    def __init__(self, pattern: str, display: str, markdown: Markdown):
        super().__init__(pattern, markdown)
        self.display = display

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Any, int, int]:  # noqa: N802  (the name is Markdown's)
        made = convert_to_element(m[1], display=self.display)
        for element in made.iter():
            element.tag = element.tag.rpartition("}")[2]
            element.text = AtomicString(element.text) if element.text else element.text
        return made, m.start(0), m.end(0)


class Maths(Extension):
    """The extension, for the list of extensions of Markdown."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        md.inlinePatterns.register(_Formula(BLOCK, "block", md), "formula-block", ABOVE_ESCAPES + 1)
        md.inlinePatterns.register(_Formula(INLINE, "inline", md), "formula", ABOVE_ESCAPES)


def makeExtension(**options: Any) -> Maths:  # noqa: N802
    """Called by Markdown."""
    return Maths(**options)
