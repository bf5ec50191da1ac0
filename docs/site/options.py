"""Options of commands in a line, such as `--out`, are not broken after their first hyphen."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

OPTION = re.compile(r"(?<![\w-])(--[\w-]+)")
AFTER_INLINE = 15  # priority; code in backticks is made before


class _Options(Treeprocessor):
    def run(self, root: Element) -> None:
        blocks = {code for block in root.iter("pre") for code in block.iter("code")}
        for code in root.iter("code"):
            if code not in blocks and code.text and OPTION.search(code.text):
                _wrap(code)


def _wrap(code: Element) -> None:
    """Put every option of a piece of code into an element of its own."""
    first, *pieces = OPTION.split(code.text or "")
    code.text = AtomicString(first)
    for option, rest in zip(pieces[::2], pieces[1::2], strict=True):
        span = SubElement(code, "span", {"class": "option"})
        span.text, span.tail = AtomicString(option), AtomicString(rest)


class Options(Extension):
    """The extension, for the list of extensions of Markdown."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (the name is Markdown's)
        md.treeprocessors.register(_Options(md), "options", AFTER_INLINE)


def makeExtension(**options: Any) -> Options:  # noqa: N802
    """Called by Markdown."""
    return Options(**options)
